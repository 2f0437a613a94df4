/** What a change of an order's money says that its owner is to be told by mail. Each cause is told once. Pure. */
import type { OrderDispute, OrderPayment, OrderRefund, OrderState } from "../../order/Order.ts"
import { formatOrderNumber } from "../../order/OrderView.ts"
import type { DeclineCode } from "../../payment/DeclineCode.ts"
import { formatMoney } from "../../kernel/Money.ts"
import { type Attention, orderAttention } from "../SettlementEvents.ts"

/** Refunds that a provider has failed to give. What waited for it and was not given back either is the same cause. */
export const failedRefunds = (
  before: ReadonlyArray<OrderRefund>,
  changed: ReadonlyArray<OrderRefund>
): ReadonlyArray<Attention> =>
  changed
    .filter(({ id, status }) => status === "failed" && before.find((row) => row.id === id)?.status !== "failed")
    .filter(({ key, source }) => key !== null || source === "provider")
    .map(({ amount, paymentId }) => ({ cause: "refund_failed", amount, paymentId, reason: null, dueAt: null }))

/** A payment that came to nothing by itself: what somebody has voided is known to them. */
export const failedPayment = (
  { id, amount, status }: OrderPayment,
  reason: DeclineCode | null
): ReadonlyArray<Attention> =>
  reason !== null && (status === "failed" || reason === "expired")
    ? [{ cause: "payment_failed", amount, paymentId: id, reason, dueAt: null }]
    : []

const decisions = { open: "dispute_opened", won: "dispute_won", lost: "dispute_lost" } as const

/** Disputes that were opened or decided; one whose details alone have changed is no news. */
export const newsOfDisputes = (
  before: ReadonlyArray<OrderDispute>,
  changed: ReadonlyArray<OrderDispute>
): ReadonlyArray<Attention> =>
  changed
    .filter(({ id, status }) => before.find((dispute) => dispute.id === id)?.status !== status)
    .map(({ status, amount, paymentId, reason, dueAt }) => ({
      cause: decisions[status],
      amount,
      paymentId,
      reason,
      dueAt: status === "open" ? dueAt : null
    }))

/** The events of it. */
export const attentionEvents = (order: OrderState, attention: ReadonlyArray<Attention>) =>
  attention.map(({ amount, paymentId, ...told }) =>
    orderAttention.of({
      ...told,
      orderId: order.id,
      orderNumber: formatOrderNumber(order.orderNumber),
      currency: order.currency,
      amount: formatMoney(amount, order.currency),
      provider: order.payments.find(({ id }) => id === paymentId)?.provider ?? ""
    })
  )
