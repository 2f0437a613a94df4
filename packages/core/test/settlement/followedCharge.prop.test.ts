/**
 * The books follow the provider's truth: whichever looks were missed, the last one leaves the same. What does go by what
 * was seen is what people did meanwhile: the order's own status and its history, and the times of rows.
 */
import type { OrderState } from "@effect-commerce/core/order/Order"
import { warningOf } from "@effect-commerce/core/order/OrderWarnings"
import { toOrderView } from "@effect-commerce/core/order/OrderView"
import type { Charge } from "@effect-commerce/core/payment/PaymentProvider"
import { describe, expect, it } from "vitest"
import { followedCharge } from "../../src/settlement/internal/followedCharge.ts"
import { eventsOf } from "../../src/settlement/internal/orderMoneyEvents.ts"
import { law } from "../kernel/laws.ts"
import { orderOf, placedAt } from "./chargedOrder.ts"
import { anyHistory, forwardHistory, ordinaryHistory } from "./truths.ts"

interface Seen {
  readonly order: OrderState
  readonly events: ReadonlyArray<string>
  /** Ids at the provider of the refunds that were announced. */
  readonly announced: ReadonlyArray<string | null>
}

/** The order after looks at these truths, each some time after the one before. */
const lookedAt = (charges: ReadonlyArray<Charge>, begun: OrderState = orderOf()): Seen =>
  charges.reduce<Seen>(
    ({ order, events, announced }, charge, i) => {
      const followed = followedCharge(order, charge, placedAt.getTime() + (i + 1) * 60_000)
      if (followed === undefined) return { order, events, announced }
      const { after, reported } = followed
      return {
        order: after,
        events: [
          ...events,
          ...eventsOf(order, after, toOrderView(after), reported).map(({ definition }) => definition.type)
        ],
        announced: [...announced, ...reported.refunds.map(({ externalId }) => externalId)]
      }
    },
    { order: begun, events: [], announced: [] }
  )

/** What does not go by when it was seen. */
const booksOf = (order: OrderState) => ({
  captured: order.capturedAmount,
  refunded: order.refundedAmount,
  financialStatus: order.financialStatus,
  payments: order.payments.map(({ paidAt, ...payment }) => ({ ...payment, isPaid: paidAt !== null })),
  refunds: order.refunds.map(({ id: _, createdAt: __, succeededAt: ___, ...refund }) => refund),
  disputes: order.disputes.map(({ id: _, createdAt: __, updatedAt: ___, ...dispute }) => dispute)
})

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((all, amount) => all + amount, 0n)
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)

describe("the books of an order after any looks at its charge", () => {
  it("are those after the last look alone", () => {
    law(anyHistory, ({ seen, last }) => {
      expect(booksOf(lookedAt(seen).order)).toEqual(booksOf(lookedAt([last]).order))
    })
  })

  it("say what the provider says, to the minor unit", () => {
    law(anyHistory, ({ seen, last }) => {
      const { order } = lookedAt(seen)
      const [payment] = order.payments
      if (payment === undefined) throw new Error("the payment is gone")
      const given = sum(last.refunds.filter(({ status }) => status === "succeeded").map(({ amount }) => amount))
      expect(payment.captured + payment.surplus).toBe(last.captured)
      expect(order.refunds.map(({ externalId, amount, status }) => [externalId, amount, status])).toEqual(
        last.refunds.map(({ id, amount, status }) => [id, amount, status])
      )
      const returned = greatest(0n, given - payment.surplus)
      expect(payment.refunded).toBe(returned > payment.captured ? payment.captured : returned)
      expect(order.disputes.map(({ externalId, status }) => [externalId, status])).toEqual(
        last.disputes.map(({ id, status }) => [id, status])
      )
    })
  })

  it("change nothing the second time, and announce nothing", () => {
    law(anyHistory, ({ seen, last }) => {
      const { order } = lookedAt(seen)
      expect(followedCharge(order, last, placedAt.getTime() + 3_600_000)).toBeUndefined()
    })
  })

  it("announce that it is paid once, and no refund twice", () => {
    law(anyHistory, ({ seen }) => {
      const { order, events, announced } = lookedAt(seen)
      expect(events.filter((type) => type === "order.paid").length).toBe(order.paidAt === null ? 0 : 1)
      expect(new Set(announced).size).toBe(announced.length)
    })
  })

  it("announce every refund that has succeeded, where the captured money stays", () => {
    law(ordinaryHistory, ({ seen, last }) => {
      const { announced } = lookedAt(seen)
      for (const { id, status } of last.refunds) if (status === "succeeded") expect(announced).toContain(id)
    })
  })

  it("leave the same status and warning too, where no money was withdrawn and no refund failed", () => {
    law(forwardHistory, ({ seen, last }) => {
      const [all, one] = [lookedAt(seen).order, lookedAt([last]).order]
      expect([all.status, warningOf(all)]).toEqual([one.status, warningOf(one)])
    })
  })
})
