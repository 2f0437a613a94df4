import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { demandsOf, shortageOf, shortLines, type SoldLine } from "../../src/inventory/SoldLines.ts"
import { type StockFacts, stockKeyOf, unitsAvailable, unitsFree } from "../../src/kernel/Availability.ts"
import { type KitPart, kitStock } from "../../src/kernel/Kit.ts"
import { law } from "../kernel/laws.ts"

const keys = ["a", "b", "c"] as const
const stock: fc.Arbitrary<StockFacts> = fc.record({
  trackingMode: fc.constantFrom("TRACKED", "TRACKED", "TRACKED", "UNTRACKED", "DISABLED"),
  backorderMode: fc.constantFrom("DENY", "DENY", "LIMITED", "ALLOW"),
  backorderLimit: fc.option(fc.nat(6)),
  total: fc.integer({ min: -4, max: 20 }),
  reserved: fc.nat(4)
})
const part: fc.Arbitrary<KitPart> = fc.record({
  productId: fc.constantFrom(...keys),
  variantId: fc.constant(null),
  quantity: fc.integer({ min: 1, max: 4 }),
  isOffered: fc.constant(true),
  stock: fc.option(stock, { freq: 6 })
})
const parts = fc.uniqueArray(part, { minLength: 1, maxLength: 3, selector: (one) => one.productId })

const line: fc.Arbitrary<SoldLine> = fc.oneof(
  fc.record({
    productId: fc.constantFrom(...keys),
    variantId: fc.constant(null),
    quantity: fc.integer({ min: 1, max: 6 }),
    components: fc.constant(null)
  }),
  fc.record({
    productId: fc.constantFrom("kit_1", "kit_2"),
    variantId: fc.constant(null),
    quantity: fc.integer({ min: 1, max: 4 }),
    components: fc.constant(null)
  })
)
const kits: Readonly<Record<string, SoldLine["components"]>> = {
  kit_1: [
    { productId: "a", variantId: null, quantity: 2 },
    { productId: "b", variantId: null, quantity: 1 }
  ],
  kit_2: [{ productId: "b", variantId: null, quantity: 3 }]
}
const lines = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .map((drawn) => drawn.map((one) => ({ ...one, components: kits[one.productId] ?? null })))
const units = fc.tuple(fc.nat(14), fc.nat(14), fc.nat(14))

describe("the stock of a kit", () => {
  it("is as many kits as can be made one after another, of free units and of all that can be sold", () => {
    law(parts, (drawn) => {
      const facts = kitStock(drawn)
      const made = (unitsOf: (of: StockFacts | null) => number) => {
        let kitsMade = 0
        while (kitsMade < 100 && drawn.every((one) => (kitsMade + 1) * one.quantity <= unitsOf(one.stock)))
          kitsMade += 1
        return kitsMade
      }
      const sellable = Math.min(100, unitsAvailable(facts))
      expect(sellable).toBe(made(unitsAvailable))
      const isCounted = facts.trackingMode === "TRACKED"
      const free = made((of) =>
        of?.trackingMode === "UNTRACKED"
          ? Number.POSITIVE_INFINITY
          : unitsFree(of?.trackingMode === "DISABLED" ? null : of)
      )
      if (isCounted) expect(unitsFree(facts)).toBe(free)
      expect(facts.reserved).toBe(0)
    })
  })

  it("is none where a component is not offered, and where there is none at all", () => {
    law(parts, (drawn) => {
      const [first, ...rest] = drawn
      if (first === undefined) return
      expect(unitsAvailable(kitStock([{ ...first, isOffered: false }, ...rest]))).toBe(0)
    })
    expect(kitStock([])).toMatchObject({ trackingMode: "TRACKED", backorderMode: "DENY", total: 0, reserved: 0 })
  })
})

describe("lines and the stock that they draw on", () => {
  it("nothing is short exactly where every row has what is demanded of it", () => {
    law(fc.tuple(lines, units), ([drawn, there]) => {
      const has = (key: string) => there[keys.indexOf(key as (typeof keys)[number])] ?? 0
      const demanded = new Map<string, number>()
      for (const demand of demandsOf(drawn))
        demanded.set(stockKeyOf(demand), (demanded.get(stockKeyOf(demand)) ?? 0) + demand.quantity)
      const over = [...demanded].filter(([key, quantity]) => quantity > has(key))
      const short = shortLines(drawn, has)
      expect(short.length > 0).toBe(over.length > 0)
      for (const { available, requested } of short) expect(available).toBeLessThan(requested)
      // What the ledger refuses names rows; told of the lines, it names a line that is short.
      const refused = over.map(([key, requested]) => ({
        productId: key,
        variantId: null,
        available: has(key),
        requested
      }))
      expect(shortageOf(drawn, refused).length > 0).toBe(over.length > 0)
    })
  })

  it("what is granted to lines, short ones in part, is there", () => {
    law(fc.tuple(lines, units), ([drawn, there]) => {
      const has = (key: string) => there[keys.indexOf(key as (typeof keys)[number])] ?? 0
      const short = new Map(shortLines(drawn, has).map((item) => [item.productId, item.available]))
      const seen = new Set<string>()
      const granted = drawn.flatMap((one) => {
        if (!short.has(one.productId)) return [one]
        if (seen.has(one.productId)) return []
        seen.add(one.productId)
        return [{ ...one, quantity: short.get(one.productId) ?? 0 }]
      })
      const taken = new Map<string, number>()
      for (const demand of demandsOf(granted))
        taken.set(stockKeyOf(demand), (taken.get(stockKeyOf(demand)) ?? 0) + demand.quantity)
      for (const [key, quantity] of taken) expect(quantity).toBeLessThanOrEqual(has(key))
    })
  })
})
