import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type RateOffer, sortedOffers } from "../../src/shipping/ShippingRateCalculator.ts"
import { law } from "../kernel/laws.ts"

const days = fc.option(fc.integer({ min: 0, max: 4 }))
const offers = fc.array(
  fc.record({ price: fc.bigInt({ min: 0n, max: 3n }), minDeliveryDays: days, maxDeliveryDays: days }),
  { maxLength: 12 }
)

/** Whether the first is to be read before the second: one question after the other, as the contract asks them. */
const precedes = (a: Offer, b: Offer): boolean => {
  if (a.price !== b.price) return a.price < b.price
  for (const key of ["maxDeliveryDays", "minDeliveryDays"] as const) {
    const [first, second] = [a.rate[key], b.rate[key]]
    if (first === second) continue
    if (first === null) return false
    if (second === null) return true
    return first < second
  }
  return a.rate.created < b.rate.created
}

interface Rate {
  readonly created: number
  readonly minDeliveryDays: number | null
  readonly maxDeliveryDays: number | null
}
type Offer = RateOffer<Rate>

describe("offered shipping methods", () => {
  it("are sorted by price, then by speed with the unknown last, then as they were created", () => {
    law(offers, (rows) => {
      const given = rows.map(
        ({ price, ...speed }, created): Offer => ({ offered: true, price, parts: [], rate: { ...speed, created } })
      )
      const sorted = sortedOffers(given)
      expect([...sorted].sort((a, b) => a.rate.created - b.rate.created)).toEqual(given)
      for (const [i, offer] of sorted.entries())
        for (const later of sorted.slice(i + 1)) expect(precedes(offer, later)).toBe(true)
    })
  })
})
