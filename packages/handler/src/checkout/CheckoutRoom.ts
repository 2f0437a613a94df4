import { Layer } from "effect"
import type { Room } from "../middleware/Room.ts"
import { checkoutEndpoints } from "./CheckoutEndpoints.ts"
import { quoteEndpoints } from "./QuoteEndpoints.ts"
import { checkoutErrors } from "./checkoutErrors.ts"

export const checkoutRoom = {
  endpoints: Layer.merge(checkoutEndpoints, quoteEndpoints),
  errors: checkoutErrors
} as const satisfies Room
