import { describe, expect, it } from "vitest"
import type { Adjustment } from "@effect-commerce/core/pricing/Adjustment"
import { price } from "@effect-commerce/core/pricing/PricingPipeline"
import type { PricingSnapshot } from "@effect-commerce/core/pricing/PricingSnapshot"
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import { law } from "../kernel/laws.ts"
import { discountsOf, type LineDiscount } from "./discounts.ts"
import { order } from "./orders.ts"
import { type ReferenceOrder, referenceTotals } from "./referenceEvaluator.ts"

const lineDiscountsOf = (given: ReferenceOrder): ReadonlyArray<LineDiscount> =>
  given.lines.flatMap(
    (line): ReadonlyArray<LineDiscount> => [
      { lineId: line.id, kind: "coupon", sourceId: "coupon_1", amount: line.coupon },
      { lineId: line.id, kind: "rule", sourceId: "rule_1", amount: line.rule }
    ]
  )

const snapshotOf = (given: ReferenceOrder): PricingSnapshot => ({
  currency: "EUR",
  policy: { taxRounding: given.rounding, taxRoundingMode: given.mode, stackRounding: given.stacking },
  lines: given.lines,
  shipping: given.shipping,
  address: given.address,
  taxes: compileTaxRates(given.rates),
  discounts: discountsOf(lineDiscountsOf(given))
})

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((acc, amount) => acc + amount, 0n)

describe("totals of random orders", () => {
  it("equal those of the reference evaluator to the minor unit", () => {
    law(order, (given) => {
      const expected = referenceTotals(given)
      const result = price(snapshotOf(given))
      expect({
        total: result.total,
        taxAmount: result.taxAmount,
        net: result.taxBreakdown.subtotal + result.taxBreakdown.shippingNet,
        lineTaxes: result.lines.map((line) => line.tax),
        shippingTax: result.shippingTax,
        byRate: Object.fromEntries(result.taxBreakdown.breakdown.map((row) => [row.rateId, row.amount]))
      }).toEqual(expected)
    })
  })

  it("sum in every direction", () => {
    law(order, (given) => {
      const result = price(snapshotOf(given))
      const inclusive = new Set(given.rates.filter((rate) => rate.isInclusive).map((rate) => rate.id))
      const exclusiveTax = sum(
        result.taxBreakdown.breakdown.filter((row) => !inclusive.has(row.rateId)).map((row) => row.amount)
      )
      expect(result.total).toBe(
        result.subtotal -
          result.discountAmount -
          result.ruleDiscountAmount +
          result.shippingAmount +
          result.surchargeAmount +
          exclusiveTax
      )
      expect(sum(result.lines.map((line) => line.subtotal))).toBe(result.subtotal)
      expect(sum(result.lines.map((line) => line.discount))).toBe(result.discountAmount + result.ruleDiscountAmount)
      expect(sum(result.lines.map((line) => line.tax)) + result.shippingTax).toBe(result.taxAmount)
      expect(sum(result.taxBreakdown.breakdown.map((row) => row.amount))).toBe(result.taxAmount)
      for (const line of result.lines) expect(sum(line.taxes.map((share) => share.amount))).toBe(line.tax)
      const { subtotal, shippingNet, totalTax, total } = result.taxBreakdown
      expect(totalTax).toBe(result.taxAmount)
      expect(subtotal + shippingNet + totalTax).toBe(total)
      expect(total).toBe(result.total)
    })
  })

  it("never go below zero, and no line is discounted below nothing", () => {
    law(order, (given) => {
      const result = price(snapshotOf(given))
      const { subtotal, shippingNet } = result.taxBreakdown
      expect([result.total, result.taxAmount, subtotal, shippingNet].every((amount) => amount >= 0n)).toBe(true)
      expect(result.discountAmount + result.ruleDiscountAmount <= result.subtotal).toBe(true)
      for (const line of result.lines) {
        expect(line.discount <= line.subtotal && line.total >= 0n).toBe(true)
        for (const share of line.taxes) expect(share.amount >= 0n).toBe(true)
      }
    })
  })

  it("are the sums of their adjustments, line by line and part by part", () => {
    law(order, (given) => {
      const { adjustments, lines, discountAmount, ruleDiscountAmount } = price(snapshotOf(given))
      const of = (keep: (adjustment: Adjustment) => boolean) =>
        sum(adjustments.filter(keep).map(({ amount }) => amount))
      for (const line of lines) expect(of(({ lineId }) => lineId === line.id)).toBe(line.discount)
      expect(of(({ part }) => part === "discount")).toBe(discountAmount)
      expect(of(({ part }) => part === "rule_discount")).toBe(ruleDiscountAmount)
      expect(adjustments.every(({ amount }) => amount > 0n)).toBe(true)
    })
  })

  it("do not depend on the order of the rate table", () => {
    law(order, (given) => {
      const forwards = price(snapshotOf(given))
      const backwards = price(snapshotOf({ ...given, rates: [...given.rates].reverse() }))
      const distinct = new Set(given.rates.map((rate) => rate.id)).size === given.rates.length
      if (distinct) expect(backwards).toEqual(forwards)
    })
  })

  it("on the line, swapping lines changes no line", () => {
    law(order, (given) => {
      const policy = { ...given, rounding: "line" as const }
      const forwards = price(snapshotOf(policy))
      const backwards = price(snapshotOf({ ...policy, lines: [...policy.lines].reverse() }))
      expect([...backwards.lines].reverse()).toEqual(forwards.lines)
      expect(backwards.total).toBe(forwards.total)
    })
  })

  it("are explained: the last word of the trace on each line and on shipping is what was charged", () => {
    law(order, (given) => {
      const result = price(snapshotOf(given))
      for (const { id, subtotal, discount, taxes } of result.lines) {
        const entries = result.trace.filter((entry) => entry.target === id)
        const of = (step: string) => sum(entries.filter((entry) => entry.step === step).map((entry) => entry.amount))
        expect(of("prices")).toBe(subtotal)
        expect(of("rules") + of("coupon")).toBe(discount)
        for (const share of taxes) {
          const last = entries.findLast((entry) => entry.sources.length === 1 && entry.sources[0] === share.rateId)
          expect(last?.amount).toBe(share.amount)
        }
      }
      expect(result.trace.at(-1)?.amount).toBe(result.total)
    })
  })
})
