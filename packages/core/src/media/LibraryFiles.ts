/**
 * Looks up files of the media library for rooms that store a reference to them, and locks them: a file cannot be
 * deleted until the transaction ends, so a reference to a deleted file is never stored.
 */
import { Context, Effect, Layer } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import { type MediaAsset, toMediaAsset } from "./MediaAsset.ts"
import { referenceOf } from "./MediaFile.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"
import { MediaUrls } from "./MediaUrls.ts"

export class LibraryFiles extends Context.Service<LibraryFiles>()("@effect-commerce/core/media/LibraryFiles", {
  make: Effect.gen(function* () {
    const repository = yield* MediaFileRepository
    const urls = yield* MediaUrls

    const ownReferences = (storeId: string, keysOrUrls: ReadonlyArray<string>) =>
      keysOrUrls.flatMap((given) => {
        const reference = referenceOf(given)
        return reference?.storeId === storeId ? [{ given, ...reference }] : []
      })

    /**
     * For callers that store the text as it is: returns the texts that name a file of the store, or its thumbnail, that
     * is not in the library. Existing files are locked. A text that names no file of the store is not missing.
     */
    const missing = Effect.fnUntraced(function* (store: Pick<StoreContext, "id">, keysOrUrls: ReadonlyArray<string>) {
      const references = ownReferences(store.id, keysOrUrls)
      if (references.length === 0) return new Set<string>()
      const found = yield* repository.hold(store.id, [...new Set(references.map(({ id }) => id))])
      const ids = new Set(found.map(({ id }) => id))
      return new Set(references.flatMap(({ given, id }) => (ids.has(id) ? [] : [given])))
    })

    /**
     * The files of the store's library that these keys or addresses name, by that text. Call it inside the transaction
     * that stores the reference, before it locks other rows: files come first in the order of locks. One statement,
     * none if no text looks like a file of the store.
     */
    const hold = Effect.fnUntraced(function* (store: Pick<StoreContext, "id">, keysOrUrls: ReadonlyArray<string>) {
      const references = ownReferences(store.id, keysOrUrls)
      if (references.length === 0) return new Map<string, MediaAsset>()
      const found = yield* repository.hold(store.id, [...new Set(references.map(({ id }) => id))])
      const urlOf = yield* urls.current
      const byKey = new Map(found.map((file) => [file.key, toMediaAsset(file, urlOf)]))
      return new Map(
        references.flatMap(({ given, key }) => {
          const asset = byKey.get(key)
          return asset === undefined ? [] : [[given, asset] as const]
        })
      )
    })

    return { hold, missing }
  })
}) {
  static readonly layer = Layer.effect(LibraryFiles, LibraryFiles.make)
}
