/** A discount that the caller states, split over the lines in proportion to what is left of them. */
import { allocate } from "../../kernel/Allocation.ts"
import { manualKinds } from "../Adjustment.ts"
import type { AdjustmentEvaluator } from "../AdjustmentSource.ts"

export const statedDiscount = (amount: bigint): AdjustmentEvaluator => ({
  kind: manualKinds.discount,
  part: "discount",
  evaluate: ({ lines }) => {
    const due = lines.map((line) => line.due)
    const shares = allocate(amount, due, due)
    return {
      proposed: lines.flatMap(({ id }, i) => {
        const share = shares[i] ?? 0n
        return share === 0n
          ? []
          : [{ sourceId: "discountAmount", target: "line" as const, lineId: id, amount: share, reason: null }]
      })
    }
  }
})
