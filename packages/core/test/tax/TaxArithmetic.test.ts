import { describe, expect, it } from "vitest"
import type { TraceEntry } from "@effect-commerce/core/kernel/Trace"
import { explain } from "@effect-commerce/core/kernel/Trace"
import { computeTaxes } from "@effect-commerce/core/tax/TaxArithmetic"
import { compileTaxRates, type MatchableRate } from "@effect-commerce/core/tax/TaxMatcher"
import { DEFAULT_TAX_POLICY, type TaxPolicy } from "@effect-commerce/core/tax/TaxPolicy"
import { taxRate } from "./rates.ts"

const stacked = (rates: ReadonlyArray<string>, isInclusive = false): ReadonlyArray<MatchableRate> =>
  rates.map((rate, priority) => taxRate(`r${priority}`, rate, { stackable: true, priority, isInclusive }))

interface Amount {
  readonly amount: number
  readonly quantity?: number
}

const taxes = (
  rates: ReadonlyArray<MatchableRate>,
  amounts: ReadonlyArray<Amount>,
  policy: Partial<TaxPolicy> = {},
  trace: Array<TraceEntry> = []
) => {
  const match = compileTaxRates(rates).match({ country: "DE" }, null)
  const items = amounts.map(({ amount, quantity }, index) => ({
    id: `line_${index + 1}`,
    amount: BigInt(amount),
    quantity: BigInt(quantity ?? 1),
    match
  }))
  return computeTaxes(items, { ...DEFAULT_TAX_POLICY, ...policy }, trace).map((row) => row.map(Number))
}

const inclusive = (rate: string) => [taxRate("vat", rate, { isInclusive: true })]
const exclusive = (rate: string) => [taxRate("vat", rate)]

describe("published examples, rounded half up on the line", () => {
  it.each<[string, ReadonlyArray<MatchableRate>, ReadonlyArray<Amount>, ReadonlyArray<ReadonlyArray<number>>]>([
    ["16.00 incl. 19 %", inclusive("19"), [{ amount: 1600 }], [[255]]],
    ["8.50 and shipping 1.65 incl. 7 %", inclusive("7"), [{ amount: 850 }, { amount: 165 }], [[56], [11]]],
    ["99.00 incl. 22 % x 5", inclusive("22"), [{ amount: 49500, quantity: 5 }], [[8926]]],
    ["6.99 incl. 20 %, an exact half", inclusive("20"), [{ amount: 699 }], [[117]]],
    ["0.03 incl. 20 %, a tiny exact half", inclusive("20"), [{ amount: 3 }], [[1]]],
    ["399.00 incl. 19 % less 100 %", inclusive("19"), [{ amount: 0 }], [[0]]],
    ["1.08 x 3 excl. 19 %", exclusive("19"), [{ amount: 324, quantity: 3 }], [[62]]],
    [
      "4 lines of 2.50 excl. 23 %",
      exclusive("23"),
      Array.from({ length: 4 }, () => ({ amount: 250 })),
      [[58], [58], [58], [58]]
    ],
    ["0.43 and 4.84 at 15 %", exclusive("15"), [{ amount: 43 }, { amount: 484 }], [[6], [73]]],
    ["24.99 at 10.75 %", exclusive("10.75"), [{ amount: 2499 }], [[269]]],
    ["1528.42 at 4 % + 4 %", stacked(["4", "4"]), [{ amount: 152842 }], [[6114, 6113]]],
    ["19.99 in New York City", stacked(["4", "4.5", "0.375"]), [{ amount: 1999 }], [[80, 90, 7]]],
    ["100.00 at GST + QST", stacked(["5", "9.975"]), [{ amount: 10000 }], [[500, 998]]],
    ["100.00 in California", stacked(["6", "2.5"]), [{ amount: 10000 }], [[600, 250]]],
    ["51.02 incl. 19 %", inclusive("19"), [{ amount: 5102 }], [[815]]],
    ["9.18 incl. 7 %", inclusive("7"), [{ amount: 918 }], [[60]]]
  ])("%s", (_, rates, amounts, expected) => {
    expect(taxes(rates, amounts)).toEqual(expected)
  })
})

describe("a store that rounds elsewhere", () => {
  it("per unit: 99.00 incl. 22 % x 5 is 89.25, and 1.08 x 3 excl. 19 % is 0.63", () => {
    expect(taxes(inclusive("22"), [{ amount: 49500, quantity: 5 }], { taxRounding: "unit" })).toEqual([[8925]])
    expect(taxes(exclusive("19"), [{ amount: 324, quantity: 3 }], { taxRounding: "unit" })).toEqual([[63]])
  })

  it("per order: 8.50 and 1.65 incl. 7 % carry 0.66, shared 0.55 and 0.11", () => {
    expect(taxes(inclusive("7"), [{ amount: 850 }, { amount: 165 }], { taxRounding: "order" })).toEqual([[55], [11]])
  })

  it("per order: four lines of 2.50 excl. 23 % carry 2.30", () => {
    const lines = Array.from({ length: 4 }, () => ({ amount: 250 }))
    expect(taxes(exclusive("23"), lines, { taxRounding: "order" })).toEqual([[58], [58], [57], [57]])
  })

  it("per order: stacked rates sum over the lines and over the rates", () => {
    const lines = [{ amount: 333 }, { amount: 333 }, { amount: 333 }]
    expect(taxes(stacked(["4", "4.5", "0.375"]), lines, { taxRounding: "order" })).toEqual([
      [14, 15, 1],
      [13, 15, 2],
      [13, 15, 1]
    ])
  })

  it("each stacked rate by itself: 61.14 + 61.14, and 5.00 + 9.98", () => {
    expect(taxes(stacked(["4", "4"]), [{ amount: 152842 }], { stackRounding: "each" })).toEqual([[6114, 6114]])
    expect(taxes(stacked(["5", "9.975"]), [{ amount: 10000 }], { stackRounding: "each" })).toEqual([[500, 998]])
    expect(taxes(stacked(["4", "4"]), [{ amount: 152842 }], { stackRounding: "each", taxRounding: "order" })).toEqual([
      [6114, 6114]
    ])
  })

  it("half even and half down differ from half up on an exact half only", () => {
    const at = (taxRoundingMode: TaxPolicy["taxRoundingMode"], amount: number) =>
      taxes(inclusive("20"), [{ amount }], { taxRoundingMode })[0]?.[0]
    expect([at("half_up", 699), at("half_even", 699), at("half_down", 699)]).toEqual([117, 116, 116])
    expect([at("half_up", 693), at("half_even", 693), at("half_down", 693)]).toEqual([116, 116, 115])
    expect([at("half_up", 700), at("half_even", 700), at("half_down", 700)]).toEqual([117, 117, 117])
  })
})

describe("inclusive and exclusive rates on one base", () => {
  const mixed = [
    taxRate("in", "10", { stackable: true, isInclusive: true, priority: 1 }),
    taxRate("ex", "5", { stackable: true, priority: 2 })
  ]

  it("base = gross / (1 + the inclusive ones): 110.00 has a base of 100.00", () => {
    expect(taxes(mixed, [{ amount: 11000 }])).toEqual([[1000, 500]])
  })

  it("rounds once: 100.00 carries 13.64, split 9.09 and 4.55", () => {
    expect(taxes(mixed, [{ amount: 10000 }])).toEqual([[909, 455]])
  })

  it("two inclusive rates are taken out of one base, not out of each other", () => {
    expect(taxes(stacked(["10", "10"], true), [{ amount: 12000 }])).toEqual([[1000, 1000]])
  })
})

describe("the explanation of a tax", () => {
  const explained = (
    rates: ReadonlyArray<MatchableRate>,
    amounts: ReadonlyArray<Amount>,
    policy: Partial<TaxPolicy> = {}
  ) => {
    const trace: Array<TraceEntry> = []
    taxes(rates, amounts, policy, trace)
    return trace.map((entry) => explain(entry, "EUR"))
  }

  it("names the rate, the formula with its numbers, the unrounded value and the rounding", () => {
    expect(explained(inclusive("19"), [{ amount: 1600 }])).toEqual([
      "tax line_1 [vat]: amount x 19 / (100 + 19) = 2.55462185, line half_up -> 2.55"
    ])
    expect(explained(inclusive("22"), [{ amount: 49500, quantity: 5 }], { taxRounding: "unit" })).toEqual([
      "tax line_1 [vat]: 5 units, each amount / 5 x 22 / (100 + 22) = 89.26229508, unit half_up -> 89.25"
    ])
  })

  it("shows the split of a stack", () => {
    expect(explained(stacked(["4", "4"]), [{ amount: 152842 }])).toEqual([
      "tax_rounding line_1 [r0, r1]: amount x (4 + 4) / 100 = 122.27360000, line half_up -> 122.27",
      "tax line_1 [r0]: combined tax x rate / sum of the rates = 61.13500000, allocation -> 61.14",
      "tax line_1 [r1]: combined tax x rate / sum of the rates = 61.13500000, allocation -> 61.13"
    ])
  })

  it("shows what an order was rounded to and how it was shared out", () => {
    expect(explained(inclusive("7"), [{ amount: 850 }, { amount: 165 }], { taxRounding: "order" })).toEqual([
      "tax_rounding order [vat]: sum of the amounts x 7 / (100 + 7) = 0.66401869, order half_up -> 0.66",
      "tax line_1 [vat]: order tax x amount / sum of the amounts = 0.55270936, allocation -> 0.55",
      "tax line_2 [vat]: order tax x amount / sum of the amounts = 0.10729064, allocation -> 0.11"
    ])
  })

  it("says so where no rate matches", () => {
    const none = "tax line_1: no active rate of the class matches the address = 0.00000000 -> 0.00"
    expect(explained([], [{ amount: 100 }])).toEqual([none])
    expect(explained([], [{ amount: 100 }], { taxRounding: "order" })).toEqual([none])
  })
})
