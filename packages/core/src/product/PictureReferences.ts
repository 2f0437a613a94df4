/**
 * Products, their variants and their metafields drop a deleted file of the media library, and show a thumbnail that was
 * made after they had taken the file up.
 */
import { Effect } from "effect"
import { Outbox } from "../outbox/Outbox.ts"
import { markOf } from "../media/MediaFile.ts"
import type { MediaReferenceHolder, ReferredFile } from "../media/MediaReferences.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { withoutFile, withThumbnail } from "./ProductImages.ts"
import { MetafieldPictures } from "../metafield/MetafieldPictures.ts"
import { type PicturedProduct, PictureRepository } from "./PictureRepository.ts"
import { productUpdated } from "./ProductEvents.ts"
import { ProductReadModel } from "./ProductReadModel.ts"
import { toProductView } from "./productViews.ts"

/** Products that are read, written and announced at once. */
const batch = 200

export const productPictureReferences = Effect.gen(function* () {
  const repository = yield* PictureRepository
  const readModel = yield* ProductReadModel
  const outbox = yield* Outbox
  const metafields = yield* MetafieldPictures

  /** Changes products by `write`, and announces them. */
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
      const view = toProductView(product, { currency: store.currency, audience: "subscriber", now, reading: undefined })
      yield* outbox.append(store.id, productUpdated, { productId: product.id, product: view })
    }
  })

  /** Locks all of the products before the definitions of metafields, and these before any value of theirs. */
  const lockAndChange = Effect.fnUntraced(function* (
    store: StoreContext,
    ids: ReadonlyArray<string>,
    now: number,
    write: (products: ReadonlyArray<PicturedProduct>) => Effect.Effect<void>
  ) {
    yield* repository.lock(store.id, ids)
    yield* metafields.lock(store.id)
    for (let at = 0; at < ids.length; at += batch) yield* changeSome(store, ids.slice(at, at + batch), now, write)
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
