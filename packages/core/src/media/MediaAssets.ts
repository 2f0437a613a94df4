/**
 * The media library of a store: images that a merchant uploads or has fetched, and that products, categories, brands
 * and others show. All of them drop a deleted file in the transaction of its deletion; its bytes are swept
 * after a month.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { Page, PageOf } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ImageDownloads } from "./ImageDownloads.ts"
import { MediaNotFound, type SourceRejected } from "./MediaErrors.ts"
import { type MediaAsset, type MediaAssetPatch, maxNameLength, toMediaAsset } from "./MediaAsset.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"
import { type AddFailure, maxFileBytes, MediaFiles } from "./MediaFiles.ts"
import { MediaReferences } from "./MediaReferences.ts"
import { MediaUrls } from "./MediaUrls.ts"

/** A file as it arrives, with what its sender says of it. */
export interface SentFile {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly name: string
}

/** Words that may come with it. */
export interface SentWords {
  readonly name?: string | undefined
  readonly alt?: string | undefined
}

export interface MediaAssetsMethods {
  readonly list: (store: StoreContext, search: string | undefined, page: Page) => Effect.Effect<PageOf<MediaAsset>>
  readonly get: (store: StoreContext, id: string) => Effect.Effect<MediaAsset, MediaNotFound>
  readonly upload: (store: StoreContext, file: SentFile, words: SentWords) => Effect.Effect<MediaAsset, AddFailure>
  readonly ingest: (
    store: StoreContext,
    sourceUrl: string,
    words: SentWords
  ) => Effect.Effect<MediaAsset, AddFailure | SourceRejected>
  readonly update: (store: StoreContext, id: string, patch: MediaAssetPatch) => Effect.Effect<MediaAsset, MediaNotFound>
  readonly remove: (store: StoreContext, id: string) => Effect.Effect<void, MediaNotFound>
}

/** Milliseconds that the bytes of a deleted file are kept: what was deleted by mistake can be had back meanwhile. */
export const deletedMillis = 30 * 86_400_000

export class MediaAssets extends Context.Service<MediaAssets, MediaAssetsMethods>()(
  "@effect-commerce/core/media/MediaAssets"
) {
  static readonly layer = Layer.effect(
    MediaAssets,
    Effect.gen(function* () {
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
        words: SentWords
      ) {
        const named = fileName(words.name ?? name)
        const alt = words.alt ?? null
        const file = yield* files.add(store, {
          purpose: "library",
          bytes,
          contentType,
          name: named,
          alt,
          ownerId: null,
          keptFor: null
        })
        return toMediaAsset(file, yield* urls.current)
      })

      const ingest = Effect.fn("MediaAssets.ingest")(function* (
        store: StoreContext,
        sourceUrl: string,
        words: SentWords
      ) {
        return yield* upload(store, yield* downloads.fetch(sourceUrl, maxFileBytes.library), words)
      })

      const update = Effect.fn("MediaAssets.update")(function* (
        store: StoreContext,
        id: string,
        patch: MediaAssetPatch
      ) {
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

      return MediaAssets.of({
        list: Effect.fnUntraced(function* (store, search, page) {
          const urlOf = yield* urls.current
          const { items, total } = yield* repository.list(store.id, search, page)
          return { items: items.map((file) => toMediaAsset(file, urlOf)), total }
        }),
        get: (store, id) => repository.find(store.id, id).pipe(found(id)),
        upload,
        ingest,
        update,
        remove
      })
    })
  )
}

/** The last part of what may be a path, without control characters, of bounded length. */
const fileName = (given: string): string => {
  const last = given.split(/[/\\]/).at(-1) ?? ""
  const plain = last.replace(/[\p{Cc}\p{Cf}]/gu, "").trim()
  return plain === "" ? "image" : [...plain].slice(0, maxNameLength / 2).join("")
}
