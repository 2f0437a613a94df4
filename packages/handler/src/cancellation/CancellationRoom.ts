import type { Room } from "../middleware/Room.ts"
import { cancellationEndpoints } from "./CancellationEndpoints.ts"
import { cancellationErrors } from "./cancellationErrors.ts"

export const cancellationRoom = {
  endpoints: cancellationEndpoints,
  errors: cancellationErrors
} as const satisfies Room
