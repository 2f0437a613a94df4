import type { Room } from "../middleware/Room.ts"
import { explanationEndpoints } from "./ExplanationEndpoints.ts"

export const explanationRoom = { endpoints: explanationEndpoints } as const satisfies Room
