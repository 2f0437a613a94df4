import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeRateConfig, type RateType } from "../../src/shipping/RateConfig.ts"
import {
  offeredRates,
  type Parcel,
  type ParcelLine,
  parcelWeight,
  type PricedRate,
  quoteRate
} from "../../src/shipping/ShippingRateCalculator.ts"
import { isWeightUnit, readWeight } from "../../src/shipping/Weight.ts"

const rate = (type: RateType, config: unknown, fields: Partial<PricedRate> = {}): PricedRate => ({
  id: "rate_1",
  config: Result.getOrThrow(decodeRateConfig(type, config, "EUR")),
  minOrderAmount: null,
  maxCost: null,
  classCosts: new Map(),
  classCalculationType: "PER_CLASS",
  isActive: true,
  ...fields
})
const line = (fields: Partial<ParcelLine> = {}): ParcelLine => ({
  quantity: 1,
  weightValue: null,
  weightUnit: null,
  shippingClassId: null,
  ...fields
})
const parcel = (subtotal: bigint, ...lines: ReadonlyArray<ParcelLine>): Parcel => ({ subtotal, lines })
const price = (of: PricedRate, to: Parcel): bigint | string => {
  const quote = quoteRate(of, to)
  return quote.offered ? quote.price : quote.reason
}
const ONE = parcel(1000n, line())

describe("What a rate costs", () => {
  it("FLAT, FREE and PICKUP", () => {
    expect(price(rate("FLAT", { amount: "4.90" }), ONE)).toBe(490n)
    expect(price(rate("FREE", {}), ONE)).toBe(0n)
    expect(price(rate("PICKUP", { amount: "1.50", location: { name: "Shop" } }), ONE)).toBe(150n)
  })

  it("BY_ITEM counts pieces, not lines", () => {
    expect(
      price(
        rate("BY_ITEM", { base: "3.00", perItem: "0.50" }),
        parcel(0n, line({ quantity: 3 }), line({ quantity: 2 }))
      )
    ).toBe(550n)
  })

  it("BY_WEIGHT: upTo is inclusive, above the last tier the rate is not offered", () => {
    const tiers = rate("BY_WEIGHT", {
      unit: "kg",
      tiers: [
        { upTo: 1, amount: 4 },
        { upTo: 5, amount: 9 }
      ]
    })
    const weighing = (value: string, unit = "kg", quantity = 1) =>
      price(tiers, parcel(0n, line({ weightValue: value, weightUnit: unit, quantity })))
    expect(weighing("1")).toBe(400n)
    expect(weighing("1.001")).toBe(900n)
    expect(weighing("0.5", "kg", 2)).toBe(400n)
    expect(weighing("5")).toBe(900n)
    expect(weighing("5.000000001")).toBe("too_heavy")
    expect(weighing("1000", "g")).toBe(400n)
    expect(weighing("2.204622621", "lb")).toBe(400n)
    expect(weighing("2.204622622", "lb")).toBe(900n)
  })

  it("BY_WEIGHT adds without rounding: ten times 0.1 kg is 1 kg, sixteen ounces are a pound", () => {
    const tenths = parcel(0n, ...Array.from({ length: 10 }, () => line({ weightValue: 0.1, weightUnit: "kg" })))
    expect(price(rate("BY_WEIGHT", { unit: "kg", tiers: [{ upTo: 1, amount: 4 }] }), tenths)).toBe(400n)
    const ounces = parcel(0n, line({ quantity: 16, weightValue: "1", weightUnit: "oz" }))
    expect(parcelWeight(ounces)).toBe(readWeight("1", "lb"))
    expect(price(rate("BY_WEIGHT", { unit: "lb", tiers: [{ upTo: "1", amount: 4 }] }), ounces)).toBe(400n)
  })

  it("BY_WEIGHT: an open last tier takes any weight; lines without a weight weigh nothing", () => {
    const open = rate("BY_WEIGHT", {
      unit: "g",
      tiers: [
        { upTo: 0, amount: 1 },
        { upTo: null, amount: 2 }
      ]
    })
    expect(
      price(
        open,
        parcel(
          0n,
          line(),
          line({ weightValue: "7", weightUnit: "stone" }),
          line({ weightValue: "-7", weightUnit: "g" })
        )
      )
    ).toBe(100n)
    expect(price(open, parcel(0n, line({ weightValue: "999999999999", weightUnit: "kg" })))).toBe(200n)
  })

  it("BY_PRICE: from is inclusive, below the first tier the rate is not offered", () => {
    const tiers = rate("BY_PRICE", {
      tiers: [
        { from: 10, amount: "4.90" },
        { from: 50, amount: "2.90" },
        { from: 100, amount: 0 }
      ]
    })
    expect(price(tiers, parcel(999n, line()))).toBe("below_first_tier")
    expect(price(tiers, parcel(1000n, line()))).toBe(490n)
    expect(price(tiers, parcel(4999n, line()))).toBe(490n)
    expect(price(tiers, parcel(5000n, line()))).toBe(290n)
    expect(price(tiers, parcel(10000n, line()))).toBe(0n)
  })

  it("minOrderAmount: offered from exactly that subtotal", () => {
    const free = rate("FREE", {}, { minOrderAmount: 5000n })
    expect(price(free, parcel(4999n, line()))).toBe("below_minimum")
    expect(price(free, parcel(5000n, line()))).toBe(0n)
  })

  it("an inactive rate is never offered", () => {
    expect(price(rate("FLAT", { amount: 1 }, { isActive: false }), ONE)).toBe("inactive")
  })

  it("PER_CLASS adds each class in the parcel once, HIGHEST only the dearest", () => {
    const classCosts = new Map([
      ["bulky", 500n],
      ["fragile", 300n],
      ["absent", 900n]
    ])
    const lines = [
      line({ shippingClassId: "bulky", quantity: 4 }),
      line({ shippingClassId: "bulky" }),
      line({ shippingClassId: "fragile" }),
      line({ shippingClassId: "other" }),
      line()
    ]
    expect(price(rate("FLAT", { amount: 1 }, { classCosts }), parcel(0n, ...lines))).toBe(900n)
    expect(
      price(rate("FLAT", { amount: 1 }, { classCosts, classCalculationType: "HIGHEST" }), parcel(0n, ...lines))
    ).toBe(600n)
    expect(price(rate("FLAT", { amount: 1 }, { classCosts, classCalculationType: "HIGHEST" }), ONE)).toBe(100n)
  })

  it("maxCost caps the whole price, class costs included, and the parts say so", () => {
    const capped = rate("BY_ITEM", { base: 3, perItem: 1 }, { maxCost: 900n, classCosts: new Map([["bulky", 500n]]) })
    expect(quoteRate(capped, parcel(0n, line({ quantity: 4, shippingClassId: "bulky" })))).toEqual({
      offered: true,
      rate: capped,
      price: 900n,
      parts: [
        { kind: "base", source: "base + 4 x perItem", amount: 700n },
        { kind: "class", source: "bulky", amount: 500n },
        { kind: "cap", source: "maxCost", amount: -300n }
      ]
    })
    expect(price(capped, parcel(0n, line({ quantity: 1, shippingClassId: "bulky" })))).toBe(900n)
    expect(quoteRate(capped, parcel(0n, line({ quantity: 1, shippingClassId: "bulky" })))).toMatchObject({
      parts: [{ amount: 400n }, { amount: 500n }]
    })
    expect(price(rate("FLAT", { amount: 5 }, { maxCost: 0n }), ONE)).toBe(0n)
  })

  it("lists what is offered, in the order given", () => {
    const rates = [
      rate("FLAT", { amount: 9 }, { id: "a" }),
      rate("FREE", {}, { id: "b", minOrderAmount: 1n << 40n }),
      rate("FLAT", { amount: 1 }, { id: "c" })
    ]
    expect(offeredRates(rates, ONE).map(({ rate: { id }, price: amount }) => [id, amount])).toEqual([
      ["a", 900n],
      ["c", 100n]
    ])
  })

  it("parts always add up to the price, within zero and the cap", () => {
    const cents = fc.bigInt({ min: 0n, max: 100_000n })
    const lines = fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 50 }),
        weightValue: fc.option(fc.integer({ min: 0, max: 9000 }).map((grams) => (grams / 1000).toFixed(3))),
        weightUnit: fc.constant("kg"),
        shippingClassId: fc.option(fc.constantFrom("c1", "c2", "c3"))
      }),
      { minLength: 1, maxLength: 6 }
    )
    const config = fc.oneof(
      fc.record({ type: fc.constant("FLAT" as const), amount: cents }),
      fc.record({ type: fc.constant("BY_ITEM" as const), base: cents, perItem: cents })
    )
    fc.assert(
      fc.property(
        config,
        lines,
        cents,
        fc.option(cents),
        fc.constantFrom("PER_CLASS" as const, "HIGHEST" as const),
        fc.dictionary(fc.constantFrom("c1", "c2", "c3"), cents),
        (chosen, given, subtotal, maxCost, classCalculationType, costs) => {
          const own: PricedRate = {
            id: "r",
            config: chosen,
            minOrderAmount: null,
            maxCost,
            classCosts: new Map(Object.entries(costs)),
            classCalculationType,
            isActive: true
          }
          const quote = quoteRate(own, { subtotal, lines: given })
          if (!quote.offered) throw new Error(quote.reason)
          expect(quote.parts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(quote.price)
          expect(quote.price >= 0n && (maxCost === null || quote.price <= maxCost)).toBe(true)
          const items = given.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n)
          const present = ["c1", "c2", "c3"]
            .filter((id) => given.some(({ shippingClassId }) => shippingClassId === id))
            .map((id) => costs[id] ?? 0n)
          const extra =
            classCalculationType === "HIGHEST"
              ? present.reduce((a, b) => (a > b ? a : b), 0n)
              : present.reduce((a, b) => a + b, 0n)
          const full = (chosen.type === "FLAT" ? chosen.amount : chosen.base + chosen.perItem * items) + extra
          expect(quote.price).toBe(maxCost !== null && full > maxCost ? maxCost : full)
        }
      )
    )
  })
})

describe("Weights", () => {
  it.each([
    ["1", "kg", 10n ** 21n],
    [1, "kg", 10n ** 21n],
    ["0.000000001", "g", 10n ** 9n],
    ["1", "lb", 453_592_370_000_000_000_000n],
    ["1", "oz", 28_349_523_125_000_000_000n],
    [0.1, "g", 10n ** 17n],
    [1e-7, "kg", 10n ** 14n]
  ] as const)("%j %s", (value, unit, attograms) => {
    expect(readWeight(value, unit)).toBe(attograms)
  })

  it.each(["", "-1", "1e3", "1,5", ".5", "1.", "0.0000000001", "1234567890123", "NaN", "1 kg"])(
    "%j is no weight",
    (value) => {
      expect(readWeight(value, "kg")).toBeUndefined()
    }
  )

  it.each([Number.NaN, Infinity, -1, 1e12])("the number %d is no weight", (value) => {
    expect(readWeight(value, "kg")).toBeUndefined()
  })

  it("knows its units", () => {
    expect(["kg", "lb", "g", "oz", "KG", "t", ""].filter(isWeightUnit)).toEqual(["kg", "lb", "g", "oz"])
  })
})
