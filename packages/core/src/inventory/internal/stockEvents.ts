/**
 * `inventory.updated`, written by the same statement that changes stock, so that it costs no round trip of its own.
 * There is one event for each product and transaction, with the counts that the last statement of the transaction
 * leaves. The event's id is made from the transaction and the product, so a later statement overwrites the event of an
 * earlier one. The data have the shape that InventoryEvents.ts defines.
 */
import type { SqlClient, Statement } from "effect/sql"
import { inventoryUpdated } from "../InventoryEvents.ts"

/** The columns of `stock s` that a statement returns for each row it has changed. */
export const changedColumns =
  "s.key, s.product_id, s.variant_id, s.tracking_mode, s.total, s.reserved, s.last_inventory_sync_at"

/** ISO 8601 in UTC with milliseconds; NULL stays NULL. */
const iso = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const counts = (mode: string, total: string, reserved: string, synced: string) =>
  `'trackingMode', ${mode}, 'total', ${total}, 'reserved', ${reserved}, 'available', ${total} - ${reserved},
    'lastInventorySyncAt', ${iso(synced)}`

/**
 * The tracking mode of a whole product, by the rule of `stockTogether` (kernel/Availability.ts): of the variants that
 * shoppers can see, TRACKED comes before UNTRACKED, and UNTRACKED before DISABLED.
 */
const modeTogether = `coalesce((array_agg(l.tracking_mode ORDER BY array_position(ARRAY['TRACKED', 'UNTRACKED',
  'DISABLED'], l.tracking_mode))
    FILTER (WHERE l.is_active))[1], 'TRACKED')`

const inventory = `jsonb_build_object('productId', t.id,
    ${counts(modeTogether, "coalesce(sum(l.total), 0)", "coalesce(sum(l.reserved), 0)", "max(l.last_inventory_sync_at)")},
    'variants', coalesce(jsonb_agg(jsonb_build_object('variantId', l.variant_id,
      ${counts("l.tracking_mode", "l.total", "l.reserved", "l.last_inventory_sync_at")}) ORDER BY l.position,
        l.key) FILTER (WHERE l.variant_id IS NOT NULL), '[]'))`

/**
 * Common table expressions that write the event of each product with a row in `changed`, an earlier expression with the
 * columns of `changedColumns`. The counts of a product are those of its own row, or of the rows of all its variants. A
 * deleted product has no event. The caller wakes the workers (`Outbox.wake`). Served by product_pkey,
 * stock_store_id_product_id_idx and event_pkey.
 */
export const stockEvents = (sql: SqlClient.SqlClient, storeId: string, now: Date): Statement.Fragment =>
  stockEventsOf(sql, sql`ARRAY(SELECT c.product_id FROM changed c)`, storeId, now)

/** As `stockEvents`, for products by their ids, whether `changed` has rows of them or not. */
export const stockEventsOf = (
  sql: SqlClient.SqlClient,
  productIds: Statement.Fragment,
  ...[storeId, now]: [storeId: string, now: Date]
): Statement.Fragment =>
  sql`touched AS MATERIALIZED (
      SELECT p.id,
        p.type FROM product p WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL AND p.id = ANY(${productIds})
    ), level AS MATERIALIZED (
      SELECT r.*, v.position, coalesce(v.status, 'active') = 'active' AS is_active
      FROM (
        SELECT c.* FROM changed c
        UNION ALL
        SELECT ${sql.literal(changedColumns)} FROM stock s
        WHERE s.store_id = ${storeId} AND s.product_id =
          ANY(ARRAY(SELECT t.id FROM touched t WHERE t.type = 'VARIABLE'))
          AND NOT EXISTS (SELECT FROM changed c WHERE c.key = s.key)
      ) r LEFT JOIN product_variant v ON v.store_id = ${storeId} AND v.id = r.variant_id
    ), event_written AS (
      INSERT INTO event (store_id, id, type, version, data, created_at)
      SELECT ${storeId}, 'evt_' || md5(concat_ws(' ', pg_current_xact_id(), now(), ${storeId}::text, t.id)),
        ${inventoryUpdated.type}, ${inventoryUpdated.version}::int,
        jsonb_build_object('productId', t.id, 'inventory', ${sql.literal(inventory)}), ${now}
      FROM touched t LEFT JOIN level l ON l.product_id = t.id AND (t.type = 'VARIABLE') = (l.variant_id IS NOT NULL)
      GROUP BY t.id
      ON CONFLICT (store_id, id) DO UPDATE SET data = EXCLUDED.data
    )`
