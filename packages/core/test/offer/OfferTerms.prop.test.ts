/** The prices of lines of offers, against an evaluator that is written apart from the product's. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type OfferedLine, type OfferTerms, pricesNow } from "../../src/offer/OfferTerms.ts"
import type { Sellable } from "../../src/pricing/Sellable.ts"
import { law } from "../kernel/laws.ts"

const sellable = (price: bigint) =>
  ({
    price: String(price),
    salePrice: null,
    saleStartsAt: null,
    saleEndsAt: null,
    kit: null,
    kitPricingMode: null,
    kitDiscountValue: null,
    modifiers: null
  }) as unknown as Sellable

const price = fc.oneof(fc.constantFrom(0n, 1n, 5n, 99n, 1_495n), fc.bigInt({ min: 0n, max: 10n ** 12n }))
const discount = fc.oneof(
  fc.record({
    discountType: fc.constant("PERCENTAGE" as const),
    value: fc.oneof(fc.constantFrom(1_000n, 5_000n), fc.bigInt({ min: 0n, max: 10_000n }))
  }),
  fc.record({
    discountType: fc.constant("FIXED_AMOUNT" as const),
    value: fc.oneof(fc.bigInt({ min: 0n, max: 3_000n }), fc.bigInt({ min: 0n, max: 10n ** 13n }))
  })
)
const bundle = fc.record({
  prices: fc.array(price, { minLength: 1, maxLength: 10 }),
  discount,
  quantity: fc.integer({ min: 1, max: 9 })
})
type Bundle = typeof bundle extends fc.Arbitrary<infer T> ? T : never

const termsOf = (
  { prices, discount: { discountType, value } }: Bundle,
  more: Partial<OfferTerms> = {}
): OfferTerms => ({
  kind: "BUNDLE",
  isActive: true,
  triggerProductId: "lamp",
  productIds: prices.map((_, i) => `p${i}`),
  discountType,
  discountValue: String(value),
  ...more
})
const lamp: OfferedLine = { productId: "lamp", quantity: 1, offer: null, sellable: sellable(5_000n) }
/** The lines of one bundle, in the order of the offer. */
const bundled = (
  drawn: Bundle,
  terms: OfferTerms | null,
  bundleItemId: string | null = "b"
): ReadonlyArray<OfferedLine> =>
  drawn.prices.map((own, i) => ({
    productId: `p${i}`,
    quantity: drawn.quantity,
    offer: { offerId: "o", bundleItemId, terms },
    sellable: sellable(own)
  }))

/** Percent by fractions of integers; an amount by giving the minor units of the remainder one by one. */
const reference = ({ prices, discount: { discountType, value } }: Bundle): ReadonlyArray<bigint> => {
  if (discountType === "PERCENTAGE")
    return prices.map((own) => {
      const doubled = own * value * 2n
      return own - (doubled + 10_000n) / 20_000n
    })
  const sum = prices.reduce((total, own) => total + own, 0n)
  if (value >= sum) return prices.map(() => 0n)
  const shares = prices.map((own) => (own * value) / sum)
  const rests = prices.map((own, i) => ({ i, rest: (own * value) % sum }))
  let left = value - shares.reduce((total, share) => total + share, 0n)
  for (const { i } of rests.sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1))) {
    if (left === 0n) break
    shares[i] = (shares[i] ?? 0n) + 1n
    left -= 1n
  }
  return prices.map((own, i) => own - (shares[i] ?? 0n))
}

describe("laws of the prices of offers", () => {
  it("a complete bundle costs what the reference says, never less than nothing or more than its products", () => {
    law(bundle, (drawn) => {
      const [trigger, ...found] = pricesNow([lamp, ...bundled(drawn, termsOf(drawn))], 0)
      expect([trigger, found]).toEqual([5_000n, reference(drawn)])
      for (const [i, own] of drawn.prices.entries()) {
        expect(found[i]).toBeGreaterThanOrEqual(0n)
        expect(found[i]).toBeLessThanOrEqual(own)
      }
    })
  })

  it("a percentage takes half a minor unit off as a whole one, and less than half not at all", () => {
    const drawn: Bundle = {
      prices: [1n, 14n, 15n, 5n, 1_495n],
      discount: { discountType: "PERCENTAGE", value: 1_000n },
      quantity: 1
    }
    expect(pricesNow([lamp, ...bundled(drawn, termsOf(drawn))], 0).slice(1)).toEqual([1n, 13n, 13n, 4n, 1_345n])
  })

  it("an amount is taken off exactly once, or all that the products cost", () => {
    law(bundle, (drawn) => {
      if (drawn.discount.discountType === "PERCENTAGE") return
      const found = pricesNow([lamp, ...bundled(drawn, termsOf(drawn))], 0).slice(1)
      const sum = (all: ReadonlyArray<bigint>) => all.reduce((total, one) => total + one, 0n)
      const own = sum(drawn.prices)
      expect(own - sum(found)).toBe(drawn.discount.value < own ? drawn.discount.value : own)
    })
  })

  it("the order of the lines, other lines and other bundles change nothing", () => {
    law(fc.tuple(bundle, bundle, fc.integer({ min: 0, max: 20 })), ([drawn, other, turn]) => {
      const lines = bundled(drawn, termsOf(drawn))
      const at = turn % lines.length
      const turned = [...lines.slice(at), ...lines.slice(0, at)]
      const all = [...turned, ...bundled(other, termsOf(other), "c"), lamp]
      const found = pricesNow(all, 0)
      const expected = reference(drawn)
      expect(found.slice(0, lines.length)).toEqual([...expected.slice(at), ...expected.slice(0, at)])
      expect(found.slice(lines.length, -1)).toEqual(reference(other))
    })
  })

  it("without its trigger, a line, an equal quantity or its offer every line costs its own price", () => {
    law(bundle, (drawn) => {
      const own = drawn.prices
      const terms = termsOf(drawn)
      const lines = bundled(drawn, terms)
      expect(pricesNow(lines, 0)).toEqual(own)
      expect(pricesNow([lamp, ...bundled(drawn, null)], 0).slice(1)).toEqual(own)
      const changes: ReadonlyArray<Partial<OfferTerms>> = [
        { isActive: false },
        { productIds: [...terms.productIds, "more"] },
        { kind: "ORDER_BUMP" },
        { triggerProductId: "desk" }
      ]
      for (const change of changes)
        expect(pricesNow([lamp, ...bundled(drawn, termsOf(drawn, change))], 0).slice(1)).toEqual(own)
      if (lines.length === 1) return
      expect(pricesNow([lamp, ...lines.slice(1)], 0).slice(1)).toEqual(own.slice(1))
      const [first, ...rest] = lines
      const uneven = first === undefined ? [] : [{ ...first, quantity: first.quantity + 1 }, ...rest]
      expect(pricesNow([lamp, ...uneven], 0).slice(1)).toEqual(own)
    })
  })

  it("an order bump needs its trigger, an upgrade does not, and neither is discounted as one of several", () => {
    law(bundle, (drawn) => {
      const one: Bundle = { ...drawn, prices: drawn.prices.slice(0, 1) }
      const discounted = reference(one)
      const bump = bundled(one, termsOf(one, { kind: "ORDER_BUMP" }), null)
      const upgrade = bundled(one, termsOf(one, { kind: "UPGRADE" }), null)
      expect(pricesNow([lamp, ...bump], 0).slice(1)).toEqual(discounted)
      expect(pricesNow(bump, 0)).toEqual(one.prices)
      expect(pricesNow(upgrade, 0)).toEqual(discounted)
      const several = bundled(one, termsOf(one, { kind: "UPGRADE", productIds: ["p0", "p1"] }), null)
      expect(pricesNow(several, 0)).toEqual(one.prices)
    })
  })
})
