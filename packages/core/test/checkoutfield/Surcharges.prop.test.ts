/** The surcharges of any fields and values, beside an evaluator written apart from them: in text and with decimals. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CheckoutFieldType, StoredField, StoredSurcharge } from "../../src/checkoutfield/CheckoutField.ts"
import { fieldsByKey, surchargesOf } from "../../src/checkoutfield/FieldValues.ts"
import { price } from "../../src/pricing/PricingPipeline.ts"
import { DEFAULT_TAX_POLICY } from "../../src/tax/TaxPolicy.ts"
import { law } from "../kernel/laws.ts"

const surcharge = fc.option(
  fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 9n }).map((minor) => ({ type: "FIXED" as const, amount: String(minor) })),
    fc.integer({ min: 0, max: 10_000 }).map((hundredths) => ({
      type: "PERCENTAGE" as const,
      amount: String(hundredths / 100)
    }))
  )
)
const options = fc.uniqueArray(fc.record({ value: fc.constantFrom("a", "b", "c"), surcharge }), {
  minLength: 1,
  selector: ({ value }) => value
})
const types: ReadonlyArray<CheckoutFieldType> = ["text", "textarea", "select", "checkbox", "date", "number"]
const value = fc.constantFrom<unknown>("a", "b", "", "  ", true, false, 0, 7, "2028-02-29", null, undefined)
const filled = fc.array(fc.record({ type: fc.constantFrom(...types), surcharge, options, value }), { maxLength: 6 })

/** Half up by decimal digits: the percentage has at most two, so the product has four more than the amount. */
const charged = (due: bigint, { type, amount }: StoredSurcharge): bigint => {
  if (type === "FIXED") return BigInt(amount)
  const product = (due * BigInt(Math.round(Number(amount) * 100))).toString().padStart(5, "0")
  const [whole, rest] = [product.slice(0, -4), product.slice(-4)]
  return BigInt(whole) + (rest >= "5000" ? 1n : 0n)
}

/** Whether a shopper would say that the field is filled in. */
const isGiven = (type: CheckoutFieldType, given: unknown, values: ReadonlyArray<string>): boolean => {
  switch (type) {
    case "checkbox":
      return given === true
    case "number":
      return typeof given === "number"
    case "date":
      return given === "2028-02-29"
    case "select":
      return values.includes(String(given)) && typeof given === "string"
    default:
      return typeof given === "string" && given.trim().length > 0
  }
}

describe("surcharges of checkout fields", () => {
  it("are those of the reference, and all that they add to a total", () => {
    law(fc.tuple(filled, fc.bigInt({ min: 0n, max: 10n ** 10n })), ([rows, unitPrice]) => {
      const fields = rows.map(
        ({ type, surcharge: own, options: choices }, i): StoredField => ({
          key: `f${i}`,
          name: `F${i}`,
          type,
          required: false,
          position: i,
          surcharge: own,
          options: type === "select" ? choices.map((choice) => ({ ...choice, label: "L" })) : []
        })
      )
      const values = Object.fromEntries(
        rows.flatMap((row, i) => (row.value === undefined ? [] : [[`f${i}`, row.value] as const]))
      )
      const expected = rows.flatMap(({ type, surcharge: own, options: choices, value: given }) => {
        if (
          !isGiven(
            type,
            given,
            choices.map((choice) => choice.value)
          )
        )
          return []
        const option = type === "select" ? choices.find((choice) => choice.value === given) : undefined
        return [own, option?.surcharge ?? null].flatMap((one) => (one === null ? [] : [charged(unitPrice, one)]))
      })
      const surcharges = surchargesOf(fieldsByKey(fields), values, "EUR")
      expect(surcharges.map(({ evaluate }) => evaluate(unitPrice).amount)).toEqual(expected)
      const sum = expected.reduce((total, amount) => total + amount, 0n)
      const line = { id: "line_1", quantity: 1, unitPrice, taxClassId: null, taxable: true }
      const snapshot = { currency: "EUR", policy: DEFAULT_TAX_POLICY, shipping: null, address: null, taxes: null }
      const priced = price({ ...snapshot, lines: [line], surcharges })
      expect([priced.surchargeAmount, priced.total]).toEqual([sum, unitPrice + sum])
      expect(priced.adjustments.reduce((total, { amount }) => total + amount, 0n)).toBe(sum)
    })
  })
})
