/**
 * A placed order after refunds of ours were begun, have succeeded or have failed. Only these rows change: what the
 * provider has beside them is learned by a look at the charge. Pure; amounts in minor units of the order's currency.
 */
import { greatest, least } from "../../kernel/Money.ts"
import type { OrderPresentment } from "../../fx/OrderPresentment.ts"
import type { OrderPayment, OrderRefund, OrderState } from "../../order/Order.ts"
import { systemActor } from "../../store/Actor.ts"
import type { Followed } from "./followedCharge.ts"
import { changedRefunds, failedNotes, firstSucceeded, pendingSum, succeededSum, typed } from "./followedRefunds.ts"
import { failedRefunds } from "./orderAttention.ts"
import { sumOf, withMoney } from "./orderSums.ts"

export interface OwnRefundChange {
  /** New rows, and rows as they are now. */
  readonly rows: ReadonlyArray<OrderRefund>
  /** The payment whose provider gives back, if one does: payment.refunded tells of it. */
  readonly paymentId: string | null
  /** With what the provider has given back in its own currency; absent where that stays. */
  readonly presentment?: OrderPresentment | null
}

const replaced = (known: ReadonlyArray<OrderRefund>, rows: ReadonlyArray<OrderRefund>): ReadonlyArray<OrderRefund> => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [
    ...known.map((row) => byId.get(row.id) ?? row),
    ...rows.filter(({ id }) => known.every((row) => row.id !== id))
  ]
}

const withRefunds = (payment: OrderPayment, refunds: ReadonlyArray<OrderRefund>): OrderPayment => {
  const rows = refunds.filter(({ paymentId }) => paymentId === payment.id)
  const refunded = least(greatest(0n, succeededSum(rows) - payment.surplus), payment.captured)
  return { ...payment, refunded, refunding: pendingSum(rows) }
}

/** Rows of the payments that have changed, with their types as the order's money is now. */
const retyped = (
  payments: ReadonlyArray<OrderPayment>,
  refunds: ReadonlyArray<OrderRefund>,
  changed: ReadonlySet<string>
): ReadonlyArray<OrderRefund> => {
  const captured = sumOf(payments, "captured")
  const refunded = sumOf(payments, "refunded")
  const types = new Map(
    payments
      .filter(({ id }) => changed.has(id))
      .flatMap((payment) =>
        typed(
          refunds.filter(({ paymentId }) => paymentId === payment.id),
          { before: refunded - payment.refunded - payment.surplus, captured }
        )
      )
      .map(({ id, type }) => [id, type])
  )
  return refunds.map((row) => ({ ...row, type: types.get(row.id) ?? row.type }))
}

export const withOwnRefunds = (
  before: OrderState,
  { rows, paymentId, presentment }: OwnRefundChange,
  now: number
): Followed => {
  const stated = replaced(before.refunds, rows)
  const payments = before.payments.map((payment) => withRefunds(payment, stated))
  const refunds = retyped(payments, stated, new Set(rows.map((row) => row.paymentId)))
  const changed = changedRefunds(before.refunds, refunds)
  const isReturned = sumOf(payments, "refunded") > before.refundedAmount
  const refunded = isReturned ? firstSucceeded(before.refunds, refunds) : []
  const order = presentment === undefined ? before : { ...before, presentment }
  const notes = failedNotes(before.refunds, changed, before.currency)
  return {
    after: withMoney(
      order,
      { payments, refunds, disputes: before.disputes, refunded, notes },
      { now, actor: rows[0]?.actor ?? systemActor }
    ),
    refunds: changed,
    disputes: [],
    reported: {
      refunds: refunded,
      failed: null,
      payment: payments.find(({ id }) => id === paymentId) ?? null,
      isUpdated: notes.length > 0,
      attention: failedRefunds(before.refunds, changed)
    }
  }
}
