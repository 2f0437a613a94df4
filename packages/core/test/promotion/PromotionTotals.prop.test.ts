import { describe, expect, it } from "vitest"
import type { PricingResult } from "../../src/pricing/PricingResult.ts"
import { law } from "../kernel/laws.ts"
import { pricedCart } from "./pricedCart.ts"
import { cart } from "./randomPromotions.ts"
import { referencePromotions } from "./referencePromotions.ts"

/** A line that the catalogue does not know has no groups. */
const known = cart.map((given) => ({
  ...given,
  lines: given.lines.map((line) => (line.productId === null ? { ...line, categories: [], brands: [] } : line))
}))

const resultOf = ({ total, adjustments, notApplied }: PricingResult) => {
  const missed = notApplied.filter(({ reason }) => reason !== "lost")
  const lost = notApplied.filter(({ reason }) => reason === "lost")
  return {
    total,
    taken: Object.fromEntries(
      adjustments.map(({ sourceId, lineId, amount, units }) => [
        `${sourceId} ${lineId ?? "shipping"}`,
        { amount, units }
      ])
    ),
    missing: Object.fromEntries(
      missed.map(({ sourceId, reason, missingAmount, missingQuantity }) => {
        const missing = missingAmount ?? missingQuantity
        return [sourceId ?? "", missing === undefined ? reason : `${reason} ${missing}`]
      })
    ),
    lost: Object.fromEntries(lost.map(({ sourceId, lostTo }) => [sourceId ?? "", lostTo.map((each) => each.sourceId)]))
  }
}

describe("promotions in random carts", () => {
  it("take off what the reference evaluator says, line by line, and miss and lose for the same reasons", () => {
    law(known, (given) => {
      expect(resultOf(pricedCart(given))).toEqual(referencePromotions(given))
    })
  })

  it("never take more than a line has, and concern no more units than it has", () => {
    law(known, (given) => {
      const result = pricedCart(given)
      for (const line of given.lines) {
        const gross = line.unitPrice * BigInt(line.quantity)
        const taken = result.adjustments.filter(({ lineId }) => lineId === line.id)
        expect(taken.reduce((sum, { amount }) => sum + amount, 0n) <= gross).toBe(true)
        for (const { units, amount } of taken) {
          expect(units >= 1 && units <= line.quantity).toBe(true)
          expect(amount > 0n).toBe(true)
        }
      }
      expect(result.discountAmount).toBe(0n)
    })
  })
})
