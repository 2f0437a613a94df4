import { describe, expect, it } from "vitest"
import { allocate } from "@effect-commerce/core/kernel/Allocation"
import { explain } from "@effect-commerce/core/kernel/Trace"
import type { Discount } from "@effect-commerce/core/pricing/AdjustmentSource"
import { PRICING_STEPS, price } from "@effect-commerce/core/pricing/PricingPipeline"
import type { PricingLine, PricingSnapshot } from "@effect-commerce/core/pricing/PricingSnapshot"
import { compileTaxRates, type MatchableRate } from "@effect-commerce/core/tax/TaxMatcher"
import { DEFAULT_TAX_POLICY } from "@effect-commerce/core/tax/TaxPolicy"
import { discountsOf, type LineDiscount } from "./discounts.ts"
import { taxRate } from "../tax/rates.ts"

const line = (id: string, unitPrice: bigint, changes: Partial<PricingLine> = {}): PricingLine => ({
  id,
  quantity: 1,
  unitPrice,
  taxClassId: null,
  taxable: true,
  ...changes
})

const snapshot = (
  rates: ReadonlyArray<MatchableRate>,
  lines: ReadonlyArray<PricingLine>,
  changes: Partial<PricingSnapshot> = {}
): PricingSnapshot => ({
  currency: "EUR",
  policy: DEFAULT_TAX_POLICY,
  lines,
  shipping: null,
  address: { country: "DE", region: null, postalCode: "10115" },
  taxes: compileTaxRates(rates),
  ...changes
})

const couponOver = (lines: ReadonlyArray<PricingLine>, amount: bigint): ReadonlyArray<LineDiscount> => {
  const subtotals = lines.map((each) => each.unitPrice * BigInt(each.quantity))
  return allocate(amount, subtotals, subtotals).map((part, index) => ({
    lineId: lines[index]?.id ?? "",
    kind: "coupon",
    sourceId: "coupon_1",
    amount: part
  }))
}

const vat19 = taxRate("vat19", "19", { isInclusive: true, name: "MwSt." })
const vat7 = taxRate("vat7", "7", { isInclusive: true, taxClassId: "reduced", name: "MwSt. ermäßigt" })

describe("an order with tax added on top", () => {
  it("24.99 at 10.75 % with 6.44 of untaxed shipping is 34.12", () => {
    const result = price(
      snapshot([taxRate("sales", "10.75", { name: "Sales tax" })], [line("line_1", 2499n)], {
        shipping: { amount: 644n, taxable: false }
      })
    )
    expect(result).toMatchObject({
      subtotal: 2499n,
      discountAmount: 0n,
      ruleDiscountAmount: 0n,
      shippingAmount: 644n,
      surchargeAmount: 0n,
      taxAmount: 269n,
      total: 3412n,
      pricesIncludeTax: false,
      shippingTax: 0n,
      lines: [
        {
          id: "line_1",
          subtotal: 2499n,
          discount: 0n,
          tax: 269n,
          total: 2768n,
          taxes: [{ rateId: "sales", name: "Sales tax", rate: "10.75", amount: 269n }]
        }
      ],
      taxBreakdown: {
        subtotal: 2499n,
        shippingNet: 644n,
        totalTax: 269n,
        total: 3412n,
        breakdown: [{ rateId: "sales", name: "Sales tax", rate: "10.75", amount: 269n }]
      }
    })
  })

  it("0.43 and 4.84 at 15 % carry 0.79 and come to 6.06", () => {
    const result = price(snapshot([taxRate("r", "15")], [line("line_1", 43n), line("line_2", 484n)]))
    expect([result.taxAmount, result.total]).toEqual([79n, 606n])
  })

  it("1.08 x 3 at 19 % comes to 3.86, and to 3.87 where units are rounded", () => {
    const given = snapshot([taxRate("r", "19")], [line("line_1", 108n, { quantity: 3 })])
    expect(price(given).total).toBe(386n)
    expect(price({ ...given, policy: { ...DEFAULT_TAX_POLICY, taxRounding: "unit" } }).total).toBe(387n)
  })

  it("four lines of 2.50 at 23 % carry 2.32, and 2.30 where the order is rounded", () => {
    const lines = ["a", "b", "c", "d"].map((id) => line(id, 250n))
    const given = snapshot([taxRate("r", "23")], lines)
    expect(price(given).taxAmount).toBe(232n)
    const ordered = price({ ...given, policy: { ...DEFAULT_TAX_POLICY, taxRounding: "order" } })
    expect(ordered.taxAmount).toBe(230n)
    expect(ordered.lines.map((each) => each.tax)).toEqual([58n, 58n, 57n, 57n])
  })

  it("19.99 in New York City carries 1.77 in three rows", () => {
    const rates = [taxRate("state", "4"), taxRate("city", "4.5"), taxRate("mctd", "0.375")].map((rate, priority) => ({
      ...rate,
      country: "US",
      region: "NY",
      stackable: true,
      priority
    }))
    const address = { country: "US", region: "US-NY", postalCode: "10001" }
    const result = price(snapshot(rates, [line("line_1", 1999n)], { address }))
    expect(result.taxAmount).toBe(177n)
    expect(result.taxBreakdown.breakdown.map(({ rateId, rate, amount }) => [rateId, rate, amount])).toEqual([
      ["state", "4", 80n],
      ["city", "4.5", 90n],
      ["mctd", "0.375", 7n]
    ])
  })
})

describe("an order whose prices include tax", () => {
  it("amounts stay gross, and tax is contained: 16.00 incl. 19 % is 13.45 net", () => {
    const result = price(snapshot([vat19], [line("line_1", 1600n)]))
    expect(result).toMatchObject({ subtotal: 1600n, taxAmount: 255n, total: 1600n, pricesIncludeTax: true })
    expect(result.lines[0]).toMatchObject({ subtotal: 1600n, tax: 255n, total: 1600n })
    expect(result.taxBreakdown).toMatchObject({ subtotal: 1345n, shippingNet: 0n, totalTax: 255n, total: 1600n })
  })

  it("8.50 with 1.65 of taxable shipping incl. 7 % carries 0.67, and 0.66 where the order is rounded", () => {
    const given = snapshot([taxRate("r", "7", { isInclusive: true })], [line("line_1", 850n)], {
      shipping: { amount: 165n, taxable: true }
    })
    const result = price(given)
    expect([result.taxAmount, result.shippingTax, result.total]).toEqual([67n, 11n, 1015n])
    expect(result.taxBreakdown).toMatchObject({ subtotal: 794n, shippingNet: 154n, totalTax: 67n, total: 1015n })
    expect(result.taxBreakdown.breakdown.map((row) => row.amount)).toEqual([67n])
    expect(price({ ...given, policy: { ...DEFAULT_TAX_POLICY, taxRounding: "order" } }).taxAmount).toBe(66n)
  })

  it("399.00 less 100 % is exactly nothing, with no tax", () => {
    const lines = [line("line_1", 39900n)]
    const result = price(snapshot([vat19], lines, { discounts: discountsOf(couponOver(lines, 39900n)) }))
    expect(result).toMatchObject({ subtotal: 39900n, discountAmount: 39900n, taxAmount: 0n, total: 0n })
  })

  it("a coupon of 10.00 over 59.50 at 19 % and 10.70 at 7 % leaves 8.15 and 0.60 of tax", () => {
    const lines = [line("line_1", 5950n), line("line_2", 1070n, { taxClassId: "reduced" })]
    const result = price(snapshot([vat19, vat7], lines, { discounts: discountsOf(couponOver(lines, 1000n)) }))
    expect(result.lines.map((each) => [each.discount, each.tax, each.total])).toEqual([
      [848n, 815n, 5102n],
      [152n, 60n, 918n]
    ])
    expect(result).toMatchObject({ subtotal: 7020n, discountAmount: 1000n, taxAmount: 875n, total: 6020n })
    expect(result.taxBreakdown).toEqual({
      subtotal: 5145n,
      shippingNet: 0n,
      totalTax: 875n,
      total: 6020n,
      breakdown: [
        { rateId: "vat19", name: "MwSt.", rate: "19", amount: 815n },
        { rateId: "vat7", name: "MwSt. ermäßigt", rate: "7", amount: 60n }
      ]
    })
  })

  it("shipping is taxed in the Standard class even when every line is reduced", () => {
    const result = price(
      snapshot([vat19, vat7], [line("line_1", 1070n, { taxClassId: "reduced" })], {
        shipping: { amount: 1190n, taxable: true }
      })
    )
    expect([result.lines[0]?.tax, result.shippingTax]).toEqual([70n, 190n])
    expect(result.taxBreakdown).toMatchObject({ subtotal: 1000n, shippingNet: 1000n, totalTax: 260n, total: 2260n })
  })

  it("an inclusive and an exclusive rate on one line: only the exclusive one is added", () => {
    const rates = [
      taxRate("in", "10", { stackable: true, isInclusive: true, priority: 1 }),
      taxRate("ex", "5", { stackable: true, priority: 2 })
    ]
    const result = price(snapshot(rates, [line("line_1", 11000n)]))
    expect(result).toMatchObject({ subtotal: 11000n, taxAmount: 1500n, total: 11500n, pricesIncludeTax: true })
    expect(result.taxBreakdown).toMatchObject({ subtotal: 10000n, totalTax: 1500n, total: 11500n })
  })
})

describe("where there is no tax", () => {
  it("before an address is known it is 0.00", () => {
    const result = price(snapshot([vat19], [line("line_1", 1600n)], { address: null }))
    expect(result).toMatchObject({ taxAmount: 0n, total: 1600n, pricesIncludeTax: false })
    expect(result.taxBreakdown).toEqual({ subtotal: 1600n, shippingNet: 0n, totalTax: 0n, total: 1600n, breakdown: [] })
  })

  it("an exempt line has none, its neighbour has", () => {
    const result = price(snapshot([vat19], [line("line_1", 1190n, { taxable: false }), line("line_2", 1190n)]))
    expect(result.lines.map((each) => [each.tax, each.taxes.length])).toEqual([
      [0n, 0],
      [190n, 1]
    ])
  })

  it("a country without a rate has none, and no row", () => {
    const result = price(snapshot([vat19], [line("line_1", 1190n)], { address: { country: "AT" } }))
    expect([result.taxAmount, result.taxBreakdown.breakdown.length]).toEqual([0n, 0])
  })

  it("a rate of 0 % has none, but its row is shown", () => {
    const result = price(snapshot([taxRate("zero", "0.00", { name: "Export" })], [line("line_1", 1190n)]))
    expect(result.taxBreakdown.breakdown).toEqual([{ rateId: "zero", name: "Export", rate: "0", amount: 0n }])
  })

  it("an empty cart costs nothing", () => {
    expect(price(snapshot([vat19], []))).toMatchObject({ subtotal: 0n, taxAmount: 0n, total: 0n, lines: [] })
  })
})

describe("discounts", () => {
  const discount = (kind: LineDiscount["kind"], amount: bigint): LineDiscount => ({
    lineId: "line_1",
    kind,
    sourceId: `${kind}_1`,
    amount
  })

  it("of rules come first, and the coupon gets what is left of the line, however they are listed", () => {
    const discounts = discountsOf([discount("coupon", 800n), discount("rule", 700n)])
    const result = price(snapshot([], [line("line_1", 1000n)], { discounts }))
    expect(result).toMatchObject({ ruleDiscountAmount: 700n, discountAmount: 300n, total: 0n })
    expect(result.lines[0]?.discount).toBe(1000n)
    expect(result.trace.filter((entry) => entry.roundingPoint === "cap").map((entry) => explain(entry, "EUR"))).toEqual(
      ["coupon line_1 [coupon_1]: as stated = 8.00000000, cap -> 3.00"]
    )
  })

  it("never touch shipping", () => {
    const result = price(
      snapshot([], [line("line_1", 1000n)], {
        discounts: discountsOf([discount("rule", 5000n)]),
        shipping: { amount: 400n, taxable: true }
      })
    )
    expect(result).toMatchObject({ ruleDiscountAmount: 1000n, shippingAmount: 400n, total: 400n })
  })

  it("on shipping are taken off its charge, before its tax, and are on no line", () => {
    const free: Discount = {
      kind: "rule",
      sourceId: "rule_1",
      name: "Free shipping",
      code: null,
      type: "FREE_SHIPPING",
      value: null,
      part: "rule_discount",
      combines: true,
      evaluate: () => ({ lines: [], shipping: 500n, formula: "free" })
    }
    const given = snapshot([vat19], [line("line_1", 1190n)], {
      shipping: { amount: 357n, taxable: true },
      discounts: [free]
    })
    const result = price(given)
    expect(result).toMatchObject({ shippingAmount: 0n, ruleDiscountAmount: 0n, shippingTax: 0n, total: 1190n })
    expect(result.taxBreakdown).toMatchObject({ subtotal: 1000n, shippingNet: 0n, totalTax: 190n, total: 1190n })
    expect(result.lines[0]?.discount).toBe(0n)
    expect(result.adjustments).toEqual([
      {
        kind: "rule",
        sourceId: "rule_1",
        type: "FREE_SHIPPING",
        value: null,
        part: "shipping_discount",
        target: "shipping",
        lineId: null,
        units: 0,
        amount: 357n,
        reason: "Free shipping"
      }
    ])
    expect(price({ ...given, shipping: null })).toMatchObject({ ruleDiscountAmount: 0n, adjustments: [] })
  })

  it("for a line that is not there, or below zero, are refused", () => {
    const given = snapshot([], [line("line_1", 1000n)])
    expect(() => price({ ...given, discounts: discountsOf([{ ...discount("rule", 1n), lineId: "line_9" }]) })).toThrow(
      RangeError
    )
    expect(() => price({ ...given, discounts: discountsOf([discount("coupon", -1n)]) })).toThrow(RangeError)
  })
})

describe("surcharges and tenders", () => {
  const tender = (kind: string, most: bigint) => ({
    kind,
    sourceId: `${kind}_1`,
    tenderId: `tender_${kind}`,
    reason: null,
    pay: () => most
  })

  it("a surcharge is added after the taxes and not taxed, and tenders pay for the total until nothing is left", () => {
    const tenders = [tender("card", 1000n), tender("points", 5000n)]
    const gift = { kind: "gift", sourceId: "gift_1", name: "Gift", type: null, value: null }
    const surcharges = [{ ...gift, evaluate: () => ({ amount: 250n, formula: "fixed" }) }]
    const result = price(snapshot([vat19], [line("line_1", 1190n)], { surcharges, tenders }))
    expect(result).toMatchObject({ surchargeAmount: 250n, taxAmount: 190n, total: 1440n, amountDue: 0n })
    expect(result.tenders).toEqual([
      { kind: "card", sourceId: "card_1", tenderId: "tender_card", amount: 1000n, reason: null },
      { kind: "points", sourceId: "points_1", tenderId: "tender_points", amount: 440n, reason: null }
    ])
    expect(result.adjustments.map(({ kind, part, target, amount }) => [kind, part, target, amount])).toEqual([
      ["gift", "surcharge", "order", 250n]
    ])
  })
})

describe("amounts that the caller states", () => {
  it("shipping and tax are taken as they are and recorded as adjustments", () => {
    const result = price(
      snapshot([vat19], [line("line_1", 1190n)], {
        shipping: { amount: 500n, taxable: true, isStated: true },
        statedTax: 77n
      })
    )
    expect(result).toMatchObject({ shippingAmount: 500n, taxAmount: 77n, total: 1767n, pricesIncludeTax: false })
    expect(result.taxBreakdown).toEqual({
      subtotal: 1190n,
      shippingNet: 500n,
      totalTax: 77n,
      total: 1767n,
      breakdown: [{ rateId: "given", name: "Tax", rate: "0", amount: 77n }]
    })
    expect(result.adjustments.map(({ kind, sourceId, part, amount }) => [kind, sourceId, part, amount])).toEqual([
      ["manual_shipping", "shippingAmount", "shipping", 500n],
      ["manual_tax", "taxAmount", "tax", 77n]
    ])
  })
})

describe("the pipeline", () => {
  it("has one order of steps", () => {
    expect(PRICING_STEPS).toEqual(["prices", "shipping", "rules", "coupon", "tax", "surcharges"])
  })

  it("explains every amount of an order", () => {
    const lines = [line("line_1", 800n, { quantity: 2 }), line("line_2", 500n, { taxable: false })]
    const result = price(
      snapshot([vat19], lines, {
        shipping: { amount: 490n, taxable: true },
        discounts: discountsOf([{ lineId: "line_1", kind: "coupon", sourceId: "coupon_1", amount: 100n }])
      })
    )
    expect(result.trace.map((entry) => explain(entry, "EUR"))).toEqual([
      "prices line_1: quantity x unit price = 16.00000000 -> 16.00",
      "prices line_2: quantity x unit price = 5.00000000 -> 5.00",
      "shipping shipping: price of the chosen rate = 4.90000000 -> 4.90",
      "coupon line_1 [coupon_1]: as stated = 1.00000000 -> 1.00",
      "tax line_2: not taxable = 0.00000000 -> 0.00",
      "tax line_1 [vat19]: amount x 19 / (100 + 19) = 2.39495798, line half_up -> 2.39",
      "tax shipping [vat19]: amount x 19 / (100 + 19) = 0.78235294, line half_up -> 0.78",
      "total order: subtotal - discounts + shipping + surcharges + exclusive tax = 24.90000000 -> 24.90"
    ])
  })

  it("leaves its snapshot as it was and gives the same answer again", () => {
    const freeze = (value: PricingLine) => Object.freeze(value)
    const given = Object.freeze(snapshot([vat19], Object.freeze([line("line_1", 1600n)].map(freeze))))
    expect(price(given)).toEqual(price(given))
  })

  it("refuses quantities and prices that cannot be", () => {
    for (const quantity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => price(snapshot([], [line("line_1", 100n, { quantity })]))).toThrow("positive integer")
    }
    expect(() => price(snapshot([], [line("line_1", -100n)]))).toThrow("must not be negative")
    expect(() => price(snapshot([], [], { shipping: { amount: -1n, taxable: false } }))).toThrow("must not be negative")
  })

  it("counts in the minor units of currencies without and with three digits", () => {
    const yen = price(snapshot([taxRate("r", "10")], [line("line_1", 1005n)], { currency: "JPY" }))
    expect([yen.taxAmount, yen.total]).toEqual([101n, 1106n])
    const dinar = price(snapshot([taxRate("r", "10")], [line("line_1", 1005n)], { currency: "KWD" }))
    expect(explain(dinar.trace.at(-1) ?? dinar.trace[0] ?? expect.fail(), "KWD")).toContain("-> 1.106")
  })
})
