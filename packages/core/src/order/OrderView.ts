/** The Order on the wire and in events (interface.md, Order). Money is decimal strings, in `taxBreakdown` too. */
import { Schema } from "effect"
import { type Address, OrderAddress, toOrderAddress } from "../kernel/Address.ts"
import { formatMoney } from "../kernel/Money.ts"
import { appliedRules, appliedSurcharges } from "../pricing/AppliedAdjustments.ts"
import type { OrderState } from "./Order.ts"
import { TaxBreakdown } from "./TaxBreakdown.ts"

const nullableText = Schema.NullOr(Schema.String)
const list = Schema.Array(Schema.Unknown)
const json = Schema.Record(Schema.String, Schema.Unknown)

const OrderItemView = Schema.Struct({
  id: Schema.String,
  productId: nullableText,
  variantId: nullableText,
  sku: nullableText,
  name: Schema.String,
  quantity: Schema.Int,
  fulfilledQuantity: Schema.Int,
  price: Schema.String,
  unitPrice: Schema.String,
  totalPrice: Schema.String,
  image: nullableText,
  metadata: json,
  customizations: json,
  modifiers: list
})

export const OrderView = Schema.Struct({
  id: Schema.String,
  storeId: Schema.String,
  externalId: nullableText,
  orderNumber: Schema.String,
  platform: nullableText,
  sourceName: nullableText,
  totalAmount: Schema.String,
  subtotal: Schema.String,
  taxAmount: Schema.String,
  taxBreakdown: TaxBreakdown,
  shippingAmount: Schema.String,
  discountAmount: Schema.String,
  couponCode: nullableText,
  couponDiscount: Schema.String,
  coupon: Schema.NullOr(json),
  surchargeAmount: Schema.String,
  appliedSurcharges: list,
  customFieldValues: json,
  adminFieldValues: json,
  ruleDiscountAmount: Schema.String,
  appliedRules: list,
  currency: Schema.String,
  status: Schema.String,
  financialStatus: Schema.String,
  fulfillmentStatus: Schema.String,
  statusLabel: Schema.Struct({
    id: nullableText,
    name: Schema.String,
    color: nullableText,
    canonicalStatus: Schema.String,
    isSystem: Schema.Boolean
  }),
  statusHistory: list,
  notes: nullableText,
  paymentMethod: nullableText,
  isTestOrder: Schema.Boolean,
  customerId: nullableText,
  customer: Schema.Struct({ email: nullableText, name: nullableText }),
  shippingAddress: Schema.NullOr(OrderAddress),
  billingAddress: Schema.NullOr(OrderAddress),
  items: Schema.Array(OrderItemView),
  createdAt: Schema.String,
  updatedAt: Schema.String,
  syncWarning: nullableText,
  paymentStatus: Schema.String,
  paymentProviderType: nullableText,
  paymentProviderName: nullableText,
  paymentId: nullableText,
  paymentExternalId: nullableText,
  paymentAmount: Schema.String,
  paymentCurrency: Schema.String,
  paymentRefundedAmount: Schema.String,
  invoiceUrl: nullableText,
  invoiceNumber: nullableText,
  numberOfPayments: Schema.Int,
  paymentCapabilities: Schema.Struct({ refund: Schema.Boolean, manualRefundUrl: nullableText }),
  refunds: list,
  tenders: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      type: Schema.String,
      amountBase: Schema.String,
      currencyBase: Schema.String,
      giftCard: Schema.NullOr(json)
    })
  ),
  isRead: Schema.Boolean,
  downloadMeta: Schema.Struct({ files: list }),
  trackingNumber: nullableText,
  trackingUrl: nullableText,
  carrier: nullableText,
  shippingSelection: Schema.NullOr(json),
  deliveryType: Schema.String,
  pickupLocationData: Schema.NullOr(json)
})
export type OrderView = typeof OrderView.Type

const addressOf = (address: Address | null) => (address === null ? null : toOrderAddress(address))

const titleOf = (status: string): string => status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " ")

/** The public form of an order number: `#1001`. */
export const formatOrderNumber = (number: bigint): string => `#${number}`

export const toOrderView = (order: OrderState): OrderView => {
  const { currency } = order
  const money = (minor: bigint) => formatMoney(minor, currency)
  const payments = order.payments.filter(({ status, amount }) => status !== "voided" || amount > 0n)
  const payment = payments.at(0)
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
    couponDiscount: money(order.discountAmount),
    coupon: null,
    surchargeAmount: money(order.surchargeAmount),
    appliedSurcharges: appliedSurcharges(order.adjustments, currency),
    customFieldValues: order.customFieldValues,
    adminFieldValues: order.adminFieldValues,
    ruleDiscountAmount: money(order.ruleDiscountAmount),
    appliedRules: appliedRules(order.adjustments, currency),
    currency,
    status: order.status,
    financialStatus: order.financialStatus,
    fulfillmentStatus: order.fulfillmentStatus,
    statusLabel: {
      id: order.statusLabelId,
      name: order.syncWarning === null ? titleOf(order.status) : "Needs attention",
      color: null,
      canonicalStatus: order.status,
      isSystem: true
    },
    statusHistory: order.statusHistory,
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
      price: money(item.unitPrice),
      unitPrice: money(item.unitPrice),
      totalPrice: money(item.subtotal),
      image: item.image,
      metadata: item.metadata,
      customizations: item.customizations,
      modifiers: item.modifiers
    })),
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
    syncWarning: order.syncWarning,
    paymentStatus: order.financialStatus,
    paymentProviderType: payment?.provider ?? null,
    paymentProviderName: payment?.provider ?? null,
    paymentId: payment?.id ?? null,
    paymentExternalId: payment?.reference ?? null,
    paymentAmount: money(payment?.amount ?? order.totalAmount),
    paymentCurrency: currency,
    paymentRefundedAmount: money(order.refundedAmount),
    invoiceUrl: null,
    invoiceNumber: null,
    numberOfPayments: payments.length,
    paymentCapabilities: { refund: false, manualRefundUrl: null },
    refunds: order.refunds.map(({ id, amount, reason, status, type, source, createdAt }) => ({
      id,
      amount: money(amount),
      reason,
      status,
      type,
      source,
      createdAt: new Date(createdAt).toISOString()
    })),
    tenders: payments.map((tender) => ({
      id: tender.id,
      type: tender.method,
      amountBase: money(tender.amount),
      currencyBase: currency,
      giftCard: null
    })),
    isRead: order.isRead,
    downloadMeta: { files: [] },
    trackingNumber: order.trackingNumber,
    trackingUrl: order.trackingUrl,
    carrier: order.carrier,
    shippingSelection: order.shippingSelection,
    deliveryType: order.deliveryType,
    pickupLocationData: order.pickupLocation
  }
}
