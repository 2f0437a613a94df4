/** The SQL of media_file, except thumbnails (ThumbnailRepository); it keeps the bytes in media_storage up to date. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, containing, many, none, one, storesWhoseOldest } from "../database/Repository.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { FilePurpose, MediaFileState } from "./MediaFile.ts"
import { MediaStorageRepository } from "./MediaStorageRepository.ts"
import type { NeededUpload } from "./UploadUses.ts"

/** A file whose bytes are about to be stored. */
export interface NewMediaFile extends Omit<MediaFileState, "createdAt" | "updatedAt" | "thumbnailKey"> {
  readonly contentHash: string
  /** The customer who sent it and owns it until something of theirs refers to it. */
  readonly ownerId: string | null
  readonly createdAt: Date
  /** When it is removed unless it has become ready. */
  readonly purgeAt: Date
}

/** What is needed to serve the bytes of a file or of its thumbnail. */
export interface ServedFile {
  readonly key: string
  readonly thumbnailKey: string | null
  readonly mimeType: MediaFileState["mimeType"]
  readonly size: number
  readonly contentHash: string
  readonly thumbnailHash: string | null
  readonly thumbnailSize: number | null
  readonly name: string
}

/** A file to be removed from the object storage. */
export interface DueFile {
  readonly id: string
  readonly key: string
}

const columns = `f.id, f.purpose, f.key, f.thumbnail_key, f.mime_type, f.size, f.width, f.height, f.name, f.alt,
  f.created_at, f.updated_at`

export class MediaFileRepository extends Context.Service<MediaFileRepository>()(
  "@effect-commerce/core/media/MediaFileRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const storage = yield* MediaStorageRepository
      const selected = sql.literal(columns)
      const inLibrary = sql.literal("f.purpose = 'library' AND f.ready AND f.deleted_at IS NULL")
      const keptUploads = sql.literal("f.purpose = 'customization' AND f.purge_at IS NULL AND f.review_at IS NOT NULL")
      const reader = makePageReader<MediaFileState>(sql, { name: "media_file", alias: "f", columns })

      /** Counts the bytes against the store's limit and writes the row, which is not ready yet. */
      const begin = Effect.fnUntraced(function* (storeId: string, file: NewMediaFile) {
        const isUnclaimed = file.purpose !== "library"
        yield* storage.takeRoom(storeId, file.size, isUnclaimed)
        const row = {
          store_id: storeId,
          id: file.id,
          purpose: file.purpose,
          key: file.key,
          mime_type: file.mimeType,
          size: file.size,
          stored_bytes: file.size,
          unclaimed: isUnclaimed,
          owner_id: file.ownerId,
          width: file.width,
          height: file.height,
          content_hash: file.contentHash,
          name: file.name,
          alt: file.alt,
          purge_at: file.purgeAt,
          review_at: file.createdAt,
          created_at: file.createdAt,
          updated_at: file.createdAt
        }
        yield* none(sql`INSERT INTO media_file ${sql.insert(row)}`)
      })

      /** Marks the chosen files as deleted and subtracts their bytes, in one statement. */
      const removeThose = (storeId: string, which: ReturnType<typeof sql.and>, at: Date, purgeAt: Date) =>
        none(sql`WITH gone AS (
            UPDATE media_file f SET deleted_at = ${at}, updated_at = ${at}, purge_at = ${purgeAt}, thumbnail_due = NULL
            WHERE f.store_id = ${storeId} AND f.deleted_at IS NULL AND ${which} RETURNING f.stored_bytes, f.unclaimed)
          UPDATE media_storage s SET
            used_bytes = s.used_bytes - (SELECT coalesce(sum(stored_bytes), 0) FROM gone WHERE NOT unclaimed),
            unclaimed_bytes = s.unclaimed_bytes - (SELECT coalesce(sum(stored_bytes), 0) FROM gone WHERE unclaimed)
          WHERE s.store_id = ${storeId}`)

      /**
       * Updates uploads that something now refers to: they become the merchant's. Rows are locked before `unclaimed` is
       * read, so that of two transactions that refer to the same upload only one moves its bytes.
       */
      const takeUp = (storeId: string, which: ReturnType<typeof sql.and>, changes: ReturnType<typeof sql.csv>) =>
        many(sql<MediaFileState>`WITH before AS (
            SELECT f.id, f.unclaimed, f.stored_bytes FROM media_file f
            WHERE f.store_id = ${storeId} AND f.ready AND f.deleted_at IS NULL AND ${which}
            ORDER BY f.id FOR NO KEY UPDATE
          ), moved AS (SELECT coalesce(sum(stored_bytes), 0) AS bytes FROM before WHERE unclaimed
          ), counted AS (
            UPDATE media_storage s SET used_bytes = s.used_bytes + m.bytes,
              unclaimed_bytes = s.unclaimed_bytes - m.bytes
            FROM moved m WHERE s.store_id = ${storeId} AND m.bytes > 0
          ) UPDATE media_file f SET unclaimed = false, owner_id = NULL, ${changes} FROM before b
            WHERE f.store_id = ${storeId} AND f.id = b.id RETURNING ${selected}`)

      /** Takes the first due files of a store and marks them as deleted: no reference can be made to them any more. */
      // media_file_store_id_purge_at_idx
      const takeDue = Effect.fnUntraced(function* (storeId: string, now: Date, most: number) {
        const rows = yield* many(sql<DueFile>`SELECT f.id, f.key FROM media_file f
          WHERE f.store_id = ${storeId} AND f.purge_at <= ${now} ORDER BY f.purge_at
          LIMIT ${most} FOR UPDATE SKIP LOCKED`)
        if (rows.length === 0) return rows
        yield* removeThose(storeId, sql.and([sql`f.id = ANY(${rows.map(({ id }) => id)}::text[])`]), now, now)
        return rows
      })

      return {
        begin,
        /**
         * Makes the file ready; returns whether its row still existed. `purgeAt` null: it is kept until it is deleted.
         * `thumbnailDue`: when the worker makes the thumbnail if it is not there by then.
         */
        finish: (
          storeId: string,
          id: string,
          { purgeAt, thumbnailDue }: { readonly purgeAt: Date | null; readonly thumbnailDue: Date | null }
        ) =>
          anyRow(sql`UPDATE media_file SET ready = true, purge_at = ${purgeAt}, thumbnail_due = ${thumbnailDue}
            WHERE store_id = ${storeId} AND id = ${id} AND NOT ready AND deleted_at IS NULL RETURNING id`),
        /** A file of the library. */
        find: (storeId: string, id: string) =>
          one(sql<MediaFileState>`SELECT ${selected} FROM media_file f
            WHERE f.store_id = ${storeId} AND f.id = ${id} AND ${inLibrary}`),
        /** Finds and locks a file of the library until the transaction ends: no reference can be made meanwhile. */
        lock: (storeId: string, id: string) =>
          one(sql<MediaFileState>`SELECT ${selected} FROM media_file f
            WHERE f.store_id = ${storeId} AND f.id = ${id} AND ${inLibrary} FOR NO KEY UPDATE`),
        /**
         * Files of the library by their ids, kept from being deleted until the transaction ends. Call it before writing
         * a reference to a file, and before locking the row that refers to it.
         */
        hold: (storeId: string, wanted: ReadonlyArray<string>) =>
          many(sql<MediaFileState>`SELECT ${selected} FROM media_file f
            WHERE f.store_id = ${storeId} AND f.id = ANY(${wanted}::text[]) AND ${inLibrary}
            ORDER BY f.id FOR SHARE`),
        list: (storeId: string, search: string | undefined, page: Page) =>
          reader.page(storeId, {
            conditions: [
              sql`${inLibrary}`,
              ...(search === undefined
                ? []
                : [sql`lower(f.name || ' ' || coalesce(f.alt, '')) LIKE ${containing(search.toLowerCase())}`])
            ],
            order: sql.literal("f.created_at DESC, f.id DESC"),
            page,
            search
          }),
        update: (storeId: string, id: string, { name, alt }: Pick<MediaFileState, "name" | "alt">, now: Date) =>
          one(sql<MediaFileState>`UPDATE media_file f SET name = ${name}, alt = ${alt},
            updated_at = ${versionAfter(sql, now)}
            WHERE f.store_id = ${storeId} AND f.id = ${id} AND ${inLibrary} RETURNING ${selected}`),
        /** Marks files as deleted and subtracts their bytes from the store's usage. */
        remove: (storeId: string, gone: ReadonlyArray<string>, at: Date, purgeAt: Date) =>
          removeThose(storeId, sql.and([sql`f.id = ANY(${gone}::text[])`]), at, purgeAt),
        /** A file of any purpose, to serve its bytes. */
        served: (storeId: string, id: string) =>
          one(sql<ServedFile>`SELECT f.key, f.thumbnail_key, f.mime_type, f.size, f.content_hash, f.thumbnail_hash,
            f.thumbnail_size, f.name
            FROM media_file f WHERE f.store_id = ${storeId} AND f.id = ${id} AND f.ready AND f.deleted_at IS NULL`),
        /**
         * Uploads of shoppers by their ids, kept until then at least. Call it in the transaction that adds the
         * reference.
         */
        keep: (
          storeId: string,
          wanted: ReadonlyArray<string>,
          purpose: FilePurpose,
          until: Date | null | "while-needed"
        ) =>
          takeUp(
            storeId,
            sql`f.id = ANY(${wanted}::text[]) AND f.purpose = ${purpose}`,
            sql`purge_at = CASE WHEN f.purge_at IS NOT NULL AND ${timeOf(until)}::timestamptz IS NOT NULL
                THEN greatest(f.purge_at, ${timeOf(until)}::timestamptz) END,
              review_at = ${until === null ? sql`NULL` : sql`f.review_at`}`
          ),
        /** Keeps uploads permanently, unless they are kept already or were sent by another customer than `ownerId`. */
        claim: (storeId: string, wanted: ReadonlyArray<string>, purpose: FilePurpose, ownerId: string | null) =>
          takeUp(
            storeId,
            sql`f.id = ANY(${wanted}::text[]) AND f.purpose = ${purpose} AND f.purge_at IS NOT NULL
              AND (f.owner_id IS NULL OR f.owner_id = ${ownerId})`,
            sql`purge_at = NULL`
          ),
        /** Marks uploads of shoppers as deleted. */
        release: (storeId: string, gone: ReadonlyArray<string>, now: Date) =>
          removeThose(
            storeId,
            sql.and([sql`f.id = ANY(${gone}::text[])`, sql`f.purpose <> 'library' AND f.ready`]),
            now,
            now
          ),
        /** Stores with kept uploads that are due for a review of whether anything still needs them. */
        // media_file_store_id_review_at_idx serves both.
        storesToReview: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT f.review_at FROM media_file f WHERE f.store_id = s.id AND ${keptUploads}
              ORDER BY f.review_at LIMIT 1`,
            sql`oldest.review_at <= ${now}`
          ),
        /**
         * The first uploads due for a review, locked until the transaction ends: no reference can be made meanwhile.
         */
        takeReviewed: (storeId: string, now: Date, most: number) =>
          many(
            sql<{ readonly id: string }>`SELECT f.id FROM media_file f
              WHERE f.store_id = ${storeId} AND ${keptUploads} AND f.review_at <= ${now} ORDER BY f.review_at
              LIMIT ${most} FOR UPDATE SKIP LOCKED`,
            ({ id }) => id
          ),
        /** Sets when the uploads are reviewed again; null: never. */
        reviewAgain: (storeId: string, needed: ReadonlyArray<NeededUpload>) =>
          none(sql`UPDATE media_file f SET review_at = n.until
            FROM jsonb_to_recordset(${JSON.stringify(needed)}::jsonb) AS n (id text, until timestamptz)
            WHERE f.store_id = ${storeId} AND f.id = n.id`),
        /** Stores that have a file due for removal. */
        // media_file_store_id_purge_at_idx: one probe for each store.
        storesWithDue: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT f.purge_at FROM media_file f WHERE f.store_id = s.id AND f.purge_at IS NOT NULL
              ORDER BY f.purge_at LIMIT 1`,
            sql`oldest.purge_at <= ${now}`
          ),
        takeDue,
        /** Removes rows whose bytes have been deleted. */
        forget: (storeId: string, gone: ReadonlyArray<string>) =>
          none(sql`DELETE FROM media_file WHERE store_id = ${storeId} AND id = ANY(${gone}::text[])
            AND deleted_at IS NOT NULL`),
        /** Postpones the removal of files until `until`. */
        postpone: (storeId: string, failed: ReadonlyArray<string>, until: Date) =>
          none(sql`UPDATE media_file SET purge_at = ${until}
            WHERE store_id = ${storeId} AND id = ANY(${failed}::text[]) AND deleted_at IS NOT NULL`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(MediaFileRepository, MediaFileRepository.make)
}

const timeOf = (until: Date | null | "while-needed"): Date | null => (until === "while-needed" ? null : until)
