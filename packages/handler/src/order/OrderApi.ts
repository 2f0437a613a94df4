/** Orders for admin keys and for storefronts. */
import { listEnvelope, pageQuery, sortQuery } from "@effect-commerce/core/kernel/Pagination"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { described, optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { orderSorts, orderStatuses } from "@effect-commerce/core/order/Order"
import {
  OrderAddressUnserved,
  OrderAlreadyPaid,
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
import { OrderInput } from "@effect-commerce/core/orderentry/OrderInput"
import { StorefrontOrderInput } from "@effect-commerce/core/quickorder/StorefrontOrderInput"
import { PaymentMethodUnavailable, PaymentProviderNotReady } from "@effect-commerce/core/payment/PaymentErrors"
import { PaymentInput } from "@effect-commerce/core/settlement/PaymentInput"
import { OrderView } from "@effect-commerce/core/order/OrderView"
import { PlacedOrderView, PublicOrderStatusView } from "@effect-commerce/core/order/ShopperOrderView"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { MetafieldsRejected } from "@effect-commerce/core/metafield/MetafieldErrors"
import { claimErrors } from "@effect-commerce/core/claim/ClaimErrors"
import { OrderQuotaReached } from "@effect-commerce/core/quota/QuotaErrors"
import { codeErrors } from "@effect-commerce/core/pricing/CodeErrors"
import { ModifiersInvalid } from "@effect-commerce/core/modifier/LineModifiers"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { keptLanguage } from "../middleware/LanguageQuery.ts"
import { listOfKnown } from "../middleware/CommaList.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { cartErrors } from "../cart/cartErrors.ts"
import { metafieldErrors } from "../metafield/metafieldErrors.ts"
import { paymentErrors } from "../payment/paymentErrors.ts"
import { claimErrors as claimRows } from "../claim/claimErrors.ts"
import { pricingErrors } from "../pricing/pricingErrors.ts"
import { quotaErrors } from "../quota/quotaErrors.ts"
import { orderErrors } from "./orderErrors.ts"

const fails = failsBy(cartErrors, claimRows, metafieldErrors, orderErrors, paymentErrors, pricingErrors, quotaErrors)

export class OrdersGroup extends apiGroup("orders", {
  part: "Admin",
  title: "Orders",
  description: "Orders of a store, however they were placed, and payments that came outside of a checkout."
}).add(
  HttpApiEndpoint.get("list", "/v1/orders", {
    query: {
      ...pageQuery,
      ...sortQuery(orderSorts, "createdAt, newest first"),
      status: Schema.optionalKey(listOfKnown(orderStatuses, "Shows only orders of this status, in any case.")),
      search: optional(
        text(200),
        "Shows only orders with this number or external id, or with this text in the buyer's name or e-mail address."
      ),
      storeId: optional(Schema.String, "The store to work on; needed with a key that is valid for several stores.")
    },
    success: listEnvelope(OrderView),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      summary: "List orders",
      description:
        "Lists the orders of the store, by default the newest first. `search` finds numbers, external ids, names and " +
        "e-mail addresses; an unknown status is 400."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/orders", {
    payload: OrderInput,
    success: OrderView.pipe(HttpApiSchema.status(201)),
    error: fails(
      ModifiersInvalid,
      FieldRejected,
      OrderExternalIdTaken,
      OrderStockInsufficient,
      OrderOutOfStock,
      OrderProductUnknown,
      OrderCustomerUnknown,
      OrderQuotaReached,
      ...codeErrors,
      ...claimErrors
    )
  }).pipe(
    adminRoute({
      summary: "Create an order",
      description:
        "Creates an order that came some other way: by telephone, from a marketplace, from an import. It begins as " +
        "PENDING whatever `status` says, takes stock as a checkout does, and is taxed by the store's rates if it has " +
        "an address and no `taxAmount`. An `externalId` that exists already is 409, so that an import can be sent " +
        "again.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.post("recordPayment", "/v1/orders/:id/payments", {
    params: { id: string("Id of the order.") },
    payload: PaymentInput,
    success: OrderView,
    error: fails(OrderNotFound, FieldRejected, OrderStateConflict, OrderAlreadyPaid, PaymentExceedsDue, ResourceChanged)
  }).pipe(
    adminRoute({
      summary: "Record a payment",
      description:
        "Records a payment that was received outside of a checkout, such as cash or a bank transfer. An order whose " +
        "total is covered becomes paid; more than is due is an error.",
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.get("get", "/v1/orders/:id", {
    params: { id: string("Id of the order.") },
    success: OrderView,
    error: fails(OrderNotFound)
  }).pipe(
    adminRoute({
      summary: "Get an order",
      description: "Returns one order with its items, payments, refunds and history."
    })
  )
) {}

const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const emailQuery = described(
  Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(1_000))),
  "E-mail address of the buyer.",
  "ada@example.com"
)

/** Orders that shoppers place without a cart, and their status afterwards. */
export class StorefrontOrdersGroup extends apiGroup("storefrontOrders", {
  part: "Storefront",
  title: "Orders of shoppers",
  description: "Orders without a cart, and the status of an order for its buyer."
}).add(
  HttpApiEndpoint.post("place", "/vc/:salesChannelId/orders", {
    params: channel,
    query: keptLanguage,
    payload: StorefrontOrderInput,
    success: PlacedOrderView,
    error: fails(
      MetafieldsRejected,
      ModifiersInvalid,
      FieldRejected,
      OrderAddressUnserved,
      ...codeErrors,
      ...claimErrors,
      OrderQuotaReached,
      OrderOutOfStock,
      OrderPriceDrifted,
      OrderProductUnknown,
      OrderStockInsufficient,
      PaymentMethodUnavailable,
      PaymentProviderNotReady
    )
  }).pipe(
    channelRoute("ordersWrite", {
      exampleRequest: {
        items: [{ productId: "prod_01m80xf4kfwqepj0qfgc4xj8ge", quantity: 1, price: "24.99" }],
        customer: { email: "ada@example.com" },
        shippingAddress: {
          line1: "1 Market Street",
          city: "San Francisco",
          region: "CA",
          postalCode: "94105",
          country: "US"
        }
      },
      summary: "Place an order without a cart",
      description:
        "Places an order of the given items without a cart. Send the prices that the shopper saw: if they have " +
        "changed, the response is PRICE_DRIFT. Shipping is the cheapest method for the address. The order is PENDING " +
        "until it is paid, or PAID where nothing is due; where paying by hand is switched off, an order on which " +
        "something is due is PROVIDER_NOT_CONFIGURED.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("status", "/vc/:salesChannelId/orders/:id/status", {
    params: { ...channel, id: string("Id of the order.") },
    query: { email: emailQuery },
    success: PublicOrderStatusView,
    error: fails(OrderNotFound)
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "Get the status of an order",
      description:
        "Returns the status of an order to anybody who knows its id and its buyer's e-mail address. An unknown id " +
        "and another e-mail address get the same error."
    })
  )
) {}

export const orderGroups = [OrdersGroup, StorefrontOrdersGroup] as const
