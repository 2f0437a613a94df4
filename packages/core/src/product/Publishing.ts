/** Publishes products to sales channels. A product, a category or a brand can also be told its channels by a PATCH. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { FieldRejected } from "../kernel/FieldRejected.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type PlatformsRequired, ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import type { ProductExternalIdTaken, ProductSlugTaken } from "./ProductErrors.ts"
import { makeChannelCheck } from "../taxonomy/ChannelCheck.ts"
import { makeProductChanges } from "./internal/productChanges.ts"
import { ProductRepository } from "./ProductRepository.ts"
import type { ProductView } from "./ProductView.ts"
import { toProductView } from "./productViews.ts"
import { publishedTo, type PublishInput } from "../taxonomy/PublishInput.ts"

type PublishError = FieldRejected | PlatformsRequired | ProductNotFound | ProductSlugTaken | ProductExternalIdTaken

export interface PublishingMethods {
  /** Adds channels to those that show the product; one that was on every channel is on these alone then. */
  readonly product: (store: StoreContext, id: string, input: PublishInput) => Effect.Effect<ProductView, PublishError>
}

export class Publishing extends Context.Service<Publishing, PublishingMethods>()(
  "@effect-commerce/core/product/Publishing"
) {
  static readonly layer = Layer.effect(
    Publishing,
    Effect.gen(function* () {
      const database = yield* Database
      const products = yield* ProductRepository
      const checkChannels = makeChannelCheck(yield* SalesChannels)
      const { updated } = yield* makeProductChanges

      const product = Effect.fn("Publishing.product")(function* (store: StoreContext, id: string, input: PublishInput) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* checkChannels(store.id, input.salesChannelIds)
            const isThere = yield* products.lock(store.id, id)
            const current = isThere ? yield* products.find(store.id, { id }, false) : undefined
            if (current === undefined) return yield* new ProductNotFound({ id })
            const salesChannelIds = yield* publishedTo(current.salesChannelIds, input)
            yield* products.update(store.id, id, { ...current, salesChannelIds }, new Date(now))
            const [after] = yield* updated(store, [id], now, current)
            if (after === undefined) return yield* Effect.die(new ProductNotFound({ id }))
            return toProductView(after, { currency: store.currency, audience: "admin", now })
          })
        )
      })

      return Publishing.of({ product })
    })
  ).pipe(Layer.provide(ProductRepository.layer))
}
