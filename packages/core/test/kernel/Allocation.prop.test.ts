import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { allocate } from "@effect-commerce/core/kernel/Allocation"
import { law } from "./laws.ts"

const amount = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 10n ** 12n }))
const weights = fc.array(amount, { minLength: 1, maxLength: 12 })
const sum = (parts: ReadonlyArray<bigint>) => parts.reduce((acc, part) => acc + part, 0n)
const at = (parts: ReadonlyArray<bigint>, index: number) => parts[index] ?? 0n

/** Hands out one unit after the other to whoever is furthest below the exact share; cross-multiplied, no division. */
const byHand = (total: bigint, shares: ReadonlyArray<bigint>): Array<bigint> => {
  const whole = sum(shares)
  const parts = shares.map(() => 0n)
  const owed = (index: number) => total * at(shares, index) - at(parts, index) * whole
  for (let unit = 0n; unit < total; unit++) {
    let neediest = 0
    for (const index of shares.keys()) if (owed(index) > owed(neediest)) neediest = index
    parts[neediest] = at(parts, neediest) + 1n
  }
  return parts
}

describe("laws of allocation", () => {
  it("sums to the whole, and each part is within one unit of its exact share", () => {
    law(fc.tuple(amount, weights), ([total, shares]) => {
      const parts = allocate(total, shares)
      const whole = sum(shares)
      expect(sum(parts)).toBe(total)
      for (const index of shares.keys()) {
        expect(at(parts, index) >= 0n).toBe(true)
        if (whole === 0n) continue
        const error = at(parts, index) * whole - total * at(shares, index)
        expect(error < whole && error > -whole).toBe(true)
      }
    })
  })

  it("equals handing out unit by unit", () => {
    const small = fc.array(fc.bigInt({ min: 0n, max: 40n }), { minLength: 1, maxLength: 6 })
    law(
      fc.tuple(
        fc.bigInt({ min: 0n, max: 60n }),
        small.filter((shares) => sum(shares) > 0n)
      ),
      ([total, shares]) => {
        expect(allocate(total, shares)).toEqual(byHand(total, shares))
      }
    )
  })

  it("never takes more than the line when the lines are the weights", () => {
    const lines = weights.filter((shares) => sum(shares) > 0n)
    const case_ = lines.chain((shares) => fc.tuple(fc.bigInt({ min: 0n, max: sum(shares) }), fc.constant(shares)))
    law(case_, ([total, shares]) => {
      const parts = allocate(total, shares)
      expect(sum(parts)).toBe(total)
      expect(parts.every((part, index) => part <= at(shares, index))).toBe(true)
    })
  })

  it("fills up to the caps, and only a full line gets less than its share of the rest", () => {
    const rows = fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 10 })
    law(fc.tuple(amount, rows), ([total, pairs]) => {
      const shares = pairs.map(([share]) => share)
      const caps = pairs.map(([, cap]) => cap)
      const room = sum(caps)
      const parts = allocate(total, shares, caps)
      expect(sum(parts)).toBe(total < room ? total : room)
      expect(parts.every((part, index) => part >= 0n && part <= at(caps, index))).toBe(true)
      const whole = sum(shares)
      if (whole === 0n || total > room) return
      for (const index of shares.keys()) {
        const atLeast = (total * at(shares, index)) / whole
        expect(at(parts, index) >= (atLeast < at(caps, index) ? atLeast : at(caps, index))).toBe(true)
      }
    })
  })

  it("permuting the lines changes a part by at most one unit", () => {
    law(fc.tuple(amount, weights), ([total, shares]) => {
      const parts = allocate(total, shares)
      const reversed = allocate(total, [...shares].reverse()).reverse()
      for (const index of shares.keys()) {
        const change = at(parts, index) - at(reversed, index)
        expect(change >= -1n && change <= 1n).toBe(true)
      }
    })
  })

  it("refunding units one by one gives back what the line was charged", () => {
    law(fc.tuple(amount, fc.integer({ min: 1, max: 30 })), ([charged, quantity]) => {
      let left = charged
      for (let units = quantity; units > 0; units--)
        left -= at(
          allocate(
            left,
            Array.from({ length: units }, () => 1n)
          ),
          0
        )
      expect(left).toBe(0n)
    })
  })

  it("a negative total mirrors the positive one", () => {
    law(fc.tuple(amount, weights), ([total, shares]) => {
      expect(allocate(-total, shares)).toEqual(allocate(total, shares).map((part) => -part))
    })
  })
})
