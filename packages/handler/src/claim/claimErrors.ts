import type { PromotionUsedUp, TenderShort } from "@effect-commerce/core/claim/ClaimErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

export const claimErrors: ErrorRows<TenderShort | PromotionUsedUp> = {
  TenderShort: {
    code: "CONFLICT",
    message: () =>
      "What was to pay a part of this order pays less than was shown; nothing was charged. Enter it again to pay " +
      "with what is left, or remove it",
    details: (e) => ({ reason: e.reason ?? "exhausted", tenderId: e.tenderId ?? e.sourceId })
  },
  PromotionUsedUp: {
    code: "CONFLICT",
    message: (e) => `${e.name} was used as often as it may be; nothing was charged`,
    details: (e) => ({ reason: e.byCustomer ? "customer_limit" : "usage_limit", promotionId: e.id })
  }
}
