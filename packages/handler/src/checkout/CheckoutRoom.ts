import type { Room } from "../middleware/Room.ts"
import { checkoutEndpoints } from "./CheckoutEndpoints.ts"
import { checkoutErrors } from "./checkoutErrors.ts"

export const checkoutRoom = {
  endpoints: checkoutEndpoints,
  errors: checkoutErrors
} as const satisfies Room
