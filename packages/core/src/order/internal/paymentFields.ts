/**
 * How an order shows its first payment. Where a provider was asked in another currency, its payment comes first, unless
 * it was paid by hand instead.
 */
import { presentedAmounts } from "../../fx/OrderPresentment.ts"
import { formatMoney } from "../../kernel/Money.ts"
import type { OrderPayment, OrderState } from "../Order.ts"

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
