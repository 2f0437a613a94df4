/**
 * What shoppers rate a product, as its page shows it: the counters of its approved reviews. The review room, which lies
 * above, says what changes, in the transaction in which it approves, withdraws or deletes a review.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ProductReadModel } from "./ProductReadModel.ts"
import { ProductRatingRepository, type RatingChange } from "./ProductRatingRepository.ts"
import type { Stars } from "./Stars.ts"

export class ProductRatings extends Context.Service<
  ProductRatings,
  {
    /** Inside the transaction that changes the reviews. `now` is in epoch milliseconds. */
    readonly change: (
      store: StoreContext,
      productId: string,
      changes: ReadonlyArray<RatingChange>,
      now: number
    ) => Effect.Effect<void>
    /** The counters of a product that shoppers can see; undefined for any other. */
    readonly ofShown: (storeId: string, productId: string, channelId: string | null) => Effect.Effect<Stars | undefined>
  }
>()("@effect-commerce/core/product/ProductRatings") {
  static readonly layer = Layer.effect(
    ProductRatings,
    Effect.gen(function* () {
      const repository = yield* ProductRatingRepository
      const readModel = yield* ProductReadModel
      const { write } = yield* Database
      return ProductRatings.of({
        change: (store, productId, changes, now) =>
          changes.length === 0
            ? Effect.void
            : write(store.id)(
                Effect.andThen(
                  repository.change(store.id, productId, changes),
                  readModel.rebuild(store, [productId], now)
                )
              ),
        ofShown: repository.ofShown
      })
    })
  ).pipe(Layer.provide(ProductRatingRepository.layer))
}
