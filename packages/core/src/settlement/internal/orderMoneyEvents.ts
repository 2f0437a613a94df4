/** The events that follow from a change of an order's money. */
import type { NewEvent } from "../../kernel/EventDefinition.ts"
import { formatMoney } from "../../kernel/Money.ts"
import { paymentFailed, paymentRefunded } from "../../payment/PaymentEvents.ts"
import type { OrderPayment, OrderRefund, OrderState } from "../../order/Order.ts"
import { orderPaid, orderRefunded, orderUpdated } from "../../order/OrderEvents.ts"
import type { OrderView } from "../../order/OrderView.ts"
import { warningOf } from "../../order/OrderWarnings.ts"
import type { DeclineCode } from "../../payment/DeclineCode.ts"
import type { Attention } from "../SettlementEvents.ts"
import { attentionEvents } from "./orderAttention.ts"
import { isFirstPaid } from "./orderSums.ts"

/** What the sums do not show. */
export interface Reported {
  /** Refunds that have succeeded for the first time. */
  readonly refunds: ReadonlyArray<OrderRefund>
  /** Why the payment has ended without money. */
  readonly failed: DeclineCode | null
  readonly payment: OrderPayment | null
  /** Whether something changed that no other event announces, such as a dispute or a refund that failed. */
  readonly isUpdated: boolean
  /** What the owner is told by mail. */
  readonly attention: ReadonlyArray<Attention>
}

export const nothingReported: Reported = {
  refunds: [],
  failed: null,
  payment: null,
  isUpdated: false,
  attention: []
}

const paymentView = (order: OrderState, payment: OrderPayment) => {
  const money = (minor: bigint) => formatMoney(minor, order.currency)
  const { id, provider, method, status, amount, captured, refunded } = payment
  return {
    id,
    orderId: order.id,
    provider,
    method,
    status,
    amount: money(amount),
    captured: money(captured),
    refunded: money(refunded),
    currency: order.currency
  }
}

/** Who refunded: one of ours is named, one of the provider's dashboard has `source`. */
const refundedBy = (refunds: ReadonlyArray<OrderRefund>) => {
  const last = refunds.at(-1)
  const refundId = last?.requestId ?? last?.id
  return refundId === undefined || refunds.some(({ source }) => source === "provider")
    ? { source: "provider" as const }
    : { refundId }
}

/**
 * The events of a change of money: order.paid once the whole order is paid for the first time; order.refunded and
 * payment.refunded once refunds have succeeded, one for all that a look has found; payment.failed for a charge that
 * ended without money; order.updated where the order changed in a way that none of these shows; and one of ours for
 * each thing that the owner is to be told.
 */
export const eventsOf = (
  before: OrderState,
  after: OrderState,
  order: OrderView,
  { refunds, failed, payment, isUpdated, attention }: Reported
): ReadonlyArray<NewEvent> => {
  const data = { orderId: after.id, order }
  const refundType = after.refundedAmount >= after.capturedAmount ? ("full" as const) : ("partial" as const)
  return [
    ...(isFirstPaid(before, after.capturedAmount) ? [orderPaid.of(data)] : []),
    ...(isUpdated || failed !== null || warningOf(before) !== warningOf(after) ? [orderUpdated.of(data)] : []),
    ...(refunds.length === 0 ? [] : [orderRefunded.of({ ...data, refundType, ...refundedBy(refunds) })]),
    ...(refunds.length === 0 || payment === null
      ? []
      : [paymentRefunded.of({ paymentId: payment.id, payment: paymentView(after, payment) })]),
    // Only an order that came from a checkout has a charge that can fail.
    ...(failed === null || after.checkoutId === null
      ? []
      : [paymentFailed.of({ checkoutId: after.checkoutId, error: failed })]),
    ...attentionEvents(after, attention)
  ]
}
