/**
 * The arithmetic of payments and refunds of a placed order: its payments after money was recorded by hand or reported
 * by a provider, and the order's sums, states and history that follow from them. Amounts are in minor units of the
 * order's currency.
 */
import { makeId } from "../../kernel/Ids.ts"
import { formatMoney } from "../../kernel/Money.ts"
import { maxRefunds, maxSyncWarning, type OrderPayment, type OrderRefund, type OrderState } from "../../order/Order.ts"
import { financialStatusOf, movedTo } from "../../order/OrderStates.ts"

/** A payment that the merchant received outside of a provider. `amount` in minor units of the order's currency. */
export interface RecordedPayment {
  readonly amount: bigint
  readonly method: string
  readonly reference?: string | null | undefined
  /** When the money was received; now if left out. */
  readonly paidAt?: Date | undefined
}

/** The current state of a charge as its provider reports it: totals so far, in minor units. */
export interface ChargeState {
  readonly externalId: string
  readonly captured: bigint
  readonly refunded: bigint
  readonly failed: boolean
  readonly reason: string | null
}

const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * What the provider has captured beyond the requested amount, or beyond what was left to pay after payments by hand.
 */
const surplusOf = (payment: OrderPayment, charge: ChargeState): bigint => greatest(0n, charge.captured - payment.amount)

/**
 * The warning of the order. The merchant has to refund what was captured above the amount; each surplus is named once.
 */
export const warningOf = (
  { syncWarning, currency }: OrderState,
  payment: OrderPayment,
  charge: ChargeState
): string | null => {
  if (surplusOf(payment, charge) === 0n || charge.refunded > 0n) return syncWarning
  const warning =
    `${payment.provider} captured ${formatMoney(charge.captured, currency)} ` +
    `where ${formatMoney(payment.amount, currency)} was asked for`
  if (syncWarning === null) return warning
  const both = `${syncWarning}; ${warning}`
  return syncWarning.includes(warning) || both.length > maxSyncWarning ? syncWarning : both
}

/** Whether it is a provider's charge that is not captured in full yet. */
export const isOpenCharge = ({ reference, status, amount, captured }: OrderPayment): boolean =>
  reference !== null && status !== "failed" && status !== "voided" && captured < amount

/** Charges that were open before the change and are not open after it. */
export const coveredCharges = (
  before: ReadonlyArray<OrderPayment>,
  after: ReadonlyArray<OrderPayment>
): ReadonlyArray<OrderPayment> =>
  before.filter((payment) => isOpenCharge(payment) && after.some((row) => row.id === payment.id && !isOpenCharge(row)))

/** Sums only rise, and never above the amount of the payment. A refund first returns what was captured above it. */
export const followed = (payment: OrderPayment, charge: ChargeState, now: number): OrderPayment => {
  const captured = greatest(payment.captured, least(charge.captured, payment.amount))
  const refunded = greatest(
    payment.refunded,
    least(greatest(0n, charge.refunded - surplusOf(payment, charge)), captured)
  )
  const failed = charge.failed && captured === 0n && payment.status !== "voided"
  const paidAt = payment.paidAt ?? (captured > 0n ? new Date(now).toISOString() : null)
  return {
    ...payment,
    captured,
    refunded,
    paidAt,
    status: failed ? "failed" : captured > 0n ? "captured" : payment.status
  }
}

/**
 * The refund that a provider's notice reports. `captured` is what the order has captured, including what the same
 * notice reports. An order has at most `maxRefunds` refunds: beyond that, the amount is added to the payment's newest
 * one.
 */
export const refundsOf = (
  order: OrderState,
  payment: OrderPayment,
  { amount, captured }: { readonly amount: bigint; readonly captured: bigint },
  now: number
): ReadonlyArray<OrderRefund> => {
  if (amount <= 0n) return []
  const type = order.refundedAmount + amount >= captured ? "full" : "partial"
  const newest =
    order.refunds.length < maxRefunds ? undefined : order.refunds.findLast((refund) => refund.paymentId === payment.id)
  if (newest !== undefined) return [{ ...newest, amount, type }]
  const createdAt = new Date(now).toISOString()
  return [
    {
      id: makeId("ref", now),
      paymentId: payment.id,
      amount,
      reason: null,
      status: "succeeded",
      type,
      source: "provider",
      createdAt
    }
  ]
}

/**
 * A pending manual payment of the same amount becomes the recorded payment. Otherwise the recorded payment is added,
 * and the open amounts of the others are reduced by it, so that the payments always add up to the total: a payment with
 * no amount left is `voided`, and its charge is released.
 */
export const recorded = (
  order: OrderState,
  { amount, method, reference, paidAt }: RecordedPayment,
  now: number
): ReadonlyArray<OrderPayment> => {
  const money = {
    paidAt: (paidAt ?? new Date(now)).toISOString(),
    method,
    reference: reference ?? null,
    status: "captured" as const,
    amount,
    captured: amount,
    refunded: 0n
  }
  const awaited = order.payments.find((row) => row.status === "pending" && row.reference === null)
  if (awaited?.amount === amount)
    return order.payments.map((row) => (row.id === awaited.id ? { ...row, ...money } : row))
  let left = amount
  const kept = order.payments.map((row): OrderPayment => {
    const isOver = row.status === "failed" || row.status === "voided"
    const less = isOver ? 0n : least(left, row.amount - row.captured)
    left -= less
    const rest = row.amount - less
    return less === 0n ? row : { ...row, amount: rest, status: rest === 0n ? "voided" : row.status }
  })
  return [...kept, { id: makeId("pay", now), provider: "manual", ...money }]
}

export const sumOf = (payments: ReadonlyArray<OrderPayment>, field: "captured" | "refunded"): bigint =>
  payments.reduce((sum, row) => sum + row[field], 0n)

/** The refunds with the reported ones. The amount reported for a known refund is added to it. */
const withRefunds = (
  known: ReadonlyArray<OrderRefund>,
  reported: ReadonlyArray<OrderRefund>
): ReadonlyArray<OrderRefund> => {
  const more = new Map(reported.map((refund) => [refund.id, refund]))
  const grown = known.map((refund) => {
    const by = more.get(refund.id)
    return by === undefined ? refund : { ...by, amount: refund.amount + by.amount }
  })
  return [...grown, ...reported.filter(({ id }) => !known.some((refund) => refund.id === id))]
}

/** The order with these payments. A notice may report a capture and a refund: the order passes through both states. */
export const withPayments = (
  order: OrderState,
  payments: ReadonlyArray<OrderPayment>,
  refunds: ReadonlyArray<OrderRefund>,
  now: number
): OrderState => {
  const captured = sumOf(payments, "captured")
  const refunded = sumOf(payments, "refunded")
  const financialStatus = financialStatusOf({
    total: order.totalAmount,
    captured,
    refunded,
    states: payments.map((row) => row.status)
  })
  const at = new Date(now)
  const paid = isCoveredBy(order, captured) ? movedTo(order.status, "PAID") : order.status
  const status =
    refunds.length === 0 ? paid : movedTo(paid, financialStatus === "refunded" ? "REFUNDED" : "PARTIALLY_REFUNDED")
  const allRefunds = withRefunds(order.refunds, refunds)
  // A known refund whose amount only grew gets no line of history.
  const isRefundedMore = allRefunds.length === order.refunds.length && paid === status
  const moves = [
    ...(paid === order.status ? [] : [{ from: order.status, to: paid, reason: null, at: at.toISOString() }]),
    ...(isRefundedMore ? [] : [{ from: paid, to: status, reason: "refunded at the provider", at: at.toISOString() }])
  ]
  return {
    ...order,
    status,
    financialStatus,
    capturedAmount: captured,
    refundedAmount: refunded,
    statusHistory: [...order.statusHistory, ...moves],
    payments,
    refunds: allRefunds,
    updatedAt: at
  }
}

/** Whether the order is now paid in full, and was not before. */
export const isCoveredBy = ({ totalAmount, capturedAmount }: OrderState, captured: bigint): boolean =>
  capturedAmount < totalAmount && captured >= totalAmount
