/**
 * What of an order needs the merchant's attention. What its money needs is derived from its payments, refunds and
 * disputes as they are now, so a warning ends with its cause; what happened at the placement is stored with the order.
 */
import { formatMoney } from "../kernel/Money.ts"
import { readStatusChange } from "./StatusHistory.ts"
import { maxSyncWarning, type OrderPayment, type OrderState } from "./Order.ts"

type WarnedOrder = Pick<
  OrderState,
  | "status"
  | "currency"
  | "totalAmount"
  | "capturedAmount"
  | "payments"
  | "refunds"
  | "disputes"
  | "statusHistory"
  | "syncWarning"
> & { readonly paidAt: Date | null }

const endings: Partial<Record<OrderPayment["status"], (payment: OrderPayment) => string>> = {
  failed: ({ failure }) => (failure === null ? "The payment failed" : `The payment failed: ${failure}`),
  voided: ({ failure }) =>
    failure === "expired"
      ? "The authorisation expired before it was captured"
      : "The authorisation was voided before it was captured"
}

/**
 * A payment that ended without money while the order still needs it. What was paid by hand instead has no amount left.
 */
const endedPayment = (order: WarnedOrder, payment: OrderPayment): ReadonlyArray<string> => {
  const isOwed = order.capturedAmount < order.totalAmount && order.status !== "CANCELLED" && payment.amount > 0n
  const ending = endings[payment.status]
  return isOwed && ending !== undefined ? [ending(payment)] : []
}

const surplusLeft = ({ currency, refunds }: WarnedOrder, payment: OrderPayment): ReadonlyArray<string> => {
  const { id, provider, amount, captured, surplus } = payment
  if (surplus === 0n) return []
  const given = refunds.reduce(
    (sum, refund) => (refund.paymentId === id && refund.status === "succeeded" ? sum + refund.amount : sum),
    0n
  )
  if (given >= surplus) return []
  const money = (minor: bigint) => formatMoney(minor, currency)
  return [`${provider} captured ${money(captured + surplus)} where ${money(amount)} was asked for`]
}

/** A refund that failed, until a later one of the same payment is under way: the shopper has not got the money. */
const failedRefund = ({ currency, refunds }: WarnedOrder, payment: OrderPayment): ReadonlyArray<string> => {
  const last = refunds.findLast((refund) => refund.paymentId === payment.id)
  if (last?.status !== "failed") return []
  return [`A refund of ${formatMoney(last.amount, currency)} failed: the money is at ${payment.provider} again`]
}

const openDisputes = ({ currency, disputes }: WarnedOrder, payment: OrderPayment): ReadonlyArray<string> =>
  disputes
    .filter((dispute) => dispute.paymentId === payment.id && dispute.status === "open")
    .map(({ amount, reason, dueAt }) => {
      const why = reason === null ? "" : ` (${reason})`
      const until = dueAt === null ? "" : `: evidence is due by ${new Date(dueAt).toISOString()}`
      return `${formatMoney(amount, currency)} is disputed${why}${until}`
    })

/** The provider captured less than before. The order may have been shipped since it was paid. */
const withdrawn = ({ paidAt, currency, capturedAmount, totalAmount, status }: WarnedOrder): ReadonlyArray<string> => {
  if (paidAt === null || capturedAmount >= totalAmount || status === "CANCELLED") return []
  const money = (minor: bigint) => formatMoney(minor, currency)
  return [`Captured money was withdrawn: ${money(capturedAmount)} of ${money(totalAmount)} is left`]
}

/** Money that came for an order after it was cancelled, and was not refunded. What came before was refunded then. */
const lateMoney = ({ status, currency, payments, statusHistory }: WarnedOrder): ReadonlyArray<string> => {
  const cancelledAt = statusHistory.map(readStatusChange).findLast((change) => change?.from !== "CANCELLED")?.at
  if (status !== "CANCELLED" || cancelledAt === undefined) return []
  const kept = payments.reduce(
    (sum, { paidAt, captured, refunded }) =>
      paidAt !== null && new Date(paidAt) > new Date(cancelledAt) ? sum + captured - refunded : sum,
    0n
  )
  return kept > 0n ? [`${formatMoney(kept, currency)} came after the order was cancelled and is not refunded`] : []
}

/** Null where all is well. Warnings beyond `maxSyncWarning` characters are left out. */
export const warningOf = (order: WarnedOrder): string | null => {
  const warnings = [
    ...(order.syncWarning === null ? [] : [order.syncWarning]),
    ...withdrawn(order),
    ...lateMoney(order),
    ...order.payments.flatMap((payment) => [
      ...endedPayment(order, payment),
      ...surplusLeft(order, payment),
      ...failedRefund(order, payment),
      ...openDisputes(order, payment)
    ])
  ]
  const joined = [...new Set(warnings)].reduce(
    (text, warning) =>
      text === "" ? warning : text.length + warning.length + 2 > maxSyncWarning ? text : `${text}; ${warning}`,
    ""
  )
  return joined === "" ? null : joined
}
