import type { Room } from "../middleware/Room.ts"
import { fulfilmentEndpoints } from "./FulfilmentEndpoints.ts"
import { fulfilmentErrors } from "./fulfilmentErrors.ts"

export const fulfilmentRoom = {
  endpoints: fulfilmentEndpoints,
  errors: fulfilmentErrors
} as const satisfies Room
