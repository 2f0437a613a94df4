/**
 * Composes products that somebody has written without composing them: a release before, or a host's own SQL. Triggers
 * note these products in product_stale, and the notes of stock that ran out or came back, which nobody waits for.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { ListingRepository } from "./ListingRepository.ts"
import { ProductDocuments } from "./ProductDocuments.ts"

/** Products that one transaction composes. */
const batch = 200

export interface StaleProductsMethods {
  /** Composes what is noted of a store, as far as one transaction goes; answers whether there was any. */
  readonly settle: (store: StoreContext) => Effect.Effect<boolean>
  /** One turn over all stores, until nothing is noted. */
  readonly pass: Effect.Effect<void>
}

export class StaleProducts extends Context.Service<StaleProducts, StaleProductsMethods>()(
  "@effect-commerce/core/catalog/StaleProducts"
) {
  static readonly layer = Layer.effect(
    StaleProducts,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* ListingRepository
      const documents = yield* ProductDocuments
      const stores = yield* Stores

      const settle = Effect.fn("StaleProducts.settle")(function* (store: StoreContext) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const noted = yield* repository.noted(store.id, batch)
            if (noted.length === 0) return false
            const composed = noted.filter(({ stockOnly }) => !stockOnly).map(({ productId }) => productId)
            const counted = noted.filter(({ stockOnly }) => stockOnly).map(({ productId }) => productId)
            yield* documents.refresh(store, composed, now)
            if (counted.length > 0) yield* repository.recount(store.id, counted)
            return true
          })
        )
      })

      const settleStore = (storeId: string): Effect.Effect<void> =>
        stores.context(storeId).pipe(
          Effect.flatMap(settle),
          Effect.flatMap((more) => (more ? settleStore(storeId) : Effect.void)),
          Effect.catch(() => Effect.void)
        )

      const pass = Effect.flatMap(repository.notedStores, (storeIds) =>
        Effect.forEach(storeIds, settleStore, { discard: true })
      )

      return StaleProducts.of({ settle, pass })
    })
  ).pipe(Layer.provide([ListingRepository.layer, ProductDocuments.layer]))
}
