/** Carts, for storefronts and for admin keys (interface.md, Cart; completions.md 2.1). */
import {
  CartCouponUnknown,
  CartItemNotFound,
  CartLineLimitReached,
  CartNotFound,
  CartNotWritable,
  CartStockInsufficient,
  ModifiersInvalid,
  ProductUnavailable
} from "@effect-commerce/core/cart/CartErrors"
import { maxLineQuantity } from "@effect-commerce/core/cart/CartBounds"
import { CartView } from "@effect-commerce/core/cart/CartView"
import { CustomerNotFound } from "@effect-commerce/core/customer/CustomerErrors"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { optionalText, Reference, text } from "@effect-commerce/core/kernel/Fields"
import { CurrencyChanged } from "@effect-commerce/core/store/StoreErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"

const notes = optionalText(2_000)
const object = Schema.Record(Schema.String, Schema.Unknown)
const extras = {
  notes,
  // How much they may be together is for the cart to say, which knows what it has already.
  metadata: Schema.optionalKey(object),
  customizations: Schema.optionalKey(object),
  modifiers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ modifierGroupId: text(200), modifierId: text(200), quantity: Schema.optionalKey(Schema.Int) })
    ).pipe(Schema.check(Schema.isMaxLength(50)))
  )
}
const AddItem = Schema.Struct({
  productId: Reference,
  variantId: Schema.optionalKey(Schema.NullOr(Reference)),
  quantity: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxLineQuantity }))),
  ...extras
})
const ChangeItem = Schema.Struct({
  quantity: Schema.optionalKey(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: maxLineQuantity })))
  ),
  ...extras
})
const ChangeCart = Schema.Struct({
  notes,
  currency: Schema.optionalKey(text(200)),
  regionId: optionalText(200),
  analyticsClientId: optionalText(2_000),
  analyticsSessionId: optionalText(2_000)
})

export const CouponCode = Schema.Struct({ code: Reference })
/** Per IP and minute. */
export const couponCap = { cap: { limit: 10, ms: 60_000 } }
const Offer = Schema.Struct({ offerId: Reference, variantId: optionalText(200) })

const channel = { salesChannelId: Schema.String }
const cart = { ...channel, cartId: Schema.String }
const item = { ...cart, itemId: Schema.String }
const write = [CartNotFound, CartNotWritable, CurrencyChanged, ResourceChanged] as const
const line = [...write, CartStockInsufficient, ProductUnavailable, ModifiersInvalid, FieldRejected] as const
const include = { include: Schema.optionalKey(Schema.String) }

export class CartGroup extends apiGroup("cart", {
  part: "Storefront",
  title: "Cart",
  description: "The shopper's cart: lines, coupon, bundles and offers."
}).add(
  HttpApiEndpoint.post("create", "/vc/:salesChannelId/cart", {
    params: channel,
    success: CartView.pipe(HttpApiSchema.status(201))
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.get("getBySession", "/vc/:salesChannelId/cart/session/:sessionToken", {
    params: { ...channel, sessionToken: Schema.String },
    success: CartView,
    error: fails(CartNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.get("get", "/vc/:salesChannelId/cart/:cartId", {
    params: cart,
    query: include,
    success: CartView,
    error: fails(CartNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.patch("update", "/vc/:salesChannelId/cart/:cartId", {
    params: cart,
    payload: ChangeCart,
    success: CartView,
    error: fails(...write, FieldRejected)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.delete("clear", "/vc/:salesChannelId/cart/:cartId", {
    params: cart,
    success: CartView,
    error: fails(...write)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("addItem", "/vc/:salesChannelId/cart/:cartId/items", {
    params: cart,
    payload: AddItem,
    success: CartView,
    error: fails(...line, CartLineLimitReached)
  }).pipe(channelRoute("cart", { oneTransaction: true, version: useCase })),
  HttpApiEndpoint.patch("changeItem", "/vc/:salesChannelId/cart/:cartId/items/:itemId", {
    params: item,
    payload: ChangeItem,
    success: CartView,
    error: fails(...line, CartItemNotFound)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.delete("removeItem", "/vc/:salesChannelId/cart/:cartId/items/:itemId", {
    params: item,
    success: CartView,
    error: fails(...write, CartItemNotFound)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("refreshSnapshots", "/vc/:salesChannelId/cart/:cartId/refresh-snapshots", {
    params: cart,
    success: CartView,
    error: fails(...write)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("applyCoupon", "/vc/:salesChannelId/cart/:cartId/coupon", {
    params: cart,
    payload: CouponCode,
    success: CartView,
    error: fails(...write, CartCouponUnknown)
  }).pipe(channelRoute("cart", { ...couponCap, version: useCase })),
  HttpApiEndpoint.delete("removeCoupon", "/vc/:salesChannelId/cart/:cartId/coupon", {
    params: cart,
    success: CartView,
    error: fails(...write)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.get("bundles", "/vc/:salesChannelId/cart/:cartId/bundles", {
    params: cart,
    success: Schema.Struct({ bundles: Schema.Array(Schema.Unknown) }),
    error: fails(CartNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.post("addBundle", "/vc/:salesChannelId/cart/:cartId/bundle", {
    params: cart,
    payload: Schema.Struct({ bundleOfferId: Reference }),
    success: CartView,
    error: fails(...write, FieldRejected)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.delete("removeBundle", "/vc/:salesChannelId/cart/:cartId/bundle/:bundleItemId", {
    params: { ...cart, bundleItemId: Schema.String },
    success: CartView,
    error: fails(...write, CartItemNotFound)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("upgrade", "/vc/:salesChannelId/cart/:cartId/upgrade", {
    params: cart,
    payload: Offer,
    success: CartView,
    error: fails(...write, FieldRejected)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("orderBump", "/vc/:salesChannelId/cart/:cartId/order-bump", {
    params: cart,
    payload: Offer,
    success: CartView,
    error: fails(...write, FieldRejected)
  }).pipe(channelRoute("cart", { version: useCase }))
) {}

const id = { id: Schema.String }
const adminItem = { ...id, itemId: Schema.String }

export class AdminCartGroup extends apiGroup("adminCart", {
  part: "Admin",
  title: "Carts",
  description: "The same carts, for servers with an admin key."
}).add(
  HttpApiEndpoint.post("create", "/v1/cart", {
    payload: Schema.Struct({
      salesChannelId: optionalText(200),
      customerId: optionalText(200)
    }),
    success: CartView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, CustomerNotFound)
  }).pipe(adminRoute({ optionalBody: true })),
  HttpApiEndpoint.get("get", "/v1/cart/:id", { params: id, success: CartView, error: fails(CartNotFound) }).pipe(
    adminRoute()
  ),
  HttpApiEndpoint.patch("update", "/v1/cart/:id", {
    params: id,
    payload: ChangeCart,
    success: CartView,
    error: fails(...write, FieldRejected)
  }).pipe(adminRoute({ version: useCase })),
  HttpApiEndpoint.delete("clear", "/v1/cart/:id", { params: id, success: CartView, error: fails(...write) }).pipe(
    adminRoute({ version: useCase })
  ),
  HttpApiEndpoint.post("addItem", "/v1/cart/:id/items", {
    params: id,
    payload: AddItem,
    success: CartView,
    error: fails(...line, CartLineLimitReached)
  }).pipe(adminRoute({ oneTransaction: true, version: useCase })),
  HttpApiEndpoint.patch("changeItem", "/v1/cart/:id/items/:itemId", {
    params: adminItem,
    payload: ChangeItem,
    success: CartView,
    error: fails(...line, CartItemNotFound)
  }).pipe(adminRoute({ version: useCase })),
  HttpApiEndpoint.post("applyCoupon", "/v1/cart/:id/coupon", {
    params: id,
    payload: CouponCode,
    success: CartView,
    error: fails(...write, CartCouponUnknown)
  }).pipe(adminRoute({ ...couponCap, version: useCase })),
  HttpApiEndpoint.delete("removeCoupon", "/v1/cart/:id/coupon", {
    params: id,
    success: CartView,
    error: fails(...write)
  }).pipe(adminRoute({ version: useCase })),
  HttpApiEndpoint.delete("removeItem", "/v1/cart/:id/items/:itemId", {
    params: adminItem,
    success: CartView,
    error: fails(...write, CartItemNotFound)
  }).pipe(adminRoute({ version: useCase }))
) {}

export const cartGroups = [CartGroup, AdminCartGroup] as const
