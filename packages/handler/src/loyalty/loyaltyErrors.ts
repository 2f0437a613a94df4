import type { PointsRefused } from "@effect-commerce/core/loyalty/LoyaltyErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

const sentences: Readonly<Record<PointsRefused["reason"], (bound: number | null) => string>> = {
  disabled: () => "Points cannot be spent in this store now",
  needs_customer: () => "Points belong to a customer: sign in before the checkout is created",
  minimum: (bound) => `At least ${bound} points can be spent at once`,
  balance: (bound) => `There are only ${bound} points that are free`,
  maximum: (bound) => `An account holds at most ${bound} points`
}

export const loyaltyErrors: ErrorRows<PointsRefused> = {
  PointsRefused: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => sentences[e.reason](e.bound),
    details: ({ reason, points, bound }) => ({ reason, points, ...(bound === null ? {} : { bound }) })
  }
}
