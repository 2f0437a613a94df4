/**
 * How the catalogue lets go of a deleted file: products, variants, metafields, categories, brands, attribute options
 * and modifiers show it no longer. And how it shows a thumbnail that came after products had taken the file up.
 */
import { Effect } from "effect"
import { Outbox } from "../outbox/Outbox.ts"
import { markOf } from "../media/MediaFile.ts"
import type { MediaReferenceHolder, ReferredFile } from "../media/MediaReferences.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { nextVersion } from "../database/Precondition.ts"
import { picturesIn, withoutReference } from "../metafield/ValuePictures.ts"
import { withoutFile, withThumbnail } from "./ProductImages.ts"
import { MetafieldDefinitionRepository } from "../metafield/MetafieldDefinitionRepository.ts"
import { type PicturedProduct, PictureRepository } from "./PictureRepository.ts"
import { productUpdated } from "./ProductEvents.ts"
import { ProductReadModel } from "./ProductReadModel.ts"
import { toProductView } from "./ProductView.ts"

/** Products that are read, written and told of at once. */
const batch = 200

export const pictureReferences = Effect.gen(function* () {
  const repository = yield* PictureRepository
  const readModel = yield* ProductReadModel
  const outbox = yield* Outbox
  const definitions = yield* MetafieldDefinitionRepository

  /** Products whose images are others from now on: written by `write`, composed, and told of. */
  const changeSome = Effect.fnUntraced(function* (
    store: StoreContext,
    ids: ReadonlyArray<string>,
    now: number,
    write: (products: ReadonlyArray<PicturedProduct>) => Effect.Effect<void>
  ) {
    const products = yield* repository.images(store.id, ids)
    yield* write(products)
    const known = products.map(({ id }) => id)
    yield* readModel.markKitsStale(store.id, known)
    for (const product of yield* readModel.rebuild(store, known, now)) {
      const told = toProductView(product, { currency: store.currency, audience: "subscriber", now, reading: undefined })
      yield* outbox.append(store.id, productUpdated, { productId: product.id, product: told })
    }
  })

  const changeDefinition = Effect.fnUntraced(function* (storeId: string, id: string, mark: string, now: number) {
    const current = yield* definitions.findLocked(storeId, id)
    if (current === undefined) return
    const enumValues = current.enumValues.map((choice) =>
      choice.swatchImageUrl?.includes(mark) === true ? { ...choice, swatchImageUrl: null } : choice
    )
    const hasPictures = picturesIn(current.type, current.defaultValue).length > 0
    const defaultValue = hasPictures ? withoutReference(current.defaultValue, mark) : current.defaultValue
    const changed = { ...current, enumValues, defaultValue }
    yield* Effect.orDie(definitions.update(storeId, id, changed, nextVersion(current.updatedAt, now)))
  })

  const letGo = Effect.fn("PictureReferences.letGo")(function* (
    store: StoreContext,
    { key }: ReferredFile,
    now: number
  ) {
    const mark = markOf(key)
    const ids = yield* repository.productsWith(store.id, mark)
    const write = (products: ReadonlyArray<PicturedProduct>) => {
      const changed = products.map(({ id, images }) => ({ id, images: withoutFile(images, mark) }))
      return repository.replace(store.id, changed, mark, new Date(now))
    }
    // All of them before the definitions, and these before any value of theirs.
    yield* repository.hold(store.id, ids)
    for (let at = 0; at < ids.length; at += batch) yield* changeSome(store, ids.slice(at, at + batch), now, write)
    yield* repository.clearOthers(store.id, mark, new Date(now))
    for (const id of yield* repository.definitionsWith(store.id, mark)) yield* changeDefinition(store.id, id, mark, now)
  })

  const showThumbnail = Effect.fn("PictureReferences.showThumbnail")(function* (
    store: StoreContext,
    { key }: ReferredFile,
    now: number
  ) {
    const ids = yield* repository.productsWithoutThumbnail(store.id, key)
    const write = (products: ReadonlyArray<PicturedProduct>) => {
      const changed = products.map(({ id, images }) => ({ id, images: withThumbnail(images, key) }))
      return repository.setImages(store.id, changed, new Date(now))
    }
    yield* repository.hold(store.id, ids)
    for (let at = 0; at < ids.length; at += batch) yield* changeSome(store, ids.slice(at, at + batch), now, write)
  })

  return { letGo, showThumbnail } satisfies MediaReferenceHolder
}).pipe(Effect.provide([PictureRepository.layer, MetafieldDefinitionRepository.layer]))
