import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { metafieldTypes } from "../../src/metafield/MetafieldFields.ts"
import {
  foldedValue,
  isDay,
  metafieldFilterKeys,
  readValue,
  type ValueRules
} from "../../src/metafield/MetafieldValue.ts"
import { law } from "../kernel/laws.ts"

const choices = ["oak", "ash", "elm"]
const rulesOf = (type: ValueRules["type"]): ValueRules => ({
  type,
  minLength: null,
  maxLength: null,
  minValue: null,
  maxValue: null,
  dateAvailability: null,
  enumValues: choices.map((value) => ({ value, label: value, swatchColor: null, swatchImageUrl: null }))
})
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(...choices, "#AbCdEf", "2026-02-28", "https://example.com", true, -0),
  fc.subarray(choices)
)

describe("a value", () => {
  it("that is read is read again as the same, also after it was stored as JSON", () => {
    law(fc.tuple(fc.constantFrom(...metafieldTypes), anything), ([type, given]) => {
      const once = readValue(rulesOf(type), given)
      if (Result.isFailure(once)) return
      const again = readValue(rulesOf(type), JSON.parse(JSON.stringify(once.success)))
      expect(Result.isSuccess(again) && JSON.stringify(again.success)).toBe(JSON.stringify(once.success))
    })
  })

  it("folds once for all, and to the same term as what a filter asks for", () => {
    law(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const folded = foldedValue(text)
      expect(folded.length).toBeLessThanOrEqual(200)
      const definition = { id: "d", type: "TEXT", filterable: true } as const
      expect(metafieldFilterKeys(definition, text)).toEqual([`d=${folded}`])
      expect(metafieldFilterKeys({ ...definition, filterable: false }, text)).toEqual([])
      expect(foldedValue(text.toUpperCase().toLowerCase())).toBe(foldedValue(text.toUpperCase()))
    })
  })

  it("folds to one term in whatever way its lower case is written", () => {
    expect(foldedValue("\u0399\u0308\u0300")).toBe("\u1fd2")
    expect(["\u039f\u03a3", "\u03bf\u03c3", "\u03bf\u03c2"].map(foldedValue)).toEqual([
      "\u03bf\u03c3",
      "\u03bf\u03c3",
      "\u03bf\u03c3"
    ])
    for (const upper of ["\u1fd2", "\u0390", "\u1fb7", "\u0130", "\u03a3", "\u03f2"].map((text) => text.toUpperCase()))
      for (const written of [upper.toLowerCase(), upper.normalize("NFD"), foldedValue(upper)])
        expect([upper, foldedValue(written)]).toEqual([upper, foldedValue(upper)])
  })

  it("is a day of the calendar or none", () => {
    law(fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      expect(isDay(date.toISOString().slice(0, 10))).toBe(true)
    })
    for (const none of ["2025-02-29", "2026-13-01", "2026-1-1", "", "2026-02-28T00:00:00Z"])
      expect(isDay(none)).toBe(false)
  })
})
