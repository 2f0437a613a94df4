/**
 * The use cases of products and variants, and how a merchant reads them. Every write emits its event in the same
 * transaction.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { PageOf } from "../kernel/Pagination.ts"
import { MetafieldValues } from "../metafield/MetafieldValues.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { isOnChannel, publicReader, type StorefrontReader } from "../taxonomy/Publication.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { makeProductCreation } from "./internal/createProducts.ts"
import { makeProductUpdate } from "./internal/updateProduct.ts"
import { makeVariantUseCases } from "./internal/variantUseCases.ts"
import { productDeleted } from "./ProductEvents.ts"
import { type ProductQuery, ProductReadModel } from "./ProductReadModel.ts"
import { type ProductKey, ProductRepository } from "./ProductRepository.ts"
import type { ProductView } from "./ProductView.ts"
import { type Audience, toProductView } from "./productViews.ts"

export class Products extends Context.Service<Products>()("@effect-commerce/core/product/Products", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ProductRepository
    const readModel = yield* ProductReadModel
    const outbox = yield* Outbox
    const metafields = yield* MetafieldValues

    const remove = Effect.fn("Products.remove")(function* (store: StoreContext, id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.gen(function* () {
          if (!(yield* repository.remove(store.id, id, new Date(now)))) return yield* new ProductNotFound({ id })
          yield* metafields.forget(store.id, id)
          yield* readModel.rebuild(store, [id], now)
          yield* readModel.markKitsStale(store.id, [id])
          yield* outbox.append(store.id, productDeleted, { productId: id })
        })
      )
    })

    /**
     * Unpublished products are for admins; a storefront does not find them. Shoppers get names and descriptions in the
     * first of `languages` that has a translation.
     */
    const get = Effect.fnUntraced(function* (
      store: StoreContext,
      by: ProductKey,
      audience: Audience,
      { channelId, languages: wanted = [] }: StorefrontReader = publicReader
    ) {
      const now = yield* Clock.currentTimeMillis
      const product = yield* repository.find(store.id, by, audience === "storefront")
      const isShown = audience !== "storefront" || isOnChannel(product?.salesChannelIds, channelId)
      if (product === undefined || !isShown) return yield* new ProductNotFound({ id: "id" in by ? by.id : by.slug })
      const reading = wanted.length === 0 ? undefined : { wanted, own: defaultLanguage(store) }
      return toProductView(product, { currency: store.currency, audience, channelId, now, reading })
    })

    /** Products of every status, as a merchant sees them. */
    const list = Effect.fnUntraced(function* (store: StoreContext, query: ProductQuery) {
      const now = yield* Clock.currentTimeMillis
      const { ids, total } = yield* readModel.find(store, query)
      const found = new Map((yield* repository.several(store.id, ids)).map((product) => [product.id, product]))
      const products = ids.flatMap((id) => found.get(id) ?? [])
      const items = products.map((product) =>
        toProductView(product, { currency: store.currency, audience: "admin", now })
      )
      return { items, total } satisfies PageOf<ProductView>
    })

    return {
      ...(yield* makeProductCreation),
      ...(yield* makeProductUpdate),
      ...(yield* makeVariantUseCases),
      remove,
      get,
      list,
      /** Maps the merchant's own identifiers to product ids. */
      idsByExternal: (store: StoreContext, externalIds: ReadonlyArray<string>) =>
        repository.idsByExternal(store.id, externalIds),
      variants: (store: StoreContext, productId: string) =>
        Effect.map(get(store, { id: productId }, "admin"), (product) => product.variants)
    }
  })
}) {
  static readonly layer = Layer.effect(Products, Products.make)
}
