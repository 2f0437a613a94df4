/**
 * Removes a deleted file of the media library from products, their variants and their metafields, and adds a thumbnail
 * that was generated after a product began to use the file.
 */
import { Array, Effect } from "effect"
import { markOf } from "../media/MediaFile.ts"
import type { MediaReferenceHolder, ReferredFile } from "../media/MediaReferences.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { withoutFile, withThumbnail } from "./ProductImages.ts"
import { MetafieldPictures } from "../metafield/MetafieldPictures.ts"
import { type PicturedProduct, PictureRepository } from "./PictureRepository.ts"
import { makeProductChanges } from "./internal/productChanges.ts"

/** Products that are read, written and announced together. */
const batch = 200

export const productPictureReferences = Effect.gen(function* () {
  const repository = yield* PictureRepository
  const { picturesUpdated } = yield* makeProductChanges
  const metafields = yield* MetafieldPictures

  /**
   * Changes products with `write` and emits their events. Locks all products first, then the metafield definitions,
   * then their values.
   */
  const lockAndChange = Effect.fnUntraced(function* (
    store: StoreContext,
    ids: ReadonlyArray<string>,
    now: number,
    write: (products: ReadonlyArray<PicturedProduct>) => Effect.Effect<void>
  ) {
    yield* repository.lock(store.id, ids)
    yield* metafields.lock(store.id)
    for (const some of Array.chunksOf(ids, batch)) {
      const products = yield* repository.images(store.id, some)
      yield* write(products)
      yield* picturesUpdated(
        store,
        products.map(({ id }) => id),
        now
      )
    }
  })

  const removeFile = Effect.fn("PictureReferences.removeFile")(function* (
    store: StoreContext,
    { key }: ReferredFile,
    now: number
  ) {
    const mark = markOf(key)
    const showing = [
      ...(yield* repository.productsWith(store.id, mark)),
      ...(yield* metafields.productsWith(store.id, mark))
    ]
    const ids = [...new Set(showing)].sort()
    const write = (products: ReadonlyArray<PicturedProduct>) => {
      const changed = products.map(({ id, images }) => ({ id, images: withoutFile(images, mark) }))
      const known = products.map(({ id }) => id)
      return Effect.andThen(
        repository.replace(store.id, changed, mark, new Date(now)),
        metafields.removeFrom(store.id, known, mark, new Date(now))
      )
    }
    yield* lockAndChange(store, ids, now, write)
  })

  const addThumbnail = Effect.fn("PictureReferences.addThumbnail")(function* (
    store: StoreContext,
    { key }: ReferredFile,
    now: number
  ) {
    const ids = yield* repository.productsWithoutThumbnail(store.id, key)
    yield* lockAndChange(store, ids, now, (products) => {
      const changed = products.map(({ id, images }) => ({ id, images: withThumbnail(images, key) }))
      return repository.setImages(store.id, changed, new Date(now))
    })
  })

  return { removeFile, addThumbnail } satisfies MediaReferenceHolder
}).pipe(Effect.provide(PictureRepository.layer))
