/** Orders for admin keys and for storefronts (interface.md, Orders). */
import { maxLineQuantity } from "@effect-commerce/core/cart/CartBounds"
import { AddressInput, Email } from "@effect-commerce/core/kernel/Address"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { Reference, text as textOf } from "@effect-commerce/core/kernel/Fields"
import {
  OrderAddressUnserved,
  OrderAlreadyPaid,
  OrderCouponUnknown,
  OrderCustomerUnknown,
  OrderExternalIdTaken,
  OrderNotFound,
  OrderOutOfStock,
  OrderPriceDrifted,
  OrderProductUnknown,
  OrderStateConflict,
  OrderStockInsufficient,
  PaymentExceedsDue
} from "@effect-commerce/core/order/OrderErrors"
import { OrderView } from "@effect-commerce/core/order/OrderView"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { CommaList } from "../middleware/CommaList.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"

/** Number or decimal string; the currency decides how many digits it may have. */
const Amount = Schema.Union([Schema.Finite, textOf(100)])
const text = (max: number) => Schema.optionalKey(textOf(max))

/** Items in one order (interface.md, Other limits). */
export const maxOrderItems = 500

const OrderInput = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      productId: Schema.optionalKey(Reference),
      variantId: Schema.optionalKey(Schema.NullOr(Reference)),
      quantity: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxLineQuantity }))),
      price: Schema.optionalKey(Amount),
      name: text(500)
    })
  ).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxOrderItems))),
  customer: Schema.optionalKey(
    Schema.Struct({
      email: Schema.optionalKey(Email),
      name: text(200),
      firstName: text(100),
      lastName: text(100),
      phone: text(40)
    })
  ),
  customerId: text(200),
  externalId: text(191),
  status: Schema.optionalKey(Schema.Unknown),
  currency: text(200),
  discountAmount: Schema.optionalKey(Amount),
  couponCode: Schema.optionalKey(Schema.NullOr(textOf(200))),
  shippingAmount: Schema.optionalKey(Amount),
  taxAmount: Schema.optionalKey(Amount),
  paymentMethod: text(100),
  notes: text(2_000),
  sourceName: text(200),
  shippingAddress: Schema.optionalKey(AddressInput),
  billingAddress: Schema.optionalKey(AddressInput)
})
export type OrderInput = typeof OrderInput.Type

/** Money that came some other way: cash, a transfer. */
const PaymentInput = Schema.Struct({
  amount: Amount,
  method: Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(100))),
  reference: Schema.optionalKey(Schema.NullOr(Schema.String.pipe(Schema.check(Schema.isMaxLength(500))))),
  paidAt: Schema.optionalKey(Schema.NullOr(textOf(100)))
})

export class OrdersGroup extends apiGroup("orders", {
  part: "Admin",
  title: "Orders",
  description: "Orders of a store, however they were placed, and payments that came outside of a checkout."
}).add(
  HttpApiEndpoint.get("list", "/v1/orders", {
    query: {
      ...pageQuery,
      status: Schema.optionalKey(CommaList),
      sortBy: Schema.optionalKey(Schema.String),
      sortOrder: Schema.optionalKey(Schema.String),
      search: text(200),
      storeId: Schema.optionalKey(Schema.String)
    },
    success: listEnvelope(OrderView),
    error: fails(FieldRejected)
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("create", "/v1/orders", {
    payload: OrderInput,
    success: OrderView.pipe(HttpApiSchema.status(201)),
    error: fails(
      FieldRejected,
      OrderExternalIdTaken,
      OrderStockInsufficient,
      OrderOutOfStock,
      OrderProductUnknown,
      OrderCustomerUnknown,
      OrderCouponUnknown
    )
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.post("recordPayment", "/v1/orders/:id/payments", {
    params: { id: Schema.String },
    payload: PaymentInput,
    success: OrderView,
    error: fails(OrderNotFound, FieldRejected, OrderStateConflict, OrderAlreadyPaid, PaymentExceedsDue, ResourceChanged)
  }).pipe(adminRoute({ oneTransaction: true, version: useCase })),
  HttpApiEndpoint.get("get", "/v1/orders/:id", {
    params: { id: Schema.String },
    success: OrderView,
    error: fails(OrderNotFound)
  }).pipe(adminRoute())
) {}

const channel = { salesChannelId: Schema.String }
const nullableText = Schema.NullOr(Schema.String)
const StorefrontOrderInput = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      productId: Reference,
      variantId: Schema.optionalKey(Schema.NullOr(Reference)),
      quantity: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxLineQuantity }))),
      price: Amount
    })
  ).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxOrderItems))),
  customer: Schema.Struct({
    email: Email,
    name: text(200),
    firstName: text(100),
    lastName: text(100),
    phone: text(40)
  }),
  shippingAddress: AddressInput,
  billingAddress: Schema.optionalKey(Schema.NullOr(AddressInput)),
  couponCode: Schema.optionalKey(Schema.NullOr(textOf(200))),
  notes: Schema.optionalKey(Schema.NullOr(Schema.String.pipe(Schema.check(Schema.isMaxLength(2_000)))))
})
export type StorefrontOrderInput = typeof StorefrontOrderInput.Type

/** Orders of shoppers who need no cart, and what they may ask of them afterwards. */
export class StorefrontOrdersGroup extends apiGroup("storefrontOrders", {
  part: "Storefront",
  title: "Orders of shoppers",
  description: "Orders that need no cart, and their status for whoever placed them."
}).add(
  HttpApiEndpoint.post("place", "/vc/:salesChannelId/orders", {
    params: channel,
    payload: StorefrontOrderInput,
    success: Schema.Struct({
      orderId: Schema.String,
      orderNumber: Schema.String,
      status: Schema.String,
      total: Schema.String,
      message: Schema.String
    }),
    error: fails(
      FieldRejected,
      OrderAddressUnserved,
      OrderCouponUnknown,
      OrderOutOfStock,
      OrderPriceDrifted,
      OrderProductUnknown,
      OrderStockInsufficient
    )
  }).pipe(channelRoute("ordersWrite", { oneTransaction: true })),
  HttpApiEndpoint.get("status", "/vc/:salesChannelId/orders/:id/status", {
    params: { ...channel, id: Schema.String },
    query: { email: Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(1_000))) },
    success: Schema.Struct({
      orderNumber: Schema.String,
      status: Schema.String,
      financialStatus: Schema.String,
      fulfillmentStatus: Schema.String,
      trackingNumber: nullableText,
      trackingUrl: nullableText,
      carrier: nullableText,
      createdAt: Schema.String
    }),
    error: fails(OrderNotFound)
  }).pipe(channelRoute("storefrontRead"))
) {}

export const orderGroups = [OrdersGroup, StorefrontOrdersGroup] as const
