import type { CodeError } from "@effect-commerce/core/pricing/CodeErrors"
import { formatMoney } from "@effect-commerce/core/kernel/Money"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

const whyNot: Readonly<Record<string, string>> = {
  region: "This coupon is for another region",
  minimum: "The cart does not reach the minimum of this coupon",
  no_eligible_items: "Nothing in the cart is what this coupon is for"
}

export const pricingErrors: ErrorRows<CodeError> = {
  CouponUnknown: missing("coupon", "COUPON_NOT_FOUND"),
  CouponNotActive: { code: "COUPON_NOT_ACTIVE", message: () => "This coupon cannot be used now" },
  CouponExpired: { code: "COUPON_EXPIRED", message: () => "This coupon has expired" },
  CouponUsedUp: {
    code: "COUPON_USAGE_LIMIT_REACHED",
    message: () => "This coupon was used as often as it may be"
  },
  CouponUsedByCustomer: {
    code: "COUPON_PER_CUSTOMER_LIMIT_REACHED",
    message: (e) =>
      e.needsCustomer
        ? "This coupon is limited for each customer: sign in to use it"
        : "This customer has used the coupon as often as it may be",
    details: (e) => ({ reason: e.needsCustomer ? "needs_customer" : "customer_limit" })
  },
  CouponNotApplicable: {
    code: "VALIDATION_FAILED",
    message: (e) => `code: ${whyNot[e.reason] ?? "This coupon takes nothing off this cart"}`,
    details: (e) => ({
      reason: e.reason,
      errors: { code: whyNot[e.reason] ?? "takes nothing off this cart" },
      ...(e.missingAmount === null ? {} : { missing: formatMoney(e.missingAmount, e.currency) })
    })
  }
}
