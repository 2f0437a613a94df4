import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import { law } from "../kernel/laws.ts"
import { address, rateTable } from "../pricing/orders.ts"
import { referenceMatch } from "../pricing/referenceEvaluator.ts"

describe("matching random rate tables", () => {
  it("finds the rates that asking every rate finds, in the same order", () => {
    law(
      fc.tuple(rateTable, address, fc.constantFrom(null, "reduced", "books", "none")),
      ([rates, place, taxClassId]) => {
        const expected = referenceMatch(rates, place, taxClassId).map((rate) => rate.id)
        expect(compileTaxRates(rates).match(place, taxClassId).ids).toEqual(expected)
      }
    )
  })
})
