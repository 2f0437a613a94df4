/**
 * The use cases of products and variants, and what storefronts read of them. Every write leaves its event in the same
 * transaction.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { makeId } from "../kernel/Ids.ts"
import type { PageOf } from "../kernel/Pagination.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { Stores } from "../store/Stores.ts"
import { checkAll, checkBeside, FieldRejected } from "../kernel/FieldRejected.ts"
import { BrandRepository } from "../taxonomy/BrandRepository.ts"
import { CategoryRepository } from "../taxonomy/CategoryRepository.ts"
import {
  type ProductExternalIdTaken,
  type ProductSlugTaken,
  ProductTypeFixed,
  type StockBelowReserved,
  type VariantAttributesTaken,
  VariantNotFound
} from "./ProductErrors.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { KitRepository } from "./KitRepository.ts"
import { productCreated, productDeleted, productUpdated } from "./ProductEvents.ts"
import { MetafieldConflictRepository } from "../metafield/MetafieldConflictRepository.ts"
import type { MetafieldsRejected } from "../metafield/MetafieldErrors.ts"
import { MetafieldValueRepository } from "../metafield/MetafieldValueRepository.ts"
import type { ProductState } from "./Product.ts"
import type { ProductInput, ProductPatch, VariantInput, VariantPatch, VariantsPreviewInput } from "./ProductInput.ts"
import { isOnChannel, publicReader, type StorefrontReader } from "../taxonomy/Publication.ts"
import { ProductAttributeRepository } from "./ProductAttributeRepository.ts"
import { type ProductFilter, type ProductQuery, ProductRepository } from "./ProductRepository.ts"
import { checkStockAndVariants, productFields } from "./ProductRules.ts"
import { makeProductChanges } from "./internal/productChanges.ts"
import { makeBodyParts, standInFor, leftToTry } from "./internal/bodyParts.ts"
import { isPlain, makePlainChanges } from "./internal/plainChanges.ts"
import { draftOf } from "./internal/productDrafts.ts"
import { makeDraftWrites, makePlainCreation } from "./internal/draftWrites.ts"
import { createInSets, type CreateSet, isForSets, makeProductSets } from "./internal/productSets.ts"
import { type ProductSetRefused, ProductSetRepository } from "./ProductSetRepository.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { makeHeldPictures } from "./ProductImages.ts"
import { ModifierAttachmentRepository } from "../modifier/ModifierAttachmentRepository.ts"
import { ModifierGroupRepository } from "../modifier/ModifierGroupRepository.ts"
import { checkReferences, checkVariantReferences } from "./internal/references.ts"
import { checkRequired, makeProductMetafields } from "./internal/productMetafields.ts"
import { makeVariantWrites } from "./internal/variantWrites.ts"
import { type Audience, isOnSale, type ProductView, toProductView, toVariantView } from "./ProductView.ts"
import type { VariantsPreview } from "./VariantsPreview.ts"
import type { VariantView } from "./VariantView.ts"
import { freeSlug, slugOf } from "../kernel/Slug.ts"
import { ProductReadModel } from "./ProductReadModel.ts"
import { withoutShownStock } from "./internal/shownStock.ts"
import { makeSlugWrites } from "./internal/slugWrites.ts"
import { ProductSlugRepository } from "./ProductSlugRepository.ts"
import { ProductStock } from "./ProductStock.ts"

export type ProductListInput = Omit<ProductQuery, "filter"> & { readonly filter: Omit<ProductFilter, "now"> }
type VariantError = FieldRejected | ProductSlugTaken | ProductExternalIdTaken | VariantAttributesTaken
type WriteError = VariantError | MetafieldsRejected

export interface ProductsMethods {
  readonly create: (store: StoreContext, input: ProductInput) => Effect.Effect<ProductView, WriteError>
  /** Creates products that `isForSets` in one transaction. */
  readonly createSet: CreateSet
  /** Creates products in their order, sets of them together, and answers their ids; all, or the caller gives it up. */
  readonly createMany: (
    store: StoreContext,
    inputs: ReadonlyArray<ProductInput>
  ) => Effect.Effect<ReadonlyArray<string>, ProductSetRefused>
  /** Variants that the patch does not name stay; stock it says nothing of stays. */
  readonly update: (
    store: StoreContext,
    id: string,
    patch: ProductPatch
  ) => Effect.Effect<ProductView, WriteError | ProductNotFound | ProductTypeFixed | StockBelowReserved>
  readonly remove: (store: StoreContext, id: string) => Effect.Effect<void, ProductNotFound>
  /**
   * Drafts are for admins; to a storefront they are unknown. Shoppers read names and descriptions in the first of
   * `languages` there is.
   */
  readonly get: (
    store: StoreContext,
    by: { readonly id: string } | { readonly slug: string },
    audience: Audience,
    reader?: StorefrontReader
  ) => Effect.Effect<ProductView, ProductNotFound>
  readonly list: (
    store: StoreContext,
    input: ProductListInput,
    audience: Audience,
    reader?: StorefrontReader
  ) => Effect.Effect<PageOf<ProductView>>
  /** Ids of products by the merchant's own identifiers. */
  readonly idsByExternal: (
    store: StoreContext,
    externalIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, string>>
  readonly variants: (
    store: StoreContext,
    productId: string
  ) => Effect.Effect<ReadonlyArray<VariantView>, ProductNotFound>
  readonly createVariant: (
    store: StoreContext,
    productId: string,
    input: VariantInput
  ) => Effect.Effect<VariantView, VariantError | ProductNotFound>
  /** What the product's variants would be with other attributes, or which are missing; nothing is kept. */
  readonly previewVariants: (
    store: StoreContext,
    productId: string,
    input: VariantsPreviewInput
  ) => Effect.Effect<VariantsPreview, FieldRejected | ProductNotFound>
  readonly updateVariant: (
    store: StoreContext,
    productId: string,
    id: string,
    patch: VariantPatch
  ) => Effect.Effect<VariantView, VariantError | ProductNotFound | VariantNotFound | StockBelowReserved>
  readonly removeVariant: (
    store: StoreContext,
    productId: string,
    id: string
  ) => Effect.Effect<void, ProductNotFound | VariantNotFound>
}

export class Products extends Context.Service<Products, ProductsMethods>()("@effect-commerce/core/product/Products") {
  static readonly layer = Layer.effect(
    Products,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* ProductRepository
      const categories = yield* CategoryRepository
      const brands = yield* BrandRepository
      const stock = yield* ProductStock
      const documents = yield* ProductReadModel
      const kits = yield* KitRepository
      const variantsOf = makeVariantWrites(repository, stock, yield* ProductAttributeRepository)
      const metafields = yield* makeProductMetafields
      const outbox = yield* Outbox
      const heldPictures = makeHeldPictures(yield* LibraryFiles)
      const { holdCurrency } = yield* Stores
      const channels = yield* SalesChannels

      const load = (store: StoreContext, id: string) =>
        orFail(repository.find(store.id, { id }, false), () => new ProductNotFound({ id }))

      const locked = Effect.fnUntraced(function* (store: StoreContext, id: string) {
        if (!(yield* repository.lock(store.id, id))) return yield* new ProductNotFound({ id })
        return yield* load(store, id)
      })

      /** With another version: what the product shows of its variants is about to change. */
      const lockedToChange = Effect.fnUntraced(function* (store: StoreContext, id: string, now: number) {
        if (!(yield* repository.lockToChange(store.id, id, new Date(now)))) return yield* new ProductNotFound({ id })
        return yield* load(store, id)
      })

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

      const changes = yield* makeProductChanges
      const { announce, announceBounded } = changes
      const changePlainly = makePlainChanges(repository, documents, changes)

      const writeSlugs = makeSlugWrites(yield* ProductSlugRepository)
      const parts = yield* makeBodyParts({ repository, variantsOf, metafields, writeSlugs })
      const referredTo = { categories, brands, products: repository, channels }
      const drafts = yield* makeDraftWrites(changes)
      const createSet = yield* makeProductSets(referredTo, drafts)

      const createPlainly = makePlainCreation(repository, drafts)

      const created = Effect.fnUntraced(function* (known: StoreContext, id: string, given: ProductInput, now: number) {
        const isTrusted = isForSets(given) && drafts.isTrusted(known)
        const seen = isTrusted ? known : yield* holdCurrency(known)
        const input = yield* heldPictures(seen, given)
        const wanted = slugOf(input.name, id.replaceAll("_", "-"))
        const slug = input.slug ?? freeSlug(wanted, yield* repository.slugsLike(seen.id, wanted))
        const drafted = (store: StoreContext) =>
          Effect.map(draftOf(store, input, slug, now), (fields) => ({ store, fields }))
        const held = Effect.flatMap(holdCurrency(known), drafted)
        const { own } = yield* checkBeside(
          checkAll({
            own: isTrusted ? Effect.catch(drafted(seen), () => held) : drafted(seen),
            references: checkReferences(referredTo, seen.id, input)
          }),
          parts.insert(seen, { id, input: leftToTry(input), fields: standInFor(id, input) }, now)
        )
        const { store, fields } = own
        if (isForSets(input)) return yield* createPlainly(store, { id, input, fields }, now)
        yield* parts.insert(store, { id, input, fields }, now)
        if (input.categories !== undefined && input.categories.length > 0)
          yield* repository.setCategories(store.id, id, input.categories)
        if (input.brands !== undefined && input.brands.length > 0) yield* brands.assign(store.id, id, input.brands)
        const product = yield* announceBounded(store, id, productCreated, now)
        if (fields.status === "active") yield* checkRequired(product)
        return view(store, product, "admin", now)
      })

      const create = Effect.fn("Products.create")(function* (store: StoreContext, given: ProductInput) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(created(store, makeId("prod", now), given, now))
      })

      const updated = Effect.fnUntraced(function* (known: StoreContext, id: string, given: ProductPatch, now: number) {
        const plain = isPlain(given) ? yield* changePlainly(known, id, given, now) : undefined
        if (plain !== undefined) return plain
        const store = yield* holdCurrency(known)
        const held = yield* heldPictures(store, given)
        const current = yield* locked(store, id)
        const patch = withoutShownStock(current, held, { currency: store.currency, now })
        const type = patch.type ?? current.type
        const { fields } = yield* checkBeside(
          checkAll({
            fields: productFields(current, patch, store.currency, now),
            stock: checkStockAndVariants(type, patch),
            references: checkReferences(referredTo, store.id, patch, current)
          }),
          parts.change(store, current, { patch: leftToTry(patch), fields: { ...current, type } }, now)
        )
        if (current.type === "VARIABLE" && type !== "VARIABLE" && current.variants.length > 1) {
          return yield* new ProductTypeFixed({ variantCount: current.variants.length })
        }
        yield* repository.update(store.id, id, fields, new Date(now))
        if (patch.translations !== undefined) yield* writeSlugs(store.id, current, fields)
        yield* parts.change(store, current, { patch, fields }, now)
        if (patch.categories !== undefined) yield* repository.setCategories(store.id, id, patch.categories)
        if (patch.brands !== undefined) yield* brands.assign(store.id, id, patch.brands)
        const product = yield* announceBounded(store, id, productUpdated, now)
        if (fields.status === "active" && current.status !== "active") yield* checkRequired(product)
        return view(store, product, "admin", now)
      })

      const update = Effect.fn("Products.update")(function* (store: StoreContext, id: string, given: ProductPatch) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(updated(store, id, given, now))
      })

      const remove = Effect.fn("Products.remove")(function* (store: StoreContext, id: string) {
        const now = yield* Clock.currentTimeMillis
        yield* database.write(store.id)(
          Effect.gen(function* () {
            if (!(yield* repository.remove(store.id, id, new Date(now)))) return yield* new ProductNotFound({ id })
            yield* metafields.forget(store.id, id)
            yield* Effect.andThen(documents.refresh(store, [id], now), kits.markKitsStale(store.id, [id]))
            yield* outbox.append(store.id, productDeleted, { productId: id })
          })
        )
      })

      const variantOf = Effect.fnUntraced(function* (product: ProductState, id: string) {
        const variant = product.variants.find((one) => one.id === id)
        return variant ?? (yield* new VariantNotFound({ id }))
      })

      const variantView = (store: StoreContext, product: ProductState, id: string, now: number) =>
        Effect.map(variantOf(product, id), (variant) =>
          toVariantView(variant, isOnSale(product, now), { currency: store.currency, audience: "admin", now })
        )

      const createVariant = Effect.fn("Products.createVariant")(function* (
        known: StoreContext,
        productId: string,
        given: VariantInput
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(known.id)(
          Effect.gen(function* () {
            const store = yield* holdCurrency(known)
            const input = yield* heldPictures(store, given)
            const product = yield* lockedToChange(store, productId, now)
            if (product.type !== "VARIABLE")
              return yield* FieldRejected.at("type", "only a VARIABLE product has variants")
            const declared = yield* variantsOf.heldFor(store, product, true)
            const present = product.variants.length
            const added = variantsOf.add(store, { ...product, declared }, [{ input, path: "" }], present, now)
            yield* checkBeside(checkVariantReferences(referredTo, store.id, input), added)
            const [made = ""] = yield* added
            yield* stock.tell(store.id, productId, new Date(now))
            const after = yield* announceBounded(store, productId, productUpdated, now)
            return yield* Effect.orDie(variantView(store, after, made, now))
          })
        )
      })

      const updateVariant = Effect.fn("Products.updateVariant")(function* (
        known: StoreContext,
        productId: string,
        id: string,
        given: VariantPatch
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(known.id)(
          Effect.gen(function* () {
            const store = yield* holdCurrency(known)
            const patch = yield* heldPictures(store, given)
            const product = yield* lockedToChange(store, productId, now)
            const change = variantsOf.changeOne(store, product, yield* variantOf(product, id), patch, now)
            yield* checkBeside(checkVariantReferences(referredTo, store.id, patch), change)
            yield* change
            return yield* variantView(store, yield* announceBounded(store, productId, productUpdated, now), id, now)
          })
        )
      })

      const removeVariant = Effect.fn("Products.removeVariant")(function* (
        store: StoreContext,
        productId: string,
        id: string
      ) {
        const now = yield* Clock.currentTimeMillis
        yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* lockedToChange(store, productId, now)
            if (!(yield* repository.removeVariant(store.id, productId, id))) return yield* new VariantNotFound({ id })
            yield* stock.tell(store.id, productId, new Date(now))
            yield* announce(store, productId, productUpdated, now)
          })
        )
      })

      const get: ProductsMethods["get"] = Effect.fnUntraced(function* (store, by, audience, reader = publicReader) {
        const now = yield* Clock.currentTimeMillis
        const product = yield* repository.find(store.id, by, audience === "storefront")
        const isShown = audience !== "storefront" || isOnChannel(product?.salesChannelIds, reader.channelId)
        if (product === undefined || !isShown) return yield* new ProductNotFound({ id: "id" in by ? by.id : by.slug })
        return view(store, product, audience, now, reader)
      })

      const list: ProductsMethods["list"] = Effect.fnUntraced(function* (
        store,
        input,
        audience,
        reader = publicReader
      ) {
        const now = yield* Clock.currentTimeMillis
        const shown = audience === "storefront" ? { statuses: ["active"], channelId: reader.channelId } : {}
        const { items, total } = yield* repository.list(store.id, {
          ...input,
          filter: { ...input.filter, ...shown, now: new Date(now) }
        })
        return { items: items.map((product) => view(store, product, audience, now, reader)), total }
      })

      return Products.of({
        create,
        createSet,
        createMany: (store, inputs) => database.write(store.id)(createInSets(store, { create, createSet }, inputs)),
        update,
        remove,
        get,
        list,
        idsByExternal: (store, externalIds) => repository.findByExternalIds(store.id, externalIds),
        variants: (store, productId) =>
          Effect.map(get(store, { id: productId }, "admin"), (product) => product.variants),
        createVariant,
        previewVariants: (store, productId, input) =>
          database.write(store.id)(
            Effect.flatMap(load(store, productId), (product) => variantsOf.preview(store, product, input))
          ),
        updateVariant,
        removeVariant
      })
    })
  ).pipe(
    Layer.provide([
      ProductRepository.layer,
      ProductSetRepository.layer,
      ProductAttributeRepository.layer,
      CategoryRepository.layer,
      MetafieldValueRepository.layer,
      MetafieldConflictRepository.layer,
      BrandRepository.layer,
      ProductSlugRepository.layer,
      KitRepository.layer,
      ModifierGroupRepository.layer,
      ModifierAttachmentRepository.layer
    ])
  )
}
