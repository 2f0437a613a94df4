/** Whether what was priced can be stored as an order. */
import { Effect } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { isStorable, type PricingResult } from "../pricing/PricingResult.ts"

/** Discounts of single lines of one order: each is a row. */
const maxAdjustments = 10_000
const tooMuch = { items: "cost more than an order can come to", total: "is more than an order can come to" } as const

/** `field` is what an error names: the items of a request, or the total of a checkout. */
export const checkStorable = (
  quote: Pick<PricingResult, "subtotal" | "total" | "adjustments">,
  field: keyof typeof tooMuch
): Effect.Effect<void, FieldRejected> => {
  if (!isStorable(quote)) return FieldRejected.at(field, tooMuch[field])
  if (quote.adjustments.length <= maxAdjustments) return Effect.void
  return FieldRejected.at(field, `discounts of single lines are more than ${maxAdjustments}: fewer rules must combine`)
}
