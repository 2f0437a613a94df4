/** The SQL of export_job and export_part. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one, storedJson, storesWhoseOldest } from "../database/Repository.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import { ExportFilters, type ExportFormat, type ExportResource, type ExportState } from "./Export.ts"

export interface NewExport {
  readonly id: string
  readonly resource: ExportResource
  readonly format: ExportFormat
  readonly filters: ExportFilters
}

export interface NewPart {
  readonly key: string
  readonly rows: number
  readonly bytes: number
}

/** What a worker that holds the lease has done of an export. */
export interface Progress {
  /** Absent: no row of this page is in the file. */
  readonly part?: NewPart
  readonly after: string
}

/** When an export is tried again, and how often it has failed since its last part. */
interface Retry {
  readonly dueAt: Date
  readonly tries: number
}

/** How an export ends, and when its file is deleted. */
interface Ending {
  readonly status: "DONE" | "FAILED"
  readonly reason?: string | null
  readonly expiresAt: Date
}

type ExportRow = Omit<ExportState, "filters"> & { readonly filters: unknown }

const readFilters = storedJson("export_job.filters", ExportFilters)
const toState = (row: ExportRow): ExportState => ({ ...row, filters: readFilters(row.filters) })

export class ExportRepository extends Context.Service<ExportRepository>()(
  "@effect-commerce/core/export/ExportRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const columns = sql.literal(
        "id, resource, format, filters, status, reason, rows, bytes, parts, after, tries, created_at, expires_at"
      )
      const count = (storeId: string, which: string) =>
        countLocked(sql, {
          table: "export_job",
          ownerId: storeId,
          which: sql`store_id = ${storeId} AND ${sql.literal(which)}`
        })

      return {
        /** Both hold other exports of the store back until the transaction ends. */
        countOpen: (storeId: string) => count(storeId, "due_at IS NOT NULL"),
        countKept: (storeId: string) => count(storeId, "NOT files_removed"),

        /** The bytes of all files of the store that are kept, with those that are being written. */
        keptBytes: (storeId: string) =>
          Effect.map(
            one(sql<{ readonly bytes: bigint }>`SELECT coalesce(sum(bytes), 0)::int8 AS bytes FROM export_job
              WHERE store_id = ${storeId} AND NOT files_removed`),
            (row) => row?.bytes ?? 0n
          ),

        insert: (storeId: string, { id, resource, format, filters }: NewExport, now: Date) =>
          none(sql`INSERT INTO export_job (store_id, id, resource, format, filters, status, due_at, created_at,
              updated_at)
            VALUES (${storeId}, ${id}, ${resource}, ${format}, ${jsonText(filters)}::jsonb, 'QUEUED', ${now}, ${now},
              ${now})`),

        find: (storeId: string, id: string) =>
          one(sql<ExportRow>`SELECT ${columns} FROM export_job WHERE store_id = ${storeId} AND id = ${id}`, toState),

        // export_job_store_id_due_at_idx serves both.
        storesWithDue: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT j.due_at FROM export_job j WHERE j.store_id = s.id AND j.due_at IS NOT NULL
              ORDER BY j.due_at LIMIT 1`,
            sql`oldest.due_at <= ${now}`
          ),
        /** Takes the lease of the export of the store that waits longest. */
        claim: (storeId: string, lease: string, now: Date, until: Date) =>
          one(
            sql<ExportRow>`UPDATE export_job SET status = 'RUNNING', lease = ${lease}, due_at = ${until},
                tries = tries + 1, updated_at = ${now}
              WHERE store_id = ${storeId} AND id = (SELECT j.id FROM export_job j
                WHERE j.store_id = ${storeId} AND j.due_at <= ${now} ORDER BY j.due_at, j.id LIMIT 1
                FOR UPDATE SKIP LOCKED)
              RETURNING ${columns}`,
            toState
          ),

        /** Names an object before it is written, so that one that a crash has left is found. */
        begin: (storeId: string, id: string, { key, rows, bytes }: NewPart, position: number) =>
          none(sql`INSERT INTO export_part (store_id, key, export_id, position, rows, bytes)
            VALUES (${storeId}, ${key}, ${id}, ${position}, ${rows}, ${bytes})`),
        /** Objects that were begun and are no part of the file. */
        leftovers: (storeId: string, id: string) =>
          many(
            sql<{ readonly key: string }>`SELECT key FROM export_part
              WHERE store_id = ${storeId} AND export_id = ${id} AND NOT ready`,
            ({ key }) => key
          ),
        forget: (storeId: string, key: string) =>
          none(sql`DELETE FROM export_part WHERE store_id = ${storeId} AND key = ${key} AND NOT ready`),

        /** Records a page and gives the lease back; undefined where another worker has taken it meanwhile. */
        advance: (storeId: string, id: string, lease: string, { part, after }: Progress, now: Date) =>
          one(
            sql<{ readonly rows: bigint }>`WITH moved AS (
                UPDATE export_job SET rows = rows + ${part?.rows ?? 0}, bytes = bytes + ${part?.bytes ?? 0},
                  parts = parts + ${part === undefined ? 0 : 1}, after = ${after}, tries = 0, lease = NULL,
                  due_at = ${now}, updated_at = ${now}
                WHERE store_id = ${storeId} AND id = ${id} AND lease = ${lease} RETURNING rows
              ), readied AS (
                UPDATE export_part SET ready = true WHERE store_id = ${storeId} AND key = ${part?.key ?? ""}
                  AND EXISTS (SELECT FROM moved)
              ) SELECT rows FROM moved`,
            ({ rows }) => rows
          ),

        /** Ends an export that is under way, if its lease is still this one; null: it has been given back. */
        end: (
          storeId: string,
          id: string,
          lease: string | null,
          { status, reason = null, expiresAt }: Ending,
          now: Date
        ) =>
          none(sql`UPDATE export_job SET status = ${status}, reason = ${reason},
              lease = NULL, due_at = NULL, expires_at = ${expiresAt}, updated_at = ${now}
            WHERE store_id = ${storeId} AND id = ${id} AND due_at IS NOT NULL
              AND lease IS NOT DISTINCT FROM ${lease}::text`),
        /** Gives the lease back after a failure: it is tried again at this time. */
        release: (storeId: string, id: string, lease: string, then: Retry, now: Date) =>
          none(sql`UPDATE export_job SET lease = NULL, due_at = ${then.dueAt}, tries = ${then.tries},
              updated_at = ${now}
            WHERE store_id = ${storeId} AND id = ${id} AND lease = ${lease}`),

        /** The parts of a finished file, in order. */
        parts: (storeId: string, id: string) =>
          many(
            sql<{ readonly key: string; readonly bytes: bigint }>`SELECT key, bytes FROM export_part
              WHERE store_id = ${storeId} AND export_id = ${id} AND ready ORDER BY position`
          ),

        // export_job_store_id_expires_at_idx serves it.
        storesWithExpired: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT j.expires_at FROM export_job j WHERE j.store_id = s.id AND j.expires_at IS NOT NULL
              AND NOT j.files_removed ORDER BY j.expires_at LIMIT 1`,
            sql`oldest.expires_at <= ${now}`
          ),
        /** An export whose file is to be deleted. */
        expired: (storeId: string, now: Date) =>
          one(
            sql<{ readonly id: string }>`SELECT id FROM export_job WHERE store_id = ${storeId} AND expires_at <= ${now}
              AND NOT files_removed ORDER BY expires_at LIMIT 1`,
            ({ id }) => id
          ),
        /** All objects of an export, also those that were only begun. */
        keys: (storeId: string, id: string) =>
          many(
            sql<{ readonly key: string }>`SELECT key FROM export_part
              WHERE store_id = ${storeId} AND export_id = ${id}`,
            ({ key }) => key
          ),
        /** The objects are gone, and so is what named them. */
        filesRemoved: (storeId: string, id: string) =>
          none(sql`WITH gone AS (DELETE FROM export_part WHERE store_id = ${storeId} AND export_id = ${id})
            UPDATE export_job SET files_removed = true WHERE store_id = ${storeId} AND id = ${id}`),
        /** Deletes the oldest exports that ended before, at most `most`; returns whether there may be more. */
        removeOld: (storeId: string, before: Date, most: number) =>
          Effect.map(
            many(sql<{ readonly id: string }>`DELETE FROM export_job WHERE store_id = ${storeId} AND id = ANY (ARRAY(
                SELECT j.id FROM export_job j WHERE j.store_id = ${storeId} AND j.files_removed
                  AND j.expires_at < ${before} ORDER BY j.id LIMIT ${most})) RETURNING id`),
            (rows) => rows.length === most
          ),
        storesWithOld: (before: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT j.expires_at, j.files_removed FROM export_job j WHERE j.store_id = s.id ORDER BY j.id LIMIT 1`,
            sql`oldest.files_removed AND oldest.expires_at < ${before}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ExportRepository, ExportRepository.make)
}
