/**
 * What a coupon takes off random carts, compared with a second way to compute it that is written apart: exact
 * fractions, lines asked one by one, and minor units dealt out one at a time.
 */
import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { evaluateCoupon, type PricedCoupon } from "@effect-commerce/core/coupon/CouponDiscount"
import type { LineSoFar } from "@effect-commerce/core/pricing/AdjustmentSource"
import { law } from "../kernel/laws.ts"

interface Case {
  readonly coupon: PricedCoupon
  readonly lines: ReadonlyArray<LineSoFar>
}

const names = ["a", "b", "c", "d"]
const few = fc.subarray(names, { maxLength: 2 })
const money = fc.bigInt({ min: 0n, max: 2_000n })
/** Percentages in hundredths; those that halve minor units are rare among random ones. */
const hundredths = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(1_250, 2_500, 5_000))

const value = fc.oneof(
  hundredths.map((n) => ({ percentage: String(n / 100), amount: null })),
  money.map((amount) => ({ percentage: null, amount }))
)

const line = fc
  .record({
    productId: fc.option(fc.constantFrom(...names)),
    categories: fc.option(few),
    quantity: fc.integer({ min: 1, max: 5 }),
    unitPrice: fc.bigInt({ min: 0n, max: 999n }),
    /** How much of the line is left, in hundredths. */
    left: fc.bigInt({ min: 0n, max: 100n })
  })
  .map(({ categories, left, ...rest }) => {
    const subtotal = rest.unitPrice * BigInt(rest.quantity)
    const groups = categories === null ? null : { categories, brands: [], tags: [] }
    return { ...rest, groups, subtotal, due: (subtotal * left) / 100n }
  })

const anyCase: fc.Arbitrary<Case> = fc
  .record({
    value,
    minimumOrderAmount: fc.option(money),
    maximumDiscount: fc.option(money),
    applicableProducts: few,
    excludedProducts: few,
    applicableCategories: few,
    excludedCategories: few,
    lines: fc.array(line, { minLength: 1, maxLength: 6 })
  })
  .map(({ value: stated, lines, ...coupon }) => ({
    coupon: { ...stated, ...coupon },
    lines: lines.map((each, i) => ({ id: `line_${i}`, ...each }))
  }))

/** The reference: shares by line, or why there are none. */
const reference = ({ coupon, lines }: Case): Readonly<Record<string, bigint>> | string => {
  let subtotal = 0n
  for (const { subtotal: own } of lines) subtotal += own
  if (coupon.minimumOrderAmount !== null && subtotal < coupon.minimumOrderAmount)
    return `minimum ${coupon.minimumOrderAmount - subtotal}`
  const isFor = ({ productId, groups }: LineSoFar) => {
    const product = productId ?? "no product"
    const categories = groups?.categories ?? []
    if (coupon.excludedProducts.includes(product)) return false
    for (const category of categories) if (coupon.excludedCategories.includes(category)) return false
    if (coupon.applicableProducts.length === 0 && coupon.applicableCategories.length === 0) return true
    if (coupon.applicableProducts.includes(product)) return true
    return categories.some((category) => coupon.applicableCategories.includes(category))
  }
  const eligible = lines.filter((each) => isFor(each))
  let due = 0n
  for (const { due: own } of eligible) due += own
  if (eligible.length === 0) return "no_eligible_items"
  if (due === 0n) return "nothing_off"
  let most = coupon.amount ?? 0n
  if (coupon.percentage !== null) {
    const [units = "0", digits = ""] = coupon.percentage.split(".")
    const share = due * BigInt(units + digits.padEnd(2, "0"))
    most = 0n
    // The largest whole amount that is at most half a unit above the exact share.
    while (2n * most * 10_000n + 10_000n <= 2n * share) most += 1n
    if (coupon.maximumDiscount !== null && most > coupon.maximumDiscount) most = coupon.maximumDiscount
  }
  const taken = most < due ? most : due
  if (taken === 0n) return "nothing_off"
  const shares = new Map(eligible.map(({ id, due: own }) => [id, (taken * own) / due]))
  let dealt = 0n
  for (const share of shares.values()) dealt += share
  // The line that lost the largest fraction gets a unit first; of equals, the earlier line.
  const cut = eligible.map(({ id, due: own }, i) => ({ id, i, rest: (taken * own) % due }))
  cut.sort((one, other) => (one.rest === other.rest ? one.i - other.i : one.rest > other.rest ? -1 : 1))
  for (const { id } of cut) {
    if (dealt === taken) break
    shares.set(id, (shares.get(id) ?? 0n) + 1n)
    dealt += 1n
  }
  return Object.fromEntries([...shares].filter(([, share]) => share > 0n))
}

const evaluated = ({ coupon, lines }: Case): Readonly<Record<string, bigint>> | string => {
  const { lines: shares, miss } = evaluateCoupon(coupon, "USD")({ lines, shipping: null })
  if (miss !== undefined)
    return [miss.reason, ...(miss.missingAmount === undefined ? [] : [miss.missingAmount])].join(" ")
  return Object.fromEntries(shares.map(({ lineId, amount }) => [lineId, amount]))
}

describe("a coupon on random carts", () => {
  it("takes off what the reference does, to the minor unit", () => {
    law(anyCase, (given) => {
      expect(evaluated(given)).toEqual(reference(given))
    })
  })

  it("takes no more off a line than it has left, and concerns all of its units", () => {
    law(anyCase, ({ coupon, lines }) => {
      for (const share of evaluateCoupon(coupon, "USD")({ lines, shipping: null }).lines) {
        const own = lines.find(({ id }) => id === share.lineId)
        expect(share.amount > 0n && share.amount <= (own?.due ?? 0n)).toBe(true)
        expect(share.units).toBe(own?.quantity)
      }
    })
  })
})
