import type {
  CheckoutFieldKeyTaken,
  CheckoutFieldNotFound
} from "@effect-commerce/core/checkoutfield/CheckoutFieldErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const checkoutFieldErrors: ErrorRows<CheckoutFieldNotFound | CheckoutFieldKeyTaken> = {
  CheckoutFieldNotFound: missing("checkout field"),
  CheckoutFieldKeyTaken: {
    code: "CONFLICT",
    message: (e) => `Another checkout field has the key ${e.key}`,
    details: (e) => ({ key: e.key })
  }
}
