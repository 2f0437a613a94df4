/** The quote request of a checkout. */
import type { Quote, QuoteRequest } from "../pricing/Quote.ts"
import type { CheckoutLine, CheckoutState } from "./Checkout.ts"

/** The totals of a checkout, the offered ways of delivery and the chosen one. */
export type CheckoutQuote = Quote<CheckoutLine>

export const requestOf = (checkout: CheckoutState): Omit<QuoteRequest<CheckoutLine>, "codes"> => {
  const { customerId, email, salesChannelId, regionId, couponCode } = checkout
  const { deliveryType, shippingRateId, shippingAddress, billingAddress } = checkout
  return {
    currency: checkout.currency,
    lines: checkout.lines,
    acceptedCodes: couponCode === null ? [] : [couponCode],
    buyer: { customerId, email, salesChannelId, regionId },
    delivery: { by: "chosen", deliveryType, shippingRateId, shippingAddress, billingAddress }
  }
}
