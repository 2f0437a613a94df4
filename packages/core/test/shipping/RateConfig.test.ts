import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  decodeClassCosts,
  decodeRateConfig,
  encodeClassCosts,
  encodeRateConfig,
  type RateType
} from "../../src/shipping/RateConfig.ts"

const read = (type: RateType, raw: unknown, currency = "EUR") =>
  Result.getOrThrow(decodeRateConfig(type, raw, currency))
const errors = (type: RateType, raw: unknown, currency = "EUR"): unknown =>
  Result.match(decodeRateConfig(type, raw, currency), { onFailure: (found) => found, onSuccess: () => "accepted" })

describe("Reading a rateConfig", () => {
  it("amounts are numbers or decimal strings, held in minor units", () => {
    expect(read("FLAT", { amount: "4.90" })).toEqual({ type: "FLAT", amount: 490n })
    expect(read("FLAT", { amount: 4.9 })).toEqual({ type: "FLAT", amount: 490n })
    expect(read("FLAT", { amount: 0 })).toEqual({ type: "FLAT", amount: 0n })
    expect(read("FLAT", { amount: 500 }, "JPY")).toEqual({ type: "FLAT", amount: 500n })
    expect(read("FLAT", { amount: "1.250" }, "KWD")).toEqual({ type: "FLAT", amount: 1250n })
  })

  it("FREE needs no config at all", () => {
    for (const raw of [{}, null, undefined, { amount: "9" }]) expect(read("FREE", raw)).toEqual({ type: "FREE" })
  })

  it("weight tiers in ascending order, whatever the order they came in; null is no limit", () => {
    const config = read("BY_WEIGHT", {
      unit: "kg",
      tiers: [
        { upTo: null, amount: "20" },
        { upTo: "5", amount: 9 },
        { upTo: 0.5, amount: 4 }
      ]
    })
    expect(config).toEqual({
      type: "BY_WEIGHT",
      unit: "kg",
      tiers: [
        { upTo: 0.5, attograms: 500n * 10n ** 18n, amount: 400n },
        { upTo: "5", attograms: 5000n * 10n ** 18n, amount: 900n },
        { upTo: null, attograms: null, amount: 2000n }
      ]
    })
  })

  it("price tiers in ascending order", () => {
    expect(
      read("BY_PRICE", {
        tiers: [
          { from: "50", amount: 0 },
          { from: 0, amount: "4.90" }
        ]
      })
    ).toEqual({
      type: "BY_PRICE",
      tiers: [
        { from: 0n, amount: 490n },
        { from: 5000n, amount: 0n }
      ]
    })
  })

  it("BY_ITEM without a base starts at zero", () => {
    expect(read("BY_ITEM", { base: 3, perItem: "0.50" })).toEqual({ type: "BY_ITEM", base: 300n, perItem: 50n })
    expect(read("BY_ITEM", { perItem: 1 })).toEqual({ type: "BY_ITEM", base: 0n, perItem: 100n })
  })

  it("PICKUP keeps its place and drops keys it does not know", () => {
    const location = {
      name: "Shop",
      address: { line1: "Main 1", city: "Ulm", postalCode: "89073", country: "DE" },
      phone: null,
      hours: { mon: "9-18" },
      instructions: "Ring twice"
    }
    expect(read("PICKUP", { amount: "1", location: { ...location, secret: 1 } })).toEqual({
      type: "PICKUP",
      amount: 100n,
      location
    })
    expect(read("PICKUP", { location: { name: "Shop" } })).toEqual({
      type: "PICKUP",
      amount: 0n,
      location: { name: "Shop" }
    })
  })

  it.each<[string, RateType, unknown, string, Record<string, string>]>([
    ["no config", "FLAT", null, "EUR", { rateConfig: "must be an object" }],
    ["no amount", "FLAT", {}, "EUR", { "rateConfig.amount": "is required" }],
    [
      "an amount with too many digits",
      "FLAT",
      { amount: "4.999" },
      "EUR",
      { "rateConfig.amount": "EUR has 2 fraction digits" }
    ],
    ["cents of a yen", "FLAT", { amount: "4.90" }, "JPY", { "rateConfig.amount": "JPY has 0 fraction digits" }],
    ["a negative amount", "FLAT", { amount: -1 }, "EUR", { "rateConfig.amount": "must not be negative" }],
    ["text", "FLAT", { amount: "a lot" }, "EUR", { "rateConfig.amount": "must be a plain decimal such as 19.99" }],
    [
      "null for an amount",
      "FLAT",
      { amount: null },
      "EUR",
      { "rateConfig.amount": "must be a number or a decimal string" }
    ],
    [
      "an unknown unit",
      "BY_WEIGHT",
      { unit: "st", tiers: [{ upTo: 1, amount: 1 }] },
      "EUR",
      { "rateConfig.unit": "must be one of kg, lb, g, oz" }
    ],
    ["no tiers", "BY_WEIGHT", { unit: "kg", tiers: [] }, "EUR", { "rateConfig.tiers": "must hold at least one tier" }],
    ["tiers that are no list", "BY_PRICE", { tiers: {} }, "EUR", { "rateConfig.tiers": "must be a list" }],
    [
      "several wrong fields at once",
      "BY_PRICE",
      { tiers: [{ from: "x", amount: 1 }, { from: 1 }] },
      "EUR",
      { "rateConfig.tiers.0.from": "must be a plain decimal such as 19.99", "rateConfig.tiers.1.amount": "is required" }
    ],
    [
      "a tier twice",
      "BY_PRICE",
      {
        tiers: [
          { from: "1", amount: 1 },
          { from: 1, amount: 2 }
        ]
      },
      "EUR",
      { "rateConfig.tiers.1.from": "repeats the limit of an earlier tier" }
    ],
    [
      "the same weight in two spellings",
      "BY_WEIGHT",
      {
        unit: "kg",
        tiers: [
          { upTo: 1, amount: 1 },
          { upTo: "1.0", amount: 2 }
        ]
      },
      "EUR",
      { "rateConfig.tiers.1.upTo": "repeats the limit of an earlier tier" }
    ],
    [
      "two open ends",
      "BY_WEIGHT",
      {
        unit: "kg",
        tiers: [
          { upTo: null, amount: 1 },
          { upTo: null, amount: 2 }
        ]
      },
      "EUR",
      { "rateConfig.tiers.1.upTo": "repeats the limit of an earlier tier" }
    ],
    [
      "a weight that is none",
      "BY_WEIGHT",
      { unit: "kg", tiers: [{ upTo: "heavy", amount: 1 }] },
      "EUR",
      { "rateConfig.tiers.0.upTo": "must be a weight such as 2.5, or null for no limit" }
    ],
    [
      "a negative weight",
      "BY_WEIGHT",
      { unit: "kg", tiers: [{ upTo: -1, amount: 1 }] },
      "EUR",
      { "rateConfig.tiers.0.upTo": "must be a weight such as 2.5, or null for no limit" }
    ],
    [
      "a forgotten limit",
      "BY_WEIGHT",
      { unit: "kg", tiers: [{ amount: 1 }] },
      "EUR",
      { "rateConfig.tiers.0.upTo": "is required" }
    ],
    ["no place", "PICKUP", { amount: 1 }, "EUR", { "rateConfig.location": "is required" }],
    [
      "a place without a name",
      "PICKUP",
      { location: { name: " " } },
      "EUR",
      { "rateConfig.location.name": "must not be empty" }
    ],
    [
      "a phone number that is a number",
      "PICKUP",
      { location: { name: "Shop", phone: 7 } },
      "EUR",
      { "rateConfig.location.phone": "must be a string or null" }
    ]
  ])("refuses %s and says where", (_, type, raw, currency, expected) => {
    expect(errors(type, raw, currency)).toEqual(expected)
  })

  it.each<[RateType, unknown, unknown]>([
    ["FLAT", { amount: 4.9 }, { amount: "4.90" }],
    ["FREE", { amount: 4 }, {}],
    [
      "BY_WEIGHT",
      {
        unit: "lb",
        tiers: [
          { upTo: null, amount: 9 },
          { upTo: 2.5, amount: "4.9" }
        ]
      },
      {
        unit: "lb",
        tiers: [
          { upTo: 2.5, amount: "4.90" },
          { upTo: null, amount: "9.00" }
        ]
      }
    ],
    ["BY_PRICE", { tiers: [{ from: 0, amount: 4 }] }, { tiers: [{ from: "0.00", amount: "4.00" }] }],
    ["BY_ITEM", { perItem: 1 }, { base: "0.00", perItem: "1.00" }],
    ["PICKUP", { location: { name: "Shop" } }, { amount: "0.00", location: { name: "Shop" } }]
  ])("%s is written in one canonical form that reads back the same", (type, raw, expected) => {
    const config = read(type, raw)
    expect(encodeRateConfig(config, "EUR")).toEqual(expected)
    expect(read(type, JSON.parse(JSON.stringify(encodeRateConfig(config, "EUR"))))).toEqual(config)
  })
})

describe("Reading classCosts", () => {
  it("maps class ids to minor units, both ways", () => {
    const costs = Result.getOrThrow(decodeClassCosts({ cls_1: "2.50", cls_2: 4 }, "EUR"))
    expect(costs).toEqual(
      new Map([
        ["cls_1", 250n],
        ["cls_2", 400n]
      ])
    )
    expect(encodeClassCosts(costs, "EUR")).toEqual({ cls_1: "2.50", cls_2: "4.00" })
  })

  it("null and absent are none", () => {
    expect(Result.getOrThrow(decodeClassCosts(null, "EUR")).size).toBe(0)
    expect(Result.getOrThrow(decodeClassCosts(undefined, "EUR")).size).toBe(0)
  })

  it("names the class whose cost is wrong", () => {
    const failed = decodeClassCosts({ cls_1: "2.505", cls_2: 1 }, "EUR")
    expect(Result.isFailure(failed) && failed.failure).toEqual({ "classCosts.cls_1": "EUR has 2 fraction digits" })
  })
})
