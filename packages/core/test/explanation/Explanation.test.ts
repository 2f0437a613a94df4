import { describe, expect, it } from "vitest"
import { explainResult } from "@effect-commerce/core/explanation/explainQuote"
import { explainRecorded } from "@effect-commerce/core/explanation/explainRecorded"
import { explanationPage } from "@effect-commerce/core/explanation/ExplanationPage"
import { explanationLines } from "@effect-commerce/core/explanation/ExplanationText"
import {
  decodeExplanation,
  encodeExplanation,
  ifStorable,
  maxExplanationBytes
} from "@effect-commerce/core/explanation/StoredExplanation"
import type { Discount } from "@effect-commerce/core/pricing/AdjustmentSource"
import { spread } from "@effect-commerce/core/pricing/LineScope"
import { price } from "@effect-commerce/core/pricing/PricingPipeline"
import type { PricingSnapshot } from "@effect-commerce/core/pricing/PricingSnapshot"
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import { Effect } from "effect"
import { taxRate } from "../tax/rates.ts"

const line = (id: string, quantity: number, unitPrice: bigint) => ({
  id,
  quantity,
  unitPrice,
  taxClassId: null,
  taxable: true
})

/** 10 % of all lines, rounded once: of 9.99 and 0.50 that is 1.05 of 1.049. */
const tenPercent: Discount = {
  kind: "promotion",
  sourceId: "promo_1",
  name: "Summer <sale>",
  code: null,
  type: "PERCENTAGE_OFF",
  value: "10",
  part: "rule_discount",
  combines: true,
  evaluate: ({ lines }) => ({ lines: spread(105n, lines), shipping: 500n, formula: "10 % of 10.49" })
}

const snapshot: PricingSnapshot = {
  currency: "EUR",
  policy: { taxRounding: "line", taxRoundingMode: "half_up", stackRounding: "combined" },
  lines: [line("line_1", 1, 999n), line("line_2", 1, 50n)],
  shipping: { amount: 500n, taxable: true, rateId: "rate_1", rateName: "Standard", zoneId: "zone_1" },
  address: { country: "DE" },
  taxes: compileTaxRates([
    taxRate("tax_1", "19", { name: "State", stackable: true }),
    taxRate("tax_2", "1", { name: "City", stackable: true, priority: 2 })
  ]),
  discounts: [tenPercent],
  surcharges: [
    {
      kind: "checkout_field",
      sourceId: "gift",
      name: "Gift wrap",
      type: null,
      value: null,
      evaluate: () => ({ amount: 200n, formula: "2.00" })
    }
  ],
  tenders: [{ kind: "gift_card", sourceId: "card_1", tenderId: "t1", reason: "Gift card 1234", pay: () => 300n }]
}

const lines = [
  { id: "line_1", quantity: 1, unitPrice: 999n, sellable: null, name: "Mug" },
  { id: "line_2", quantity: 1, unitPrice: 50n, sellable: null, name: "Pin" }
]
const explained = explainResult({ type: "cart", id: "cart_1" }, { currency: "EUR", lines }, price(snapshot))
const of = (step: string) =>
  explained.entries
    .filter((entry) => entry.step === step)
    .map(({ target, source, formula, unrounded, rounding, amount }) => [
      target.id ?? target.type,
      source?.name ?? null,
      formula,
      unrounded,
      rounding,
      amount
    ])

describe("the explanation of an order", () => {
  it("has an entry for every amount, with its row, formula, exact value and rounding", () => {
    const split = { point: "allocation", mode: null }
    const rounded = { point: "line", mode: "half_up" }
    const share = "combined tax x rate / sum of the rates"
    const combined = "amount x (19 + 1) / 100"
    expect(of("prices")).toEqual([
      ["line_1", "Mug", "1 x 9.99", "9.99000000", null, "9.99"],
      ["line_2", "Pin", "1 x 0.50", "0.50000000", null, "0.50"]
    ])
    // The exact shares are 10 % of each line, and not of the rounded sum.
    expect(of("rules")).toEqual([
      ["line_1", "Summer <sale>", "10 % of 10.49", "-0.99900000", split, "-1.00"],
      ["line_2", "Summer <sale>", "10 % of 10.49", "-0.05000000", null, "-0.05"]
    ])
    expect(of("shipping")).toEqual([
      ["shipping", "Standard", "price of the chosen rate", "5.00000000", null, "5.00"],
      ["shipping", "Summer <sale>", "10 % of 10.49", "-5.00000000", null, "-5.00"]
    ])
    expect(of("tax_rounding")).toEqual([
      ["line_1", null, combined, "1.79800000", rounded, "1.80"],
      ["line_2", null, combined, "0.09000000", rounded, "0.09"],
      ["shipping", null, combined, "0.00000000", rounded, "0.00"]
    ])
    expect(of("tax")).toEqual([
      ["line_1", "State", share, "1.71000000", split, "1.71"],
      ["line_1", "City", share, "0.09000000", split, "0.09"],
      ["line_2", "State", share, "0.08550000", split, "0.09"],
      ["line_2", "City", share, "0.00450000", split, "0.00"],
      ["shipping", "State", share, "0.00000000", split, "0.00"],
      ["shipping", "City", share, "0.00000000", split, "0.00"]
    ])
    expect(of("surcharges")).toEqual([["order", "Gift wrap", "2.00", "2.00000000", null, "2.00"]])
    expect(of("tenders")).toEqual([
      ["order", "Gift card 1234", "pays a part of what is due", "-3.00000000", null, "-3.00"]
    ])
    expect(explained.totals).toEqual({
      subtotal: "10.49",
      ruleDiscountAmount: "1.05",
      discountAmount: "0.00",
      shippingAmount: "0.00",
      surchargeAmount: "2.00",
      taxAmount: "1.89",
      includedTaxAmount: "0.00",
      total: "13.33",
      amountDue: "10.33"
    })
  })

  it("is a page without scripts, on which what a merchant wrote is escaped and sums are shown", () => {
    const page = explanationPage(explained)
    expect(page).toContain("Summer &lt;sale&gt;")
    expect(page).not.toContain("<sale>")
    expect(page).not.toMatch(/<script|https?:\/\//)
    expect(page).toContain("Sum of the amounts above = Subtotal")
    expect(page).toContain("Left to pay, the sum of the above")
  })

  it("says on the page and in the text where a sum differs", () => {
    const wrong = { ...explained, totals: { ...explained.totals, subtotal: "10.50" } }
    expect(explanationPage(wrong)).toContain("Subtotal (the sum differs)")
    expect(explanationLines(wrong).some((text) => text.startsWith("  Subtotal, which differs"))).toBe(true)
  })

  it("has all its amounts in one column of the text", () => {
    const ends = explanationLines(explained).filter((text) => / -?\d+\.\d\d$/.test(text) && !text.includes(" total "))
    expect([ends.length > 10, new Set(ends.map((text) => text.length)).size]).toEqual([true, 1])
  })

  it("is stored with a version, read back as it was, and left out where it is too large", async () => {
    const column: unknown = JSON.parse(encodeExplanation(explained) ?? "null")
    expect(await Effect.runPromise(decodeExplanation(column, "ord_1"))).toEqual(explained)
    expect(await Effect.runPromise(decodeExplanation({ ...Object(column), version: 2 }, "ord_1"))).toBe(null)
    expect(await Effect.runPromise(decodeExplanation({ version: 1, explanation: {} }, "ord_1"))).toBe(null)
    expect(encodeExplanation(null)).toBe(null)
    const subject = { type: "order" as const, id: "x".repeat(maxExplanationBytes) }
    expect(ifStorable({ ...explained, subject })).toBe(null)
    expect(ifStorable(explained)).toBe(explained)
  })
})

describe("the explanation of an order from before", () => {
  const adjusted = { type: null, value: null, units: 0, lineId: null }
  const recorded = explainRecorded({
    id: "ord_1",
    currency: "USD",
    subtotal: 2_000n,
    discountAmount: 200n,
    ruleDiscountAmount: 0n,
    shippingAmount: 400n,
    surchargeAmount: 100n,
    taxAmount: 250n,
    totalAmount: 2_550n,
    shippingSelection: { shippingRateId: "rate_1", methodName: "Standard" },
    items: [
      {
        id: "line_1",
        productId: "prod_1",
        variantId: null,
        name: "Mug",
        quantity: 2,
        unitPrice: 1_000n,
        subtotal: 2_000n,
        tax: 180n,
        taxLines: [{ rateId: "tax_1", name: "CA", rate: "10", amount: "170" }, "unreadable"]
      }
    ],
    adjustments: [
      {
        ...adjusted,
        kind: "coupon",
        sourceId: "c1",
        part: "discount",
        target: "line",
        lineId: "line_1",
        amount: 200n,
        reason: "Ten"
      },
      {
        ...adjusted,
        kind: "promotion",
        sourceId: "p1",
        part: "shipping_discount",
        target: "shipping",
        amount: 100n,
        reason: "Free"
      },
      {
        ...adjusted,
        kind: "checkout_field",
        sourceId: "gift",
        part: "surcharge",
        target: "order",
        amount: 100n,
        reason: null
      }
    ]
  })

  it("adds up by what was recorded, whatever of it cannot be read", () => {
    const entries = recorded.entries.map(({ step, target, source, amount }) => [
      step,
      target.id ?? target.type,
      source?.name ?? null,
      amount
    ])
    expect(entries).toEqual([
      ["prices", "line_1", "Mug", "20.00"],
      ["coupon", "line_1", "Ten", "-2.00"],
      ["shipping", "shipping", "Standard", "5.00"],
      ["shipping", "shipping", "Free", "-1.00"],
      ["tax", "line_1", "CA", "1.70"],
      ["tax", "line_1", null, "0.10"],
      ["tax", "shipping", null, "0.70"],
      ["surcharges", "order", "checkout_field", "1.00"],
      ["total", "order", null, "25.50"]
    ])
    expect(recorded.totals.includedTaxAmount).toBe("0.00")
    expect(explanationPage(recorded)).not.toContain("differs")
  })
})
