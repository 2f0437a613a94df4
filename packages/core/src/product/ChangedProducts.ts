/** Implements the port by which rooms below, metafields and modifiers, lock products and announce changes. */
import { Effect, Layer } from "effect"
import { ProductChanges } from "../taxonomy/ProductChanges.ts"
import { makeProductChanges } from "./internal/productChanges.ts"
import { ProductReadModel } from "./ProductReadModel.ts"
import { ProductRepository } from "./ProductRepository.ts"

export const productChangesLayer = Layer.effect(
  ProductChanges,
  Effect.gen(function* () {
    const products = yield* ProductRepository
    const readModel = yield* ProductReadModel
    const { updated } = yield* makeProductChanges
    return ProductChanges.of({
      existing: products.existing,
      lock: products.lockAll,
      changed: (store, ids, now) =>
        ids.length === 0
          ? Effect.void
          : Effect.andThen(products.raiseVersions(store.id, ids, new Date(now)), updated(store, ids, now)),
      rebuild: (store, ids, now) => Effect.asVoid(readModel.rebuild(store, ids, now))
    })
  })
).pipe(Layer.provide(ProductRepository.layer))
