/**
 * A placed order after its provider was asked how a charge stands. What follows is a function of the charge as it is
 * now, so that looks that were missed make no difference: sums go down as well as up. Only what people do goes by what
 * was seen before: the order's own status never goes back, and each event is announced once.
 */
import { greatest, least } from "../../kernel/Money.ts"
import { bookedCharge, type OrderPresentment, withCharge } from "../../fx/OrderPresentment.ts"
import type { OrderDispute, OrderPayment, OrderRefund, OrderState } from "../../order/Order.ts"
import type { Charge } from "../../payment/PaymentProvider.ts"
import { providerActor } from "../../store/Actor.ts"
import { changedDisputes, disputeNotes, withDisputes } from "./followedDisputes.ts"
import {
  changedRefunds,
  failedNotes,
  firstSucceeded,
  listedRefunds,
  pendingSum,
  succeededSum,
  typed
} from "./followedRefunds.ts"
import { failedPayment, failedRefunds, newsOfDisputes } from "./orderAttention.ts"
import type { Reported } from "./orderMoneyEvents.ts"
import { isOver, sumOf, withMoney } from "./orderSums.ts"

export interface Followed {
  readonly after: OrderState
  /** New and changed rows, to be written. */
  readonly refunds: ReadonlyArray<OrderRefund>
  readonly disputes: ReadonlyArray<OrderDispute>
  readonly reported: Reported
}

/** Whether a charge has money or may still get some. */
const isAlive = ({ state, captured }: Charge): boolean => captured > 0n || (state !== "failed" && state !== "voided")

/**
 * What the payment is for. One that had ended and lives again is for what the other payments leave of the total, since
 * the order may have been paid by hand meanwhile.
 */
const amountOf = (order: OrderState, payment: OrderPayment, charge: Charge): bigint => {
  if (!isOver(payment) || !isAlive(charge)) return payment.amount
  const others = order.payments.reduce(
    (sum, row) => (row.id === payment.id || isOver(row) ? sum : sum + row.amount),
    0n
  )
  return least(payment.amount, greatest(0n, order.totalAmount - others))
}

const statuses: Record<Charge["state"], OrderPayment["status"]> = {
  awaiting_shopper: "pending",
  pending: "pending",
  authorized: "authorized",
  captured: "pending",
  failed: "failed",
  voided: "voided"
}

/** A payment with no amount left was paid by hand instead, and stays voided. */
const statusOf = (amount: bigint, captured: bigint, { state }: Charge): OrderPayment["status"] =>
  amount === 0n ? "voided" : captured > 0n ? "captured" : statuses[state]

type RefundRow = Pick<OrderRefund, "status" | "amount">

/** `rows`: its refunds. Those that succeeded first return what was captured above the amount. */
const followedPayment = (
  order: OrderState,
  payment: OrderPayment,
  { charge, rows, now }: { readonly charge: Charge; readonly rows: ReadonlyArray<RefundRow>; readonly now: number }
): OrderPayment => {
  const amount = amountOf(order, payment, charge)
  const captured = least(charge.captured, amount)
  const surplus = charge.captured - captured
  const status = statusOf(amount, captured, charge)
  const isReserved = status === "authorized" || (status === "captured" && charge.captured < charge.amount)
  return {
    ...payment,
    amount,
    captured,
    surplus,
    refunded: least(greatest(0n, succeededSum(rows) - surplus), captured),
    refunding: pendingSum(rows),
    expiresAt: isReserved ? (charge.expiresAt?.toISOString() ?? null) : null,
    status,
    failure: isOver({ status }) ? charge.reason : null,
    paidAt: captured > 0n ? (payment.paidAt ?? new Date(now).toISOString()) : null
  }
}

const timeOf = (iso: string | null | undefined): number | null =>
  iso === null || iso === undefined ? null : Date.parse(iso)

const isSamePayment = (a: OrderPayment, b: OrderPayment): boolean =>
  a.amount === b.amount &&
  a.captured === b.captured &&
  a.surplus === b.surplus &&
  a.refunded === b.refunded &&
  (a.refunding ?? 0n) === (b.refunding ?? 0n) &&
  timeOf(a.expiresAt) === timeOf(b.expiresAt) &&
  a.status === b.status &&
  a.failure === b.failure

/** Refunds that returned some of the order's money, not only of what was captured above it. */
const countedOf = (
  succeeded: ReadonlyArray<OrderRefund>,
  { refunded, captured, surplus }: OrderPayment,
  given: bigint
): ReadonlyArray<OrderRefund> => {
  const earlier = given - succeeded.reduce((sum, { amount }) => sum + amount, 0n)
  return refunded > least(greatest(0n, earlier - surplus), captured) ? succeeded : []
}

/** The charge in the order's currency, and the order with what the provider has taken in its own. */
const inOrderCurrency = (order: OrderState, payment: OrderPayment, charge: Charge) => {
  const { presentment, currency } = order
  return presentment === null || presentment.paymentId !== payment.id
    ? { order, charge }
    : {
        order: { ...order, presentment: withCharge(presentment, charge) },
        charge: bookedCharge(presentment, currency, charge)
      }
}

const isSamePresentment = (a: OrderPresentment | null, b: OrderPresentment | null): boolean =>
  a?.captured === b?.captured && a?.refunded === b?.refunded

/** Undefined where the charge has paid for nothing of this order, or says what is known already. */
export const followedCharge = (before: OrderState, reported: Charge, now: number): Followed | undefined => {
  const payment = before.payments.find((row) => row.reference === reported.externalId)
  if (payment === undefined) return undefined
  const { order, charge } = inOrderCurrency(before, payment, reported)
  const rows = listedRefunds(order, payment, charge, now)
  const given = succeededSum(rows)
  const next = followedPayment(order, payment, { charge, rows, now })
  const payments = order.payments.map((row) => (row.id === payment.id ? next : row))
  const others = order.refunds.filter((row) => row.paymentId !== payment.id)
  const refunds = typed(rows, {
    before: order.refundedAmount - payment.refunded - next.surplus,
    captured: sumOf(payments, "captured")
  })
  const changed = changedRefunds(order.refunds, refunds)
  const disputes = changedDisputes(order, payment, charge, now)
  const isSame = isSamePayment(payment, next) && isSamePresentment(before.presentment, order.presentment)
  if (isSame && changed.length === 0 && disputes.length === 0) return undefined
  const counted = countedOf(firstSucceeded(order.refunds, refunds), next, given)
  const hasEnded = !isOver(payment) && isOver(next) && next.amount > 0n && order.status !== "CANCELLED"
  const failed = hasEnded ? (charge.reason ?? (next.status === "failed" ? "processing_error" : "cancelled")) : null
  return {
    after: withMoney(
      order,
      {
        payments,
        refunds: [...others, ...refunds],
        disputes: withDisputes(order.disputes, disputes),
        refunded: counted,
        notes: [
          ...failedNotes(order.refunds, changed, order.currency),
          ...disputeNotes(order.disputes, disputes, order.currency)
        ]
      },
      { now, actor: providerActor(payment.provider) }
    ),
    refunds: changed,
    disputes,
    reported: {
      refunds: counted,
      failed,
      payment: next,
      isUpdated:
        disputes.length > 0 ||
        next.captured < payment.captured ||
        next.refunded < payment.refunded ||
        changed.some(({ status }) => status === "failed"),
      attention: [
        ...failedPayment(next, failed),
        ...failedRefunds(order.refunds, changed),
        ...newsOfDisputes(order.disputes, disputes)
      ]
    }
  }
}
