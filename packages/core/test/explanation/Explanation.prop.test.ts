import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ExplanationView } from "@effect-commerce/core/explanation/Explanation"
import { explainResult } from "@effect-commerce/core/explanation/explainQuote"
import { explanationPage } from "@effect-commerce/core/explanation/ExplanationPage"
import { explanationLines } from "@effect-commerce/core/explanation/ExplanationText"
import { parseMoney } from "@effect-commerce/core/kernel/Money"
import type { Discount, OfferedTender, Surcharge } from "@effect-commerce/core/pricing/AdjustmentSource"
import { spread } from "@effect-commerce/core/pricing/LineScope"
import { price } from "@effect-commerce/core/pricing/PricingPipeline"
import type { PricingSnapshot } from "@effect-commerce/core/pricing/PricingSnapshot"
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import { law } from "../kernel/laws.ts"
import { discountsOf } from "../pricing/discounts.ts"
import { order } from "../pricing/orders.ts"

const amount = fc.bigInt({ min: 0n, max: 5_000n })

/** A percentage of all lines, rounded once half up and split over them; some take something off the shipping. */
const percentage = (id: string, part: Discount["part"], percent: bigint, combines: boolean, off: bigint): Discount => ({
  kind: part === "discount" ? "coupon" : "promotion",
  sourceId: id,
  name: `Name of ${id}`,
  code: part === "discount" ? id : null,
  type: part === "discount" ? "PERCENTAGE" : "PERCENTAGE_OFF",
  value: String(percent),
  part,
  combines,
  evaluate: ({ lines, shipping }) => {
    const due = lines.reduce((sum, line) => sum + line.due, 0n)
    const share = spread((due * percent * 2n + 100n) / 200n, lines)
    return { lines: share, ...(shipping === null || off === 0n ? {} : { shipping: off }), formula: `${percent} %` }
  }
})

const surcharge = (id: string, minor: bigint): Surcharge => ({
  kind: "checkout_field",
  sourceId: id,
  name: `Field ${id}`,
  type: null,
  value: null,
  evaluate: () => ({ amount: minor, formula: "as stated" })
})

const tender = (id: string, has: bigint): OfferedTender => ({
  kind: "gift_card",
  sourceId: id,
  tenderId: id,
  reason: `Card ${id}`,
  pay: (due) => (due < has ? due : has)
})

const situation = fc.record({
  order,
  currency: fc.constantFrom("EUR", "JPY", "KWD"),
  percents: fc.array(
    fc.tuple(fc.boolean(), fc.bigInt({ min: 1n, max: 60n }), fc.boolean(), fc.constantFrom(0n, 0n, 250n, 99_999n)),
    { maxLength: 4 }
  ),
  surcharges: fc.array(amount, { maxLength: 2 }),
  tenders: fc.array(amount, { maxLength: 2 }),
  stated: fc.record({
    tax: fc.option(amount, { freq: 3, nil: undefined }),
    discount: fc.option(fc.constant(1n), { freq: 3, nil: undefined })
  })
})

const snapshotOf = (given: typeof situation extends fc.Arbitrary<infer T> ? T : never): PricingSnapshot => {
  const { order: of, percents, surcharges, tenders, stated } = given
  const own = discountsOf(
    of.lines.flatMap(({ id: lineId, coupon, rule }) => [
      { lineId, kind: "coupon" as const, sourceId: "coupon_1", amount: coupon },
      { lineId, kind: "rule" as const, sourceId: "rule_1", amount: rule }
    ])
  )
  const drawn = percents.map(([isRule, percent, combines, off], i) =>
    percentage(`d${i}`, isRule ? "rule_discount" : "discount", percent, combines, off)
  )
  return {
    currency: given.currency,
    policy: { taxRounding: of.rounding, taxRoundingMode: of.mode, stackRounding: of.stacking },
    lines: of.lines,
    shipping: of.shipping === null ? null : { ...of.shipping, rateId: "rate_1", rateName: "Standard" },
    address: of.address,
    taxes: compileTaxRates(of.rates),
    statedTax: stated.tax,
    statedDiscount: of.lines.length === 0 ? undefined : stated.discount,
    discounts: drawn.length === 0 ? own : drawn,
    surcharges: surcharges.map((minor, i) => surcharge(`field_${i}`, minor)),
    tenders: tenders.map((has, i) => tender(`card_${i}`, has))
  }
}

const explained = (snapshot: PricingSnapshot) => {
  const lines = snapshot.lines.map(({ id, quantity, unitPrice }) => ({ id, quantity, unitPrice, sellable: null }))
  const result = price(snapshot)
  const { currency } = snapshot
  return { result, view: explainResult({ type: "cart", id: "cart_1" }, { currency, lines }, result) }
}

const minorOf = (text: string, currency: string): bigint => {
  const minor = parseMoney(text, currency)
  if (typeof minor !== "bigint") throw new Error(`${text} is no amount of ${currency}`)
  return minor
}

/** The sum of the entries that `keep` chooses. */
const sumOf = ({ entries, currency }: ExplanationView, keep: (entry: ExplanationView["entries"][number]) => boolean) =>
  entries.filter(keep).reduce((sum, entry) => sum + minorOf(entry.amount, currency), 0n)

describe("the explanation of a random order", () => {
  it("adds up to every total", () => {
    law(situation, (given) => {
      const { result, view } = explained(snapshotOf(given))
      const of = (step: string) => sumOf(view, (entry) => entry.step === step)
      expect({
        prices: of("prices"),
        rules: of("rules"),
        coupon: of("coupon"),
        shipping: of("shipping"),
        tax: of("tax"),
        surcharges: of("surcharges"),
        total: of("total"),
        due: of("total") + of("tenders")
      }).toEqual({
        prices: result.subtotal,
        rules: -result.ruleDiscountAmount,
        coupon: -result.discountAmount,
        shipping: result.shippingAmount,
        tax: result.taxAmount,
        surcharges: result.surchargeAmount,
        total: result.total,
        due: result.amountDue
      })
    })
  })

  it("says the tax of every line by every rate, once", () => {
    law(situation, (given) => {
      const { result, view } = explained(snapshotOf(given))
      for (const { id, taxes } of result.lines)
        for (const { rateId, name, amount: tax } of taxes) {
          const entries = view.entries.filter(
            ({ step, target, source }) => step === "tax" && target.id === id && source?.id === rateId
          )
          expect(entries.map(({ source, amount: text }) => [source, minorOf(text, given.currency)])).toEqual([
            [{ type: "tax_rate", id: rateId, name }, tax]
          ])
        }
    })
  })

  it("rounds by half a unit, and splits to a unit for each of the parts, except what is cut", () => {
    law(situation, (given) => {
      const { view } = explained(snapshotOf(given))
      const digits = view.currency === "JPY" ? 0 : view.currency === "KWD" ? 3 : 2
      // Of a combined tax that is rounded for the order, the last rate of a line takes what the others have left.
      const isSplitTwice = given.order.rounding === "order" && given.order.stacking === "combined"
      const shared = (step: string, id: string | null) =>
        !isSplitTwice
          ? 2_000_000n
          : 1_000_000n * BigInt(1 + view.entries.filter((one) => one.step === step && one.target.id === id).length)
      for (const { step, target, unrounded, rounding, amount: text } of view.entries) {
        if (rounding?.point === "cap" || rounding?.point === "unit") continue
        const exact = BigInt(unrounded.replace(".", ""))
        const apart = exact - minorOf(text, view.currency) * 1_000_000n
        const most = rounding === null ? 0n : rounding.point === "allocation" ? shared(step, target.id) : 500_000n
        expect(apart <= most && -apart <= most, `${unrounded} -> ${text} (${digits})`).toBe(true)
      }
    })
  })

  it("is a page and a text on which every sum adds up", () => {
    law(situation, (given) => {
      const { view } = explained(snapshotOf(given))
      const page = explanationPage(view)
      expect(page).not.toContain("differs")
      expect(page).not.toContain("<script")
      expect(explanationLines(view).join("\n")).not.toContain("differs")
    })
  })
})
