import { describe, expect, it } from "vitest"
import { Result } from "effect"
import { blankCoupon, statusOf } from "@effect-commerce/core/coupon/Coupon"
import { changeCoupon, readCouponValue } from "@effect-commerce/core/coupon/CouponChange"
import { codeProblem, couponKey, randomCode } from "@effect-commerce/core/coupon/CouponCode"
import { evaluateCoupon } from "@effect-commerce/core/coupon/CouponDiscount"
import { platformWarnings } from "@effect-commerce/core/coupon/CouponPlatforms"
import type { LineSoFar } from "@effect-commerce/core/pricing/AdjustmentSource"

const lines = (...prices: ReadonlyArray<bigint>): ReadonlyArray<LineSoFar> =>
  prices.map((price, i) => ({
    id: `line_${i}`,
    productId: `prod_${i}`,
    groups: null,
    quantity: 1,
    unitPrice: price,
    subtotal: price,
    due: price
  }))
const percent = (percentage: string) => ({ ...blankCoupon, percentage })
const taken = (coupon: Parameters<typeof evaluateCoupon>[0], ...prices: ReadonlyArray<bigint>) =>
  evaluateCoupon(coupon, "EUR")({ lines: lines(...prices), shipping: null })
const amounts = (...given: Parameters<typeof taken>) => taken(...given).lines.map(({ amount }) => amount)

describe("what a coupon takes off", () => {
  it("is a percentage of the whole, rounded half up once, and then split", () => {
    expect(amounts(percent("10"), ...Array.from({ length: 10 }, () => 105n)).reduce((a, b) => a + b)).toBe(105n)
    expect(amounts(percent("10"), 33n, 33n, 33n)).toEqual([4n, 3n, 3n])
    expect(amounts(percent("25"), 1_999n)).toEqual([500n])
    expect(amounts(percent("33.335"), 1_000n)).toEqual([333n])
    expect(amounts(percent("12.5"), 4n)).toEqual([1n])
    expect(amounts(percent("100"), 1n, 0n, 9_223_372_036_854_775_807n)).toEqual([1n, 9_223_372_036_854_775_807n])
  })

  it("is an amount split in proportion, as mixed VAT needs it", () => {
    expect(amounts({ ...blankCoupon, amount: 1_000n }, 5_950n, 1_070n)).toEqual([848n, 152n])
    expect(amounts({ ...blankCoupon, amount: 9_000n }, 5_950n, 1_070n)).toEqual([5_950n, 1_070n])
  })

  it("says how it was found", () => {
    expect(taken(percent("10"), 3_998n).formula).toBe("10 % of 39.98")
    expect(taken({ ...percent("10"), maximumDiscount: 100n }, 3_998n).formula).toBe("10 % of 39.98, at most 1.00")
    expect(taken({ ...blankCoupon, amount: 500n }, 3_998n).formula).toBe("5.00 off 39.98")
    expect(taken(percent("0"), 3_998n).miss).toEqual({ reason: "nothing_off" })
    expect(taken({ ...percent("10"), minimumOrderAmount: 3_999n }, 3_998n).miss).toEqual({
      reason: "minimum",
      missingAmount: 1n
    })
    expect(taken({ ...percent("10"), minimumOrderAmount: 3_998n }, 3_998n).miss).toBe(undefined)
  })
})

describe("the status of a coupon", () => {
  it("turns at the very millisecond", () => {
    const coupon = { isDisabled: false, startsAt: new Date(1_000), endsAt: new Date(2_000) }
    expect([999, 1_000, 1_999, 2_000].map((now) => statusOf(coupon, now))).toEqual([
      "SCHEDULED",
      "ACTIVE",
      "ACTIVE",
      "EXPIRED"
    ])
    expect(statusOf({ ...coupon, isDisabled: true }, 2_000)).toBe("DISABLED")
    expect(statusOf({ isDisabled: false, startsAt: null, endsAt: null }, 0)).toBe("ACTIVE")
  })
})

describe("a code", () => {
  it("is the same in any case and in any encoding", () => {
    for (const [one, other] of [
      ["save", "SAVE"],
      ["Stra\u00dfe", "STRASSE"],
      ["\u03a3\u0391\u03a3", "\u03c3\u03b1\u03c2"],
      ["cafe\u0301", "CAF\u00c9"],
      ["\u212a", "k"],
      ["\u0131", "I"]
    ] as const)
      expect([one, couponKey(one)]).toEqual([one, couponKey(` ${other}`)])
    expect(couponKey("A-1")).not.toBe(couponKey("A1"))
  })

  it("has no spaces and nothing that cannot be seen", () => {
    for (const code of ["", "  ", "A B", "A\u0000", "A\u200d", "\u202eA", "A\u00a0B", "A".repeat(101)])
      expect([code, typeof codeProblem(code)]).toEqual([code, "string"])
    for (const code of ["A", " A ", "\u00c4PFEL-10%", "\u{1f381}", "A".repeat(100)])
      expect(codeProblem(code)).toBe(undefined)
  })

  it("that is random has twelve characters that are not taken for each other", () => {
    const codes = Array.from({ length: 1_000 }, () => randomCode("HELLO-"))
    expect(new Set(codes).size).toBe(1_000)
    for (const code of codes) expect(code).toMatch(/^HELLO-[2-9A-HJ-NP-Z]{12}$/)
    expect(new Set(codes.join("").replaceAll("HELLO-", "")).size).toBe(32)
  })
})

describe("a body", () => {
  it("keeps what it does not name, clears what is null, and names every field that is wrong", () => {
    const before = { ...blankCoupon, code: "A", codeKey: "A", percentage: "5", usageLimit: 3, title: "T" }
    expect(changeCoupon(before, {}, "USD")).toEqual(Result.succeed(before))
    expect(changeCoupon(before, { usageLimit: null, title: " " }, "USD")).toEqual(
      Result.succeed({ ...before, usageLimit: null, title: null })
    )
    const wrong = changeCoupon(before, { code: "", type: "FIXED_AMOUNT", value: "1.001", usageLimit: -1 }, "USD")
    expect(Result.isFailure(wrong) ? Object.keys(wrong.failure) : []).toEqual(["code", "value", "usageLimit"])
  })

  it("states a percentage, or an amount with the digits of the currency", () => {
    const read = (...given: Parameters<typeof readCouponValue>) => Result.getOrElse(readCouponValue(...given), String)
    expect(read("PERCENTAGE", "12.50", "JPY")).toEqual({ percentage: "12.5", amount: null })
    expect(read("FIXED_AMOUNT", 500, "JPY")).toEqual({ percentage: null, amount: 500n })
    expect(read("FIXED_AMOUNT", "5.0", "JPY")).toBe("JPY has 0 fraction digits")
    expect(read("PERCENTAGE", 101, "JPY")).toBe("must be between 0 and 100")
  })
})

describe("a platform", () => {
  it("does not take what it does not have, by any spelling of its code", () => {
    expect(platformWarnings({ ...percent("10"), maximumDiscount: 1n }, ["WooCommerce", "constructor"])).toEqual([
      {
        platform: "WooCommerce",
        warnings: [
          "WooCommerce is not connected: the coupon is not published there",
          "WooCommerce does not support maximumDiscount"
        ]
      },
      { platform: "constructor", warnings: ["constructor is not connected: the coupon is not published there"] }
    ])
  })
})
