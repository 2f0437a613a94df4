import { Carts } from "@effect-commerce/core/cart/Carts"
import type { CartView } from "@effect-commerce/core/cart/CartView"
import { StorefrontProducts } from "@effect-commerce/core/storefront/StorefrontProducts"
import { BundleOffers } from "@effect-commerce/core/offer/BundleOffers"
import type { OfferKind } from "@effect-commerce/core/offer/OfferTerms"
import { offerKinds } from "@effect-commerce/core/pricing/BundleOffer"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { Customers } from "@effect-commerce/core/customer/Customers"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { languageKeptOf, languagesOf } from "../middleware/RequestLanguages.ts"
import { listOf } from "../middleware/CommaList.ts"
import { adminAccess, asAdmin, onChannel, type Shopper } from "../middleware/Surfaces.ts"
import { AdminCartGroup } from "./AdminCartApi.ts"
import { CartGroup } from "./CartApi.ts"

const utf8 = new TextDecoder()

/** The cart, and with `include` the products that go with what is in it. */
const withRecommendations = Effect.fnUntraced(function* (
  products: StorefrontProducts["Service"],
  { store, channel }: Shopper,
  cart: CartView,
  query: { readonly include?: string }
) {
  const ids = [...new Set(cart.items.map(({ productId }) => productId))]
  if (ids.length === 0 || listOf(query.include)?.includes("recommendations") !== true) return cart
  const languages = yield* languagesOf(store, cart.locale === null ? {} : { locale: cart.locale })
  const { body } = yield* products.beside(store, ids, { channelId: channel.id, languages })
  const { products: recommendations } = JSON.parse(utf8.decode(body)) as { products: CartView["recommendations"] }
  return { ...cart, recommendations }
})

/** The offers of these kinds that the products of a cart bring up on its channel. */
const offersFor = (
  offers: BundleOffers["Service"],
  { store, channel }: Shopper,
  { items, locale }: CartView,
  kinds: ReadonlyArray<OfferKind>
) =>
  offers.broughtUpBy(
    store,
    { channelId: channel.id, locale },
    [...new Set(items.map(({ productId }) => productId))],
    kinds
  )

/** Where a cart shows the offers of a kind. */
const places = { UPGRADE: "upgrades", BUNDLE: "bundles", ORDER_BUMP: "orderBumps" } as const

/** The cart, and with `include` the offers that its products bring up. */
const withOffers = Effect.fnUntraced(function* (
  offers: BundleOffers["Service"],
  caller: Shopper,
  cart: CartView,
  query: { readonly include?: string }
) {
  const asked = listOf(query.include) ?? []
  const kinds = offerKinds.filter((kind) => asked.includes(places[kind]))
  if (kinds.length === 0) return cart
  const found = yield* offersFor(offers, caller, cart, kinds)
  const shown = kinds.map((kind) => [places[kind], found.filter((offer) => offer.kind === kind)] as const)
  return { ...cart, ...Object.fromEntries(shown) }
})

const cart = endpointsOf(
  CartGroup,
  Effect.fnUntraced(function* (handlers) {
    const carts = yield* Carts
    const checkouts = yield* Checkouts
    const products = yield* StorefrontProducts
    const offers = yield* BundleOffers
    return handlers.handleAll({
      create: onChannel(({ store, access }, { query }) =>
        Effect.flatMap(languageKeptOf(store, query), (locale) => carts.create(store, access, locale))
      ),
      getBySession: onChannel(({ store, access }, { params }) =>
        carts.getBySession(store, access, params.sessionToken)
      ),
      get: onChannel((caller, { params, query }) =>
        Effect.flatMap(carts.get(caller.store, caller.access, params.cartId), (found) =>
          Effect.flatMap(withRecommendations(products, caller, found, query), (cart) =>
            withOffers(offers, caller, cart, query)
          )
        )
      ),
      update: onChannel(({ store, access }, { params, payload }) =>
        carts.update(store, access, params.cartId, payload)
      ),
      clear: onChannel(({ store, access }, { params }) => carts.clear(store, access, params.cartId)),
      addItem: onChannel(({ store, access }, { params, payload }) =>
        carts.addLine(store, access, params.cartId, payload)
      ),
      changeItem: onChannel(({ store, access }, { params, payload }) =>
        carts.changeLine(store, access, params.cartId, params.itemId, payload)
      ),
      removeItem: onChannel(({ store, access }, { params }) =>
        carts.removeLine(store, access, params.cartId, params.itemId)
      ),
      refreshSnapshots: onChannel(({ store, access }, { params }) =>
        checkouts.refreshSnapshots(store, access, params.cartId)
      ),
      applyCoupon: onChannel(({ store, access }, { params, payload }) =>
        carts.applyCoupon(store, access, params.cartId, payload.code)
      ),
      removeCoupon: onChannel(({ store, access }, { params }) => carts.removeCoupon(store, access, params.cartId)),
      bundles: onChannel((caller, { params }) =>
        Effect.flatMap(carts.get(caller.store, caller.access, params.cartId), (found) =>
          Effect.map(offersFor(offers, caller, found, ["BUNDLE"]), (bundles) => ({ bundles }))
        )
      ),
      addBundle: onChannel(({ store, access }, { params, payload }) =>
        carts.addBundle(store, access, params.cartId, payload)
      ),
      removeBundle: onChannel(({ store, access }, { params }) =>
        carts.removeBundle(store, access, params.cartId, params.bundleItemId)
      ),
      upgrade: onChannel(({ store, access }, { params, payload }) =>
        carts.takeUpgrade(store, access, params.cartId, payload)
      ),
      orderBump: onChannel(({ store, access }, { params, payload }) =>
        carts.takeOrderBump(store, access, params.cartId, payload)
      )
    })
  })
)

const adminCart = endpointsOf(
  AdminCartGroup,
  Effect.fnUntraced(function* (handlers) {
    const carts = yield* Carts
    const channels = yield* SalesChannels
    const customers = yield* Customers
    return handlers.handleAll({
      create: asAdmin(
        Effect.fnUntraced(function* ({ store }, { payload }) {
          const salesChannelId = payload.salesChannelId ?? null
          if (salesChannelId !== null) {
            const unknown = () => FieldRejected.at("salesChannelId", "is not a sales channel of this store")
            yield* Effect.mapError(channels.get(store.id, salesChannelId), unknown)
          }
          const customerId = payload.customerId ?? null
          if (customerId !== null) yield* customers.get(store, customerId)
          return yield* carts.create(store, { ...adminAccess, salesChannelId, customerId }, payload.locale ?? null)
        })
      ),
      get: asAdmin(({ store }, { params }) => carts.get(store, adminAccess, params.id)),
      update: asAdmin(({ store }, { params, payload }) => carts.update(store, adminAccess, params.id, payload)),
      clear: asAdmin(({ store }, { params }) => carts.clear(store, adminAccess, params.id)),
      addItem: asAdmin(({ store }, { params, payload }) => carts.addLine(store, adminAccess, params.id, payload)),
      changeItem: asAdmin(({ store }, { params, payload }) =>
        carts.changeLine(store, adminAccess, params.id, params.itemId, payload)
      ),
      applyCoupon: asAdmin(({ store }, { params, payload }) =>
        carts.applyCoupon(store, adminAccess, params.id, payload.code)
      ),
      removeCoupon: asAdmin(({ store }, { params }) => carts.removeCoupon(store, adminAccess, params.id)),
      removeItem: asAdmin(({ store }, { params }) => carts.removeLine(store, adminAccess, params.id, params.itemId))
    })
  })
)

export const cartEndpoints = Layer.mergeAll(cart, adminCart)
