import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Discount } from "@effect-commerce/core/pricing/AdjustmentSource"
import { price } from "@effect-commerce/core/pricing/PricingPipeline"
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import { law } from "../kernel/laws.ts"
import { order } from "./orders.ts"
import { type ReferenceOrder, referenceTotals } from "./referenceEvaluator.ts"

/** What a discount wants of each line, in the order of the lines; none where there is no amount. */
interface Wanted {
  readonly isCoupon: boolean
  readonly combines: boolean
  readonly amounts: ReadonlyArray<bigint>
}

const amount = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 0n, max: 100_000n }))
const wanted: fc.Arbitrary<Wanted> = fc.record({
  isCoupon: fc.boolean(),
  combines: fc.boolean(),
  amounts: fc.array(amount, { minLength: 6, maxLength: 6 })
})
const given = fc.record({ order, discounts: fc.array(wanted, { maxLength: 6 }) })

const nameOf = (at: number) => `discount_${at}`

const discountsOf = ({ lines }: ReferenceOrder, discounts: ReadonlyArray<Wanted>): ReadonlyArray<Discount> =>
  discounts.map(({ isCoupon, combines, amounts }, at) => ({
    kind: isCoupon ? "coupon" : "promotion",
    sourceId: nameOf(at),
    name: nameOf(at),
    code: isCoupon ? nameOf(at) : null,
    type: "AMOUNT_OFF",
    value: null,
    part: isCoupon ? "discount" : "rule_discount",
    combines,
    evaluate: () => ({
      lines: lines.map(({ id }, i) => ({ lineId: id, amount: amounts[i] ?? 0n, units: 1 })),
      formula: "as stated"
    })
  }))

/** The total with these discounts, by the reference evaluator: rules first, then coupons, each line down to nothing. */
const totalWith = (given: ReferenceOrder, set: ReadonlyArray<Wanted>): bigint => {
  const sumOf = (isCoupon: boolean, line: number) =>
    set.reduce((sum, each) => (each.isCoupon === isCoupon ? sum + (each.amounts[line] ?? 0n) : sum), 0n)
  const lines = given.lines.map((line, i) => ({ ...line, rule: sumOf(false, i), coupon: sumOf(true, i) }))
  return referenceTotals({ ...given, lines }).total
}

/** Every set of discounts is tried, and those that may not apply together are left out. */
const allowedSets = (discounts: ReadonlyArray<Wanted>): ReadonlyArray<ReadonlyArray<Wanted>> =>
  Array.from({ length: 2 ** discounts.length }, (_, bits) =>
    discounts.filter((_each, at) => (bits >> at) % 2 === 1)
  ).filter((set) => set.length === 1 || set.every(({ combines }) => combines))

describe("discounts that may or may not combine", () => {
  it("come to the lowest total of all sets that may apply together", () => {
    law(given, ({ order: priced, discounts }) => {
      const result = price({
        currency: "EUR",
        policy: { taxRounding: priced.rounding, taxRoundingMode: priced.mode, stackRounding: priced.stacking },
        lines: priced.lines,
        shipping: priced.shipping,
        address: priced.address,
        taxes: compileTaxRates(priced.rates),
        discounts: discountsOf(priced, discounts)
      })
      const totals = allowedSets(discounts).map((set) => totalWith(priced, set))
      expect(result.total).toBe(totals.reduce((least, total) => (total < least ? total : least)))
      // A discount that takes something off did not lose; one that lost names the discounts that take something off.
      const applied = [...new Set(result.adjustments.map(({ sourceId }) => sourceId))]
      const lost = result.notApplied.filter(({ reason }) => reason === "lost")
      for (const { sourceId, lostTo } of lost) {
        expect(applied).not.toContain(sourceId)
        expect(lostTo.map((each) => each.sourceId).sort()).toEqual([...applied].sort())
      }
      const winners = discounts.filter((_, at) => applied.includes(nameOf(at)))
      expect(winners.length <= 1 || winners.every(({ combines }) => combines)).toBe(true)
      const [first, ...others] = result.alternatives
      if (first !== undefined) expect(first.total).toBe(result.total)
      for (const { total } of others) expect(total >= result.total).toBe(true)
    })
  })
})
