import type { Room } from "../middleware/Room.ts"
import { reviewEndpoints } from "./ReviewEndpoints.ts"
import { reviewErrors } from "./reviewErrors.ts"

export const reviewRoom = {
  endpoints: reviewEndpoints,
  errors: reviewErrors
} as const satisfies Room
