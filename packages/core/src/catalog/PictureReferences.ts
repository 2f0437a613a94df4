/**
 * How the catalogue lets go of a deleted file: products, variants, categories, brands and modifiers show it no longer.
 */
import { Effect } from "effect"
import { Outbox } from "../database/Outbox.ts"
import { markOf } from "../media/MediaFile.ts"
import type { DeletedFile, MediaReferenceHolder } from "../media/MediaReferences.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { withoutFile } from "./internal/pictures.ts"
import { PictureRepository } from "./PictureRepository.ts"
import { ProductDocuments } from "./ProductDocuments.ts"
import { productUpdated } from "./ProductEvents.ts"
import { toProductView } from "./ProductView.ts"

/** Products that are read, written and told of at once. */
const batch = 200

export const pictureReferences = Effect.gen(function* () {
  const repository = yield* PictureRepository
  const documents = yield* ProductDocuments
  const outbox = yield* Outbox

  const changeSome = Effect.fnUntraced(function* (
    store: StoreContext,
    ids: ReadonlyArray<string>,
    mark: string,
    now: number
  ) {
    const products = yield* repository.lock(store.id, ids)
    const changed = products.map(({ id, images }) => ({ id, images: withoutFile(images, mark) }))
    yield* repository.replace(store.id, changed, mark, new Date(now))
    const known = products.map(({ id }) => id)
    for (const product of yield* documents.compose(store, known, now)) {
      const told = toProductView(product, { currency: store.currency, audience: "subscriber", now, reading: undefined })
      yield* outbox.append(store.id, productUpdated, { productId: product.id, product: told })
    }
  })

  const letGo = Effect.fn("PictureReferences.letGo")(function* (
    store: StoreContext,
    { key }: DeletedFile,
    now: number
  ) {
    const mark = markOf(key)
    const ids = yield* repository.productsWith(store.id, mark)
    for (let at = 0; at < ids.length; at += batch) yield* changeSome(store, ids.slice(at, at + batch), mark, now)
    yield* repository.clearOthers(store.id, mark, new Date(now))
  })

  return { letGo } satisfies MediaReferenceHolder
}).pipe(Effect.provide(PictureRepository.layer))
