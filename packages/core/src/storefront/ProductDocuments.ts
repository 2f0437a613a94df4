/**
 * Implements the port by which the product room composes products for storefronts (decision 0024) and finds the lists
 * of merchants. Products whose rows were written without this port (by an earlier release or a host's own SQL) are
 * marked stale by triggers, and composed by their next reader or a worker.
 */
import { Clock, Effect, Layer } from "effect"
import { offsetOf } from "../kernel/Pagination.ts"
import { ProductReadModel } from "../product/ProductReadModel.ts"
import { ProductStates } from "../product/ProductStates.ts"
import { ListingRepository } from "./ListingRepository.ts"
import { makeRebuild } from "./internal/rebuild.ts"
import { parseSearch } from "./internal/searchQuery.ts"
import { repairedReading } from "./internal/repairedReading.ts"
import { ListingRepair } from "./ListingRepair.ts"
import { StaleProductRepository } from "./StaleProductRepository.ts"
import { StorefrontProductRepository } from "./StorefrontProductRepository.ts"

export const productReadModelLayer = Layer.effect(
  ProductReadModel,
  Effect.gen(function* () {
    const storefront = yield* StorefrontProductRepository
    const stale = yield* StaleProductRepository
    const { repair } = yield* ListingRepair

    return ProductReadModel.of({
      rebuild: yield* makeRebuild,
      markKitsStale: stale.markKits,
      find: Effect.fnUntraced(function* (store, { page, filter, sortBy, descending }) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const block = { offset: offsetOf(page), length: page.limit }
        const find = storefront.find(store.id, {
          filter: { ...filter, search: parseSearch(filter.search), now },
          sortBy,
          descending,
          block
        })
        return yield* repairedReading(yield* find, find, {
          idsToRepair: ({ ids }) => ({ ids }),
          repair: (shown) => repair(store, shown),
          // A host must find what it has just written.
          turnsWhileJoined: 1
        })
      })
    })
  })
).pipe(
  Layer.provide([
    ListingRepository.layer,
    StorefrontProductRepository.layer,
    StaleProductRepository.layer,
    ListingRepair.layer,
    ProductStates.layer
  ])
)
