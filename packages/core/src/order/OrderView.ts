/** The Order on the wire and in events. Money is decimal strings, but for `taxBreakdown`. */
import { Schema } from "effect"
import { downloadMetaOf, OrderDownloadsView } from "../download/DownloadGrants.ts"
import { KitComponentView } from "../product/ProductParts.ts"
import { ChosenModifierView, recordedModifierView } from "../pricing/ChosenModifierView.ts"
import { type Address, OrderAddress, toOrderAddress } from "../kernel/Address.ts"
import {
  arrayOf,
  boolean,
  integer,
  json,
  listedText,
  money,
  nullable,
  nullableString,
  oneOf,
  storedAs,
  storedObject,
  string,
  timestamp,
  nullableEmail,
  nullableFileUrl,
  nullableUrl
} from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { appliedCoupon, appliedRules, appliedSurcharges, couponDiscountOf } from "../pricing/AppliedAdjustments.ts"
import { PickupLocation } from "../shipping/PickupLocation.ts"
import { financialStatuses, fulfillmentStatuses, type OrderPayment, orderStatuses, type OrderState } from "./Order.ts"
import {
  AppliedRuleView,
  AppliedSurchargeView,
  AuthorizationView,
  DisputeView,
  FulfillmentView,
  OrderCouponView,
  OrderTenderView,
  PaymentCapabilitiesView,
  RefundView,
  ShippingSelectionView,
  StatusChangeView,
  StatusLabelView
} from "./OrderParts.ts"
import { orderRefunds } from "./orderRefunds.ts"
import { paymentCapabilities, paymentFields } from "./internal/paymentFields.ts"
import { warningOf } from "./OrderWarnings.ts"
import { readStatusChange } from "./StatusHistory.ts"
import { TaxBreakdown } from "../pricing/TaxBreakdown.ts"

const OrderItemView = Schema.Struct({
  id: string("Id of the item."),
  productId: nullableString("The product that was sold; null for an item without one."),
  variantId: nullableString("The variant that was sold; null for a product without variants."),
  sku: nullableString("Stock keeping unit at the time of the sale.", "LAMP"),
  name: string("Name at the time of the sale.", "Desk lamp"),
  quantity: integer("Units sold.", 2),
  fulfilledQuantity: integer("Units of it that have been shipped or handed over.", 0),
  refundedQuantity: integer(
    "Units of it that were refunded, with those whose refund is under way or has failed after it had succeeded.",
    0
  ),
  price: money("Price of one unit: the same as `unitPrice`."),
  unitPrice: money("Price of one unit."),
  totalPrice: money("Unit price times quantity, before discounts.", "39.98"),
  image: nullableFileUrl("Address of a picture.", "https://cdn.example.com/lamp.jpg"),
  metadata: json("Data of the storefront's own about the line."),
  customizations: json("What the shopper filled in to customize the product, by key."),
  modifiers: arrayOf(
    storedAs(ChosenModifierView),
    "What the shopper added to the product. It is part of the unit price."
  ),
  kitComponents: arrayOf(KitComponentView, "Components of one unit of a KIT when it was sold.")
}).annotate({ identifier: "OrderItem", description: "One item of an order: a copy of what was sold." })

export const OrderView = Schema.Struct({
  id: string("Id of the order.", "ord_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  storeId: string("The store that sold."),
  externalId: nullableString("Id in the system it came from, unique in the store.", "erp-9001"),
  orderNumber: string("Number for people: counts up from #1001 in each store, without gaps.", "#1001"),
  platform: nullableString("The connected platform it came from; null for the store's own."),
  sourceName: nullableString("Where it was placed, such as storefront.", "storefront"),
  totalAmount: money("What the order costs in all.", "48.53"),
  subtotal: money("Sum of the items before discounts.", "39.98"),
  taxAmount: money("All tax, contained in the prices or added to them.", "3.55"),
  taxBreakdown: TaxBreakdown,
  shippingAmount: money("Price of shipping.", "5.00"),
  discountAmount: money("What the coupon took off, and what was stated with the order.", "0.00"),
  couponCode: nullableString("The coupon code that was used; null without one.", "WELCOME10"),
  couponDiscount: money("What the coupon took off.", "0.00"),
  coupon: nullable(OrderCouponView, "The coupon that was used; null without one."),
  surchargeAmount: money("Surcharges of custom fields together.", "0.00"),
  appliedSurcharges: arrayOf(AppliedSurchargeView, "Surcharges that custom fields brought."),
  customFieldValues: json("What the shopper filled in, by the key of the checkout field."),
  adminFieldValues: json("What the merchant keeps about the order, by key."),
  ruleDiscountAmount: money("What promotions took off by themselves.", "0.00"),
  appliedRules: arrayOf(AppliedRuleView, "The promotions that applied."),
  currency: string("ISO 4217 currency of all amounts.", "USD"),
  locale: nullableString("Language of its items' names and of its mails; null for the store's own.", "de"),
  status: oneOf(
    orderStatuses,
    "Status of the order. An order begins as PENDING, or as PAID where it was paid at once."
  ),
  financialStatus: oneOf(
    financialStatuses,
    "Financial status of the order. It follows from its payments and refunds alone."
  ),
  fulfillmentStatus: oneOf(fulfillmentStatuses, "How much of it has been shipped or handed over."),
  fulfillments: arrayOf(FulfillmentView, "Parcels of the order, the oldest first."),
  statusLabel: StatusLabelView,
  statusHistory: arrayOf(storedAs(StatusChangeView), "Every move of `status`, oldest first."),
  notes: nullableString("What the shopper or the merchant wrote about the order."),
  paymentMethod: nullableString("How it is paid: manual, free, gift_card, or a provider's code.", "manual"),
  isTestOrder: boolean("Whether it came from a sales channel in test mode."),
  customerId: nullableString("The customer who ordered; null for a guest."),
  customer: Schema.Struct({
    email: nullableEmail("E-mail address of the buyer.", "ada@example.com"),
    name: nullableString("Name of the buyer.", "Ada Lovelace")
  }).annotate({ identifier: "OrderCustomer", description: "The buyer, as given with the order." }),
  shippingAddress: nullable(OrderAddress, "Where it is shipped to; null where nothing is shipped."),
  billingAddress: nullable(OrderAddress, "The billing address."),
  items: arrayOf(OrderItemView, "What was sold."),
  createdAt: timestamp("When it was placed."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares."),
  syncWarning: nullableString(
    "What needs the merchant's attention, such as stock that ran short, a payment that failed or a dispute; null " +
      "where all is well."
  ),
  paymentStatus: oneOf(financialStatuses, "The same as `financialStatus`."),
  paymentProviderType: nullableString("Code of the provider of the first payment; null without a payment.", "manual"),
  paymentProviderName: nullableString("Name of that provider.", "manual"),
  paymentId: nullableString("Id of the first payment; null without one."),
  paymentExternalId: nullableString("The provider's id of the first payment."),
  paymentAmount: money(
    "Amount of the first payment, in its currency; the total where there is no payment yet.",
    "48.53"
  ),
  paymentCurrency: string(
    "ISO 4217 currency of the first payment: the one that the payment provider was asked in, which is the order's " +
      "unless the checkout was presented in another.",
    "USD"
  ),
  paymentRefundedAmount: money("What has been refunded, in the payment's currency.", "0.00"),
  invoiceUrl: nullableUrl("Address of the invoice; null while there is none."),
  invoiceNumber: nullableString("Number of the invoice; null while there is none."),
  numberOfPayments: integer("How many payments there are.", 1),
  paymentCapabilities: PaymentCapabilitiesView,
  refunds: arrayOf(RefundView, "Refunds of the order."),
  disputes: arrayOf(DisputeView, "What the shopper's bank has claimed back. A lost one does not change the sums."),
  authorizations: arrayOf(
    AuthorizationView,
    "Money that a provider has reserved and that is not captured in full. Capture it before it lapses."
  ),
  tenders: arrayOf(OrderTenderView, "What the order is paid with: one entry for each payment."),
  isRead: boolean("Whether the merchant has opened the order."),
  downloadMeta: OrderDownloadsView,
  trackingNumber: nullableString("Tracking number of the parcel; null until it is shipped."),
  trackingUrl: nullableUrl("Where the parcel can be followed; null until it is shipped."),
  carrier: nullableString("Who carries the parcel; null until it is shipped."),
  shippingSelection: nullable(
    storedObject(ShippingSelectionView),
    "The shipping method that was chosen; null without one."
  ),
  deliveryType: listedText(["shipping", "pickup"], "Whether it is shipped or picked up."),
  pickupLocationData: nullable(storedObject(PickupLocation), "Where it is picked up; null where it is shipped.")
}).annotate({ identifier: "AdminOrder", description: "An order as the merchant sees it." })
export type OrderView = typeof OrderView.Type

const addressOf = (address: Address | null) => (address === null ? null : toOrderAddress(address))

const titleOf = (status: string): string => status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " ")

/** The public form of an order number: `#1001`. */
export const formatOrderNumber = (number: bigint): string => `#${number}`

const giftCardOf = ({ reference, codeLast4 = null }: OrderPayment) =>
  reference === null || codeLast4 === null ? null : { id: reference, codeLast4 }

export const toOrderView = (order: OrderState): OrderView => {
  const { currency } = order
  const money = (minor: bigint) => formatMoney(minor, currency)
  const payments = order.payments.filter(({ status, amount }) => status !== "voided" || amount > 0n)
  const syncWarning = warningOf(order)
  return {
    id: order.id,
    storeId: order.storeId,
    externalId: order.externalId,
    orderNumber: formatOrderNumber(order.orderNumber),
    platform: order.platform,
    sourceName: order.sourceName,
    totalAmount: money(order.totalAmount),
    subtotal: money(order.subtotal),
    taxAmount: money(order.taxAmount),
    taxBreakdown: order.taxBreakdown,
    shippingAmount: money(order.shippingAmount),
    discountAmount: money(order.discountAmount),
    couponCode: order.couponCode,
    couponDiscount: money(couponDiscountOf(order.adjustments)),
    coupon: appliedCoupon(order.adjustments),
    surchargeAmount: money(order.surchargeAmount),
    appliedSurcharges: appliedSurcharges(order.adjustments, currency, order.customFieldValues),
    customFieldValues: order.customFieldValues,
    adminFieldValues: order.adminFieldValues,
    ruleDiscountAmount: money(order.ruleDiscountAmount),
    appliedRules: appliedRules(order.adjustments, currency),
    currency,
    locale: order.locale,
    status: order.status,
    financialStatus: order.financialStatus,
    fulfillmentStatus: order.fulfillmentStatus,
    fulfillments: order.parcels,
    statusLabel:
      order.statusLabel?.canonicalStatus === order.status
        ? { ...order.statusLabel, isSystem: false }
        : {
            id: null,
            name: syncWarning === null ? titleOf(order.status) : "Needs attention",
            color: null,
            canonicalStatus: order.status,
            isSystem: true
          },
    statusHistory: order.statusHistory.map((change) => readStatusChange(change) ?? change),
    notes: order.notes,
    paymentMethod: order.paymentMethod,
    isTestOrder: order.isTestOrder,
    customerId: order.customerId,
    customer: { email: order.email, name: order.customer.name ?? null },
    shippingAddress: addressOf(order.shippingAddress),
    billingAddress: addressOf(order.billingAddress),
    items: order.items.map((item) => ({
      id: item.id,
      productId: item.productId,
      variantId: item.variantId,
      sku: item.sku,
      name: item.name,
      quantity: item.quantity,
      fulfilledQuantity: item.fulfilledQuantity,
      refundedQuantity: item.refundedQuantity,
      price: money(item.unitPrice),
      unitPrice: money(item.unitPrice),
      totalPrice: money(item.subtotal),
      image: item.image,
      metadata: item.metadata,
      customizations: item.customizations,
      modifiers: item.modifiers.map((modifier) => recordedModifierView(modifier, currency)),
      kitComponents: item.kitComponents ?? []
    })),
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
    syncWarning,
    paymentStatus: order.financialStatus,
    ...paymentFields(order, payments),
    // Answers put the link in (invoice/Invoices): a snapshot in an event has none.
    invoiceUrl: null,
    invoiceNumber: order.invoiceNumber,
    numberOfPayments: payments.length,
    paymentCapabilities: paymentCapabilities(payments),
    refunds: orderRefunds(order),
    disputes: order.disputes.map(({ id, amount, status, reason, dueAt, createdAt, updatedAt }) => ({
      id,
      amount: money(amount),
      status,
      reason,
      dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString()
    })),
    authorizations: payments
      .filter(
        ({ status, amount, captured, reference, expiresAt = null }) =>
          status === "authorized" || (captured > 0n && captured < amount && reference !== null && expiresAt !== null)
      )
      .map(({ id, amount, captured, expiresAt = null }) => ({
        paymentId: id,
        amount: money(amount),
        captured: money(captured),
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString()
      })),
    tenders: payments.map((tender) => ({
      id: tender.id,
      type: tender.method,
      amountBase: money(tender.amount),
      currencyBase: currency,
      giftCard: giftCardOf(tender)
    })),
    isRead: order.isRead,
    downloadMeta: downloadMetaOf(order),
    trackingNumber: order.trackingNumber,
    trackingUrl: order.trackingUrl,
    carrier: order.carrier,
    shippingSelection: order.shippingSelection,
    deliveryType: order.deliveryType,
    pickupLocationData: order.pickupLocation
  }
}
