import type { Room } from "../middleware/Room.ts"
import { shippingEndpoints } from "./ShippingEndpoints.ts"
import { shippingErrors } from "./shippingErrors.ts"

export const shippingRoom = {
  endpoints: shippingEndpoints,
  errors: shippingErrors
} as const satisfies Room
