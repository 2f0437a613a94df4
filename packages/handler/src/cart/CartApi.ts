/** Carts for storefronts. */
import {
  CartItemNotFound,
  CartLineLimitReached,
  CartNotFound,
  CartNotWritable,
  CartStockInsufficient,
  ProductUnavailable
} from "@effect-commerce/core/cart/CartErrors"
import { MetafieldsRejected } from "@effect-commerce/core/metafield/MetafieldErrors"
import { codeErrors } from "@effect-commerce/core/pricing/CodeErrors"
import { ModifiersInvalid } from "@effect-commerce/core/modifier/LineModifiers"
import { CartChange, CouponCode, LineChange, LineInput } from "@effect-commerce/core/cart/CartInput"
import { AddBundle, TakeOffer } from "@effect-commerce/core/offer/TakenOffer"
import { BundleOffers } from "@effect-commerce/core/pricing/BundleOffer"
import { CartItemView, CartView } from "@effect-commerce/core/cart/CartView"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { string } from "@effect-commerce/core/kernel/Fields"
import { CurrencyChanged } from "@effect-commerce/core/store/StoreErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { keptLanguage } from "../middleware/LanguageQuery.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { closedListOrEmpty } from "../middleware/CommaList.ts"
import { channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { cartErrors } from "./cartErrors.ts"
import { customerErrors } from "../customer/customerErrors.ts"
import { metafieldErrors } from "../metafield/metafieldErrors.ts"
import { pricingErrors } from "../pricing/pricingErrors.ts"
import { storeErrors } from "../store/storeErrors.ts"

const fails = failsBy(cartErrors, customerErrors, metafieldErrors, pricingErrors, storeErrors)

/** The facts of every route that applies a coupon. The cap counts per IP address and minute. */
export const applyCouponFacts = {
  summary: "Apply a coupon",
  description:
    "Applies a coupon code in place of any other. A code that does not qualify is an error whose `details.reason` " +
    "says why; one that loses to a better discount, or has nothing left to take off, is kept and explained in " +
    "`notApplied`. At most 10 attempts a minute from one IP address.",
  cap: { limit: 10, ms: 60_000 },
  version: useCase
}

const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const cart = { ...channel, cartId: string("Id of the cart.") }
const item = { ...cart, itemId: string("Id of the line.") }
/** What every write of a cart may fail with. */
export const cartWriteErrors = [CartNotFound, CartNotWritable, CurrencyChanged, ResourceChanged] as const
/** What every write of a line may fail with. */
export const cartLineErrors = [
  ...cartWriteErrors,
  CartStockInsufficient,
  ProductUnavailable,
  MetafieldsRejected,
  ModifiersInvalid,
  FieldRejected
] as const
/** What a cart can be returned with. */
const cartIncludes = ["recommendations", "upgrades", "bundles", "orderBumps"] as const
const include = {
  include: Schema.optionalKey(
    closedListOrEmpty(
      cartIncludes,
      "What to return with the cart: any of recommendations, upgrades, bundles and orderBumps, separated by commas."
    )
  )
}

export class CartGroup extends apiGroup("cart", {
  part: "Storefront",
  title: "Cart",
  description: "The shopper's cart: lines, coupon, bundles and offers."
}).add(
  HttpApiEndpoint.post("create", "/vc/:salesChannelId/cart", {
    params: channel,
    query: keptLanguage,
    success: CartView.pipe(HttpApiSchema.status(201))
  }).pipe(
    channelRoute("cart", {
      summary: "Create a cart",
      description:
        "Creates an empty cart. With a customer's token it is that customer's cart, otherwise a guest's. Store its " +
        "`id` and `sessionToken`: a guest's cart cannot be found without one of them. The cart keeps the language of " +
        "this request (`locale`, else Accept-Language): names of its lines, its orders and their mails are in it. A " +
        "PATCH of `locale` changes it."
    })
  ),
  HttpApiEndpoint.get("getBySession", "/vc/:salesChannelId/cart/session/:sessionToken", {
    params: { ...channel, sessionToken: string("Session token of the cart.") },
    success: CartView,
    error: fails(CartNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Get a cart by its session token",
      description: "Returns the cart whose session token you stored. Use it when a shopper comes back."
    })
  ),
  HttpApiEndpoint.get("get", "/vc/:salesChannelId/cart/:cartId", {
    params: cart,
    query: include,
    success: CartView,
    error: fails(CartNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Get a cart",
      description:
        "Returns the cart with its totals and current stock, and what `include` asks for. Anybody who knows the id " +
        "of a guest's cart can read it; a customer's cart needs that customer's token, and is 404 without it. After " +
        "`expiresAt` the status is EXPIRED."
    })
  ),
  HttpApiEndpoint.patch("update", "/vc/:salesChannelId/cart/:cartId", {
    params: cart,
    payload: CartChange,
    success: CartView,
    error: fails(...cartWriteErrors, FieldRejected)
  }).pipe(
    channelRoute("cart", {
      summary: "Update a cart",
      description:
        "Changes language, notes, region or analytics ids; null clears a field. A cart keeps its currency: another " +
        "one is 400.",
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("clear", "/vc/:salesChannelId/cart/:cartId", {
    params: cart,
    success: CartView,
    error: fails(...cartWriteErrors)
  }).pipe(
    channelRoute("cart", {
      summary: "Clear a cart",
      description: "Removes all lines from the cart, which stays ACTIVE. Its reserved units are released.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("addItem", "/vc/:salesChannelId/cart/:cartId/items", {
    params: cart,
    payload: LineInput,
    success: CartView,
    error: fails(...cartLineErrors, CartLineLimitReached)
  }).pipe(
    channelRoute("cart", {
      reads: CartItemView,
      summary: "Add a line",
      description:
        "Adds a product, or the chosen variant, at its current price with its modifiers. If the cart has the same " +
        "line already, with the same variant, customizations, modifiers and metadata, the quantities add up. Stock " +
        "is checked, and reserved if the store reserves for carts. A storefront's cart has at most 50 lines.",
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.patch("changeItem", "/vc/:salesChannelId/cart/:cartId/items/:itemId", {
    params: item,
    payload: LineChange,
    success: CartView,
    error: fails(...cartLineErrors, CartItemNotFound)
  }).pipe(
    channelRoute("cart", {
      reads: CartItemView,
      summary: "Change a line",
      description:
        "Changes the quantity, customizations, modifiers or notes of a line. Quantity 0 removes it. A line that " +
        "becomes the same as another one is merged into it, and the quantities add up.",
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("removeItem", "/vc/:salesChannelId/cart/:cartId/items/:itemId", {
    params: item,
    success: CartView,
    error: fails(...cartWriteErrors, CartItemNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Remove a line",
      description: "Removes one line from the cart. A line that is not in the cart is 404.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("refreshSnapshots", "/vc/:salesChannelId/cart/:cartId/refresh-snapshots", {
    params: cart,
    success: CartView,
    error: fails(...cartWriteErrors)
  }).pipe(
    channelRoute("cart", {
      summary: "Take today's prices",
      description:
        "Updates every line to its current price, in the cart and in the PENDING checkouts that were made from it. " +
        "Call it when `hasPriceChanges` is true, or after a completion failed with PRICE_DRIFT.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("applyCoupon", "/vc/:salesChannelId/cart/:cartId/coupon", {
    params: cart,
    payload: CouponCode,
    success: CartView,
    error: fails(...cartWriteErrors, ...codeErrors)
  }).pipe(channelRoute("cart", applyCouponFacts)),
  HttpApiEndpoint.delete("removeCoupon", "/vc/:salesChannelId/cart/:cartId/coupon", {
    params: cart,
    success: CartView,
    error: fails(...cartWriteErrors)
  }).pipe(
    channelRoute("cart", {
      summary: "Remove the coupon",
      description: "Removes the coupon. A cart without one stays as it is.",
      version: useCase
    })
  ),
  HttpApiEndpoint.get("bundles", "/vc/:salesChannelId/cart/:cartId/bundles", {
    params: cart,
    success: BundleOffers,
    error: fails(CartNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "List bundle offers for a cart",
      description:
        "Returns the active bundle offers that products of the cart bring up, and whose own products can all be " +
        "bought on this channel. Those that save most come first; at most 20."
    })
  ),
  HttpApiEndpoint.post("addBundle", "/vc/:salesChannelId/cart/:cartId/bundle", {
    params: cart,
    payload: AddBundle,
    success: CartView,
    error: fails(...cartLineErrors, CartLineLimitReached)
  }).pipe(
    channelRoute("cart", {
      summary: "Add a bundle",
      description:
        "Adds the products of a bundle offer as lines at the price of the offer; the product that brings it up must " +
        "be in the cart and is not added. The lines share a `bundleItemId`. Changing or removing one of them, or " +
        "removing the product that brought the bundle up, makes the others ordinary lines at today's prices. If the " +
        "offer changes later, `hasPriceChanges` says so.",
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("removeBundle", "/vc/:salesChannelId/cart/:cartId/bundle/:bundleItemId", {
    params: { ...cart, bundleItemId: string("Id of the bundle in the cart.") },
    success: CartView,
    error: fails(...cartWriteErrors, CartItemNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Remove a bundle",
      description: "Removes all lines of a bundle from the cart. A bundle that is not in the cart is 404.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("upgrade", "/vc/:salesChannelId/cart/:cartId/upgrade", {
    params: cart,
    payload: TakeOffer,
    success: CartView,
    error: fails(...cartLineErrors, CartLineLimitReached)
  }).pipe(
    channelRoute("cart", {
      summary: "Take an upgrade",
      description:
        "Replaces the line of the product that brings an upgrade up by the offered product, at the price of the " +
        "offer and in the same quantity. Of several lines the first one is replaced. `variantId` chooses the variant " +
        "of the offered product.",
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.post("orderBump", "/vc/:salesChannelId/cart/:cartId/order-bump", {
    params: cart,
    payload: TakeOffer,
    success: CartView,
    error: fails(...cartLineErrors, CartLineLimitReached)
  }).pipe(
    channelRoute("cart", {
      summary: "Take an order bump",
      description:
        "Adds one unit of the product of an order bump, at the price of the offer; the product that brings it up " +
        "must be in the cart. Without that product the line becomes an ordinary one.",
      oneTransaction: true,
      version: useCase
    })
  )
) {}
