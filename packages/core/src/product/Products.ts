/**
 * The use cases of products and variants, and what a merchant reads of them. Every write leaves its event in the same
 * transaction.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { Database } from "../database/Database.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { PageOf } from "../kernel/Pagination.ts"
import { MetafieldValues } from "../metafield/MetafieldValues.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { Brands } from "../taxonomy/Brands.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { Categories } from "../taxonomy/Categories.ts"
import { isOnChannel, publicReader, type StorefrontReader } from "../taxonomy/Publication.ts"
import { makeBodyParts } from "./internal/bodyParts.ts"
import { hasRareParts, makeProductCreation } from "./internal/createProducts.ts"
import { makeProductChanges } from "./internal/productChanges.ts"
import { makeProductUpdate } from "./internal/updateProduct.ts"
import { makeVariantUseCases } from "./internal/variantUseCases.ts"
import { makeVariantWrites } from "./internal/variantWrites.ts"
import { KitRepository } from "./KitRepository.ts"
import { NewProductRepository, ProductSetRefused } from "./NewProductRepository.ts"
import { ModifierAttachmentRepository } from "./ModifierAttachmentRepository.ts"
import type { ProductState } from "./Product.ts"
import { ProductAttributeRepository } from "./ProductAttributeRepository.ts"
import { productDeleted } from "./ProductEvents.ts"
import type { ProductInput, ProductPatch } from "./ProductInput.ts"
import { type ProductQuery, ProductReadModel } from "./ProductReadModel.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { ProductSlugRepository } from "./ProductSlugRepository.ts"
import { ProductStock } from "./ProductStock.ts"
import type { ProductView } from "./ProductView.ts"
import { type Audience, toProductView } from "./productViews.ts"
import { VariantRepository } from "./VariantRepository.ts"

/** Products of one transaction. */
export const mostTogether = 200

export class Products extends Context.Service<Products>()("@effect-commerce/core/product/Products", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ProductRepository
    const readModel = yield* ProductReadModel
    const outbox = yield* Outbox
    const { holdCurrency } = yield* Stores
    const changes = yield* makeProductChanges
    const metafields = yield* MetafieldValues
    const variantsOf = makeVariantWrites(
      yield* VariantRepository,
      yield* ProductStock,
      yield* ProductAttributeRepository
    )
    const parts = yield* makeBodyParts(variantsOf)
    const referredTo = {
      categories: yield* Categories,
      brands: yield* Brands,
      products: repository,
      channels: yield* SalesChannels
    }
    const createTogether = yield* makeProductCreation(referredTo, parts, changes)
    const updateOne = yield* makeProductUpdate(referredTo, parts, changes)
    const variantUseCases = yield* makeVariantUseCases(referredTo, variantsOf, changes)

    const view = (
      store: StoreContext,
      product: ProductState,
      audience: Audience,
      now: number,
      { channelId, languages: wanted = [] }: StorefrontReader = publicReader
    ) =>
      toProductView(product, {
        currency: store.currency,
        audience,
        channelId,
        now,
        reading: wanted.length === 0 ? undefined : { wanted, own: defaultLanguage(store) }
      })

    const created = Effect.fnUntraced(function* (known: StoreContext, inputs: ReadonlyArray<ProductInput>) {
      const now = yield* Clock.currentTimeMillis
      const ids = inputs.map(() => makeId("prod", now)).sort()
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* holdCurrency(known)
          return { store, now, results: yield* createTogether(store, ids, inputs, now) }
        })
      )
    })

    const create = Effect.fn("Products.create")(function* (known: StoreContext, input: ProductInput) {
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const { store, now, results } = yield* Effect.catchTag(
            created(known, [input]),
            "ProductSetRefused",
            Effect.die
          )
          const [result = Result.fail(FieldRejected.at("product", "is missing"))] = results
          return view(store, yield* Effect.fromResult(result), "admin", now)
        })
      )
    })

    /**
     * Creates products in one transaction, in the order of the bodies, and returns the id of each, or the fields that
     * it is refused for. Where one is refused for what the store has already, or for what it is once it is written,
     * none is created. Those with `hasRareParts` are created one by one.
     */
    const createSet = Effect.fn("Products.createSet")(function* (
      store: StoreContext,
      inputs: ReadonlyArray<ProductInput>
    ) {
      const { results } = yield* Effect.mapError(created(store, inputs), (error) =>
        inputs.length === 1 ? error : new ProductSetRefused()
      )
      return results.map((result) => Result.map(result, ({ id }) => id))
    })

    /** Creates products in their order, as many as possible together, and returns their ids; all of them or none. */
    const createMany = (store: StoreContext, inputs: ReadonlyArray<ProductInput>) =>
      database.write(store.id)(
        Effect.gen(function* () {
          const ids: Array<string> = []
          while (ids.length < inputs.length) {
            const next = inputs.slice(ids.length, ids.length + mostTogether)
            const rare = next.findIndex(hasRareParts)
            const results = yield* createSet(store, rare === -1 ? next : next.slice(0, Math.max(1, rare)))
            for (const result of results) ids.push(yield* Effect.fromResult(result))
          }
          return ids
        }).pipe(Effect.mapError(() => new ProductSetRefused()))
      )

    /** Variants that the patch does not name stay; stock that it does not mention stays. */
    const update = Effect.fn("Products.update")(function* (known: StoreContext, id: string, patch: ProductPatch) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* holdCurrency(known)
          return view(store, yield* updateOne(store, id, patch, now), "admin", now)
        })
      )
    })

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
     * Drafts are for admins; a storefront does not find them. Shoppers read names and descriptions in the first of
     * `languages` that there is.
     */
    const get = Effect.fnUntraced(function* (
      store: StoreContext,
      by: { readonly id: string } | { readonly slug: string },
      audience: Audience,
      reader: StorefrontReader = publicReader
    ) {
      const now = yield* Clock.currentTimeMillis
      const product = yield* repository.find(store.id, by, audience === "storefront")
      const isShown = audience !== "storefront" || isOnChannel(product?.salesChannelIds, reader.channelId)
      if (product === undefined || !isShown) return yield* new ProductNotFound({ id: "id" in by ? by.id : by.slug })
      return view(store, product, audience, now, reader)
    })

    /** Products of every status, as a merchant sees them. */
    const list = Effect.fnUntraced(function* (store: StoreContext, query: ProductQuery) {
      const now = yield* Clock.currentTimeMillis
      const { ids, total } = yield* readModel.find(store, query)
      const found = new Map((yield* repository.several(store.id, ids)).map((product) => [product.id, product]))
      const items = ids.flatMap((id) => found.get(id) ?? []).map((product) => view(store, product, "admin", now))
      return { items, total } satisfies PageOf<ProductView>
    })

    return {
      create,
      createSet,
      createMany,
      update,
      remove,
      get,
      list,
      /** Ids of products by the merchant's own identifiers. */
      idsByExternal: (store: StoreContext, externalIds: ReadonlyArray<string>) =>
        repository.idsByExternal(store.id, externalIds),
      variants: (store: StoreContext, productId: string) =>
        Effect.map(get(store, { id: productId }, "admin"), (product) => product.variants),
      ...variantUseCases
    }
  })
}) {
  static readonly layer = Layer.effect(Products, Products.make).pipe(
    Layer.provide([
      ProductRepository.layer,
      NewProductRepository.layer,
      VariantRepository.layer,
      ProductAttributeRepository.layer,
      ProductSlugRepository.layer,
      KitRepository.layer,
      ModifierAttachmentRepository.layer
    ])
  )
}
