/**
 * The media library of a store: images that a merchant uploads or has fetched by URL, and that products, categories,
 * brands and others show. All of them drop a deleted file in the transaction of its deletion; its bytes are removed
 * after a month.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ImageDownloads } from "./ImageDownloads.ts"
import { MediaNotFound } from "./MediaErrors.ts"
import { type MediaAssetPatch, type MediaIngest, type MediaTexts, mediaTextLength, toMediaAsset } from "./MediaAsset.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"
import { maxFileBytes, MediaFiles } from "./MediaFiles.ts"
import { MediaReferences } from "./MediaReferences.ts"
import { MediaUrls } from "./MediaUrls.ts"

/** An uploaded file with its declared type and texts. */
export interface SentFile {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly name: string
}

/** Milliseconds that the bytes of a deleted file are kept, so that an operator can recover it. */
const deletedMillis = 30 * 86_400_000

export class MediaAssets extends Context.Service<MediaAssets>()("@effect-commerce/core/media/MediaAssets", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* MediaFileRepository
    const files = yield* MediaFiles
    const downloads = yield* ImageDownloads
    const holders = yield* MediaReferences
    const urls = yield* MediaUrls

    const found = (id: string) =>
      Effect.flatMap((file: Parameters<typeof toMediaAsset>[0] | undefined) =>
        file === undefined
          ? Effect.fail(new MediaNotFound({ id }))
          : Effect.map(urls.current, (urlOf) => toMediaAsset(file, urlOf))
      )

    const upload = Effect.fn("MediaAssets.upload")(function* (
      store: StoreContext,
      { bytes, contentType, name }: SentFile,
      texts: MediaTexts
    ) {
      const file = yield* files.add(store, {
        purpose: "library",
        bytes,
        contentType,
        name: fileName(texts.name ?? name),
        alt: texts.alt ?? null,
        ownerId: null,
        keptFor: null
      })
      return toMediaAsset(file, yield* urls.current)
    })

    const ingest = Effect.fn("MediaAssets.ingest")(function* (
      store: StoreContext,
      { sourceUrl, ...texts }: MediaIngest
    ) {
      return yield* upload(store, yield* downloads.fetch(store.id, sourceUrl, maxFileBytes.library), texts)
    })

    const update = Effect.fn("MediaAssets.update")(function* (store: StoreContext, id: string, patch: MediaAssetPatch) {
      const now = yield* Clock.currentTimeMillis
      return yield* database
        .write(store.id)(
          Effect.gen(function* () {
            const current = yield* repository.lock(store.id, id)
            if (current === undefined) return undefined
            const words = {
              name: patch.name?.trim() ?? current.name,
              alt: patch.alt === undefined ? current.alt : patch.alt
            }
            return yield* repository.update(store.id, id, words, new Date(now))
          })
        )
        .pipe(found(id))
    })

    const remove = Effect.fn("MediaAssets.remove")(function* (store: StoreContext, id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.gen(function* () {
          const file = yield* repository.lock(store.id, id)
          if (file === undefined) return yield* new MediaNotFound({ id })
          for (const { removeFile } of holders) yield* removeFile(store, { id, key: file.key }, now)
          yield* repository.remove(store.id, [id], new Date(now), new Date(now + deletedMillis))
        })
      )
    })

    return {
      list: Effect.fnUntraced(function* (store: StoreContext, search: string | undefined, page: Page) {
        const urlOf = yield* urls.current
        const { items, total } = yield* repository.list(store.id, search, page)
        return { items: items.map((file) => toMediaAsset(file, urlOf)), total }
      }),
      get: (store: StoreContext, id: string) => repository.find(store.id, id).pipe(found(id)),
      upload,
      ingest,
      update,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(MediaAssets, MediaAssets.make)
}

/** The last segment of a name that may be a path, without control characters, of bounded length. */
const fileName = (given: string): string => {
  const last = given.split(/[/\\]/).at(-1) ?? ""
  const plain = last.replace(/[\p{Cc}\p{Cf}]/gu, "").trim()
  return plain === "" ? "image" : [...plain].slice(0, mediaTextLength.name / 2).join("")
}
