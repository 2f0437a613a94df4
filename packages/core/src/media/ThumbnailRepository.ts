/** The SQL of thumbnails: a file's thumbnail in its media_file row, and when the worker handles a missing one. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one, storesWhoseOldest } from "../database/Repository.ts"
import { MediaStorageRepository } from "./MediaStorageRepository.ts"

export interface NewThumbnail {
  readonly key: string
  readonly hash: string
  readonly size: number
}

/** A file without a thumbnail, or with one made so late that resources may show the file without it. */
export interface DueThumbnail {
  readonly id: string
  readonly key: string
  readonly thumbnailKey: string | null
}

export class ThumbnailRepository extends Context.Service<ThumbnailRepository>()(
  "@effect-commerce/core/media/ThumbnailRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const storage = yield* MediaStorageRepository

      /** Returns whether the file existed without a thumbnail. It stays due if resources must be updated. */
      const add = Effect.fnUntraced(function* (
        storeId: string,
        id: string,
        { key, hash, size }: NewThumbnail,
        staysDue: boolean
      ) {
        const isAdded = yield* anyRow(sql`UPDATE media_file SET thumbnail_key = ${key}, thumbnail_hash = ${hash},
            thumbnail_size = ${size}, stored_bytes = stored_bytes + ${size},
            thumbnail_due = CASE WHEN ${staysDue} THEN thumbnail_due END
          WHERE store_id = ${storeId} AND id = ${id} AND ready AND deleted_at IS NULL AND thumbnail_key IS NULL
          RETURNING id`)
        if (isAdded) yield* storage.takeRoom(storeId, size, false)
        return isAdded
      })

      return {
        add,
        /** Marks the file as done: it stays without a thumbnail, or all resources show it. */
        done: (storeId: string, id: string) =>
          none(sql`UPDATE media_file SET thumbnail_due = NULL WHERE store_id = ${storeId} AND id = ${id}`),
        /** Stores with a due thumbnail. */
        // media_file_store_id_thumbnail_due_idx serves both.
        storesWithDue: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT f.thumbnail_due FROM media_file f WHERE f.store_id = s.id AND f.thumbnail_due IS NOT NULL
              ORDER BY f.thumbnail_due LIMIT 1`,
            sql`oldest.thumbnail_due <= ${now}`
          ),
        /** The first due file of a store. It is due again later, unless it has been taken three times. */
        takeDue: (storeId: string, now: Date) =>
          one(sql<DueThumbnail>`UPDATE media_file f SET thumbnail_tries = f.thumbnail_tries + 1,
              thumbnail_due = CASE WHEN f.thumbnail_tries < 2
                THEN ${now}::timestamptz + interval '1 minute' * 10 ^ f.thumbnail_tries END
            WHERE f.store_id = ${storeId} AND f.id = (
              SELECT d.id FROM media_file d WHERE d.store_id = ${storeId} AND d.thumbnail_due <= ${now}
              ORDER BY d.thumbnail_due LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING f.id, f.key, f.thumbnail_key`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ThumbnailRepository, ThumbnailRepository.make)
}
