import { describe, expect, it } from "vitest"
import type { Discount, DiscountEvaluation } from "@effect-commerce/core/pricing/AdjustmentSource"
import { price } from "@effect-commerce/core/pricing/PricingPipeline"
import type { PricingSnapshot } from "@effect-commerce/core/pricing/PricingSnapshot"
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import { mostCompared } from "../../src/pricing/internal/combinations.ts"

/** Off the lamp (100.00, taxed at 20 %), the book (100.00, untaxed) and the shipping (10.00). */
interface Off {
  readonly lamp?: bigint
  readonly book?: bigint
  readonly shipping?: bigint
}

const evaluated = ({ lamp, book, shipping }: Off): DiscountEvaluation => ({
  lines: [
    ...(lamp === undefined ? [] : [{ lineId: "lamp", amount: lamp, units: 1 }]),
    ...(book === undefined ? [] : [{ lineId: "book", amount: book, units: 1 }])
  ],
  ...(shipping === undefined ? {} : { shipping }),
  formula: "stated",
  ...(lamp === undefined && book === undefined && shipping === undefined
    ? { miss: { reason: "minimum", missingAmount: 5n } }
    : {})
})
const discount = (sourceId: string, off: Off, combines: boolean, code: string | null): Discount => ({
  kind: code === null ? "promotion" : "coupon",
  sourceId,
  name: `The ${sourceId}`,
  code,
  type: "AMOUNT_OFF",
  value: null,
  part: code === null ? "rule_discount" : "discount",
  combines,
  evaluate: () => evaluated(off)
})
const rule = (sourceId: string, off: Off, combines = false) => discount(sourceId, off, combines, null)
const coupon = (off: Off, combines = false) => discount("coupon", off, combines, "SAVE")

const taxes = compileTaxRates([
  {
    id: "rate",
    name: "Tax",
    country: "US",
    region: null,
    postalCode: null,
    rate: "20",
    isInclusive: false,
    priority: 0,
    stackable: false,
    exceptionCountries: [],
    isActive: true,
    taxClassId: null,
    createdAt: 0
  }
])
const line = (id: string, taxable: boolean) => ({ id, quantity: 1, unitPrice: 10_000n, taxClassId: null, taxable })
const priced = (...discounts: ReadonlyArray<Discount>) => {
  const snapshot: PricingSnapshot = {
    currency: "USD",
    policy: { taxRounding: "line", taxRoundingMode: "half_up", stackRounding: "combined" },
    lines: [line("lamp", true), line("book", false)],
    shipping: { amount: 1_000n, taxable: false },
    address: { country: "US", region: null, postalCode: null },
    taxes,
    discounts
  }
  const { total, adjustments, notApplied, alternatives } = price(snapshot)
  return {
    total,
    applied: adjustments.map(({ sourceId }) => sourceId),
    lost: notApplied.filter(({ reason }) => reason === "lost").map((each) => [each.sourceId, each.lostTo]),
    missed: notApplied.filter(({ reason }) => reason !== "lost").map((each) => [each.sourceId, each.reason]),
    alternatives: alternatives.map((each) => [each.sources.map(({ sourceId }) => sourceId), each.total])
  }
}
const named = (sourceId: string) => ({
  kind: sourceId === "coupon" ? "coupon" : "promotion",
  sourceId,
  name: `The ${sourceId}`
})

describe("discounts that combine", () => {
  it("add up, a coupon after the rules, and nothing is compared", () => {
    expect(
      priced(coupon({ book: 300n }, true), rule("a", { lamp: 200n }, true), rule("b", { lamp: 100n }, true))
    ).toEqual({
      total: 22_340n,
      applied: ["a", "b", "coupon"],
      lost: [],
      missed: [],
      alternatives: []
    })
  })
})

describe("a coupon that does not combine", () => {
  it("loses to rules that take more off, and the answer names them", () => {
    const rules = [rule("a", { book: 200n }, true), rule("b", { book: 200n }, true)]
    expect(priced(...rules, coupon({ book: 399n }))).toEqual({
      total: 22_600n,
      applied: ["a", "b"],
      lost: [["coupon", [named("a"), named("b")]]],
      missed: [],
      alternatives: [
        [["a", "b"], 22_600n],
        [["coupon"], 22_601n]
      ]
    })
    expect(priced(...rules, coupon({ book: 401n }))).toEqual({
      total: 22_599n,
      applied: ["coupon"],
      lost: [
        ["a", [named("coupon")]],
        ["b", [named("coupon")]]
      ],
      missed: [],
      alternatives: [
        [["coupon"], 22_599n],
        [["a", "b"], 22_600n]
      ]
    })
  })

  it("stands beside a rule that takes nothing off, whose reason stays", () => {
    expect(priced(rule("a", {}), coupon({ book: 100n }))).toEqual({
      total: 22_900n,
      applied: ["coupon"],
      lost: [],
      missed: [["a", "minimum"]],
      alternatives: []
    })
  })

  it("and combining rules are not mixed: a rule that combines does not join it", () => {
    expect(priced(rule("a", { book: 50n }, true), coupon({ book: 100n })).applied).toEqual(["coupon"])
  })
})

describe("several discounts that do not combine", () => {
  it("are compared by totals, taxes included, not by what is taken off", () => {
    // 100 off the taxed lamp saves 120; 110 off the book saves 110.
    const { applied, total, lost, alternatives } = priced(rule("book", { book: 110n }), rule("lamp", { lamp: 100n }))
    expect([applied, total]).toEqual([["lamp"], 22_880n])
    expect(lost).toEqual([["book", [named("lamp")]]])
    expect(alternatives).toEqual([
      [["lamp"], 22_880n],
      [["book"], 22_890n]
    ])
  })

  it("count what they save of the shipping", () => {
    expect(priced(rule("ship", { shipping: 1_000n }), rule("book", { book: 999n })).applied).toEqual(["ship"])
    expect(priced(rule("ship", { shipping: 5_000n }), rule("book", { book: 1_001n })).applied).toEqual(["book"])
  })

  it("that tie are decided for the one that comes first, and for those that combine before all", () => {
    expect(priced(rule("a", { book: 100n }), rule("b", { book: 100n })).applied).toEqual(["a"])
    expect(priced(rule("b", { book: 100n }), rule("a", { book: 100n })).applied).toEqual(["b"])
    expect(priced(rule("a", { book: 100n }), rule("b", { book: 100n }, true)).applied).toEqual(["b"])
  })

  it("are priced up to a bound: the ones that take most off; the others are named as lost all the same", () => {
    const many = Array.from({ length: mostCompared + 30 }, (_, i) => rule(`r${i}`, { book: BigInt(i + 1) }))
    const { applied, total, lost, missed, alternatives } = priced(rule("none", {}), ...many)
    const best = `r${many.length - 1}`
    expect([applied, total]).toEqual([[best], 23_000n - BigInt(many.length)])
    expect(lost.map(([id]) => id).sort()).toEqual(
      many
        .map(({ sourceId }) => sourceId)
        .filter((id) => id !== best)
        .sort()
    )
    expect(lost[0]?.[1]).toEqual([named(best)])
    expect([missed, alternatives.length]).toEqual([[["none", "minimum"]], mostCompared])
  })
})
