/** Changes a product as a body says: its own row, and the parts that are kept in rows of their own. */
import { Effect } from "effect"
import { checkAll, checkBeside } from "../../kernel/FieldRejected.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import { checkRequired } from "../../metafield/ProductMetafield.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { ProductNotFound } from "../../taxonomy/TaxonomyErrors.ts"
import { ProductTypeFixed } from "../ProductErrors.ts"
import { makeHeldPictures } from "../ProductImages.ts"
import type { ProductPatch } from "../ProductInput.ts"
import { ProductRepository } from "../ProductRepository.ts"
import { checkStockAndVariants, productFields } from "../ProductRules.ts"
import { leftToTry, type makeBodyParts } from "./bodyParts.ts"
import type { makeProductChanges } from "./productChanges.ts"
import { checkReferences, type ReferredTo } from "./references.ts"
import { withoutShownStock } from "./shownStock.ts"

export const makeProductUpdate = Effect.fnUntraced(function* (
  referredTo: ReferredTo,
  parts: Effect.Success<ReturnType<typeof makeBodyParts>>,
  { updated }: Pick<Effect.Success<typeof makeProductChanges>, "updated">
) {
  const repository = yield* ProductRepository
  const heldPictures = makeHeldPictures(yield* LibraryFiles)

  /** Returns the product as it is afterwards. The open transaction holds the store's currency. */
  return Effect.fnUntraced(function* (store: StoreContext, id: string, given: ProductPatch, now: number) {
    const held = yield* heldPictures(store, given)
    const isThere = yield* repository.lock(store.id, id)
    const current = isThere ? yield* repository.find(store.id, { id }, false) : undefined
    if (current === undefined) return yield* new ProductNotFound({ id })
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
    if (current.type === "VARIABLE" && type !== "VARIABLE" && current.variants.length > 1)
      return yield* new ProductTypeFixed({ variantCount: current.variants.length })
    yield* repository.update(store.id, id, fields, new Date(now))
    if (patch.translations !== undefined) yield* parts.writeSlugs(store.id, current, fields)
    yield* parts.change(store, current, { patch, fields }, now)
    if (patch.categories !== undefined) yield* repository.setCategories(store.id, id, patch.categories)
    if (patch.brands !== undefined) yield* repository.setBrands(store.id, id, patch.brands)
    const [product] = yield* updated(store, [id], now, current)
    if (product === undefined) return yield* Effect.die(new ProductNotFound({ id }))
    if (fields.status === "active" && current.status !== "active") yield* checkRequired(product.metafields)
    return product
  })
})
