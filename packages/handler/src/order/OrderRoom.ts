import type { Room } from "../middleware/Room.ts"
import { orderEndpoints } from "./OrderEndpoints.ts"
import { orderErrors } from "./orderErrors.ts"

export const orderRoom = {
  endpoints: orderEndpoints,
  errors: orderErrors
} as const satisfies Room
