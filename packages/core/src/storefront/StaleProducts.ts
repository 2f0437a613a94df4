/**
 * Composes products that somebody has written without composing them: a release before, or a host's own SQL. Triggers
 * note these products in product_stale, and the notes of stock that ran out or came back, which nobody waits for.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { analyzeGrown } from "../database/TableStatistics.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { StoreNotFound } from "../store/StoreErrors.ts"
import { Stores } from "../store/Stores.ts"
import { KitRepository } from "../product/KitRepository.ts"
import { ListingRepository, type ShownToReader } from "./ListingRepository.ts"
import { localeSlugsOf } from "../taxonomy/LocaleSlugs.ts"
import type { ProductState } from "../product/Product.ts"
import { ProductReadModel } from "../product/ProductReadModel.ts"
import { type ProductSlug, ProductSlugRepository } from "../product/ProductSlugRepository.ts"

/** Products that one transaction composes. */
const batch = 200

export interface StaleProductsMethods {
  /** Composes what a reader cannot do without, as far as one transaction goes: what it is about to show first. */
  readonly settle: (store: StoreContext, shown: ShownToReader) => Effect.Effect<void>
  /** One turn over all stores, until nothing is noted. */
  readonly pass: Effect.Effect<void>
  /** Writes down prices that have changed because a sale began or ended, so that lists find them in an index again. */
  readonly reprice: Effect.Effect<void>
  /**
   * Composes what is noted, telling after each transaction how many products are done and how many there are. A server
   * calls it before it says that it is ready: what a migration has noted is not shown before.
   */
  readonly finish: (storeId: string | undefined, progress: (done: number, all: number) => void) => Effect.Effect<number>
  /**
   * Notes every product of a store (of all stores without one) to be composed again, and composes them as `finish`
   * does. It may be ended at any time: a server goes on with what is noted, and takes its share meanwhile. Answers how
   * many products there were to compose, whoever did.
   */
  readonly rebuild: (
    storeId: string | undefined,
    progress: (done: number, all: number) => void
  ) => Effect.Effect<number, StoreNotFound>
}

export class StaleProducts extends Context.Service<StaleProducts, StaleProductsMethods>()(
  "@effect-commerce/core/storefront/StaleProducts"
) {
  static readonly layer = Layer.effect(
    StaleProducts,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* ListingRepository
      const readModel = yield* ProductReadModel
      const kits = yield* KitRepository
      const slugs = yield* ProductSlugRepository
      const stores = yield* Stores

      const composeSome = Effect.fnUntraced(function* (store: StoreContext, noted: ReadonlyArray<string>, now: number) {
        // What a kit shows follows from its components.
        const ids = [...noted, ...(yield* kits.kitsWith(store.id, noted))]
        const states = yield* readModel.rebuild(store, ids, now)
        yield* slugs.restore(store.id, ids, states.flatMap(slugsOf))
      })

      /** Answers how many products are done. */
      const settleSome = Effect.fnUntraced(function* (store: StoreContext, reader?: ShownToReader) {
        const now = yield* Clock.currentTimeMillis
        const noted = yield* repository.noted(store.id, batch, reader)
        const idsOf = (stockOnly: boolean) =>
          noted.filter((one) => one.stockOnly === stockOnly).map(({ productId }) => productId)
        const [composed, counted] = [idsOf(false), idsOf(true)]
        // Products are locked in the order of their ids: those that are counted have a transaction of their own.
        if (composed.length > 0) yield* database.write(store.id)(composeSome(store, composed, now))
        if (counted.length > 0) yield* database.write(store.id)(repository.recount(store.id, counted))
        return { composed: composed.length, all: noted.length }
      })

      /** What fails holds up no other store, and is tried again at the next turn. */
      const alone = <E>(storeId: string, work: Effect.Effect<void, E>): Effect.Effect<void> =>
        Effect.catchCause(work, (cause) => Effect.logError(`Products of ${storeId} could not be composed`, cause))

      const settleAll = (storeId: string | undefined, told: (composed: number) => void) =>
        storesInTurn(
          "Composing products",
          storeId === undefined ? repository.notedStores : Effect.succeed([storeId]),
          Effect.fnUntraced(function* (id) {
            const done = yield* settleSome(yield* stores.context(id))
            told(done.composed)
            return done.all > 0
          })
        )

      const composeAll = Effect.fnUntraced(function* (
        all: number,
        ...[storeId, progress]: Parameters<StaleProductsMethods["finish"]>
      ) {
        let done = 0
        yield* settleAll(storeId, (composed) => {
          done += composed
          if (composed > 0) progress(Math.min(done, all), all)
        })
        yield* analyzeGrown(database)
        return done
      })

      const finish: StaleProductsMethods["finish"] = Effect.fn("StaleProducts.finish")(function* (storeId, progress) {
        return yield* composeAll(yield* repository.countNoted(storeId), storeId, progress)
      })

      const rebuild: StaleProductsMethods["rebuild"] = Effect.fn("StaleProducts.rebuild")(
        function* (storeId, progress) {
          const asked = storeId === undefined ? yield* stores.list : [yield* stores.context(storeId)]
          const noted = yield* Effect.forEach(asked, ({ id }) => database.write(id)(repository.noteAll(id)))
          const all = noted.reduce((sum, n) => sum + n, 0)
          if ((yield* composeAll(all, storeId, progress)) < all) progress(all, all)
          return all
        }
      )

      const reprice = Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* storesInTurn("Writing down prices of sales", repository.repricedStores(now), (storeId) =>
          Effect.map(database.write(storeId)(repository.reprice(storeId, batch, now)), (count) => count === batch)
        )
      })

      return StaleProducts.of({
        reprice,
        settle: (store, shown) => alone(store.id, Effect.asVoid(settleSome(store, shown))),
        pass: settleAll(undefined, () => undefined),
        finish,
        rebuild
      })
    })
  ).pipe(Layer.provide([ListingRepository.layer, KitRepository.layer, ProductSlugRepository.layer]))
}

/** Who writes without composing knows nothing of the rows by which a product is found in each language. */
const slugsOf = ({ id: productId, translations }: ProductState): ReadonlyArray<ProductSlug> =>
  Object.entries(localeSlugsOf(translations)).map(([locale, slug]) => ({
    productId,
    slug,
    locale: locale.toLowerCase()
  }))
