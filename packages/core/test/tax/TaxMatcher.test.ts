import { describe, expect, it } from "vitest"
import { compileTaxRates, type MatchableRate, type TaxAddress } from "@effect-commerce/core/tax/TaxMatcher"
import { taxRate } from "./rates.ts"

const matching = (rates: ReadonlyArray<MatchableRate>, address: TaxAddress, taxClassId: string | null = null) =>
  compileTaxRates(rates).match(address, taxClassId).ids

const table = [
  taxRate("A", "19"),
  taxRate("B", "7", { region: "BY", priority: 5 }),
  taxRate("C", "0", { postalCode: "80331", priority: 9 }),
  taxRate("D", "3", { stackable: true, priority: 1, taxClassId: "X" }),
  taxRate("E", "2", { stackable: true, priority: 2, taxClassId: "X" }),
  taxRate("F", "99", { isActive: false, priority: -1 }),
  taxRate("G", "16", { priority: 1 }),
  taxRate("H", "50", { postalCode: "803*", priority: -5 })
]

describe("which rate applies", () => {
  it.each<[string, TaxAddress, ReadonlyArray<string>]>([
    ["the lower priority number decides among equals", { country: "DE", region: null, postalCode: "10115" }, ["A"]],
    [
      "a region beats the country although its number is higher",
      { country: "DE", region: "BY", postalCode: "80333" },
      ["B"]
    ],
    ["a postal code beats a region, spaces ignored", { country: "DE", region: "BY", postalCode: "80 331" }, ["C"]],
    ["hyphens ignored", { country: "DE", region: "BY", postalCode: "80-331" }, ["C"]],
    [
      "a postal code counts in any region where the rate names none",
      { country: "DE", region: "BE", postalCode: "80331" },
      ["C"]
    ],
    ["another country has no tax, not a fallback", { country: "AT", region: null, postalCode: "80331" }, []],
    ["lower case is equal", { country: "de", region: "by" }, ["B"]],
    ["the country prefix of a region is equal", { country: "DE", region: "DE-BY" }, ["B"]],
    ["another country's prefix is not", { country: "DE", region: "AT-BY" }, ["A"]],
    ["spaces around are ignored", { country: " DE ", region: " by " }, ["B"]],
    ["a country alone is enough", { country: "DE" }, ["A"]],
    ["blanks are no region and no postal code", { country: "DE", region: " ", postalCode: " " }, ["A"]],
    ["an unknown region falls back to the country", { country: "DE", region: "XX" }, ["A"]],
    ["a prefix of a postal code is not the code", { country: "DE", postalCode: "8033" }, ["A"]],
    ["an empty country is nowhere", { country: "" }, []]
  ])("%s", (_, address, winners) => {
    expect(matching(table, address)).toEqual(winners)
  })

  it("never matches a wildcard, a prefix or a range, not even the same text", () => {
    for (const postalCode of ["803*", "*", "94100...94199", "803?"]) {
      expect(matching([taxRate("P", "5", { postalCode })], { country: "DE", postalCode })).toEqual([])
      expect(matching([taxRate("P", "5", { postalCode })], { country: "DE", postalCode: "80331" })).toEqual([])
    }
    expect(
      matching([taxRate("P", "5", { postalCode: "94100-94199" })], { country: "DE", postalCode: "94105" })
    ).toEqual([])
  })

  it("never crosses a tax class", () => {
    expect(matching(table, { country: "DE" }, "X")).toEqual(["D", "E"])
    expect(matching(table, { country: "DE", region: "BY", postalCode: "80331" }, "X")).toEqual(["D", "E"])
    expect(matching(table, { country: "DE" }, "Y")).toEqual([])
  })

  it("leaves out inactive rates and countries excepted, in any case", () => {
    expect(matching([taxRate("F", "99", { isActive: false })], { country: "DE" })).toEqual([])
    const excepted = taxRate("N", "5", { exceptionCountries: ["at", "de"] })
    expect(matching([excepted, taxRate("A", "19", { priority: 9 })], { country: "DE" })).toEqual(["A"])
    expect(matching([taxRate("N", "5", { exceptionCountries: ["AT"] })], { country: "DE" })).toEqual(["N"])
  })

  it("asks for both the region and the postal code where a rate has both", () => {
    const both = taxRate("RP", "5", { region: "BY", postalCode: "80331" })
    const rates = [both, taxRate("A", "19")]
    expect(matching(rates, { country: "DE", region: "BY", postalCode: "80331" })).toEqual(["RP"])
    expect(matching(rates, { country: "DE", region: "BE", postalCode: "80331" })).toEqual(["A"])
    expect(matching(rates, { country: "DE", postalCode: "80331" })).toEqual(["A"])
    expect(matching(rates, { country: "DE", region: "BY", postalCode: "80333" })).toEqual(["A"])
  })

  it("gives a postal code with a region no advantage over one without", () => {
    const rates = [
      taxRate("P", "1", { postalCode: "80331", priority: 1 }),
      taxRate("RP", "5", { region: "BY", postalCode: "80331", priority: 2 })
    ]
    expect(matching(rates, { country: "DE", region: "BY", postalCode: "80331" })).toEqual(["P"])
  })

  it("breaks a tie by the earlier creation, then by the id, whatever the order of the rows", () => {
    const older = taxRate("Z", "1", { createdAt: new Date(1000) })
    const newer = taxRate("A", "2", { createdAt: new Date(2000) })
    const twin = taxRate("M", "3", { createdAt: 1000 })
    for (const rows of [
      [older, newer, twin],
      [twin, newer, older],
      [newer, twin, older]
    ]) {
      expect(matching(rows, { country: "DE" })).toEqual(["M"])
    }
    expect(matching([newer, older], { country: "DE" })).toEqual(["Z"])
  })
})

describe("rates that stack", () => {
  const us = (id: string, rate: string, changes: Partial<MatchableRate>) =>
    taxRate(id, rate, { country: "US", ...changes })
  const california = [
    us("state", "6", { region: "CA", stackable: true, priority: 1 }),
    us("city", "2.5", { region: "CA", postalCode: "94105", stackable: true, priority: 2 }),
    us("federal", "1", { priority: -100 })
  ]

  it("add up over every specificity, and a rate that does not stack is discarded there", () => {
    expect(matching(california, { country: "US", region: "CA", postalCode: "94105" })).toEqual(["state", "city"])
  })

  it("stay alone when nothing else stacks, and are absent where only the other matches", () => {
    expect(matching(california, { country: "US", region: "CA", postalCode: "90210" })).toEqual(["state"])
    expect(matching(california, { country: "US", region: "NV" })).toEqual(["federal"])
  })

  it("are discarded when the winner does not stack", () => {
    const rates = [...california, us("alone", "9", { postalCode: "94105", priority: 1 })]
    expect(matching(rates, { country: "US", region: "CA", postalCode: "94105" })).toEqual(["alone"])
  })

  it("win over a stand-alone rate of the same place by priority only", () => {
    const stand = us("stand", "9", { region: "CA", priority: 0 })
    expect(matching([...california, stand], { country: "US", region: "CA" })).toEqual(["stand"])
    expect(matching([...california, { ...stand, priority: 2 }], { country: "US", region: "CA" })).toEqual(["state"])
  })

  it("come in the order priority, creation, id", () => {
    const rates = [
      us("c", "1", { stackable: true, priority: 2, createdAt: 1 }),
      us("b", "1", { stackable: true, priority: 2, createdAt: 0, region: "CA" }),
      us("a", "1", { stackable: true, priority: 2, createdAt: 1 }),
      us("d", "1", { stackable: true, priority: 1, createdAt: 9 })
    ]
    expect(matching(rates, { country: "US", region: "CA" })).toEqual(["d", "b", "a", "c"])
  })
})

describe("areas outside the VAT of their country", () => {
  const rates = [
    taxRate("de", "19"),
    taxRate("buesingen", "0", { postalCode: "78266" }),
    taxRate("helgoland", "0", { postalCode: "27498" }),
    taxRate("it", "22", { country: "IT" }),
    taxRate("livigno", "0", { country: "IT", postalCode: "23041" }),
    taxRate("campione", "0", { country: "IT", postalCode: "22061" }),
    taxRate("es", "21", { country: "ES" }),
    taxRate("canarias", "0", { country: "ES", region: "CN" })
  ]
  it.each<[TaxAddress, string]>([
    [{ country: "DE", postalCode: "78266" }, "buesingen"],
    [{ country: "DE", region: "SH", postalCode: "27498" }, "helgoland"],
    [{ country: "DE", postalCode: "78224" }, "de"],
    [{ country: "IT", postalCode: "23041" }, "livigno"],
    [{ country: "IT", postalCode: "22061" }, "campione"],
    [{ country: "IT", postalCode: "20121" }, "it"],
    [{ country: "ES", region: "ES-CN", postalCode: "35001" }, "canarias"],
    [{ country: "ES", region: "MD", postalCode: "28001" }, "es"]
  ])("%j is taxed by %s", (address, id) => {
    expect(matching(rates, address)).toEqual([id])
  })
})

describe("a compiled table", () => {
  it("counts the rates that can ever match", () => {
    expect(compileTaxRates([]).size).toBe(0)
    expect(compileTaxRates(table).size).toBe(6)
  })

  it("says why", () => {
    const matcher = compileTaxRates(table)
    expect(matcher.match({ country: "DE", region: "BY" }, null).reason).toBe(
      "the most specific match is a region rate that does not stack: it stands alone"
    )
    expect(matcher.match({ country: "DE" }, "X").reason).toBe(
      "the most specific match is stackable: all matching stackable rates add up on the same base"
    )
    expect(matcher.match({ country: "AT" }, null).reason).toBe("no active rate of the class matches the address")
  })

  it("refuses a percentage that no stored row can have", () => {
    expect(() => compileTaxRates([taxRate("A", "101")])).toThrow("tax rate A must be between 0 and 100")
  })
})
