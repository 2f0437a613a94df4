import type { Room } from "../middleware/Room.ts"
import { checkoutFieldEndpoints } from "./CheckoutFieldEndpoints.ts"
import { checkoutFieldErrors } from "./checkoutFieldErrors.ts"

export const checkoutFieldRoom = {
  endpoints: checkoutFieldEndpoints,
  errors: checkoutFieldErrors
} as const satisfies Room
