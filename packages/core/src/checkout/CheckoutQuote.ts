/** The quote request of a checkout. */
import type { Quote, QuoteRequest } from "../pricing/Quote.ts"
import type { CheckoutLine, CheckoutState } from "./Checkout.ts"

/** The totals of a checkout, the offered ways of delivery and the chosen one. */
export type CheckoutQuote = Quote<CheckoutLine>

export const requestOf = (checkout: CheckoutState): QuoteRequest<CheckoutLine> => {
  const { customerId, email, salesChannelId, regionId, couponCode } = checkout
  const { deliveryType, shippingRateId, shippingAddress, billingAddress } = checkout
  return {
    currency: checkout.currency,
    lines: checkout.lines,
    codes: couponCode === null ? [] : [couponCode],
    tenders: checkout.tenders,
    fieldValues: checkout.customFieldValues,
    holderId: checkout.id,
    buyer: { customerId, email, salesChannelId, regionId },
    delivery: { by: "chosen", deliveryType, shippingRateId, shippingAddress, billingAddress }
  }
}
