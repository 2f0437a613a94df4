/** Composes products from their rows, and writes their listing rows and documents. */
import { Effect } from "effect"
import { Database } from "../../database/Database.ts"
import { lockThenRead } from "../../database/Repository.ts"
import type { ProductState } from "../../product/Product.ts"
import { ProductStates } from "../../product/ProductStates.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { ListingRepository } from "../ListingRepository.ts"
import { StaleProductRepository } from "../StaleProductRepository.ts"
import { listingRow } from "./listingRow.ts"
import { composeDocument } from "./productDocument.ts"
import { correctionWords } from "./searchVector.ts"

/** Products per statement. */
const chunk = 200

/** See `ProductReadModel.rebuild`. */
export const makeRebuild = Effect.gen(function* () {
  const database = yield* Database
  const listing = yield* ListingRepository
  const stale = yield* StaleProductRepository
  const products = yield* ProductStates

  const rebuildSome = Effect.fnUntraced(function* (store: StoreContext, ids: ReadonlyArray<string>, now: number) {
    const [, states] = yield* lockThenRead(stale.lock(store.id, ids), products.several(store.id, ids))
    const known = new Set(states.map(({ id }) => id))
    yield* listing.write(store.id, {
      rows: states.map((state) => listingRow(store.id, state, now)),
      documents: states
        .filter(({ status }) => status === "active")
        .map((state) => composeDocument(state, store.currency)),
      words: correctionWords(states),
      removed: ids.filter((id) => !known.has(id))
    })
    return states
  })

  /** Runs in the caller's transaction if one is open; else each chunk has a transaction of its own. */
  return Effect.fnUntraced(function* (store: StoreContext, productIds: ReadonlyArray<string>, now: number) {
    const ids = [...new Set(productIds)].sort()
    const states: Array<ProductState> = []
    for (let at = 0; at < ids.length; at += chunk)
      states.push(...(yield* database.write(store.id)(rebuildSome(store, ids.slice(at, at + chunk), now))))
    return states
  })
})
