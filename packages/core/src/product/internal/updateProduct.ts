/** Updates a product from a body: its own row, and its parts that have rows of their own. */
import { Clock, Effect } from "effect"
import { Database } from "../../database/Database.ts"
import { checkVersion } from "../../database/Precondition.ts"
import { checkAll, checkBeside } from "../../kernel/FieldRejected.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import { MetafieldValues } from "../../metafield/MetafieldValues.ts"
import { checkRequired } from "../../metafield/ProductMetafield.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { Stores } from "../../store/Stores.ts"
import { publishedTo, type PublishInput } from "../../taxonomy/PublishInput.ts"
import { ProductNotFound } from "../../taxonomy/TaxonomyErrors.ts"
import { KitRepository } from "../KitRepository.ts"
import { makeKitWrites } from "../KitRules.ts"
import type { ProductFields, ProductState } from "../Product.ts"
import { ProductTypeFixed } from "../ProductErrors.ts"
import { makeHeldPictures } from "../ProductImages.ts"
import type { ProductPatch } from "../ProductInput.ts"
import { ProductRepository } from "../ProductRepository.ts"
import { checkStockAndVariants, productFields } from "../ProductRules.ts"
import { ProductSlugRepository } from "../ProductSlugRepository.ts"
import { toProductView } from "../productViews.ts"
import { makeModifierAttachments } from "./modifierAttachments.ts"
import { makeProductChanges } from "./productChanges.ts"
import { makeReferences } from "./references.ts"
import { makeVariantWrites } from "./variantWrites.ts"

const viewOf = (product: ProductState, { currency }: StoreContext, now: number) =>
  toProductView(product, { currency, audience: "admin", now })

/**
 * The stock shown for a VARIABLE product or a KIT is calculated from its variants or components. A patch that sends it
 * back unchanged does not set stock.
 */
const withoutShownStock = (
  current: ProductState,
  patch: ProductPatch,
  store: StoreContext,
  now: number
): ProductPatch => {
  const { inventory, ...rest } = patch
  if (current.type === "SIMPLE" || inventory === undefined) return patch
  const shown: Readonly<Record<string, unknown>> = { ...viewOf(current, store, now).inventory }
  return Object.entries(inventory).every(([name, value]) => shown[name] === value) ? rest : patch
}

/**
 * The parts of an invalid body that are still written, to return their errors too, before everything is rolled back.
 * The product's own stock and its variants' shipping classes were checked before.
 */
const partsTriedForErrors = (patch: ProductPatch): ProductPatch => ({
  ...patch,
  inventory: {},
  ...(patch.variants === undefined
    ? {}
    : { variants: patch.variants.map((variant) => ({ ...variant, shippingClassId: null })) })
})

export const makeProductUpdate = Effect.gen(function* () {
  const { write } = yield* Database
  const repository = yield* ProductRepository
  const { holdCurrency } = yield* Stores
  const heldPictures = makeHeldPictures(yield* LibraryFiles)
  const references = yield* makeReferences
  const slugs = yield* ProductSlugRepository
  const writeKit = makeKitWrites(yield* KitRepository)
  const variantsOf = yield* makeVariantWrites
  const modifiers = yield* makeModifierAttachments
  const metafields = yield* MetafieldValues
  const { updatedOne } = yield* makeProductChanges

  const locked = Effect.fnUntraced(function* (storeId: string, id: string) {
    const isThere = yield* repository.lock(storeId, id)
    const current = isThere ? yield* repository.find(storeId, { id }, false) : undefined
    if (current === undefined) return yield* new ProductNotFound({ id })
    // Checked here and not by RowVersions, which would lock the product before the files that it shows.
    yield* checkVersion(current.updatedAt)
    return current
  })

  /**
   * Writes the parts of a product that have rows of their own; `fields` are the product's fields after the change. All
   * parts are checked even if one of them, or the product itself, is invalid; then the transaction is rolled back.
   */
  const changeParts = (
    store: StoreContext,
    current: ProductState,
    patch: ProductPatch,
    fields: ProductFields,
    now: number
  ) => {
    const { id } = current
    return checkAll({
      kit: writeKit(store.id, { id, type: fields.type, wasKit: current.type === "KIT" }, patch),
      variants: variantsOf.apply(store, current, fields, patch, now),
      modifiers: modifiers.apply(store.id, current, patch.modifierGroups, now),
      metafields: metafields.writeBody(store.id, { id, isActive: fields.status === "active" }, patch.metafields, now)
    })
  }

  const updateOne = Effect.fnUntraced(function* (store: StoreContext, id: string, given: ProductPatch, now: number) {
    const held = yield* heldPictures(store, given)
    const current = yield* locked(store.id, id)
    const patch = withoutShownStock(current, held, store, now)
    const type = patch.type ?? current.type
    const { fields } = yield* checkBeside(
      checkAll({
        fields: productFields(current, patch, store.currency, now),
        stock: checkStockAndVariants(type, patch),
        references: references.check(store.id, patch, current)
      }),
      changeParts(store, current, partsTriedForErrors(patch), { ...current, type }, now)
    )
    if (current.type === "VARIABLE" && type !== "VARIABLE" && current.variants.length > 1)
      return yield* new ProductTypeFixed({ variantCount: current.variants.length })
    yield* repository.update(store.id, id, fields, new Date(now))
    if (patch.translations !== undefined) yield* slugs.replace(store.id, current, fields.translations)
    yield* changeParts(store, current, patch, fields, now)
    if (patch.categories !== undefined) yield* repository.setCategories(store.id, id, patch.categories)
    if (patch.brands !== undefined) yield* repository.setBrands(store.id, id, patch.brands)
    const product = yield* updatedOne(store, current, now)
    if (fields.status === "active" && current.status !== "active") yield* checkRequired(product.metafields)
    return viewOf(product, store, now)
  })

  return {
    /** Variants and stock that the patch does not mention stay as they are. */
    update: Effect.fn("Products.update")(function* (known: StoreContext, id: string, patch: ProductPatch) {
      const now = yield* Clock.currentTimeMillis
      return yield* write(known.id)(Effect.flatMap(holdCurrency(known), (store) => updateOne(store, id, patch, now)))
    }),

    /** Publishes the product on more channels; one that was on every channel is then only on these. */
    publish: Effect.fn("Products.publish")(function* (store: StoreContext, id: string, input: PublishInput) {
      const now = yield* Clock.currentTimeMillis
      return yield* write(store.id)(
        Effect.gen(function* () {
          yield* references.check(store.id, input)
          const current = yield* locked(store.id, id)
          const salesChannelIds = yield* publishedTo(current.salesChannelIds, input)
          yield* repository.update(store.id, id, { ...current, salesChannelIds }, new Date(now))
          return viewOf(yield* updatedOne(store, current, now), store, now)
        })
      )
    })
  }
})
