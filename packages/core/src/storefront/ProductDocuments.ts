/**
 * Writes what storefronts read of products: the listing row and the composed document of each (decision 0024). A
 * product whose rows were changed by somebody who does not call it (a release before, a host's own SQL) is marked stale
 * by triggers, and composed by its next reader or a worker.
 */
import { Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead } from "../database/Repository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ProductState } from "../product/Product.ts"
import { ProductReadModel } from "../product/ProductReadModel.ts"
import { ProductRepository } from "../product/ProductRepository.ts"
import { composeDocument } from "./internal/productDocument.ts"
import { listingRow } from "./internal/listingRow.ts"
import { correctionWords } from "./internal/searchVector.ts"
import { ListingRepository } from "./ListingRepository.ts"
import { StaleProductRepository } from "./StaleProductRepository.ts"

/** Products that one statement reads and writes. */
const chunk = 200

export const productReadModelLayer = Layer.effect(
  ProductReadModel,
  Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ListingRepository
    const stale = yield* StaleProductRepository
    const products = yield* ProductRepository

    const rebuildSome = Effect.fnUntraced(function* (store: StoreContext, ids: ReadonlyArray<string>, now: number) {
      const [, states] = yield* lockThenRead(stale.lock(store.id, ids), products.several(store.id, ids))
      const known = new Set(states.map(({ id }) => id))
      yield* repository.write(store.id, {
        rows: states.map((state) => listingRow(store.id, state, now)),
        documents: states
          .filter(({ status }) => status === "active")
          .map((state) => composeDocument(state, store.currency)),
        words: correctionWords(states),
        removed: ids.filter((id) => !known.has(id))
      })
      return states
    })

    return ProductReadModel.of({
      rebuild: Effect.fnUntraced(function* (store, productIds, now) {
        const ids = [...new Set(productIds)].sort()
        const states: Array<ProductState> = []
        for (let at = 0; at < ids.length; at += chunk)
          states.push(...(yield* database.write(store.id)(rebuildSome(store, ids.slice(at, at + chunk), now))))
        return states
      }),
      markKitsStale: stale.markKits
    })
  })
).pipe(Layer.provide([ListingRepository.layer, StaleProductRepository.layer, ProductRepository.layer]))
