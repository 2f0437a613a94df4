import type {
  CartBeingPaid,
  CartItemNotFound,
  CartLineLimitReached,
  CartNotFound,
  CartNotWritable,
  CartStockInsufficient,
  ProductUnavailable
} from "@effect-commerce/core/cart/CartErrors"
import { chooseVariant } from "@effect-commerce/core/pricing/Sellable"
import type { ModifiersInvalid } from "@effect-commerce/core/modifier/LineModifiers"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const cartErrors: ErrorRows<
  | CartBeingPaid
  | CartNotFound
  | CartItemNotFound
  | CartNotWritable
  | CartLineLimitReached
  | CartStockInsufficient
  | ProductUnavailable
  | ModifiersInvalid
> = {
  CartNotFound: missing("cart"),
  CartItemNotFound: missing("cart item"),
  CartNotWritable: {
    code: "CONFLICT",
    message: (e) => `This cart is ${e.status} and cannot be changed`,
    details: (e) => ({ status: e.status })
  },
  CartBeingPaid: {
    code: "CONFLICT",
    message: () =>
      "A checkout of this cart is being paid for: the cart cannot be merged until the outcome is known, or the " +
      "checkout is cancelled",
    details: () => ({ reason: "payment_pending" }),
    headers: () => ({ "retry-after": "1" })
  },
  CartLineLimitReached: {
    code: "CART_LINE_LIMIT_REACHED",
    message: (e) => `A cart holds at most ${e.maxLines} different lines`,
    details: (e) => ({ maxLines: e.maxLines })
  },
  CartStockInsufficient: {
    code: "INSUFFICIENT_STOCK",
    message: (e) => `Only ${e.available} of the ${e.requested} asked for are available`,
    details: ({ available, requested }) => ({ available, requested })
  },
  ProductUnavailable: {
    code: "PRODUCT_UNAVAILABLE",
    message: (e) => (e.needsVariant === true ? `Choose a variant: ${chooseVariant}` : "A product is not available"),
    details: (e) => ({
      items: e.items,
      ...(e.needsVariant === true ? { errors: { variantId: chooseVariant } } : {})
    })
  },
  ModifiersInvalid: {
    code: "MODIFIER_VALIDATION_FAILED",
    message: () => "The chosen modifiers are not valid",
    details: (e) => ({ errors: e.errors })
  }
}
