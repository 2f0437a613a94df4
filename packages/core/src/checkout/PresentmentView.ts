/** The amounts of a checkout in the currency of its region, on the wire. */
import { Schema } from "effect"
import type { Presentment } from "../fx/Presentment.ts"
import { money, nullableString, string } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"

export const PresentmentView = Schema.Struct({
  currency: string("ISO 4217 currency that is shown to the shopper.", "USD"),
  subtotal: money("Sum of all lines before discounts.", "39.98"),
  discountAmount: money("Discount by the coupon and by promotions together.", "0.00"),
  shippingAmount: money("Price of shipping.", "5.00"),
  taxAmount: money("All tax.", "3.55"),
  surchargeAmount: money("Surcharges of custom fields together.", "0.00"),
  total: money("What is to be paid.", "48.53"),
  fxChargingRate: nullableString(
    "The exchange rate that amounts are converted at, its buffer included; null where the checkout's own currency is " +
      "shown.",
    "166.345"
  ),
  fxBufferPercent: nullableString(
    "Percentage that is contained in the rate as a buffer; null where the checkout's own currency is shown.",
    "3"
  )
}).annotate({
  identifier: "Presentment",
  description:
    "The amounts in the currency of the shopper's region, which a payment provider is asked in. The rate is that of " +
    "when the checkout was created or its region changed. Without a rate the checkout's own currency is shown."
})

export const toPresentmentView = ({
  currency,
  chargingRate: fxChargingRate,
  bufferPercent: fxBufferPercent,
  ...amounts
}: Presentment): typeof PresentmentView.Type => {
  const money = (minor: bigint) => formatMoney(minor, currency)
  return {
    currency,
    subtotal: money(amounts.subtotal),
    discountAmount: money(amounts.discountAmount),
    shippingAmount: money(amounts.shippingAmount),
    taxAmount: money(amounts.taxAmount),
    surchargeAmount: money(amounts.surchargeAmount),
    total: money(amounts.total),
    fxChargingRate,
    fxBufferPercent
  }
}
