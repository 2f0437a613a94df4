import { CartHolds } from "@effect-commerce/core/cart/CartHolds"
import { Carts } from "@effect-commerce/core/cart/Carts"
import { reservationView } from "@effect-commerce/core/inventory/ReservationView"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { type BulkResult, Inventory } from "@effect-commerce/core/inventory/Inventory"
import { noInventory } from "@effect-commerce/core/inventory/InventoryItem"
import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import { StockAlerts } from "@effect-commerce/core/inventory/StockAlerts"
import { StorefrontStock } from "@effect-commerce/core/inventory/StorefrontStock"
import type { ReservationHolder } from "@effect-commerce/core/inventory/StorefrontStockEntry"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Clock, Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, onChannel, type Shopper } from "../middleware/Surfaces.ts"
import { listOf } from "../middleware/CommaList.ts"
import { Envelope } from "../middleware/Envelope.ts"
import { InventoryGroup, StockAlertsGroup, StorefrontStockGroup } from "./InventoryApi.ts"

const rowBy =
  ({ rowError }: Envelope["Service"]) =>
  (result: BulkResult) =>
    "item" in result ? result : { index: result.index, error: rowError(result.error) }

const inventory = endpointsOf(
  InventoryGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Inventory
    const toRow = rowBy(yield* Envelope)
    return handlers.handleAll({
      get: asAdmin(({ store }, { params, query }) =>
        Effect.map(useCases.get(store, params.id, query.variantId), (item) => item ?? noInventory)
      ),
      set: asAdmin(({ store }, { params, payload }) => useCases.set(store, params.id, payload)),
      adjust: asAdmin(({ store }, { params, payload }) => useCases.adjust(store, params.id, payload)),
      history: asAdmin(({ store }, { params, query }) =>
        paged(query, (page) => useCases.history(store, params.id, { page, variantId: query.variantId }))
      ),
      lookUp: asAdmin(({ store }, { payload }) => useCases.lookUp(store, payload)),
      setMany: asAdmin(({ store }, { payload }) =>
        Effect.map(useCases.setMany(store, payload), (results) => ({ results: results.map(toRow) }))
      ),
      reconcile: asAdmin(({ store }, { payload }) => useCases.reconcile(store, payload))
    })
  })
)

const storefrontStock = endpointsOf(
  StorefrontStockGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* StorefrontStock
    const reservations = yield* Reservations
    const stores = yield* Stores
    const carts = yield* Carts
    const cartHolds = yield* CartHolds
    const checkouts = yield* Checkouts

    /**
     * The ids under which stock is reserved for this cart or checkout. A checkout uses what its cart has reserved, and
     * has a reservation of its own while it is being paid for.
     */
    const holdersOf = Effect.fnUntraced(function* (
      { store: known, access }: Shopper,
      { cartId, checkoutId }: typeof ReservationHolder.Type
    ) {
      if (typeof cartId !== "string" && typeof checkoutId !== "string") {
        return yield* FieldRejected.at("cartId", "give cartId or checkoutId")
      }
      const store = yield* stores.fresh(known)
      yield* reservations.checkStrategy(store)
      const ofCarts = typeof cartId === "string" ? [(yield* carts.get(store, access, cartId)).id] : []
      if (typeof checkoutId !== "string") return { store, ofCarts, checkoutIds: [] }
      const { checkout } = yield* checkouts.load(store, access, checkoutId)
      return { store, ofCarts: [...new Set([...ofCarts, checkout.cartId])], checkoutIds: [checkout.id] }
    })

    return handlers.handleAll({
      inventory: onChannel(
        Effect.fnUntraced(function* ({ store, channel }, { query }) {
          return { inventory: yield* useCases.inventory(store, channel.id, listOf(query.productIds) ?? []) }
        })
      ),
      check: onChannel(({ store, channel }, { payload }) => useCases.check(store, channel.id, payload.items)),
      availability: onChannel(({ store, channel }, { payload }) =>
        useCases.availability(store, channel.id, payload.productIds)
      ),
      extendReservation: onChannel(
        Effect.fnUntraced(function* (shopper, { payload }) {
          const { store, ofCarts, checkoutIds } = yield* holdersOf(shopper, payload)
          const ends = yield* Effect.forEach(ofCarts, (cartId) => cartHolds.extend(store, cartId, checkoutIds))
          const expiresAt = ends.find((end) => end !== null) ?? null
          const reservation = reservationView(store.reservationStrategy, expiresAt, yield* Clock.currentTimeMillis)
          return { success: expiresAt !== null, reservation }
        })
      ),
      releaseReservation: onChannel(
        Effect.fnUntraced(function* (shopper, { payload }) {
          // What a checkout has reserved while it is being paid for stays: the payment may succeed at any moment.
          const { store, ofCarts } = yield* holdersOf(shopper, payload)
          return yield* succeed(reservations.release(store, ofCarts))
        })
      )
    })
  })
)

const stockAlerts = endpointsOf(
  StockAlertsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* StockAlerts
    return handlers.handleAll({
      ask: onChannel(({ store, access }, { payload, params }) =>
        Effect.as(useCases.ask(store, access.salesChannelId ?? params.salesChannelId, payload), { ok: true as const })
      )
    })
  })
)

export const inventoryEndpoints = Layer.mergeAll(inventory, storefrontStock, stockAlerts)
