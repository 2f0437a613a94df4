/** Carts, for storefronts and for admin keys (interface.md, Cart; completions.md 2.1). */
import {
  CartItemNotFound,
  CartLineLimitReached,
  CartNotFound,
  CartNotWritable,
  CartStockInsufficient,
  ModifiersInvalid,
  ProductUnavailable
} from "@effect-commerce/core/cart/CartErrors"
import { CartView } from "@effect-commerce/core/cart/CartView"
import { CustomerNotFound } from "@effect-commerce/core/customer/CustomerErrors"
import { FieldRejected } from "@effect-commerce/core/store/StoreErrors"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"

/** Far above any order, far below what would overflow a sum. */
export const maxQuantity = 999_999
const text = Schema.String.pipe(Schema.check(Schema.isMaxLength(2_000)))
const object = Schema.Record(Schema.String, Schema.Unknown)
const extras = {
  notes: Schema.optionalKey(Schema.NullOr(text)),
  metadata: Schema.optionalKey(object),
  customizations: Schema.optionalKey(object),
  modifiers: Schema.optionalKey(
    Schema.Array(Schema.Struct({ modifierGroupId: Schema.String, modifierId: Schema.String, quantity: Schema.optionalKey(Schema.Int) }))
  )
}
const AddItem = Schema.Struct({
  productId: Schema.NonEmptyString,
  variantId: Schema.optionalKey(Schema.NullOr(Schema.NonEmptyString)),
  quantity: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxQuantity }))),
  ...extras
})
const ChangeItem = Schema.Struct({
  quantity: Schema.optionalKey(Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: maxQuantity })))),
  ...extras
})
const ChangeCart = Schema.Struct({
  notes: Schema.optionalKey(Schema.NullOr(text)),
  currency: Schema.optionalKey(Schema.String),
  regionId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  analyticsClientId: Schema.optionalKey(Schema.NullOr(text)),
  analyticsSessionId: Schema.optionalKey(Schema.NullOr(text))
})

const channel = { salesChannelId: Schema.String }
const cart = { ...channel, cartId: Schema.String }
const item = { ...cart, itemId: Schema.String }
const write = [CartNotFound, CartNotWritable] as const
const line = [...write, CartStockInsufficient, ProductUnavailable, ModifiersInvalid, FieldRejected] as const
const include = { include: Schema.optionalKey(Schema.String) }

export class CartGroup extends HttpApiGroup.make("cart").add(
  HttpApiEndpoint.post("create", "/vc/:salesChannelId/cart", { params: channel, success: CartView.pipe(HttpApiSchema.status(201)) }).pipe(channelRoute("cart")),
  HttpApiEndpoint.get("getBySession", "/vc/:salesChannelId/cart/session/:sessionToken", {
    params: { ...channel, sessionToken: Schema.String },
    success: CartView,
    error: fails(CartNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.get("get", "/vc/:salesChannelId/cart/:cartId", { params: cart, query: include, success: CartView, error: fails(CartNotFound) }).pipe(
    channelRoute("cart")
  ),
  HttpApiEndpoint.patch("update", "/vc/:salesChannelId/cart/:cartId", {
    params: cart,
    payload: ChangeCart,
    success: CartView,
    error: fails(...write, FieldRejected)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.delete("clear", "/vc/:salesChannelId/cart/:cartId", { params: cart, success: CartView, error: fails(...write) }).pipe(channelRoute("cart")),
  HttpApiEndpoint.post("addItem", "/vc/:salesChannelId/cart/:cartId/items", {
    params: cart,
    payload: AddItem,
    success: CartView,
    error: fails(...line, CartLineLimitReached)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.patch("changeItem", "/vc/:salesChannelId/cart/:cartId/items/:itemId", {
    params: item,
    payload: ChangeItem,
    success: CartView,
    error: fails(...line, CartItemNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.delete("removeItem", "/vc/:salesChannelId/cart/:cartId/items/:itemId", {
    params: item,
    success: CartView,
    error: fails(...write, CartItemNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.post("refreshSnapshots", "/vc/:salesChannelId/cart/:cartId/refresh-snapshots", {
    params: cart,
    success: CartView,
    error: fails(...write)
  }).pipe(channelRoute("cart"))
) {}

const id = { id: Schema.String }
const adminItem = { ...id, itemId: Schema.String }

export class AdminCartGroup extends HttpApiGroup.make("adminCart").add(
  HttpApiEndpoint.post("create", "/v1/cart", {
    payload: Schema.Struct({
      salesChannelId: Schema.optionalKey(Schema.NullOr(Schema.String)),
      customerId: Schema.optionalKey(Schema.NullOr(Schema.String))
    }),
    success: CartView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, CustomerNotFound)
  }).pipe(adminRoute({ optionalBody: true })),
  HttpApiEndpoint.get("get", "/v1/cart/:id", { params: id, success: CartView, error: fails(CartNotFound) }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/cart/:id", { params: id, payload: ChangeCart, success: CartView, error: fails(...write, FieldRejected) }).pipe(
    adminRoute()
  ),
  HttpApiEndpoint.delete("clear", "/v1/cart/:id", { params: id, success: CartView, error: fails(...write) }).pipe(adminRoute()),
  HttpApiEndpoint.post("addItem", "/v1/cart/:id/items", {
    params: id,
    payload: AddItem,
    success: CartView,
    error: fails(...line, CartLineLimitReached)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("changeItem", "/v1/cart/:id/items/:itemId", {
    params: adminItem,
    payload: ChangeItem,
    success: CartView,
    error: fails(...line, CartItemNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.delete("removeItem", "/v1/cart/:id/items/:itemId", {
    params: adminItem,
    success: CartView,
    error: fails(...write, CartItemNotFound)
  }).pipe(adminRoute())
) {}
