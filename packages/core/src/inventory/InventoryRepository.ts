/** The SQL of stock and stock_movement, except for sales (StockLedger.ts), and the product columns read with them. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { OpeningStock } from "../product/ProductStock.ts"
import { openedStock } from "./OpeningStockRepository.ts"
import { Database } from "../database/Database.ts"
import { lookedUp, many, none, one, storesWith } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import type { StockFacts } from "../kernel/Availability.ts"
import { makeId } from "../kernel/Ids.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import { StockBelowReserved } from "./InventoryErrors.ts"
import type { StockMovement } from "./InventoryItem.ts"
import { type KitPartRow, reservedNow } from "../product/KitParts.ts"
import { kitStock } from "../kernel/Kit.ts"
import { changedColumns, stockEvents, stockEventsOf } from "./internal/stockEvents.ts"

/** A row of stock. `reserved` is the stored sum, which includes expired reservations. */
export interface StockRow extends StockFacts {
  readonly key: string
  readonly productId: string
  readonly variantId: string | null
  readonly lowStockThreshold: number | null
  readonly lastInventorySyncAt: Date | null
  readonly updatedAt: Date
}

/**
 * An item that can be counted: a product, or a variant of a VARIABLE one. `reserved` includes only live reservations.
 */
export interface CountedRow extends StockRow {
  /** It has a row of stock. */
  readonly isCounted: boolean
  readonly type: "SIMPLE" | "VARIABLE" | "KIT"
  readonly productSku: string | null
  readonly productName: string
  readonly variantSku: string | null
  readonly variantName: string | null
  /** Shoppers can see the variant, or there is none. */
  readonly isActive: boolean
  /** The components of a KIT: its counts follow from them. Null for everything else. */
  readonly parts: ReadonlyArray<KitPartRow> | null
}

/** The fields that shoppers see, and that decide what they may buy. */
export type ShownRow = Omit<CountedRow, "isCounted" | "isActive" | "lastInventorySyncAt" | "updatedAt">

export interface CountedFilter {
  readonly productIds?: ReadonlyArray<string>
  readonly skus?: ReadonlyArray<string>
  readonly now: Date
}

/** What shoppers of a channel see: only active products and variants, as far as the channel shows them. */
export interface ShownFilter {
  readonly productIds: ReadonlyArray<string>
  readonly channelId: string
  readonly now: Date
}

/** The row after a change. `delta` 0 writes no movement. */
export interface StockWrite {
  readonly row: StockRow
  readonly movementId: string
  readonly delta: number
  readonly reason: StockMovement["reason"]
  readonly reference: string | null
}

export interface Drift {
  readonly key: string
  readonly productId: string
  readonly variantId: string | null
  readonly reserved: number
  readonly expected: number
}

const columns = `s.key, s.product_id, s.variant_id, s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total,
  s.reserved, s.low_stock_threshold, s.last_inventory_sync_at, s.updated_at`

/** The most rows of stock that one call finds wrong and recounts; the next call finds the others. */
const mostDrifted = 1_000

export class InventoryRepository extends Context.Service<InventoryRepository>()(
  "@effect-commerce/core/inventory/InventoryRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const returned = sql.literal(changedColumns)

      const lock = (storeId: string, keys: ReadonlyArray<string>) =>
        many(sql<StockRow>`SELECT ${sql.literal(columns)} FROM stock s WHERE s.store_id = ${storeId} AND s.key =
            ANY(${keys}::text[]) ORDER BY s.key FOR UPDATE OF s`)

      /** Locks the rows of these items in key order; inserts missing ones. */
      const claim = Effect.fnUntraced(function* (storeId: string, things: ReadonlyArray<CountedRow>, now: Date) {
        const byKey = new Map(things.map((thing) => [thing.key, thing]))
        const keys = [...byKey.keys()]
        const missing = [...byKey.values()]
          .filter((thing) => !thing.isCounted)
          .map(({ key, productId, variantId }) => ({ key, productId, variantId }))
        if (missing.length > 0) {
          yield* many(sql`INSERT INTO stock (store_id, key, product_id, variant_id, updated_at)
              SELECT ${storeId}, m.key, m."productId", m."variantId", ${now}
              FROM jsonb_to_recordset(${JSON.stringify(missing)}::jsonb) AS m (key text, "productId" text,
                "variantId" text) ORDER BY m.key
              ON CONFLICT (store_id, key) DO NOTHING`)
        }
        return new Map((yield* lock(storeId, keys)).map((row) => [row.key, row]))
      })

      /** Inside the transaction that locked them; writes events for products whose counts or tracking mode change. */
      const save = (storeId: string, writes: ReadonlyArray<StockWrite>, now: Date) => {
        const rows = JSON.stringify(writes.map(({ row, ...write }) => ({ ...row, ...write })))
        const first = writes[0]?.row
        return none(
          constraintViolation(
            "stock_available_check",
            () => new StockBelowReserved({ total: first?.total ?? 0, reserved: first?.reserved ?? 0 })
          )(sql`WITH written AS (
                SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS w (key text, "productId" text, "variantId" text,
                  "trackingMode" text, "backorderMode" text, "backorderLimit" int, total int, "lowStockThreshold" int,
                    "movementId" text, delta int, reason text, reference text)
              ), moved AS (
                INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference,
                  created_at)
                SELECT ${storeId}, w."movementId", w.key, w."productId", w."variantId", w.delta, w.reason, w.reference,
                  ${now} FROM written w WHERE w.delta <> 0
              ), told AS (
                SELECT w."productId" FROM written w JOIN stock s ON s.store_id = ${storeId} AND s.key = w.key
                WHERE w.delta <> 0 OR s.tracking_mode <> w."trackingMode"
              ), changed AS (
              UPDATE stock s SET tracking_mode = w."trackingMode", backorder_mode = w."backorderMode",
                backorder_limit = w."backorderLimit", total = w.total, low_stock_threshold = w."lowStockThreshold",
                  updated_at = ${now}
              FROM written w WHERE s.store_id = ${storeId} AND s.key = w.key RETURNING ${returned}
              ), ${stockEventsOf(sql, sql`ARRAY(SELECT t."productId" FROM told t)`, storeId, now)} SELECT`)
        )
      }

      // product_pkey finds the products.
      const shownColumns = (now: Date) => sql`coalesce(v.id, p.id) AS key, p.id AS product_id, v.id AS variant_id,
              p.type, p.sku AS product_sku, p.name AS product_name,
              v.sku AS variant_sku, CASE WHEN v.name = '' AND v.option_ids <> '{}'
                THEN variant_name(v.store_id, v.option_ids, NULL) ELSE v.name END AS variant_name,
              coalesce(s.tracking_mode, 'TRACKED') AS tracking_mode,
              coalesce(s.backorder_mode, 'DENY') AS backorder_mode, s.backorder_limit, coalesce(s.total, 0) AS total,
                s.low_stock_threshold, coalesce(${reservedNow(sql, now)}, 0) AS reserved,
              CASE WHEN p.type = 'KIT' THEN kit_parts(p.store_id, p.id, ${now}, false) END AS parts`
      /** The same for shoppers. */
      const shown = (storeId: string, { productIds, channelId, now }: ShownFilter) =>
        many(
          sql<ShownRow>`SELECT ${shownColumns(now)} FROM ${lookedUp(sql, "product", storeId, productIds)} p
            LEFT JOIN product_variant v ON v.store_id = p.store_id AND v.product_id = p.id AND p.type = 'VARIABLE'
              AND v.status = 'active'
            LEFT JOIN stock s ON s.store_id = p.store_id AND s.key = coalesce(v.id, p.id)
            WHERE p.deleted_at IS NULL AND p.status = 'active'
              AND (p.channel_ids IS NULL OR ${channelId} = ANY(p.channel_ids)) ORDER BY p.id, v.position, v.id`,
          withKitStock
        )
      /** By product, then position of the variant; missing and invisible ones are left out. */
      const counted = (storeId: string, { productIds, skus, now }: CountedFilter) => {
        const which: Statement.Fragment =
          productIds === undefined ? sql`product` : lookedUp(sql, "product", storeId, productIds)
        const named =
          productIds !== undefined
            ? sql``
            : sql` AND p.id IN (SELECT id FROM product WHERE store_id = ${storeId} AND sku = ANY(${skus ?? []}::text[])
                UNION SELECT product_id FROM product_variant WHERE store_id = ${storeId} AND sku =
                  ANY(${skus ?? []}::text[]))`
        return many(
          sql<CountedRow>`SELECT ${shownColumns(now)}, s.key IS NOT NULL AS is_counted,
              coalesce(v.status, 'active') = 'active' AS is_active, s.last_inventory_sync_at,
              coalesce(s.updated_at, v.updated_at, p.updated_at) AS updated_at
            FROM ${which} p
            LEFT JOIN product_variant v ON v.store_id = p.store_id AND v.product_id = p.id AND p.type = 'VARIABLE'
            LEFT JOIN stock s ON s.store_id = p.store_id AND s.key = coalesce(v.id, p.id)
            WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL${named} ORDER BY p.id, v.position, v.id`,
          (row) => (row.parts === null ? row : { ...withKitStock(row), isCounted: true })
        )
      }

      return {
        /** Writes the event of this product, with its counts as this transaction sees them. */
        tell: (storeId: string, productId: string, now: Date) =>
          none(sql`WITH changed AS
              (SELECT ${returned} FROM stock s WHERE s.store_id = ${storeId} AND s.product_id = ${productId}),
                ${stockEventsOf(sql, sql`${[productId]}::text[]`, storeId, now)} SELECT`),
        // Walks from store to store along reservation_store_id_expires_at_idx; every step and every check is one probe.
        storesWithExpired: (now: Date) =>
          many(
            sql<{ readonly storeId: string }>`SELECT h.store_id FROM ${storesWith(sql, "reservation")} h WHERE EXISTS
                  (SELECT 1 FROM reservation r WHERE r.store_id = h.store_id AND r.expires_at <= ${now})`,
            (row) => row.storeId
          ),
        /** Inserts the first rows of new items, each with the movement that explains its total. */
        open: (storeId: string, rows: ReadonlyArray<OpeningStock>, now: Date) =>
          none(
            openedStock(
              sql,
              storeId,
              rows.map((row) => ({ ...row, movementId: makeId("mov", now.getTime()) })),
              now
            )
          ),
        counted,
        shown,
        claim,
        save,
        // stock_movement_store_id_key_idx gives one key's rows in order; several keys' are sorted.
        history: (storeId: string, keys: ReadonlyArray<string>, page: Page) =>
          Effect.map(
            one(sql<{
              readonly total: number
              readonly items: ReadonlyArray<Omit<StockMovement, "createdAt"> & { readonly createdAt: number }>
            }>`
                WITH page AS (
                  SELECT m.id, m.delta, m.reason, m.reference, m.variant_id, m.created_at FROM stock_movement m
                  WHERE m.store_id = ${storeId} AND m.key = ANY(${keys}::text[]) ORDER BY m.created_at DESC,
                    m.id DESC LIMIT ${page.limit} OFFSET ${offsetOf(page)}
                )
                SELECT (SELECT count(*)::int FROM stock_movement m WHERE m.store_id = ${storeId} AND m.key =
                  ANY(${keys}::text[])) AS total,
                    coalesce((SELECT json_agg(json_build_object('id', p.id, 'delta', p.delta, 'reason', p.reason,
                      'reference', p.reference, 'variantId', p.variant_id, 'createdAt',
                      round(extract(epoch FROM p.created_at) * 1000)) ORDER BY p.created_at DESC,
                      p.id DESC) FROM page p), '[]'::json) AS items`),
            (found) => ({
              total: found?.total ?? 0,
              items: (found?.items ?? []).map((item) => ({
                ...item,
                createdAt: new Date(item.createdAt).toISOString()
              }))
            })
          ),
        /**
         * All rows of the store, or of these products: how many, and those whose `reserved` is not the sum of their
         * live reservations.
         */
        drift: (storeId: string, productIds: ReadonlyArray<string> | undefined, now: Date) =>
          Effect.map(
            one(sql<{ readonly checked: number; readonly drifted: ReadonlyArray<Drift> }>`
                WITH live AS (
                  SELECT r.key,
                    sum(r.quantity)::int AS expected FROM reservation r WHERE r.store_id = ${storeId} AND r.expires_at >
                    ${now} GROUP BY r.key
                ), compared AS (
                  SELECT s.key, s.product_id, s.variant_id, s.reserved,
                    coalesce(l.expected, 0) AS expected FROM stock s LEFT JOIN live l ON l.key = s.key
                  WHERE s.store_id = ${storeId} AND
                    (${productIds ?? null}::text[] IS NULL OR s.product_id = ANY(${productIds ?? null}::text[]))
                )
                SELECT (SELECT count(*)::int FROM compared) AS checked,
                  coalesce((SELECT json_agg(json_build_object('key', c.key, 'productId', c.product_id, 'variantId',
                    c.variant_id, 'reserved', c.reserved, 'expected',
                      c.expected) ORDER BY c.key) FROM
                      (SELECT * FROM compared WHERE reserved <> expected ORDER BY key LIMIT ${mostDrifted}) c),
                      '[]'::json) AS drifted`),
            (row) => row ?? { checked: 0, drifted: [] }
          ),
        /**
         * Deletes expired reservations of these rows, recounts them, and writes events for the rows that were wrong;
         * returns how many were.
         */
        recount: (storeId: string, keys: ReadonlyArray<string>, now: Date) =>
          Effect.andThen(
            lock(storeId, keys),
            Effect.map(
              many(sql`WITH gone AS (
                    DELETE FROM reservation r WHERE r.store_id = ${storeId} AND r.key = ANY(${keys}::text[]) AND
                      r.expires_at <= ${now}
                  ), live AS (
                    SELECT s.key, coalesce(sum(r.quantity), 0)::int AS expected FROM stock s
                    LEFT JOIN reservation r ON r.store_id = s.store_id AND r.key = s.key AND r.expires_at > ${now}
                    WHERE s.store_id = ${storeId} AND s.key = ANY(${keys}::text[]) GROUP BY s.key
                  ), changed AS (
                    UPDATE stock s SET reserved = l.expected, updated_at = ${now} FROM live l
                    WHERE s.store_id = ${storeId} AND s.key = l.key AND s.reserved <> l.expected RETURNING ${returned}
                  ), ${stockEvents(sql, storeId, now)} SELECT c.key FROM changed c`),
              (rows) => rows.length
            )
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(InventoryRepository, InventoryRepository.make)
}

/** A kit has the stock of its components; a row of its own, from a time when it was no kit, is ignored. */
const withKitStock = <Row extends ShownRow>(row: Row): Row =>
  row.parts === null ? row : { ...row, ...kitStock(row.parts), lowStockThreshold: null }
