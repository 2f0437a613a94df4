/**
 * `inventory.updated` as part of the statement that changes stock: whatever changes a total or what is reserved tells
 * of it without a round trip of its own. There is one event for each product and transaction, with the counts as the
 * last of its statements leaves them: the event's id is made of the transaction and the product, so that a later
 * statement of the same transaction writes over what an earlier one told. Shape: InventoryEvents.ts.
 */
import type { SqlClient, Statement } from "effect/sql"
import { inventoryUpdated } from "../InventoryEvents.ts"

/** Columns of a row of `stock s` that a statement has changed. */
export const changedColumns =
  "s.key, s.product_id, s.variant_id, s.tracking_mode, s.total, s.reserved, s.last_inventory_sync_at"

/** ISO 8601 in UTC with milliseconds; NULL stays NULL. */
const iso = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const counts = (mode: string, total: string, reserved: string, synced: string) =>
  `'trackingMode', ${mode}, 'total', ${total}, 'reserved', ${reserved}, 'available', ${total} - ${reserved},
    'lastInventorySyncAt', ${iso(synced)}`

/**
 * The rule of `stockTogether` (kernel/Availability.ts): the mode of what shoppers can see; counted comes before never
 * refused, that before switched off.
 */
const modeTogether = `coalesce((array_agg(l.tracking_mode ORDER BY array_position(ARRAY['TRACKED', 'UNTRACKED',
  'DISABLED'], l.tracking_mode))
    FILTER (WHERE l.is_active))[1], 'TRACKED')`

const inventory = `jsonb_build_object('productId', t.id,
    ${counts(
      modeTogether,
      "coalesce(sum(l.total), 0)",
      "coalesce(sum(l.reserved), 0)",
      "max(l.last_inventory_sync_at)"
    )},
    'variants', coalesce(jsonb_agg(jsonb_build_object('variantId', l.variant_id,
      ${counts("l.tracking_mode", "l.total", "l.reserved", "l.last_inventory_sync_at")}) ORDER BY l.position,
        l.key) FILTER (WHERE l.variant_id IS NOT NULL), '[]'))`

/**
 * Common table expressions that tell of the rows in `changed`, an expression before them with the columns of
 * `changedColumns`. A product is told of by the rows that count for it, its own or all of its variants'; one that is
 * deleted is not told of. The caller wakes the workers (`Outbox.wake`). product_pkey, stock_store_id_product_id_idx and
 * event_pkey serve it.
 */
export const telling = (sql: SqlClient.SqlClient, storeId: string, now: Date): Statement.Fragment =>
  tellingOf(sql, sql`ARRAY(SELECT c.product_id FROM changed c)`, storeId, now)

/** As `telling`, of products by their ids, whether anything of them is in `changed` or not. */
export const tellingOf = (
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
    ), told AS (
      INSERT INTO event (store_id, id, type, version, data, created_at)
      SELECT ${storeId}, 'evt_' || md5(concat_ws(' ', pg_current_xact_id(), now(), ${storeId}::text, t.id)),
        ${inventoryUpdated.type}, ${inventoryUpdated.version}::int,
        jsonb_build_object('productId', t.id, 'inventory', ${sql.literal(inventory)}), ${now}
      FROM touched t LEFT JOIN level l ON l.product_id = t.id AND (t.type = 'VARIABLE') = (l.variant_id IS NOT NULL)
      GROUP BY t.id
      ON CONFLICT (store_id, id) DO UPDATE SET data = EXCLUDED.data
    )`
