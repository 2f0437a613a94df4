import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CURRENCIES, currencyExponent } from "@effect-commerce/core/kernel/Currency"
import { formatMoney, MAX_MINOR, MIN_MINOR, moneyToNumber, parseMoney } from "@effect-commerce/core/kernel/Money"
import { law } from "./laws.ts"

const currency = fc.constantFrom(...CURRENCIES)

describe("laws of amounts", () => {
  it("what is written is read back as the same amount, with exactly the digits of the currency", () => {
    law(fc.tuple(fc.bigInt({ min: MIN_MINOR, max: MAX_MINOR }), currency), ([minor, code]) => {
      const text = formatMoney(minor, code)
      expect(parseMoney(text, code)).toBe(minor)
      expect(text).toMatch(/^-?\d+(\.\d+)?$/)
      expect(text).not.toMatch(/^-0(\.0*)?$/)
      expect((text.split(".")[1] ?? "").length).toBe(currencyExponent(code))
    })
  })

  it("a JSON number that is accepted means the same amount as its text", () => {
    law(fc.tuple(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), currency), ([minor, code]) => {
      expect(parseMoney(moneyToNumber(BigInt(minor), code), code)).toBe(BigInt(minor))
    })
  })

  it("any double is either refused or read exactly", () => {
    law(fc.tuple(fc.double(), currency), ([value, code]) => {
      const minor = parseMoney(value, code)
      if (typeof minor === "bigint") expect(Number(formatMoney(minor, code)) === value).toBe(true)
    })
  })

  it("no input makes it throw", () => {
    law(fc.tuple(fc.anything(), currency), ([input, code]) => {
      const result = parseMoney(input, code)
      expect(typeof result === "bigint" || result._tag === "MoneyInvalid").toBe(true)
    })
  })
})
