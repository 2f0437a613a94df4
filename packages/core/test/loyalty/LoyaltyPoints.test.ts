import { describe, expect, it } from "vitest"
import {
  balanceOf,
  earnedPoints,
  expiredOf,
  fitting,
  maxPoints,
  pointsFor,
  pointsPaying,
  returnedPoints,
  reversedPoints,
  tierOf,
  usableOf
} from "../../src/loyalty/LoyaltyPoints.ts"

const tiers = [
  { name: "Silver", threshold: 10, multiplier: 15_000 },
  { name: "Gold", threshold: 100, multiplier: 20_000 }
]
const money = {
  isCancelled: false,
  captured: 2_000n,
  refunded: 0n,
  refundedByProvider: 0n,
  worth: 500n,
  worthRefunded: 0n
}

describe("points that an order earns", () => {
  const rule = { pointsPerUnit: 3n, currencyUnit: 250n, tiers }

  it("are whole units times the points of a unit, by the tier that was reached before", () => {
    expect([0n, 9n, 10n, 99n, 100n].map((lifetime) => earnedPoints(rule, 999n, lifetime))).toEqual([
      9n,
      9n,
      15n,
      15n,
      21n
    ])
    expect(tierOf(tiers, 9n)).toBeUndefined()
    expect(tierOf(tiers, 100n)?.name).toBe("Gold")
  })

  it("are none where discounts and points have paid for more than the lines, and never more than an account holds", () => {
    expect(earnedPoints(rule, -5n, 0n)).toBe(0n)
    expect(earnedPoints({ ...rule, pointsPerUnit: 1_000_000n }, 9_000_000_000_000_000_000n, 0n)).toBe(maxPoints)
  })
})

describe("what a refund undoes", () => {
  it("takes earned points back by floor of the money given back, all of them at the end or where it is cancelled", () => {
    const reversed = [0n, 667n, 1_999n, 2_000n, 2_400n].map((refunded) => reversedPoints(20n, { ...money, refunded }))
    expect(reversed).toEqual([0n, 6n, 19n, 20n, 20n])
    expect(reversedPoints(20n, { ...money, isCancelled: true })).toBe(20n)
    expect(reversedPoints(20n, { ...money, captured: 0n })).toBe(0n)
  })

  it("returns points that paid as far as the refund says, or with the money of a provider's dashboard", () => {
    const part = { ...money, refunded: 1_000n }
    expect(returnedPoints(500n, part)).toBe(0n)
    expect(returnedPoints(500n, { ...part, worthRefunded: 101n })).toBe(101n)
    expect(returnedPoints(333n, { ...part, worthRefunded: 101n })).toBe(67n)
    expect(returnedPoints(500n, { ...part, refundedByProvider: 667n })).toBe(166n)
    expect(returnedPoints(500n, { ...part, worthRefunded: 101n, refundedByProvider: 667n })).toBe(267n)
    // What a provider gave back beyond what the order has counts no further.
    expect(returnedPoints(500n, { ...part, refundedByProvider: 9_000n })).toBe(250n)
    expect(returnedPoints(500n, { ...money, isCancelled: true })).toBe(500n)
  })

  it("returns points of an order that nothing else has paid for", () => {
    const whole = { ...money, captured: 0n }
    expect(returnedPoints(500n, whole)).toBe(0n)
    expect(returnedPoints(500n, { ...whole, worthRefunded: 500n })).toBe(500n)
  })
})

describe("points that pay", () => {
  it("are whole, no more than were entered and no more than is due", () => {
    expect([pointsFor(2_500n, 7n, 1_000n), pointsFor(2_500n, 7n, 10n), pointsFor(6n, 7n, 10n)]).toEqual([357n, 10n, 0n])
    expect([pointsPaying(2_499n, 7n), pointsPaying(2_500n, 7n)]).toEqual([357n, 358n])
  })
})

describe("an account", () => {
  const account = { balance: 500n, lifetime: 0n, due: 0n, held: 0n, own: 0n }

  it("has what has not expired, and lets a checkout spend what others do not hold", () => {
    const standings = [
      account,
      { ...account, due: 200n },
      { ...account, held: 300n },
      { ...account, held: 300n, own: 300n },
      { ...account, due: 400n, held: 300n, own: 100n }
    ]
    expect(standings.map((each) => [expiredOf(each), balanceOf(each), usableOf(each)])).toEqual([
      [0n, 500n, 500n],
      [200n, 300n, 300n],
      [0n, 500n, 200n],
      [0n, 500n, 500n],
      [100n, 400n, 200n]
    ])
  })

  it("takes as many points as it has room for", () => {
    expect(fitting(10n, account)).toBe(10n)
    expect(fitting(10n, { balance: maxPoints - 4n, lifetime: 0n })).toBe(4n)
    expect(fitting(10n, { balance: 0n, lifetime: maxPoints })).toBe(0n)
  })
})
