import type { Room } from "../middleware/Room.ts"
import { fxEndpoints } from "./FxEndpoints.ts"

export const fxRoom = { endpoints: fxEndpoints } as const satisfies Room
