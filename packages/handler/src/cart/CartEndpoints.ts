import { type CartAccess, Carts } from "@effect-commerce/core/cart/Carts"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { Customers } from "@effect-commerce/core/customer/Customers"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AdminCaller, ChannelCaller } from "../middleware/Callers.ts"

/**
 * A storefront acts through its channel, for a customer where one is signed in, and is capped; the caller's store goes
 * with it.
 */
export const storefront = Effect.map(ChannelCaller, ({ store, channel, customer }) => {
  const access: CartAccess = {
    salesChannelId: channel.id,
    capped: true,
    isTest: channel.mode === "test",
    customerId: customer?.id ?? null
  }
  return { store, access }
})

/** An admin key acts on any cart of its store and is not capped. */
export const admin = Effect.map(AdminCaller, ({ store }) => {
  const access: CartAccess = { salesChannelId: null, capped: false, isTest: false, customerId: null }
  return { store, access }
})

const cart = HttpApiBuilder.group(
  Api,
  "cart",
  Effect.fnUntraced(function* (handlers) {
    const carts = yield* Carts
    const checkouts = yield* Checkouts
    return handlers.handleAll({
      create: () => Effect.flatMap(storefront, ({ store, access }) => carts.create(store, access)),
      getBySession: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => carts.getBySession(store, access, params.sessionToken)),
      get: ({ params }) => Effect.flatMap(storefront, ({ store, access }) => carts.get(store, access, params.cartId)),
      update: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) => carts.update(store, access, params.cartId, payload)),
      clear: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => carts.clear(store, access, params.cartId)),
      addItem: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) => carts.addLine(store, access, params.cartId, payload)),
      changeItem: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          carts.changeLine(store, access, params.cartId, params.itemId, payload)
        ),
      removeItem: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          carts.removeLine(store, access, params.cartId, params.itemId)
        ),
      refreshSnapshots: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => checkouts.refreshSnapshots(store, access, params.cartId)),
      applyCoupon: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          carts.applyCoupon(store, access, params.cartId, payload.code)
        ),
      removeCoupon: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => carts.removeCoupon(store, access, params.cartId)),
      bundles: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          Effect.as(carts.get(store, access, params.cartId), { bundles: [] })
        ),
      addBundle: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          carts.addOffer(store, access, params.cartId, "bundleOfferId")
        ),
      removeBundle: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          carts.removeBundle(store, access, params.cartId, params.bundleItemId)
        ),
      upgrade: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => carts.addOffer(store, access, params.cartId, "offerId")),
      orderBump: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => carts.addOffer(store, access, params.cartId, "offerId"))
    })
  })
)

const adminCart = HttpApiBuilder.group(
  Api,
  "adminCart",
  Effect.fnUntraced(function* (handlers) {
    const carts = yield* Carts
    const channels = yield* SalesChannels
    const customers = yield* Customers
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { store, access } = yield* admin
        const salesChannelId = payload.salesChannelId ?? null
        if (salesChannelId !== null) {
          const unknown = () =>
            new FieldRejected({ field: "salesChannelId", reason: "is not a sales channel of this store" })
          yield* Effect.mapError(channels.get(store.id, salesChannelId), unknown)
        }
        const customerId = payload.customerId ?? null
        if (customerId !== null) yield* customers.get(store, customerId)
        return yield* carts.create(store, { ...access, salesChannelId, customerId })
      }),
      get: ({ params }) => Effect.flatMap(admin, ({ store, access }) => carts.get(store, access, params.id)),
      update: ({ params, payload }) =>
        Effect.flatMap(admin, ({ store, access }) => carts.update(store, access, params.id, payload)),
      clear: ({ params }) => Effect.flatMap(admin, ({ store, access }) => carts.clear(store, access, params.id)),
      addItem: ({ params, payload }) =>
        Effect.flatMap(admin, ({ store, access }) => carts.addLine(store, access, params.id, payload)),
      changeItem: ({ params, payload }) =>
        Effect.flatMap(admin, ({ store, access }) =>
          carts.changeLine(store, access, params.id, params.itemId, payload)
        ),
      applyCoupon: ({ params, payload }) =>
        Effect.flatMap(admin, ({ store, access }) => carts.applyCoupon(store, access, params.id, payload.code)),
      removeCoupon: ({ params }) =>
        Effect.flatMap(admin, ({ store, access }) => carts.removeCoupon(store, access, params.id)),
      removeItem: ({ params }) =>
        Effect.flatMap(admin, ({ store, access }) => carts.removeLine(store, access, params.id, params.itemId))
    })
  })
)

export const cartEndpoints = Layer.mergeAll(cart, adminCart)
