import type { OrderPayment, OrderRefund, OrderState } from "@effect-commerce/core/order/Order"
import { toOrderView } from "@effect-commerce/core/order/OrderView"
import { warningOf } from "@effect-commerce/core/order/OrderWarnings"
import type { Charge, ChargeRefund } from "@effect-commerce/core/payment/PaymentProvider"
import { describe, expect, it } from "vitest"
import { systemActor } from "../../src/store/Actor.ts"
import { followedCharge } from "../../src/settlement/internal/followedCharge.ts"
import { eventsOf } from "../../src/settlement/internal/orderMoneyEvents.ts"
import { recorded, withMoney } from "../../src/settlement/internal/orderSums.ts"
import { chargeOf, orderOf, paymentOf, placedAt, total } from "./chargedOrder.ts"

const now = placedAt.getTime() + 60_000

/** The order after a look, with the events and their data but for the order. */
const look = (order: OrderState, more: Partial<Charge>) => {
  const followed = followedCharge(order, chargeOf(more), now)
  if (followed === undefined) return { order, events: [], told: [] }
  const { after, reported } = followed
  const events = eventsOf(order, after, toOrderView(after), reported).map(({ definition, data }) => {
    const { order: _, orderId: __, ...rest } = data as Record<string, unknown>
    return { type: definition.type, ...rest }
  })
  const isOurs = ({ type }: { readonly type: string }) => type.startsWith("internal.")
  return { order: after, events: events.filter((event) => !isOurs(event)), told: events.filter(isOurs) }
}
const types = (events: ReadonlyArray<{ readonly type: string }>) => events.map(({ type }) => type)
const captured = { state: "captured", captured: total } as const
const paidOrder = look(orderOf(), captured).order
const refund = (more: Partial<ChargeRefund> = {}): ChargeRefund => ({
  id: "re_1",
  key: null,
  amount: 1_000n,
  status: "succeeded",
  ...more
})
/** What the owner is told by mail. */
const told = (more: object) => ({
  type: "internal.order_attention",
  orderNumber: "#1001",
  currency: "EUR",
  provider: "test",
  reason: null,
  dueAt: null,
  ...more
})
const firstPayment = (order: OrderState): OrderPayment => order.payments[0] ?? paymentOf()

describe("a charge that is captured", () => {
  it("pays the order, and is announced once although the money was withdrawn and came again", () => {
    const paid = look(orderOf(), captured)
    expect(paid.order).toMatchObject({ status: "PAID", financialStatus: "paid", capturedAmount: total })
    expect(types(paid.events)).toEqual(["order.paid"])
    const withdrawn = look(paid.order, { state: "captured", captured: 500n })
    expect(withdrawn.order).toMatchObject({ status: "PAID", financialStatus: "pending", capturedAmount: 500n })
    expect(warningOf(withdrawn.order)).toBe("Captured money was withdrawn: 5.00 of 25.00 is left")
    expect(types(withdrawn.events)).toEqual(["order.updated"])
    const again = look(withdrawn.order, captured)
    expect([again.order.financialStatus, warningOf(again.order)]).toEqual(["paid", null])
    expect(types(again.events)).toEqual(["order.updated"])
  })

  it("above the amount leaves a surplus with a warning, which ends once that is refunded", () => {
    const more = { state: "captured", captured: 3_000n } as const
    const over = look(orderOf(), more)
    expect(firstPayment(over.order)).toMatchObject({ captured: total, surplus: 500n })
    expect(warningOf(over.order)).toBe("test captured 30.00 where 25.00 was asked for")
    const part = look(over.order, { ...more, refunds: [refund({ amount: 400n })] })
    expect(warningOf(part.order)).toBe("test captured 30.00 where 25.00 was asked for")
    expect([part.order.refundedAmount, types(part.events)]).toEqual([0n, []])
    const whole = look(part.order, {
      ...more,
      refunds: [refund({ amount: 400n }), refund({ id: "re_2", amount: 100n })]
    })
    expect([whole.order.refundedAmount, whole.order.financialStatus, warningOf(whole.order)]).toEqual([
      0n,
      "paid",
      null
    ])
    expect(types(whole.events)).toEqual(["order.updated"])
    const beyond = look(over.order, { ...more, refunds: [refund({ amount: 800n })] })
    expect(beyond.order).toMatchObject({ refundedAmount: 300n, financialStatus: "partially_refunded" })
    expect(types(beyond.events)).toEqual(["order.updated", "order.refunded", "payment.refunded"])
  })

  it("of another order changes nothing", () => {
    expect(followedCharge(orderOf(), chargeOf({ ...captured, externalId: "ch_2" }), now)).toBeUndefined()
  })
})

describe("a refund at the provider", () => {
  it("is announced when it has succeeded, and counts only then", () => {
    const pending = look(paidOrder, { ...captured, refunds: [refund({ status: "pending" })] })
    expect(pending.order).toMatchObject({ refundedAmount: 0n, financialStatus: "paid" })
    expect(pending.order.refunds).toMatchObject([{ amount: 1_000n, status: "pending", source: "provider" }])
    expect(pending.events).toEqual([])
    const done = look(pending.order, { ...captured, refunds: [refund()] })
    expect(done.order).toMatchObject({ refundedAmount: 1_000n, financialStatus: "partially_refunded", status: "PAID" })
    expect(done.order.statusHistory.at(-1)).toMatchObject({
      from: "PAID",
      to: "PAID",
      reason: "refunded at the provider"
    })
    expect(done.events).toMatchObject([
      { type: "order.refunded", refundType: "partial", source: "provider" },
      { type: "payment.refunded", payment: { captured: "25.00", refunded: "10.00" } }
    ])
    expect(done.events[0]).not.toHaveProperty("refundId")
  })

  it("that fails after it had succeeded brings the money back, with a warning until a later one is under way", () => {
    const done = look(paidOrder, { ...captured, refunds: [refund({ amount: total })] })
    expect(done.order).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
    const failed = look(done.order, { ...captured, refunds: [refund({ amount: total, status: "failed" })] })
    expect(failed.order).toMatchObject({ status: "REFUNDED", financialStatus: "paid", refundedAmount: 0n })
    expect(warningOf(failed.order)).toBe("A refund of 25.00 failed: the money is at test again")
    expect(types(failed.events)).toEqual(["order.updated"])
    expect(failed.told).toEqual([told({ cause: "refund_failed", amount: "25.00" })])
    expect(done.told).toEqual([])
    const again = look(failed.order, {
      ...captured,
      refunds: [refund({ amount: total, status: "failed" }), refund({ id: "re_2", amount: total, status: "pending" })]
    })
    expect([warningOf(again.order), types(again.events)]).toEqual([null, ["order.updated"]])
  })

  it("that the provider does not list any more has failed", () => {
    const done = look(paidOrder, { ...captured, refunds: [refund()] })
    const gone = look(done.order, captured)
    expect(gone.order).toMatchObject({ refundedAmount: 0n, refunds: [{ status: "failed" }] })
  })

  it("that was written down before refunds had names is the one of the same amount", () => {
    const [named] = look(paidOrder, { ...captured, refunds: [refund()] }).order.refunds
    if (named === undefined) throw new Error("there is no refund")
    const before = { ...named, externalId: null, status: "succeeded" as const }
    const old: OrderState = {
      ...paidOrder,
      payments: [paymentOf({ status: "captured", captured: total, refunded: 2_000n })],
      refundedAmount: 2_000n,
      refunds: [
        { ...before, id: "ref_1" },
        { ...before, id: "ref_2" }
      ]
    }
    const seen = look(old, { ...captured, refunds: [refund(), refund({ id: "re_2" })] })
    expect(seen.order.refunds.map(({ id, externalId, status }) => [id, externalId, status])).toEqual([
      ["ref_1", "re_1", "succeeded"],
      ["ref_2", "re_2", "succeeded"]
    ])
    expect([seen.order.refundedAmount, seen.events]).toEqual([2_000n, []])
  })

  it("beyond the five hundredth is part of one row more, exact in its sum", () => {
    const cents = (count: number, status: ChargeRefund["status"] = "succeeded") =>
      Array.from({ length: count }, (_, i) =>
        refund({ id: `re_${i}`, amount: 1n, status: i < 501 ? "succeeded" : status })
      )
    const order = look(paidOrder, { ...captured, refunds: cents(503, "pending") }).order
    expect([order.refunds.length, order.refunds.at(-1)?.amount, order.refundedAmount]).toEqual([501, 1n, 501n])
    const more = look(order, { ...captured, refunds: cents(700) })
    expect([more.order.refunds.length, more.order.refunds.at(-1)?.amount, more.order.refundedAmount]).toEqual([
      501,
      200n,
      700n
    ])
    // It is announced, and adds nothing to the history.
    expect(types(more.events)).toEqual(["order.refunded", "payment.refunded"])
    expect(more.order.statusHistory.length).toBe(order.statusHistory.length)
    expect(look(paidOrder, { ...captured, refunds: cents(700) }).order.refundedAmount).toBe(700n)
  })
})

describe("a refund of ours", () => {
  const key = "refund:pop_1"
  const ours: OrderRefund = {
    id: "ref_ours",
    paymentId: "pay_1",
    amount: 1_000n,
    reason: "damaged",
    status: "pending",
    type: "partial",
    source: "service",
    externalId: null,
    key,
    succeededAt: null,
    createdAt: placedAt.toISOString()
  }
  const asked: OrderState = { ...paidOrder, refunds: [ours] }

  it("is the one that the provider reports under our key: one row, and announced by its id", () => {
    const done = look(asked, { ...captured, refunds: [refund({ key })] })
    expect(done.order.refunds).toMatchObject([
      { id: "ref_ours", externalId: "re_1", status: "succeeded", reason: "damaged", source: "service" }
    ])
    expect(done.events[0]).toEqual({ type: "order.refunded", refundType: "partial", refundId: "ref_ours" })
    expect(done.order.statusHistory.at(-1)).toMatchObject({ reason: "refunded" })
  })

  it("that the provider does not list yet is under way still", () => {
    expect(look(asked, captured).order.refunds).toEqual([ours])
  })

  it("that the provider made twice is two refunds", () => {
    const twice = look(asked, { ...captured, refunds: [refund({ key }), refund({ id: "re_2", key })] })
    expect(twice.order).toMatchObject({ refundedAmount: 2_000n })
    expect(twice.order.refunds.map((row) => [row.externalId, row.key])).toEqual([
      ["re_1", key],
      ["re_2", null]
    ])
  })
})

describe("a dispute", () => {
  const dispute = {
    id: "dp_1",
    amount: 2_000n,
    status: "open",
    reason: "fraudulent",
    dueAt: new Date("2026-02-01T00:00:00.000Z")
  } as const

  it("is recorded and warned of while it is open, and one that is lost changes no sum by itself", () => {
    const open = look(paidOrder, { ...captured, disputes: [dispute] })
    expect(open.order.disputes).toMatchObject([
      { externalId: "dp_1", amount: 2_000n, status: "open", paymentId: "pay_1" }
    ])
    expect(warningOf(open.order)).toBe("20.00 is disputed (fraudulent): evidence is due by 2026-02-01T00:00:00.000Z")
    expect(open.order.statusHistory.at(-1)).toMatchObject({ from: "PAID", to: "PAID", reason: "20.00 is disputed" })
    expect(types(open.events)).toEqual(["order.updated"])
    const opened = { cause: "dispute_opened", amount: "20.00", reason: "fraudulent" }
    expect(open.told).toEqual([told({ ...opened, dueAt: "2026-02-01T00:00:00.000Z" })])
    const later = { ...dispute, dueAt: new Date("2026-02-02T00:00:00.000Z") }
    expect(look(open.order, { ...captured, disputes: [later] }).told).toEqual([])
    const won = look(open.order, { ...captured, disputes: [{ ...dispute, status: "won" }] })
    expect(won.told).toEqual([told({ ...opened, cause: "dispute_won" })])
    const lost = look(open.order, { ...captured, disputes: [{ ...dispute, status: "lost" }] })
    expect(lost.order).toMatchObject({ financialStatus: "paid", capturedAmount: total, disputes: [{ status: "lost" }] })
    expect([warningOf(lost.order), types(lost.events)]).toEqual([null, ["order.updated"]])
    expect(lost.order.statusHistory.at(-1)).toMatchObject({ reason: "20.00 was disputed: lost" })
    expect(lost.told).toEqual([told({ ...opened, cause: "dispute_lost" })])
    expect(look(lost.order, { ...captured, disputes: [{ ...dispute, status: "lost" }] }).told).toEqual([])
  })

  it("is one of a hundred at most, and the warning keeps to 2,000 characters", () => {
    const disputes = Array.from({ length: 150 }, (_, i) => ({ ...dispute, id: `dp_${i}`, amount: BigInt(i) }))
    const { order } = look(paidOrder, { ...captured, disputes })
    expect(order.disputes.length).toBe(100)
    const length = warningOf(order)?.length ?? 0
    expect(length).toBeGreaterThan(1_900)
    expect(length).toBeLessThanOrEqual(2_000)
  })
})

describe("a charge that ended without money", () => {
  it.each([
    ["failed", "insufficient_funds", "The payment failed: insufficient_funds", "insufficient_funds"],
    ["failed", null, "The payment failed", "processing_error"],
    ["voided", "expired", "The authorisation expired before it was captured", "expired"],
    ["voided", null, "The authorisation was voided before it was captured", "cancelled"]
  ] as const)("%s (%s) is told to the merchant, once, and leaves the order open", (state, reason, warning, error) => {
    const ended = look(orderOf(), { state, reason })
    expect(ended.order).toMatchObject({ status: "PENDING", financialStatus: "voided" })
    expect(firstPayment(ended.order)).toMatchObject({ status: state, amount: total })
    expect(warningOf(ended.order)).toBe(warning)
    expect(ended.events).toEqual([{ type: "order.updated" }, { type: "payment.failed", checkoutId: "chk_1", error }])
    // Nobody has to be told of what they have voided themselves.
    const isNews = error !== "cancelled"
    expect(ended.told).toEqual(isNews ? [told({ cause: "payment_failed", amount: "25.00", reason: error })] : [])
    const again = look(ended.order, { state, reason })
    expect([again.events, again.told]).toEqual([[], []])
  })

  const byHand = (order: OrderState, amount: bigint) =>
    withMoney(
      order,
      {
        payments: recorded(order, { amount, method: "cash", actor: systemActor }, now),
        refunds: order.refunds,
        disputes: order.disputes,
        refunded: [],
        notes: []
      },
      { now, actor: systemActor }
    )

  it("is warned of until the order is paid otherwise", () => {
    const ended = look(orderOf(), { state: "failed", reason: "expired_card" }).order
    expect(warningOf(byHand(ended, 1_000n))).toBe("The payment failed: expired_card")
    const paid = byHand(ended, total)
    expect([paid.status, paid.financialStatus, warningOf(paid)]).toEqual(["PAID", "paid", null])
  })

  it("and lives again is for what has not been paid by hand meanwhile", () => {
    const ended = look(orderOf(), { state: "failed" }).order
    const late = look(byHand(ended, total), captured).order
    expect(firstPayment(late)).toMatchObject({ status: "voided", amount: 0n, captured: 0n, surplus: total })
    expect([late.capturedAmount, warningOf(late)]).toEqual([total, "test captured 25.00 where 0.00 was asked for"])
    const part = look(byHand(ended, 1_000n), captured).order
    expect(firstPayment(part)).toMatchObject({ status: "captured", amount: 1_500n, captured: 1_500n, surplus: 1_000n })
    expect(part.capturedAmount).toBe(total)
  })

  it("because it was paid by hand instead, and that takes the money after all is warned of", () => {
    const taken = look(byHand(orderOf(), total), captured)
    expect([taken.order.capturedAmount, warningOf(taken.order)]).toEqual([
      total,
      "test captured 25.00 where 0.00 was asked for"
    ])
    expect(types(taken.events)).toEqual(["order.updated"])
    const given = look(taken.order, { ...captured, refunds: [refund({ amount: total })] })
    expect([given.order.refundedAmount, warningOf(given.order), types(given.events)]).toEqual([
      0n,
      null,
      ["order.updated"]
    ])
  })

  it("because it was paid by hand instead is no failure", () => {
    const paid = byHand(orderOf(), total)
    const released = look(paid, { state: "voided", reason: "cancelled" })
    expect([released.order.financialStatus, warningOf(released.order), types(released.events)]).toEqual([
      "paid",
      null,
      []
    ])
  })
})
