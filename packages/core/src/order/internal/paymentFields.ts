/**
 * How an order shows its first payment. Where a provider was asked in another currency, its payment comes first, unless
 * it was paid by hand instead.
 */
import { presentedAmounts } from "../../fx/OrderPresentment.ts"
import { formatMoney } from "../../kernel/Money.ts"
import type { OrderPayment, OrderState } from "../Order.ts"

/** What is left of a payment to give back: what a provider captured beyond its amount goes back first. */
const isRefundable = ({ captured, refunded, refunding = 0n }: OrderPayment): boolean => captured > refunded + refunding

/** Whether a payment that has money left can be refunded here, and where one is that cannot. */
export const paymentCapabilities = (payments: ReadonlyArray<OrderPayment>) => {
  const refundable = payments.filter(isRefundable)
  return {
    refund: refundable.some(({ manualRefundUrl = null }) => manualRefundUrl === null),
    manualRefundUrl: refundable.find(({ manualRefundUrl = null }) => manualRefundUrl !== null)?.manualRefundUrl ?? null
  }
}

export const paymentFields = (order: OrderState, payments: ReadonlyArray<OrderPayment>) => {
  const { presentment, currency } = order
  const presented = presentment === null ? undefined : payments.find(({ id }) => id === presentment.paymentId)
  const payment = presented ?? payments.at(0)
  return {
    paymentProviderType: payment?.provider ?? null,
    paymentProviderName: payment?.provider ?? null,
    paymentId: payment?.id ?? null,
    paymentExternalId: payment?.reference ?? null,
    ...(presentment !== null && presented !== undefined
      ? presentedAmounts(presentment)
      : {
          paymentAmount: formatMoney(payment?.amount ?? order.totalAmount, currency),
          paymentCurrency: currency,
          paymentRefundedAmount: formatMoney(order.refundedAmount, currency)
        })
  }
}
