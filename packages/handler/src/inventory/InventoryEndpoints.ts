import { Carts } from "@effect-commerce/core/cart/Carts"
import { reservationView } from "@effect-commerce/core/cart/CartView"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { type BulkResult, Inventory } from "@effect-commerce/core/inventory/Inventory"
import { noInventory } from "@effect-commerce/core/inventory/InventoryItem"
import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import { StorefrontStock } from "@effect-commerce/core/inventory/StorefrontStock"
import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Clock, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { storefront } from "../cart/CartEndpoints.ts"
import { AdminCaller, ChannelCaller } from "../middleware/Callers.ts"
import { listOf } from "../middleware/CommaList.ts"
import { refusalOf } from "../middleware/Envelope.ts"

/** A refused row says what the route of one product would have said. */
const toRow = (result: BulkResult) => {
  if ("item" in result) return result
  const { code, message, details } = refusalOf(result.error)
  return { index: result.index, error: { code, message, ...(details === undefined ? {} : { details }) } }
}

const inventory = HttpApiBuilder.group(
  Api,
  "inventory",
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Inventory
    return handlers.handleAll({
      get: ({ params, query }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.map(useCases.get(store, params.id, query.variantId), (item) => item ?? noInventory)
        ),
      set: ({ params, payload }) => Effect.flatMap(AdminCaller, ({ store }) => useCases.set(store, params.id, payload)),
      adjust: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => useCases.adjust(store, params.id, payload)),
      history: Effect.fnUntraced(function* ({ params, query }) {
        const { store } = yield* AdminCaller
        const page = pageOf(query)
        return toEnvelope(page, yield* useCases.history(store, params.id, { page, variantId: query.variantId }))
      }),
      lookUp: ({ payload }) => Effect.flatMap(AdminCaller, ({ store }) => useCases.lookUp(store, payload)),
      setMany: ({ payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.map(useCases.setMany(store, payload), (results) => ({ results: results.map(toRow) }))
        ),
      reconcile: ({ payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          useCases.reconcile(store, { productIds: payload.productIds, dryRun: payload.dryRun ?? true })
        )
    })
  })
)

const storefrontStock = HttpApiBuilder.group(
  Api,
  "storefrontStock",
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* StorefrontStock
    const reservations = yield* Reservations
    const stores = yield* Stores
    const carts = yield* Carts
    const checkouts = yield* Checkouts

    /**
     * Who holds for this cart or checkout: a checkout lives on what its cart holds, and holds by itself while it is
     * being paid for. What the caller may not see holds nothing.
     */
    const holdersOf = Effect.fnUntraced(function* ({
      cartId,
      checkoutId
    }: {
      readonly cartId?: string | null
      readonly checkoutId?: string | null
    }) {
      const { store: known, access } = yield* storefront
      if (typeof cartId !== "string" && typeof checkoutId !== "string") {
        return yield* new FieldRejected({ field: "cartId", reason: "give cartId or checkoutId" })
      }
      const store = yield* stores.fresh(known)
      const held = { carts: new Set<string>(), checkouts: new Set<string>() }
      if (typeof cartId === "string") {
        const cart = yield* Effect.option(carts.get(store, access, cartId))
        if (cart._tag === "Some") held.carts.add(cart.value.id)
      }
      if (typeof checkoutId === "string") {
        const loaded = yield* Effect.option(checkouts.load(store, access, checkoutId))
        if (loaded._tag === "Some") {
          held.carts.add(loaded.value.checkout.cartId)
          held.checkouts.add(loaded.value.checkout.id)
        }
      }
      return { store, ofCarts: [...held.carts], ofCheckouts: [...held.checkouts] }
    })

    return handlers.handleAll({
      inventory: Effect.fnUntraced(function* ({ query }) {
        const { store } = yield* ChannelCaller
        return { inventory: yield* useCases.inventory(store, listOf(query.productIds) ?? []) }
      }),
      check: ({ payload }) => Effect.flatMap(ChannelCaller, ({ store }) => useCases.check(store, payload.items)),
      availability: ({ payload }) =>
        Effect.flatMap(ChannelCaller, ({ store }) => useCases.availability(store, payload.productIds)),
      extendReservation: Effect.fnUntraced(function* ({ payload }) {
        const { store, ofCarts, ofCheckouts } = yield* holdersOf(payload)
        const expiresAt = yield* reservations.extend(store, [...ofCarts, ...ofCheckouts])
        const reservation = reservationView(store.reservationStrategy, expiresAt, yield* Clock.currentTimeMillis)
        return { success: expiresAt !== null, reservation }
      }),
      releaseReservation: Effect.fnUntraced(function* ({ payload }) {
        // What is being paid for stays: its money may be taken at any moment.
        const { store, ofCarts } = yield* holdersOf(payload)
        yield* reservations.release(store, ofCarts)
        return { success: true } as const
      })
    })
  })
)

export const inventoryEndpoints = Layer.mergeAll(inventory, storefrontStock)
