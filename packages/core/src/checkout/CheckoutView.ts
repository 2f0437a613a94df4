/** The Checkout on the wire. Money is decimal strings, but for `taxBreakdown`, whose amounts are numbers. */
import { Schema } from "effect"
import { lineExtras } from "../cart/CartView.ts"
import { ReservationView, reservationView } from "../inventory/ReservationView.ts"
import { Address } from "../kernel/Address.ts"
import {
  arrayOf,
  integer,
  json,
  money,
  nullable,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  oneOf,
  string,
  timestamp,
  textMap,
  nullableEmail,
  nullableFileUrl
} from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { presentmentOf } from "../fx/Presentment.ts"
import { ShownCheckoutField } from "../checkoutfield/CheckoutField.ts"
import { AppliedRuleView, AppliedSurchargeView } from "../order/OrderParts.ts"
import { CheckoutTaxBreakdown, checkoutTaxBreakdown } from "../pricing/TaxBreakdown.ts"
import { ChosenModifierView, chosenModifierViews } from "../pricing/ChosenModifierView.ts"
import { appliedRules, appliedSurcharges, appliedTenders } from "../pricing/AppliedAdjustments.ts"
import { NotAppliedView, notAppliedViews } from "../pricing/NotAppliedView.ts"
import type { Quote, ShippingOffer } from "../pricing/Quote.ts"
import { lineName } from "../pricing/Sellable.ts"
import { PickupLocation } from "../shipping/PickupLocation.ts"
import { type CheckoutLine, type CheckoutState, checkoutStatuses, deliveryTypes } from "./Checkout.ts"
import { PresentmentView, toPresentmentView } from "./PresentmentView.ts"
import type { ReservationStrategy } from "../store/Store.ts"

export const ShippingMethodView = Schema.Struct({
  id: string("Id of the method: the `shippingRateId` of a request."),
  name: string("Name to show.", "Standard shipping"),
  description: nullableString("Text to show."),
  price: money("Price of shipping this checkout.", "5.00"),
  currency: string("ISO 4217 currency of the price.", "USD"),
  estimatedDays: nullable(
    Schema.Struct({
      min: nullableInteger("Fewest days until delivery; null where unknown.", 2),
      max: nullableInteger("Most days until delivery; null where unknown.", 4)
    }).annotate({ identifier: "DeliveryEstimate", description: "How many days delivery takes." }),
    "How many days delivery takes; null where unknown."
  ),
  source: oneOf(["zone"], "Source of the method: `zone` is a shipping zone of the store."),
  carrier: nullableString("Who carries it; null for the store's own rates."),
  service: nullableString("The carrier's service; null for the store's own rates."),
  speedTier: nullableString("Speed of the service; null for the store's own rates.")
}).annotate({ identifier: "ShippingOption", description: "A way to ship a checkout, with its price." })

const CheckoutLineView = Schema.Struct({
  id: string("Id of the line. The completed order's item has the same."),
  productId: nullableString("The product; null for a line of an invoice that is no product of the store."),
  variantId: nullableString("The variant; null for a product without variants."),
  quantity: integer("How many units.", 2),
  unitPrice: money("Price of one unit as the cart showed it."),
  totalPrice: money("Unit price times quantity.", "39.98"),
  discountAmount: money("This line's share of all discounts.", "0.00"),
  product: Schema.Struct({
    id: nullableString("Id of the product; null for other things.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
    name: string("Name of the product, or of what an invoice sells in its place.", "Desk lamp"),
    slug: nullableString("Name of the product in addresses; null where it is no product of the store.", "desk-lamp"),
    sku: nullableString("Stock keeping unit of what is sold.", "LAMP"),
    image: nullableFileUrl("Address of a picture.", "https://cdn.example.com/lamp.jpg")
  }).annotate({ identifier: "CheckoutProduct", description: "The product of a checkout's line." }),
  variant: nullable(
    Schema.Struct({
      id: string("Id of the variant."),
      name: nullableString("Name of the variant.", "Red"),
      attributes: textMap("Its options: attribute name to option name.")
    }).annotate({ identifier: "CheckoutVariant", description: "The variant of a checkout's line." }),
    "The variant; null for a product without variants."
  ),
  notes: nullableString("What the shopper wrote about this line."),
  ...lineExtras,
  modifiers: arrayOf(ChosenModifierView, "What the shopper added to the product. It is part of the unit price.")
}).annotate({ identifier: "CheckoutItem", description: "One line of a checkout: a copy of the cart's line." })

const CheckoutTenderView = Schema.Struct({
  tenderId: string("Id of the tender, to remove it."),
  amountApplied: money("What it pays.", "10.00")
}).annotate({ identifier: "CheckoutTender", description: "A gift card that pays a part of a checkout." })

export const ShippingOptions = Schema.Struct({
  rates: arrayOf(
    ShippingMethodView,
    "The shipping methods for the address, the cheapest first, of equal prices the fastest; empty until an address " +
      "is set."
  )
}).annotate({ identifier: "ShippingOptions", description: "The shipping options of a checkout." })

const PaymentMethodView = Schema.Struct({
  id: string("What a payment or a completion names as `providerId`.", "ppr_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  type: string("What takes the payment: manual, test, stripe, free, or the code of another provider.", "test"),
  name: string("What to call it.", "Card"),
  kind: oneOf(
    ["manual", "card", "redirect", "free"],
    "How the shopper pays: outside of the shop (manual), in a form of the storefront (card), on a page of the " +
      "company (redirect), or not at all (free)."
  )
}).annotate({ identifier: "CheckoutPaymentMethod", description: "A way to pay for a checkout." })

/** Where nothing is due. */
export const freeMethod: typeof PaymentMethodView.Type = { id: "free", type: "free", name: "Free", kind: "free" }

export const CheckoutView = Schema.Struct({
  id: string(
    "Id of the checkout. Anybody who knows the id of a guest's checkout can read and change it: keep it secret."
  ),
  cartId: string("The cart it was made from."),
  status: oneOf(
    checkoutStatuses,
    "PENDING can be changed; PROCESSING waits for a payment; COMPLETED, EXPIRED and CANCELLED are final."
  ),
  email: nullableEmail("E-mail address of the buyer; needed for completion.", "ada@example.com"),
  customerId: nullableString("The signed-in customer; null for a guest."),
  deliveryType: oneOf(deliveryTypes, "Whether it is shipped or picked up."),
  pickupLocation: nullable(PickupLocation, "Where it is picked up; null where it is shipped."),
  shippingAddress: nullable(Address, "Where it is shipped to; null until it is set."),
  billingAddress: nullable(Address, "The billing address; the shipping address until another one is set."),
  shippingRateId: nullableString(
    "The chosen shipping method; null until one is chosen, or if it is no longer offered."
  ),
  shippingMethod: nullable(ShippingMethodView, "The chosen shipping method; null until one is chosen."),
  currency: string("ISO 4217 currency of all amounts. A checkout keeps its cart's.", "USD"),
  locale: nullableString(
    "Language of the names of its lines, of the order and of its mails: that of its cart. Null is the store's " +
      "language.",
    "de"
  ),
  subtotal: money("Sum of all lines before discounts.", "39.98"),
  discountAmount: money("Discount by the coupon.", "0.00"),
  ruleDiscountAmount: money("Discount by promotions.", "0.00"),
  appliedRules: arrayOf(AppliedRuleView, "The promotions that apply."),
  shippingAmount: money("Price of shipping; 0.00 until a method is chosen.", "5.00"),
  taxAmount: money("All tax, contained in the prices or added to them; 0.00 until an address is known.", "3.55"),
  taxBreakdown: CheckoutTaxBreakdown,
  total: money("What the order will cost in all.", "48.53"),
  totalAmount: money("The same as `total`.", "48.53"),
  surchargeAmount: money("Surcharges of custom fields together.", "0.00"),
  appliedSurcharges: arrayOf(AppliedSurchargeView, "Surcharges that custom fields bring, one entry for each field."),
  customFields: arrayOf(
    ShownCheckoutField,
    "The fields that the store adds to its checkouts, in the order in which to show them. Those that are required " +
      "must be filled in before completion."
  ),
  customFieldValues: json("What was filled in, by the key of the field; what was not is absent."),
  couponCode: nullableString(
    "The coupon code that was entered, as the store writes it; null without one.",
    "WELCOME10"
  ),
  notApplied: arrayOf(NotAppliedView, "Promotions, codes and gift cards that do not apply, and why; codes come first."),
  tenders: arrayOf(CheckoutTenderView, "Gift cards that pay a part."),
  providerAmountDue: money("What is left to pay after gift cards.", "48.53"),
  paymentMethods: arrayOf(
    PaymentMethodView,
    "What it may be paid by: the store's payment providers that serve its channel's mode and its region. `free` " +
      "alone where nothing is due."
  ),
  notes: nullableString("What the shopper wrote about the order."),
  lineItems: arrayOf(CheckoutLineView, "What is being bought."),
  itemCount: integer("Units of all lines together.", 2),
  availableShippingRates: arrayOf(
    ShippingMethodView,
    "Shipping methods for the address: the cheapest first, of equal prices the one that takes the fewest days, and " +
      "otherwise as the merchant created them. Empty until an address is set; none is chosen by default."
  ),
  expiresAt: timestamp("When the checkout expires."),
  recoveryEmailSentAt: nullableTimestamp("When a reminder was sent by e-mail; null if none was."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares."),
  reservation: ReservationView,
  presentment: PresentmentView
}).annotate({
  identifier: "Checkout",
  description: "A purchase in progress: lines, buyer, delivery and totals. Every response has current prices."
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

const toLineView = (line: CheckoutLine, discount: bigint, currency: string): typeof CheckoutLineView.Type => {
  const { sellable } = line
  const { name = "", slug = null, sku = null, image = null } = sellable ?? {}
  return {
    id: line.id,
    productId: line.productId,
    variantId: line.variantId,
    quantity: line.quantity,
    unitPrice: formatMoney(line.unitPrice, currency),
    totalPrice: formatMoney(line.unitPrice * BigInt(line.quantity), currency),
    discountAmount: formatMoney(discount, currency),
    product: { id: line.productId, name: line.name ?? name, slug, sku, image },
    variant:
      line.variantId === null || sellable === null
        ? null
        : {
            id: line.variantId,
            name: sellable.variantName ?? lineName(sellable),
            attributes: sellable.attributes ?? {}
          },
    notes: line.notes,
    metadata: line.metadata,
    customizations: line.customizations,
    modifiers: sellable === null ? [] : chosenModifierViews(sellable, currency)
  }
}

export const toCheckoutView = (
  checkout: CheckoutState,
  totals: Quote,
  strategy: typeof ReservationStrategy.Type,
  now: number
): Omit<CheckoutView, "paymentMethods" | "customFields"> => {
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
    locale: checkout.locale,
    ...amounts,
    ruleDiscountAmount: money(totals.ruleDiscountAmount),
    appliedRules: appliedRules(totals.adjustments, currency),
    taxBreakdown: checkoutTaxBreakdown(totals, currency),
    total,
    totalAmount: total,
    appliedSurcharges: appliedSurcharges(totals.adjustments, currency, checkout.customFieldValues),
    customFieldValues: checkout.customFieldValues,
    couponCode: totals.codes[0] ?? null,
    notApplied: notAppliedViews(totals.notApplied, currency),
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
    presentment: toPresentmentView(presentmentOf(totals, currency, checkout.presentedIn))
  }
}
