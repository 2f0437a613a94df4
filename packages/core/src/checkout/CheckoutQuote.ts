/** The quote request of a checkout. */
import type { Quote, QuoteRequest } from "../pricing/Quote.ts"
import type { CheckoutLine, CheckoutState } from "./Checkout.ts"

/** The totals of a checkout, the offered ways of delivery and the chosen one. */
export type CheckoutQuote = Quote<CheckoutLine>

const minor = (text: string | null): bigint | undefined => (text === null ? undefined : BigInt(text))

/** A draft order is delivered and taxed as it states; otherwise the shopper chooses among what the store offers. */
export const requestOf = (checkout: CheckoutState): QuoteRequest<CheckoutLine> => {
  const { customerId, email, salesChannelId, regionId, couponCode } = checkout
  const { deliveryType, shippingRateId, shippingAddress, billingAddress, draft } = checkout
  const addresses = { shippingAddress, billingAddress }
  return {
    currency: checkout.currency,
    lines: checkout.lines,
    codes: couponCode === null ? [] : [couponCode],
    tenders: checkout.tenders,
    fieldValues: checkout.customFieldValues,
    holderId: checkout.id,
    buyer: { customerId: customerId ?? draft?.customerId ?? null, email, salesChannelId, regionId },
    ...(draft === null
      ? { delivery: { by: "chosen", deliveryType, shippingRateId, ...addresses } }
      : {
          delivery: { by: "stated", amount: minor(draft.shippingAmount) ?? null, ...addresses },
          statedDiscount: minor(draft.discountAmount),
          statedTax: minor(draft.taxAmount)
        })
  }
}
