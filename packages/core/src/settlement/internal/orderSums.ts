/**
 * The arithmetic of payments and refunds of a placed order: its payments after money was recorded by hand, and the
 * order's sums, states and history that follow from its payments, refunds and disputes. Amounts are in minor units of
 * the order's currency.
 */
import { nextVersion } from "../../database/Precondition.ts"
import { least } from "../../kernel/Money.ts"
import { makeId } from "../../kernel/Ids.ts"
import type { OrderDispute, OrderPayment, OrderRefund, OrderState } from "../../order/Order.ts"
import { financialStatusOf, movedTo } from "../../order/OrderStates.ts"
import { statusChange } from "../../order/StatusHistory.ts"
import type { Actor } from "../../store/Actor.ts"

/** A payment that the merchant received outside of a provider. `amount` in minor units of the order's currency. */
export interface RecordedPayment {
  readonly amount: bigint
  readonly method: string
  readonly reference?: string | null | undefined
  /** When the money was received; now if left out. */
  readonly paidAt?: Date | undefined
  readonly actor: Actor
}

/** Whether it ended without money. */
export const isOver = ({ status }: Pick<OrderPayment, "status">): boolean => status === "failed" || status === "voided"

/** Whether it is a provider's charge that is not captured in full yet. */
export const isOpenCharge = (payment: OrderPayment): boolean =>
  payment.reference !== null && !isOver(payment) && payment.captured < payment.amount

/** Whether it is money that is to come outside of a provider. */
export const isAwaited = ({ status, reference, captured }: OrderPayment): boolean =>
  status === "pending" && reference === null && captured === 0n

/** Charges that were open before the change and are not open after it. */
export const coveredCharges = (
  before: ReadonlyArray<OrderPayment>,
  after: ReadonlyArray<OrderPayment>
): ReadonlyArray<OrderPayment> =>
  before.filter((payment) => isOpenCharge(payment) && after.some((row) => row.id === payment.id && !isOpenCharge(row)))

/**
 * A pending manual payment of the same amount becomes the recorded payment. Otherwise the recorded payment is added,
 * and the open amounts of the others are reduced by it, so that the payments always add up to the total: a payment with
 * no amount left is `voided`, and its charge is released.
 */
export const recorded = (
  order: OrderState,
  { amount, method, reference, paidAt, actor }: RecordedPayment,
  now: number
): ReadonlyArray<OrderPayment> => {
  const money = {
    paidAt: (paidAt ?? new Date(now)).toISOString(),
    method,
    reference: reference ?? null,
    status: "captured" as const,
    amount,
    captured: amount,
    surplus: 0n,
    refunded: 0n,
    failure: null,
    actor
  }
  const awaited = order.payments.find((row) => row.status === "pending" && row.reference === null)
  if (awaited?.amount === amount)
    return order.payments.map((row) => (row.id === awaited.id ? { ...row, ...money } : row))
  let left = amount
  const kept = order.payments.map((row): OrderPayment => {
    const less = isOver(row) ? 0n : least(left, row.amount - row.captured)
    left -= less
    const rest = row.amount - less
    return less === 0n ? row : { ...row, amount: rest, status: rest === 0n ? "voided" : row.status }
  })
  return [...kept, { id: makeId("pay", now), provider: "manual", ...money }]
}

export const sumOf = (payments: ReadonlyArray<OrderPayment>, field: "captured" | "refunded"): bigint =>
  payments.reduce((sum, row) => sum + row[field], 0n)

/** An order's money as it is now, and what of it is news. */
export interface OrderMoneyNow {
  readonly payments: ReadonlyArray<OrderPayment>
  readonly refunds: ReadonlyArray<OrderRefund>
  readonly disputes: ReadonlyArray<OrderDispute>
  /** Refunds that have succeeded for the first time. */
  readonly refunded: ReadonlyArray<OrderRefund>
  /** What else the history says. */
  readonly notes: ReadonlyArray<string>
}

/**
 * What a refund adds to the history. The sum of refunds beyond the bound, which only grows, adds a line only where the
 * status moves.
 */
const refundReason = (order: OrderState, refunded: ReadonlyArray<OrderRefund>): string | null => {
  const announced = new Set(order.refunds.filter((row) => row.succeededAt !== null).map(({ id }) => id))
  if (refunded.every(({ id }) => announced.has(id))) return null
  return refunded.some(({ source }) => source === "provider") ? "refunded at the provider" : "refunded"
}

/**
 * The order with this money. One look may report a capture and a refund: the order passes through both states. Its
 * status never goes back, also where its money does.
 */
export const withMoney = (
  order: OrderState,
  { payments, refunds, disputes, refunded, notes }: OrderMoneyNow,
  { now, actor }: { readonly now: number; readonly actor: Actor }
): OrderState => {
  const capturedAmount = sumOf(payments, "captured")
  const refundedAmount = sumOf(payments, "refunded")
  const financialStatus = financialStatusOf({
    total: order.totalAmount,
    captured: capturedAmount,
    refunded: refundedAmount,
    states: payments.map((row) => row.status)
  })
  const at = new Date(now)
  const paid = isFirstPaid(order, capturedAmount) ? movedTo(order.status, "PAID") : order.status
  const status =
    refunded.length === 0 ? paid : movedTo(paid, financialStatus === "refunded" ? "REFUNDED" : "PARTIALLY_REFUNDED")
  const reason = refundReason(order, refunded)
  const line = (from: OrderState["status"], to: OrderState["status"], why: string | null) =>
    statusChange(from, to, { reason: why, actor, now })
  return {
    ...order,
    status,
    financialStatus,
    capturedAmount,
    refundedAmount,
    statusHistory: [
      ...order.statusHistory,
      ...(paid === order.status ? [] : [line(order.status, paid, null)]),
      ...(paid === status && reason === null ? [] : [line(paid, status, reason ?? "refunded at the provider")]),
      ...notes.map((note) => line(status, status, note))
    ],
    payments,
    refunds,
    disputes,
    paidAt: order.paidAt ?? (capturedAmount >= order.totalAmount ? at : null),
    updatedAt: nextVersion(order.updatedAt, now)
  }
}

/** Whether the order is now paid in full for the first time. */
export const isFirstPaid = ({ totalAmount, capturedAmount, paidAt }: OrderState, captured: bigint): boolean =>
  paidAt === null && capturedAmount < totalAmount && captured >= totalAmount
