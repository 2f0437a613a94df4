/**
 * Images that shoppers upload: for a customization of a product, or as photos of a review. An upload without a
 * reference is removed after a day; code that stores a reference calls `keep` in the same transaction.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type FilePurpose, type MediaFileState, referenceOf, type UploadedFile } from "./MediaFile.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"
import { MediaFiles } from "./MediaFiles.ts"
import { MediaUrls } from "./MediaUrls.ts"

export type UploadPurpose = Exclude<FilePurpose, "library">

export interface Upload {
  readonly purpose: UploadPurpose
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly name: string
  /** The customer who sends a photo for a review; null for a guest. */
  readonly ownerId: string | null
}

/** Until a time, permanently (null), or as long as any of `UploadUses` needs it. */
export type KeptUntil = Date | null | "while-needed"

/** Milliseconds that an upload waits for something to refer to it. */
const unusedMillis = 86_400_000

export class UploadedFiles extends Context.Service<UploadedFiles>()("@effect-commerce/core/media/UploadedFiles", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const mediaFiles = yield* MediaFiles
    const repository = yield* MediaFileRepository
    const urls = yield* MediaUrls

    const add = Effect.fn("UploadedFiles.add")(function* (store: StoreContext, upload: Upload) {
      const urlOf = yield* urls.current
      const { key, width, height } = yield* mediaFiles.add(store, { ...upload, alt: null, keptFor: unusedMillis })
      return { url: urlOf(key), key, width, height }
    })

    const ownReferences = (storeId: string, keysOrUrls: ReadonlyArray<string>) =>
      keysOrUrls.flatMap((given) => {
        const reference = referenceOf(given)
        return reference?.storeId === storeId ? [{ given, ...reference }] : []
      })

    const found = Effect.fnUntraced(function* (
      storeId: string,
      keysOrUrls: ReadonlyArray<string>,
      take: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<MediaFileState>>
    ) {
      const references = ownReferences(storeId, keysOrUrls)
      if (references.length === 0) return new Map<string, UploadedFile>()
      const files = yield* take([...new Set(references.map((reference) => reference.id))])
      const urlOf = yield* urls.current
      const byKey = new Map(files.map(({ key, width, height }) => [key, { url: urlOf(key), key, width, height }]))
      return new Map(
        references.flatMap(({ given, key }) => {
          const file = byKey.get(key)
          return file === undefined ? [] : [[given, file] as const]
        })
      )
    })

    /**
     * Lets the sweep remove uploads. Call it in the transaction that removes their references.
     */
    const release = Effect.fnUntraced(function* (
      { id }: Pick<StoreContext, "id">,
      keysOrUrls: ReadonlyArray<string>,
      now: Date
    ) {
      const gone = ownReferences(id, keysOrUrls).map((reference) => reference.id)
      if (gone.length > 0) yield* database.write(id)(repository.release(id, gone, now))
    })

    return {
      add,
      /**
       * The store's uploads that these keys or URLs name, by that text; a text without a result is not an upload of
       * this store for this purpose. They are kept until `until`. Call it inside the transaction that stores the
       * reference, and store the returned key and URL: of a URL that was sent only the end was checked. One statement,
       * none for an empty list.
       */
      keep: (
        { id }: Pick<StoreContext, "id">,
        keysOrUrls: ReadonlyArray<string>,
        purpose: UploadPurpose,
        until: KeptUntil
      ) => found(id, keysOrUrls, (wanted) => repository.keep(id, wanted, purpose, until)),
      /**
       * Like `keep`, for uploads that belong to one resource, such as the photos of a review: they are kept
       * permanently. Uploads that another resource has claimed are not returned, so that releasing them affects no
       * other resource, nor are uploads that another customer than `ownerId` has sent.
       */
      claim: (
        { id }: Pick<StoreContext, "id">,
        keysOrUrls: ReadonlyArray<string>,
        purpose: UploadPurpose,
        ownerId: string | null
      ) => found(id, keysOrUrls, (wanted) => repository.claim(id, wanted, purpose, ownerId)),
      release
    }
  })
}) {
  static readonly layer = Layer.effect(UploadedFiles, UploadedFiles.make)
}
