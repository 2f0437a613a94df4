/** Creates, updates and deletes single variants of a product. Each such write raises the product's version. */
import { Clock, Effect } from "effect"
import { Database } from "../../database/Database.ts"
import { orFail } from "../../database/Repository.ts"
import { checkBeside, FieldRejected } from "../../kernel/FieldRejected.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { Stores } from "../../store/Stores.ts"
import { ProductNotFound } from "../../taxonomy/TaxonomyErrors.ts"
import { VariantNotFound } from "../ProductErrors.ts"
import { makeHeldPictures } from "../ProductImages.ts"
import type { ProductState } from "../Product.ts"
import type { VariantsPreviewInput } from "../ProductInput.ts"
import type { VariantInput } from "../VariantInput.ts"
import { ProductRepository } from "../ProductRepository.ts"
import { ProductStock } from "../ProductStock.ts"
import { isOnSale } from "../KitPrice.ts"
import { toVariantView } from "../productViews.ts"
import { VariantRepository } from "../VariantRepository.ts"
import { makeProductChanges } from "./productChanges.ts"
import { makeReferences } from "./references.ts"
import { makeVariantWrites } from "./variantWrites.ts"

const variantOf = (product: ProductState, id: string) => {
  const variant = product.variants.find((one) => one.id === id)
  return variant === undefined ? Effect.fail(new VariantNotFound({ id })) : Effect.succeed(variant)
}

const viewOf = (store: StoreContext, product: ProductState, id: string, now: number) =>
  Effect.map(variantOf(product, id), (variant) =>
    toVariantView(variant, isOnSale(product, now), { currency: store.currency, audience: "admin", now })
  )

export const makeVariantUseCases = Effect.gen(function* () {
  const database = yield* Database
  const products = yield* ProductRepository
  const variants = yield* VariantRepository
  const stock = yield* ProductStock
  const { holdCurrency } = yield* Stores
  const heldPictures = makeHeldPictures(yield* LibraryFiles)
  const references = yield* makeReferences
  const variantsOf = yield* makeVariantWrites
  const { updatedOne } = yield* makeProductChanges

  const load = (store: StoreContext, id: string) =>
    orFail(products.find(store.id, { id }, false), () => new ProductNotFound({ id }))

  /** Locks the product and raises its version, because the variants that it shows are about to change. */
  const locked = Effect.fnUntraced(function* (store: StoreContext, id: string, now: number) {
    if (!(yield* products.lockToChange(store.id, id, new Date(now)))) return yield* new ProductNotFound({ id })
    return yield* load(store, id)
  })

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
        const product = yield* locked(store, productId, now)
        if (product.type !== "VARIABLE") return yield* FieldRejected.at("type", "only a VARIABLE product has variants")
        const declared = yield* variantsOf.heldFor(store, product, true)
        const present = product.variants.length
        const added = variantsOf.add(store, { ...product, declared }, [{ input, path: "" }], present, now)
        yield* checkBeside(references.check(store.id, input), added)
        const [made = ""] = yield* added
        yield* stock.tell(store.id, productId, new Date(now))
        return yield* Effect.orDie(viewOf(store, yield* updatedOne(store, product, now), made, now))
      })
    )
  })

  const updateVariant = Effect.fn("Products.updateVariant")(function* (
    known: StoreContext,
    productId: string,
    id: string,
    given: VariantInput
  ) {
    const now = yield* Clock.currentTimeMillis
    return yield* database.write(known.id)(
      Effect.gen(function* () {
        const store = yield* holdCurrency(known)
        const patch = yield* heldPictures(store, given)
        const product = yield* locked(store, productId, now)
        const change = variantsOf.changeOne(store, product, yield* variantOf(product, id), patch, now)
        yield* checkBeside(references.check(store.id, patch), change)
        yield* change
        return yield* viewOf(store, yield* updatedOne(store, product, now), id, now)
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
        const product = yield* locked(store, productId, now)
        if (!(yield* variants.remove(store.id, productId, id))) return yield* new VariantNotFound({ id })
        yield* stock.tell(store.id, productId, new Date(now))
        // A product with fewer variants is never too large.
        yield* Effect.orDie(updatedOne(store, product, now))
      })
    )
  })

  return {
    createVariant,
    updateVariant,
    removeVariant,

    /** The variants that the product would have with other attributes, or those that are missing; nothing is stored. */
    previewVariants: (store: StoreContext, productId: string, input: VariantsPreviewInput) =>
      database.write(store.id)(
        Effect.flatMap(load(store, productId), (product) => variantsOf.preview(store, product, input))
      )
  }
})
