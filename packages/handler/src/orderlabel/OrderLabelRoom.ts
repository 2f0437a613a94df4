import type { Room } from "../middleware/Room.ts"
import { orderLabelEndpoints } from "./OrderLabelEndpoints.ts"
import { orderLabelErrors } from "./orderLabelErrors.ts"

export const orderLabelRoom = {
  endpoints: orderLabelEndpoints,
  errors: orderLabelErrors
} as const satisfies Room
