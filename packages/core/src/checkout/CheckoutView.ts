/**
 * The Checkout on the wire (interface.md, Checkout). Money is decimal strings, but for the four sums in `taxBreakdown`,
 * which are numbers.
 */
import { Schema } from "effect"
import { ReservationView, reservationView } from "../cart/CartView.ts"
import { Address } from "../kernel/Address.ts"
import { formatMoney, moneyToNumber } from "../kernel/Money.ts"
import { taxRowsOf } from "../order/TaxBreakdown.ts"
import { appliedRules, appliedSurcharges, appliedTenders } from "../pricing/AppliedAdjustments.ts"
import type { PricingResult } from "../pricing/PricingResult.ts"
import type { Quote, ShippingOffer } from "../pricing/Quote.ts"
import { lineName } from "../pricing/Sellable.ts"
import { PickupLocation } from "../shipping/PickupLocation.ts"
import type { CheckoutLine, CheckoutState } from "./Checkout.ts"

const nullableText = Schema.NullOr(Schema.String)
const list = Schema.Array(Schema.Unknown)
const json = Schema.Record(Schema.String, Schema.Unknown)

export const ShippingMethodView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: nullableText,
  price: Schema.String,
  currency: Schema.String,
  estimatedDays: Schema.NullOr(Schema.Struct({ min: Schema.NullOr(Schema.Int), max: Schema.NullOr(Schema.Int) })),
  source: Schema.String,
  carrier: nullableText,
  service: nullableText,
  speedTier: nullableText
})

const CheckoutLineView = Schema.Struct({
  id: Schema.String,
  productId: Schema.String,
  variantId: nullableText,
  quantity: Schema.Int,
  unitPrice: Schema.String,
  totalPrice: Schema.String,
  discountAmount: Schema.String,
  product: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    slug: Schema.String,
    sku: nullableText,
    image: nullableText
  }),
  variant: Schema.NullOr(Schema.Struct({ id: Schema.String, name: nullableText, attributes: json })),
  notes: nullableText,
  metadata: json,
  customizations: json
})

export const CheckoutView = Schema.Struct({
  id: Schema.String,
  cartId: Schema.String,
  status: Schema.String,
  email: nullableText,
  customerId: nullableText,
  deliveryType: Schema.String,
  pickupLocation: Schema.NullOr(PickupLocation),
  shippingAddress: Schema.NullOr(Address),
  billingAddress: Schema.NullOr(Address),
  shippingRateId: nullableText,
  shippingMethod: Schema.NullOr(ShippingMethodView),
  currency: Schema.String,
  subtotal: Schema.String,
  discountAmount: Schema.String,
  ruleDiscountAmount: Schema.String,
  appliedRules: list,
  shippingAmount: Schema.String,
  taxAmount: Schema.String,
  taxBreakdown: Schema.Struct({
    subtotal: Schema.Number,
    shippingNet: Schema.Number,
    totalTax: Schema.Number,
    total: Schema.Number,
    breakdown: Schema.Array(Schema.Struct({ name: Schema.String, rate: Schema.Number, amount: Schema.String })),
    currency: Schema.String
  }),
  total: Schema.String,
  totalAmount: Schema.String,
  surchargeAmount: Schema.String,
  appliedSurcharges: list,
  customFieldValues: json,
  couponCode: nullableText,
  tenders: list,
  providerAmountDue: Schema.String,
  notes: nullableText,
  lineItems: Schema.Array(CheckoutLineView),
  itemCount: Schema.Int,
  availableShippingRates: Schema.Array(ShippingMethodView),
  expiresAt: Schema.String,
  recoveryEmailSentAt: nullableText,
  createdAt: Schema.String,
  updatedAt: Schema.String,
  reservation: ReservationView,
  presentment: Schema.Struct({
    currency: Schema.String,
    subtotal: Schema.String,
    discountAmount: Schema.String,
    shippingAmount: Schema.String,
    taxAmount: Schema.String,
    surchargeAmount: Schema.String,
    total: Schema.String,
    fxChargingRate: nullableText,
    fxBufferPercent: nullableText
  })
})
export type CheckoutView = typeof CheckoutView.Type

export const toMethodView = ({ rate, price }: ShippingOffer, currency: string): typeof ShippingMethodView.Type => ({
  id: rate.id,
  name: rate.name,
  description: rate.description,
  price: formatMoney(price, currency),
  currency,
  estimatedDays:
    rate.minDeliveryDays === null && rate.maxDeliveryDays === null
      ? null
      : { min: rate.minDeliveryDays, max: rate.maxDeliveryDays },
  source: "zone",
  carrier: null,
  service: null,
  speedTier: null
})

/** The sums are numbers in major units, as interface.md writes; the amount of a rate is a decimal string. */
const breakdownOf = (result: PricingResult, currency: string) => {
  const number = (minor: bigint) => moneyToNumber(minor, currency)
  const { subtotal, shippingNet, totalTax, total } = result.taxBreakdown
  return {
    subtotal: number(subtotal),
    shippingNet: number(shippingNet),
    totalTax: number(totalTax),
    total: number(total),
    breakdown: taxRowsOf(result, currency),
    currency
  }
}

const toLineView = (line: CheckoutLine, discount: bigint, currency: string): typeof CheckoutLineView.Type => {
  const { sellable } = line
  return {
    id: line.id,
    productId: line.productId,
    variantId: line.variantId,
    quantity: line.quantity,
    unitPrice: formatMoney(line.unitPrice, currency),
    totalPrice: formatMoney(line.unitPrice * BigInt(line.quantity), currency),
    discountAmount: formatMoney(discount, currency),
    product: { id: line.productId, name: sellable.name, slug: sellable.slug, sku: sellable.sku, image: sellable.image },
    variant:
      line.variantId === null
        ? null
        : {
            id: line.variantId,
            name: sellable.variantName ?? lineName(sellable),
            attributes: sellable.attributes ?? {}
          },
    notes: line.notes,
    metadata: line.metadata,
    customizations: line.customizations
  }
}

export const toCheckoutView = (checkout: CheckoutState, totals: Quote, strategy: string, now: number): CheckoutView => {
  const { currency } = checkout
  const money = (minor: bigint) => formatMoney(minor, currency)
  const total = money(totals.total)
  const amounts = {
    subtotal: money(totals.subtotal),
    discountAmount: money(totals.discountAmount),
    shippingAmount: money(totals.shippingAmount),
    taxAmount: money(totals.taxAmount),
    surchargeAmount: money(totals.surchargeAmount)
  }
  return {
    id: checkout.id,
    cartId: checkout.cartId,
    status: checkout.status,
    email: checkout.email,
    customerId: checkout.customerId,
    deliveryType: checkout.deliveryType,
    pickupLocation: totals.pickupLocation,
    shippingAddress: checkout.shippingAddress,
    billingAddress: checkout.billingAddress,
    shippingRateId: totals.chosen?.rate.id ?? null,
    shippingMethod: totals.chosen === undefined ? null : toMethodView(totals.chosen, currency),
    currency,
    ...amounts,
    ruleDiscountAmount: money(totals.ruleDiscountAmount),
    appliedRules: appliedRules(totals.adjustments, currency),
    taxBreakdown: breakdownOf(totals, currency),
    total,
    totalAmount: total,
    appliedSurcharges: appliedSurcharges(totals.adjustments, currency),
    customFieldValues: checkout.customFieldValues,
    couponCode: checkout.couponCode,
    tenders: appliedTenders(totals.tenders, currency),
    providerAmountDue: money(totals.amountDue),
    notes: checkout.notes,
    lineItems: checkout.lines.map((line, i) => toLineView(line, totals.lines[i]?.discount ?? 0n, currency)),
    itemCount: checkout.lines.reduce((sum, line) => sum + line.quantity, 0),
    availableShippingRates: totals.offers.map((offer) => toMethodView(offer, currency)),
    expiresAt: checkout.expiresAt.toISOString(),
    recoveryEmailSentAt: checkout.recoveryEmailSentAt?.toISOString() ?? null,
    createdAt: checkout.createdAt.toISOString(),
    updatedAt: checkout.updatedAt.toISOString(),
    reservation: reservationView(strategy, checkout.reservedUntil, now),
    presentment: { currency, ...amounts, total, fxChargingRate: null, fxBufferPercent: null }
  }
}
