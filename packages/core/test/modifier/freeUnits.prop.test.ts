/** Free modifiers: against every way of giving so many units away, which is tried one after the other. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { freeUnits } from "../../src/modifier/internal/freeUnits.ts"
import { law } from "../kernel/laws.ts"

interface Row {
  readonly price: bigint
  readonly quantity: number
}

const row = fc.record({
  price: fc.oneof(fc.bigInt({ min: -3n, max: 4n }), fc.bigInt({ min: 0n, max: 10n ** 15n })),
  quantity: fc.integer({ min: 1, max: 3 })
})
const order = fc.record({
  rows: fc.array(row, { maxLength: 4 }),
  freeQuantity: fc.integer({ min: 0, max: 13 }),
  policy: fc.constantFrom("CHEAPEST_FREE" as const, "EXPENSIVE_FREE" as const)
})

/** What every way of giving away `left` units, or as many as there are, takes off. */
const everyWay = (rows: ReadonlyArray<Row>, left: number): ReadonlyArray<bigint> => {
  const given = (at: number, rest: number): ReadonlyArray<readonly [units: number, sum: bigint]> => {
    const next = rows[at]
    if (next === undefined) return [[0, 0n]]
    const most = next.price > 0n ? Math.min(next.quantity, rest) : 0
    return Array.from({ length: most + 1 }, (_, units) =>
      given(at + 1, rest - units).map(([others, sum]) => [units + others, sum + next.price * BigInt(units)] as const)
    ).flat()
  }
  const all = given(0, left)
  const most = Math.max(...all.map(([units]) => units))
  return all.filter(([units]) => units === most).map(([, sum]) => sum)
}

describe("free modifiers", () => {
  it("are as many as can be, and come to the least or the most that so many can", () => {
    law(order, ({ rows, freeQuantity, policy }) => {
      const free = freeUnits(rows, freeQuantity, policy)
      expect(free).toHaveLength(rows.length)
      for (const [i, units] of free.entries()) expect(units >= 0 && units <= (rows[i]?.quantity ?? 0)).toBe(true)
      const sum = rows.reduce((total, { price }, i) => total + price * BigInt(free[i] ?? 0), 0n)
      const ways = everyWay(rows, freeQuantity)
      const best = ways.reduce((a, b) => (policy === "CHEAPEST_FREE" ? (b < a ? b : a) : b > a ? b : a))
      expect(sum).toBe(best)
    })
  })

  it("cost the same in whatever order they are listed", () => {
    law(
      order.chain((given) =>
        fc.record({
          given: fc.constant(given),
          shuffled: fc.shuffledSubarray([...given.rows], { minLength: given.rows.length })
        })
      ),
      ({ given: { rows, freeQuantity, policy }, shuffled }) => {
        const charged = (listed: ReadonlyArray<Row>) => {
          const free = freeUnits(listed, freeQuantity, policy)
          return listed.reduce((sum, { price, quantity }, i) => sum + price * BigInt(quantity - (free[i] ?? 0)), 0n)
        }
        expect(charged(shuffled)).toBe(charged(rows))
      }
    )
  })
})
