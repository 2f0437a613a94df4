/** Implements the port by which metafields and modifiers, which lie beneath, lock products and announce their changes. */
import { Effect, Layer } from "effect"
import { ProductChanges } from "../taxonomy/ProductChanges.ts"
import { makeProductChanges } from "./internal/productChanges.ts"
import { KitRepository } from "./KitRepository.ts"
import { ProductReadModel } from "./ProductReadModel.ts"
import { ProductRepository } from "./ProductRepository.ts"

export const productChangesLayer = Layer.effect(
  ProductChanges,
  Effect.gen(function* () {
    const products = yield* ProductRepository
    const readModel = yield* ProductReadModel
    const { announceAll } = yield* makeProductChanges
    return ProductChanges.of({
      existing: products.existing,
      lock: products.lockAll,
      changed: (store, ids, now) =>
        Effect.andThen(products.raiseVersions(store.id, ids, new Date(now)), announceAll(store, ids, now)),
      rebuild: readModel.refresh
    })
  })
).pipe(Layer.provide([ProductRepository.layer, KitRepository.layer]))
