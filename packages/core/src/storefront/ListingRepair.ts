/**
 * Composes products whose rows were written without composing them, by an earlier release or a host's own SQL. Triggers
 * mark these products stale, and those whose stock ran out or came back, which no reader waits for.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { analyzeGrown } from "../database/TableStatistics.ts"
import { ProductStates } from "../product/ProductStates.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { makeRebuild } from "./internal/rebuild.ts"
import { ListingRepository } from "./ListingRepository.ts"
import { type ShownToReader, StaleProductRepository } from "./StaleProductRepository.ts"

/** Maximum number of products that one transaction composes. */
const batch = 200

type Progress = (done: number, all: number) => void

export class ListingRepair extends Context.Service<ListingRepair>()("@effect-commerce/core/storefront/ListingRepair", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ListingRepository
    const stale = yield* StaleProductRepository
    const rebuild = yield* makeRebuild
    const products = yield* ProductStates
    const stores = yield* Stores

    const compose = Effect.fnUntraced(function* (store: StoreContext, marked: ReadonlyArray<string>, now: number) {
      // Kits show data of their components, so they are composed too.
      const ids = [...marked, ...(yield* products.kitsWith(store.id, marked))]
      const states = yield* rebuild(store, ids, now)
      yield* products.restoreSlugs(store.id, ids, states)
    })

    /** Repairs up to `batch` marked products; returns how many were composed, and how many were marked. */
    const repairSome = Effect.fnUntraced(function* (store: StoreContext, reader?: ShownToReader) {
      const now = yield* Clock.currentTimeMillis
      const marked = yield* stale.marked(store.id, batch, reader)
      const idsOf = (stockOnly: boolean) =>
        marked.filter((one) => one.stockOnly === stockOnly).map(({ productId }) => productId)
      const [composed, counted] = [idsOf(false), idsOf(true)]
      // Products are locked in the order of their ids, so those with stock marks only get a transaction of their own.
      if (composed.length > 0) yield* database.write(store.id)(compose(store, composed, now))
      if (counted.length > 0) yield* database.write(store.id)(stale.recount(store.id, counted))
      return { composed: composed.length, all: marked.length }
    })

    const repairAll = (storeId: string | undefined, onComposed: (count: number) => void) =>
      storesInTurn(
        "Composing products",
        storeId === undefined ? stale.stores : Effect.succeed([storeId]),
        Effect.fnUntraced(function* (id) {
          const done = yield* repairSome(yield* stores.context(id))
          onComposed(done.composed)
          return done.all > 0
        })
      )

    const composeAll = Effect.fnUntraced(function* (all: number, storeId: string | undefined, progress: Progress) {
      let done = 0
      yield* repairAll(storeId, (count) => {
        done += count
        if (count > 0) progress(Math.min(done, all), all)
      })
      yield* analyzeGrown(database)
      return done
    })

    return {
      /** Composes the products that a reader needs, at most one batch, beginning with those to be shown. */
      repair: (store: StoreContext, shown: ShownToReader) =>
        Effect.catchCause(Effect.asVoid(repairSome(store, shown)), (cause) =>
          Effect.logError(`Products of ${store.id} could not be composed`, cause)
        ),

      /** Marks these products stale. */
      mark: (storeId: string, productIds: ReadonlyArray<string>) =>
        database.write(storeId)(stale.mark(storeId, productIds)),

      /** Repairs all stores until nothing is marked stale. */
      pass: repairAll(undefined, () => undefined),

      /** Updates stored prices that changed because a sale began or ended, so that lists find them in an index. */
      reprice: Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* storesInTurn("Writing down prices of sales", repository.repricedStores(now), (storeId) =>
          Effect.map(database.write(storeId)(repository.reprice(storeId, batch, now)), (count) => count === batch)
        )
      }),

      /**
       * Composes all products that are marked stale, reports progress after each transaction, and returns how many it
       * composed. A server calls it before it reports ready, so that nothing that a migration marked is shown before.
       */
      finish: Effect.fn("ListingRepair.finish")(function* (storeId: string | undefined, progress: Progress) {
        return yield* composeAll(yield* stale.count(storeId), storeId, progress)
      }),

      /**
       * Marks every product of a store (without an id, of all stores) and composes them as `finish` does. It can be
       * stopped at any time: servers compose what is marked, also while it runs. Returns how many products there were
       * to compose, in any process.
       */
      rebuild: Effect.fn("ListingRepair.rebuild")(function* (storeId: string | undefined, progress: Progress) {
        const asked = storeId === undefined ? yield* stores.list : [yield* stores.context(storeId)]
        const marked = yield* Effect.forEach(asked, ({ id }) => database.write(id)(stale.markAll(id)))
        const all = marked.reduce((sum, n) => sum + n, 0)
        if ((yield* composeAll(all, storeId, progress)) < all) progress(all, all)
        return all
      })
    }
  })
}) {
  static readonly layer = Layer.effect(ListingRepair, ListingRepair.make).pipe(
    Layer.provide([ListingRepository.layer, StaleProductRepository.layer, ProductStates.layer])
  )
}
