/** Points against evaluators that count instead of dividing. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  earnedPoints,
  expiredOf,
  pointsFor,
  returnedPoints,
  reversedPoints,
  usableOf
} from "../../src/loyalty/LoyaltyPoints.ts"
import { law } from "../kernel/laws.ts"

const upTo = (most: number) => fc.integer({ min: 0, max: most })

/** Adds a unit for as long as the order, times its multiplier, has one left. */
const countedPoints = (eligible: number, unit: number, tenths: number, perUnit: number): number => {
  let left = eligible * tenths
  let points = 0
  while (left >= unit * 10) {
    left -= unit * 10
    points += perUnit
  }
  return points
}

describe("laws of points", () => {
  it("an order earns what counting its units earns", () => {
    law(
      fc.record({
        eligible: upTo(20_000),
        unit: fc.integer({ min: 1, max: 500 }),
        tenths: fc.integer({ min: 1, max: 40 }),
        perUnit: fc.integer({ min: 1, max: 9 })
      }),
      ({ eligible, unit, tenths, perUnit }) => {
        const tiers = [{ name: "One", threshold: 0, multiplier: tenths * 1_000 }]
        const rule = { pointsPerUnit: BigInt(perUnit), currencyUnit: BigInt(unit), tiers }
        expect(earnedPoints(rule, BigInt(eligible), 0n)).toBe(BigInt(countedPoints(eligible, unit, tenths, perUnit)))
      }
    )
  })

  it("refunds take back and return no more than was earned and spent, never less than before, and all of it at the end", () => {
    law(
      fc.record({
        captured: fc.integer({ min: 1, max: 100_000 }),
        earned: upTo(5_000),
        spent: upTo(5_000),
        parts: fc.array(upTo(30_000), { maxLength: 8 })
      }),
      ({ captured, earned, spent, parts }) => {
        let refunded = 0
        let before: readonly [bigint, bigint] = [0n, 0n]
        for (const part of [...parts, captured]) {
          refunded = Math.min(captured, refunded + part)
          const money = {
            isCancelled: false,
            captured: BigInt(captured),
            refunded: BigInt(refunded),
            refundedByProvider: BigInt(refunded),
            worth: BigInt(spent),
            worthRefunded: 0n
          }
          const now = [reversedPoints(BigInt(earned), money), returnedPoints(BigInt(spent), money)] as const
          expect(now[0] >= before[0] && now[1] >= before[1]).toBe(true)
          expect(now).toEqual([
            BigInt(Math.floor((earned * refunded) / captured)),
            BigInt(Math.floor((spent * refunded) / captured))
          ])
          before = now
        }
        expect(before).toEqual([BigInt(earned), BigInt(spent)])
      }
    )
  })

  it("what points pay is due, and one more point would pay more than that or was not entered", () => {
    law(
      fc.record({ due: upTo(100_000), rate: fc.integer({ min: 1, max: 900 }), points: upTo(2_000) }),
      ({ due, rate, points }) => {
        const used = Number(pointsFor(BigInt(due), BigInt(rate), BigInt(points)))
        expect(used * rate <= due && used <= points).toBe(true)
        expect(used === points || (used + 1) * rate > due).toBe(true)
      }
    )
  })

  it("checkouts together spend no more than the balance that has not expired", () => {
    law(
      fc.record({ balance: upTo(1_000), due: upTo(1_000), holds: fc.array(upTo(400), { maxLength: 5 }) }),
      ({ balance, due, holds }) => {
        const held = holds.reduce((sum, each) => sum + each, 0)
        fc.pre(due <= balance && held <= balance)
        for (const own of holds) {
          const account = {
            balance: BigInt(balance),
            lifetime: 0n,
            due: BigInt(due),
            held: BigInt(held),
            own: BigInt(own)
          }
          const others = BigInt(held - own)
          expect(usableOf(account) + others + expiredOf(account)).toBe(BigInt(balance))
          expect(usableOf(account)).toBeGreaterThanOrEqual(BigInt(own))
        }
      }
    )
  })
})
