/** Presented amounts against a second calculation of fractions, written apart from the product's. */
import { currencyExponent } from "@effect-commerce/core/kernel/Currency"
import { chargingRate, parseExchangeRate } from "@effect-commerce/core/fx/ExchangeRate"
import { booked, bookedCharge, bookedReturn } from "@effect-commerce/core/fx/OrderPresentment"
import { presentmentOf } from "@effect-commerce/core/fx/Presentment"
import type { Charge } from "@effect-commerce/core/payment/PaymentProvider"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { law } from "../kernel/laws.ts"

/** numerator / denominator. */
type Fraction = readonly [bigint, bigint]

const fractionOf = (decimal: string): Fraction => {
  const [whole = "0", digits = ""] = decimal.split(".")
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)]
}
const times = (...factors: ReadonlyArray<Fraction>): Fraction =>
  factors.reduce(([a, b], [c, d]): Fraction => [a * c, b * d], [1n, 1n])
/** Adds up until the next step would be more than a half away. */
const nearest = ([numerator, denominator]: Fraction, step: bigint): bigint => {
  const per = denominator * step
  const below = numerator / per
  return (numerator - below * per) * 2n >= per ? (below + 1n) * step : below * step
}

const currencies = fc.constantFrom("EUR", "USD", "JPY", "KRW", "KWD", "BHD", "CLF", "HUF")
const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const rate = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.integer({ min: 0, max: 9 })).map(([value, scale]) => {
  const digits = value.toString().padStart(scale + 1, "0")
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
})
const percent = fc.integer({ min: 0, max: 100_000 }).map((value) => String(value / 1_000))

const order = fc
  .record({
    subtotal: amount,
    discountAmount: fc.integer({ min: 0, max: 100 }),
    ruleDiscountAmount: fc.integer({ min: 0, max: 100 }),
    shippingAmount: amount,
    surchargeAmount: amount,
    exclusive: amount,
    inclusive: amount,
    tendered: fc.integer({ min: 0, max: 100 })
  })
  .map(({ subtotal, discountAmount, ruleDiscountAmount, exclusive, inclusive, tendered, ...others }) => {
    const discount = (subtotal * BigInt(discountAmount)) / 200n
    const ruleDiscount = (subtotal * BigInt(ruleDiscountAmount)) / 200n
    const total = subtotal - discount - ruleDiscount + others.shippingAmount + others.surchargeAmount + exclusive
    const paid = (total * BigInt(tendered)) / 100n
    return {
      ...others,
      subtotal,
      discountAmount: discount,
      ruleDiscountAmount: ruleDiscount,
      taxAmount: exclusive + inclusive,
      total,
      amountDue: total - paid,
      tenders: paid === 0n ? [] : [{ amount: paid }],
      exclusive
    }
  })

describe("a presented checkout", () => {
  it("converts each amount by itself, and its total follows from them", () => {
    const random = fc.record({
      order,
      from: currencies,
      to: currencies,
      rate,
      bufferPercent: percent,
      rounding: fc.constantFrom(1n, 5n, 100n)
    })
    law(random, ({ order, from, to, rate, bufferPercent, rounding }) => {
      const presentedIn = { regionId: "r", currency: to, rate, bufferPercent, rounding: String(rounding) }
      const shown = presentmentOf(order, from, presentedIn)
      const buffer = fractionOf(bufferPercent)
      const each = (minor: bigint) =>
        nearest(
          times(
            [minor, 10n ** BigInt(currencyExponent(from))],
            fractionOf(rate),
            [100n * buffer[1] + buffer[0], 100n * buffer[1]],
            [10n ** BigInt(currencyExponent(to)), 1n]
          ),
          rounding
        )
      const exclusive = each(order.exclusive)
      const total =
        each(order.subtotal) -
        each(order.discountAmount + order.ruleDiscountAmount) +
        each(order.shippingAmount) +
        each(order.surchargeAmount) +
        exclusive
      const rest = total - (order.tenders[0] === undefined ? 0n : each(order.tenders[0].amount))
      expect(shown).toEqual({
        currency: to,
        subtotal: each(order.subtotal),
        discountAmount: each(order.discountAmount + order.ruleDiscountAmount),
        shippingAmount: each(order.shippingAmount),
        taxAmount: each(order.taxAmount),
        surchargeAmount: each(order.surchargeAmount),
        total,
        due: order.amountDue === 0n ? 0n : rest > 0n ? rest : 1n,
        chargingRate: chargingRate({ rate, bufferPercent }),
        bufferPercent
      })
      const [a, b] = fractionOf(chargingRate({ rate, bufferPercent }))
      const [c, d] = times(fractionOf(rate), [100n * buffer[1] + buffer[0], 100n * buffer[1]])
      expect(a * d).toBe(c * b)
      expect(shown.total >= 0n).toBe(true)
    })
  })

  it("is itself without a rate", () => {
    law(order, (order) => {
      const own = presentmentOf(order, "EUR", {
        regionId: "r",
        currency: "JPY",
        rate: null,
        bufferPercent: null,
        rounding: "1"
      })
      expect([own.currency, own.total, own.due, own.chargingRate]).toEqual(["EUR", order.total, order.amountDue, null])
    })
  })
})

describe("a rate", () => {
  it("is read exactly, with at most 12 digits on either side", () => {
    expect(parseExchangeRate("161.50")).toEqual({ value: 1_615n, scale: 1 })
    expect(parseExchangeRate(0.333)).toEqual({ value: 333n, scale: 3 })
    expect(parseExchangeRate("999999999999.999999999999")).toEqual({
      value: 999_999_999_999_999_999_999_999n,
      scale: 12
    })
    const range = "must have at most 12 digits before and 12 after the point"
    expect([parseExchangeRate("1000000000000"), parseExchangeRate("0.0000000000001")]).toEqual([range, range])
    expect([parseExchangeRate("0"), parseExchangeRate("0.00")]).toEqual(["must be more than 0", "must be more than 0"])
    for (const no of ["-1", "1e3", "1,5", "", " 1", ".5", "NaN"])
      expect(parseExchangeRate(no)).toBe("must be a plain decimal such as 161.5, more than 0")
    expect(parseExchangeRate(1e21)).toBe("must be a plain decimal such as 161.5, more than 0")
  })
})

const asked = fc.record({
  due: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  amount: fc.bigInt({ min: 1n, max: 10n ** 9n })
})

describe("what a provider took in another currency", () => {
  it("is all that was due where it took all, and a part of it where it took a part", () => {
    law(fc.record({ asked, part: fc.bigInt({ min: 0n, max: 10n ** 9n }) }), ({ asked, part }) => {
      expect(booked(asked, asked.amount)).toBe(asked.due)
      const taken = part % asked.amount
      const share = booked(asked, taken)
      expect(share < asked.due).toBe(true)
      // At most half a minor unit from the exact share, or one less than all.
      const off = share * asked.amount - taken * asked.due
      expect(share === asked.due - 1n || (off < 0n ? -off : off) * 2n <= asked.amount).toBe(true)
      expect(booked(asked, taken + 1n) >= share).toBe(true)
    })
  })

  it("goes back by refunds that together are all that was booked, and none before the last is all of it", () => {
    const refunds = fc.array(
      fc.record({
        amount: fc.bigInt({ min: 1n, max: 10n ** 8n }),
        status: fc.constantFrom("succeeded" as const, "pending" as const, "failed" as const)
      }),
      { minLength: 1, maxLength: 8 }
    )
    law(fc.record({ asked, refunds }), ({ asked, refunds }) => {
      const gone = refunds.filter(({ status }) => status === "succeeded")
      const captured = gone.reduce((sum, { amount }) => sum + amount, 0n)
      const charge: Charge = {
        externalId: "ch",
        key: null,
        state: "captured",
        amount: asked.amount,
        currency: "JPY",
        authorized: asked.amount,
        captured,
        refunds: refunds.map((refund, i) => ({ id: `re_${i}`, key: null, ...refund })),
        disputes: [],
        expiresAt: null,
        nextAction: null,
        reason: null
      }
      const ours = bookedCharge(asked, "EUR", charge)
      expect([ours.currency, ours.captured]).toEqual(["EUR", booked(asked, captured)])
      const returned = ours.refunds.filter(({ status }) => status === "succeeded").map(({ amount }) => amount)
      expect(returned.reduce((sum, amount) => sum + amount, 0n)).toBe(captured === 0n ? 0n : ours.captured)
      expect(ours.refunds.every(({ amount }) => amount >= 0n)).toBe(true)
      const before = gone.slice(0, -1).reduce((sum, { amount }) => sum + amount, 0n)
      if (captured > 0n && ours.captured > 0n) expect(bookedReturn(asked, captured, before) < ours.captured).toBe(true)
    })
  })

  it("of exact amounts: 48.53 EUR asked as 7,838 yen", () => {
    const asked = { due: 4_853n, amount: 7_838n }
    expect([7_838n, 3_919n, 7_837n, 1n, 0n, 8_000n].map((taken) => booked(asked, taken))).toEqual([
      4_853n,
      2_427n,
      4_852n,
      1n,
      0n,
      4_953n
    ])
  })
})
