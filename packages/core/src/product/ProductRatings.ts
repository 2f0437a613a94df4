/**
 * The rating of a product as its page shows it: the counters of its approved reviews. The review room, which is above
 * this one, reports changes in the transaction in which it approves, withdraws or deletes a review.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ProductReadModel } from "./ProductReadModel.ts"
import { ProductRatingRepository, type RatingChange } from "./ProductRatingRepository.ts"

export class ProductRatings extends Context.Service<ProductRatings>()("@effect-commerce/core/product/ProductRatings", {
  make: Effect.gen(function* () {
    const repository = yield* ProductRatingRepository
    const readModel = yield* ProductReadModel
    const { write } = yield* Database
    return {
      /** Call it inside the transaction that changes the reviews. `now` is in epoch milliseconds. */
      change: (store: StoreContext, productId: string, changes: ReadonlyArray<RatingChange>, now: number) =>
        changes.length === 0
          ? Effect.void
          : write(store.id)(
              Effect.andThen(
                repository.change(store.id, productId, changes),
                Effect.asVoid(readModel.rebuild(store, [productId], now))
              )
            ),
      ofShown: repository.ofShown
    }
  })
}) {
  static readonly layer = Layer.effect(ProductRatings, ProductRatings.make).pipe(
    Layer.provide(ProductRatingRepository.layer)
  )
}
