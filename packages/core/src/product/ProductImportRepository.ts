/** The SQL of product_import and product_import_row. */
import { Context, Effect, Layer, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead, many, none, one, storesWhoseOldest } from "../database/Repository.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { storedReader } from "../kernel/StoredData.ts"
import { ProductImportBroken, ProductRefusal } from "./ProductErrors.ts"

/**
 * One product of a bulk call. `input` is stored as it was sent, in the shape of the public API, and decoded when the
 * row is processed.
 */
export interface ImportRow {
  readonly importId: string
  readonly index: number
  readonly input: unknown
}

/** A row and its result. */
export interface SettledRow {
  readonly row: ImportRow
  readonly result: { readonly productId: string } | { readonly error: ProductRefusal }
}

/** The result of a row: a product or an error; neither while the row is pending. */
export interface ImportResult {
  readonly index: number
  readonly productId: string | null
  readonly error: ProductRefusal | null
}

export interface ImportState {
  readonly id: string
  readonly finishedAt: Date | null
  readonly rows: ReadonlyArray<ImportResult>
}

export class ProductImportRepository extends Context.Service<ProductImportRepository>()(
  "@effect-commerce/core/product/ProductImportRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const waits = sql.literal("r.product_id IS NULL AND r.error IS NULL")

      return {
        /**
         * The number of unfinished imports of the store. Locks: no other request adds an import until the transaction
         * ends. product_import_pending_idx serves it.
         */
        countToAdd: (storeId: string) =>
          countLocked(sql, {
            table: "product_import",
            ownerId: storeId,
            which: sql`store_id = ${storeId} AND finished_at IS NULL`
          }),

        insert: (storeId: string, id: string, rows: ReadonlyArray<Omit<ImportRow, "importId">>, now: Date) =>
          none(sql`WITH made AS (
                  INSERT INTO product_import (store_id, id, created_at, finished_at) VALUES (${storeId}, ${id}, ${now},
                    ${rows.length === 0 ? now : null}))
                INSERT INTO product_import_row (store_id, import_id, index, input)
                SELECT ${storeId}, ${id}, r.index,
                  coalesce(r.input, 'null') FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (index int,
                  input jsonb)`),

        find: (storeId: string, id: string) =>
          Effect.flatMap(
            one(sql<StoredImport>`SELECT i.id, i.finished_at,
                  coalesce((SELECT json_agg(json_build_object('index', r.index, 'productId', r.product_id, 'error',
                    r.error) ORDER BY r.index)
                    FROM product_import_row r WHERE r.store_id = i.store_id AND r.import_id = i.id), '[]') AS rows
                FROM product_import i WHERE i.store_id = ${storeId} AND i.id = ${id}`),
            (stored) => (stored === undefined ? Effect.undefined : decodedImport(stored))
          ),

        /** Stores with pending rows, by product_import_pending_idx. */
        waitingStores: many(
          sql<{ readonly storeId: string }>`SELECT DISTINCT store_id FROM product_import WHERE finished_at IS NULL`,
          ({ storeId }) => storeId
        ),

        /** Stores whose oldest import ended before this time, by product_import_pkey: ids ascend with time. */
        storesWithOlder: (before: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT i.finished_at FROM product_import i WHERE i.store_id = s.id ORDER BY i.id LIMIT 1`,
            sql`oldest.finished_at < ${before}`
          ),

        /** Deletes the oldest imports that ended before, at most `most`, with their rows; returns how many. */
        removeOlder: (storeId: string, before: Date, most: number) =>
          Effect.map(
            many(sql<{
              readonly id: string
            }>`DELETE FROM product_import WHERE store_id = ${storeId} AND finished_at < ${before} AND id = ANY (ARRAY(
                  SELECT i.id FROM product_import i WHERE i.store_id = ${storeId} ORDER BY i.id LIMIT ${most}))
                    RETURNING id`),
            (rows) => rows.length
          ),

        /**
         * Claims the first pending rows that no other worker has claimed, at most `most`, and locks them until the
         * transaction ends. product_import_row_pending_idx serves it.
         */
        claim: (storeId: string, most: number) =>
          many(sql<ImportRow>`SELECT r.import_id, r.index,
                r.input FROM product_import_row r WHERE r.store_id = ${storeId} AND ${waits}
                ORDER BY r.import_id, r.index LIMIT ${most} FOR UPDATE SKIP LOCKED`),

        /** Stores the results of pending rows, clears their inputs, and finishes imports whose rows are all done. */
        settle: (storeId: string, rows: ReadonlyArray<SettledRow>, now: Date) => {
          const ids = [...new Set(rows.map(({ row }) => row.importId))]
          const results = rows.map(({ row: { importId, index }, result }) => ({
            importId,
            index,
            productId: "productId" in result ? result.productId : null,
            error: "error" in result ? encodeRefusal(result.error) : null
          }))
          return Effect.asVoid(
            lockThenRead(
              // Where two workers finish the last two rows at once, the second sees the result of the first.
              none(sql`SELECT 1 FROM product_import WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])
                ORDER BY id FOR NO KEY UPDATE`),
              // Updates each row by its key, whatever the planner estimates of the pending rows.
              none(sql`UPDATE product_import_row r SET product_id = done."productId", error = done.error, input = 'null'
                FROM (SELECT w.at, s."productId", s.error FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb)
                    AS s ("importId" text, index int, "productId" text, error jsonb), LATERAL (
                    SELECT r.ctid AS at FROM product_import_row r
                    WHERE r.store_id = ${storeId} AND r.import_id = s."importId" AND r.index = s.index OFFSET 0) w) done
                WHERE r.store_id = ${storeId} AND r.ctid = done.at AND ${waits}`),
              none(sql`UPDATE product_import i SET finished_at = ${now} WHERE i.store_id = ${storeId} AND i.id =
                ANY(${ids}::text[]) AND i.finished_at IS NULL
                  AND NOT EXISTS
                    (SELECT 1 FROM product_import_row r WHERE r.store_id = i.store_id AND r.import_id = i.id AND
                    ${waits})`)
            )
          )
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProductImportRepository, ProductImportRepository.make)
}

interface StoredImport extends Omit<ImportState, "rows"> {
  readonly rows: ReadonlyArray<Omit<ImportResult, "error"> & { readonly error: unknown }>
}

const encodeRefusal = Schema.encodeSync(ProductRefusal)
const readRefusal = storedReader(ProductRefusal)

/** An error that this release cannot decode is shown as an internal error; the other results stay readable. */
const refusalFrom = (where: string, data: unknown): Effect.Effect<ProductRefusal> =>
  Effect.catchTag(readRefusal({ data }), "StoredDataUnreadable", ({ reason }) =>
    Effect.as(
      Effect.logError(`The result of a product import (${where}) cannot be read: ${reason}`),
      new ProductImportBroken()
    )
  )

const decodedImport = Effect.fnUntraced(function* (stored: StoredImport) {
  const rows = yield* Effect.forEach(stored.rows, ({ index, productId, error }): Effect.Effect<ImportResult> => {
    if (error === null) return Effect.succeed({ index, productId, error })
    return Effect.map(refusalFrom(`${stored.id}, row ${index}`, error), (refusal) => ({
      index,
      productId,
      error: refusal
    }))
  })
  return { ...stored, rows }
})
