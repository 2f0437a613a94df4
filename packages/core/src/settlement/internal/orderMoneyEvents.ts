/** The events that follow from a change of an order's money. */
import type { NewEvent } from "../../kernel/EventDefinition.ts"
import { formatMoney } from "../../kernel/Money.ts"
import { paymentFailed, paymentRefunded } from "../../payment/PaymentEvents.ts"
import type { OrderPayment, OrderRefund, OrderState } from "../../order/Order.ts"
import { orderPaid, orderRefunded, orderUpdated } from "../../order/OrderEvents.ts"
import type { OrderView } from "../../order/OrderView.ts"
import { isCoveredBy } from "./orderSums.ts"

/** What the sums do not show: refunds made at the provider, a failure and its payment. */
export interface Reported {
  readonly refunds: ReadonlyArray<OrderRefund>
  readonly failed: string | null
  readonly payment: OrderPayment | null
}

export const nothingReported: Reported = { refunds: [], failed: null, payment: null }

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

/**
 * The events of a change of money: order.paid once the whole order is paid; order.refunded, with `source` provider and
 * no `refundId`; payment.* for what the provider reported.
 */
export const eventsOf = (
  before: OrderState,
  after: OrderState,
  order: OrderView,
  { refunds, failed, payment }: Reported
): ReadonlyArray<NewEvent> => {
  const data = { orderId: after.id, order }
  const [refund] = refunds
  const paid = isCoveredBy(before, after.capturedAmount)
  return [
    ...(paid ? [orderPaid.of(data)] : []),
    ...(before.syncWarning === after.syncWarning ? [] : [orderUpdated.of(data)]),
    ...(refund === undefined
      ? []
      : [
          orderRefunded.of({ ...data, refundType: refund.type, source: "provider" }),
          ...(payment === null
            ? []
            : [paymentRefunded.of({ paymentId: payment.id, payment: paymentView(after, payment) })])
        ]),
    // Only an order that came from a checkout has a charge that can fail.
    ...(failed === null || after.checkoutId === null
      ? []
      : [paymentFailed.of({ checkoutId: after.checkoutId, error: failed })])
  ]
}
