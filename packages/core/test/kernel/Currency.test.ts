import { describe, expect, it } from "vitest"
import { CURRENCIES, currencyExponent, isCurrency } from "@effect-commerce/core/kernel/Currency"

const codesWith = (digits: number) => CURRENCIES.filter((code) => currencyExponent(code) === digits)

describe("Currency", () => {
  it("knows the currencies without minor units, with three and with four digits, and gives all others two", () => {
    expect(codesWith(0).join(" ")).toBe("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF")
    expect(codesWith(3).join(" ")).toBe("BHD IQD JOD KWD LYD OMR TND")
    expect(codesWith(4).join(" ")).toBe("CLF UYW")
    expect(codesWith(2)).toHaveLength(CURRENCIES.length - 17 - 7 - 2)
  })

  it("follows ISO where Intl follows cash habits", () => {
    const digits = "AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER".split(" ").map(currencyExponent)
    expect(digits).toEqual(digits.map(() => 2))
    expect(currencyExponent("IQD")).toBe(3)
  })

  it("lists active codes once each, in order, without funds, metals and withdrawn money", () => {
    expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length)
    expect([...CURRENCIES].sort()).toEqual(CURRENCIES)
    expect(CURRENCIES).toHaveLength(158)
    for (const code of ["XCG", "ZWG", "SLE", "VED", "VES", "EUR", "USD"]) expect(isCurrency(code)).toBe(true)
    for (const code of ["ANG", "BGN", "HRK", "SLL", "ZWL", "XAU", "XDR", "XXX", "XTS", "CHE", "USN"]) {
      expect(isCurrency(code)).toBe(false)
    }
  })

  it("takes upper-case codes only and never answers digits for a code it does not know", () => {
    for (const code of ["eur", "", "EURO", "E R", "__proto__", "constructor"]) {
      expect(isCurrency(code)).toBe(false)
      expect(() => currencyExponent(code)).toThrow(RangeError)
    }
  })
})
