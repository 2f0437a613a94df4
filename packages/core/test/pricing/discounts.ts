/** Discounts whose amounts are known, as the pipeline takes them. */
import type { AdjustmentEvaluator } from "@effect-commerce/core/pricing/AdjustmentSource"

export interface LineDiscount {
  readonly lineId: string
  readonly kind: "rule" | "coupon"
  readonly sourceId: string
  readonly amount: bigint
}

export const evaluatorsOf = (discounts: ReadonlyArray<LineDiscount>): ReadonlyArray<AdjustmentEvaluator> =>
  discounts.map(({ kind, lineId, sourceId, amount }) => ({
    kind,
    part: kind === "rule" ? "rule_discount" : "discount",
    evaluate: () => ({ proposed: [{ sourceId, target: "line", lineId, amount, reason: null }] })
  }))
