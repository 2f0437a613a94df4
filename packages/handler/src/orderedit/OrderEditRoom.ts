import type { Room } from "../middleware/Room.ts"
import { orderEditEndpoints } from "./OrderEditEndpoints.ts"

export const orderEditRoom = { endpoints: orderEditEndpoints, errors: {} } as const satisfies Room
