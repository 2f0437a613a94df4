/** Discounts whose amounts are known, as the pipeline takes them. */
import type { Discount } from "@effect-commerce/core/pricing/AdjustmentSource"

export interface LineDiscount {
  readonly lineId: string
  readonly kind: "rule" | "coupon"
  readonly sourceId: string
  readonly amount: bigint
}

export const discountsOf = (discounts: ReadonlyArray<LineDiscount>): ReadonlyArray<Discount> =>
  discounts.map(({ kind, lineId, sourceId, amount }) => ({
    kind,
    sourceId,
    name: sourceId,
    code: kind === "rule" ? null : sourceId,
    type: "AMOUNT_OFF",
    value: null,
    part: kind === "rule" ? "rule_discount" : "discount",
    combines: true,
    evaluate: () => ({ lines: [{ lineId, amount, units: 1 }], formula: "as stated" })
  }))
