/** The SQL that inserts opening stock: rows of stock, and the movements that explain their totals. */
import type { SqlClient, Statement } from "effect/sql"
import type { OpeningStock } from "../product/ProductStock.ts"

type Opened = OpeningStock & { readonly movementId: string }

/** For a single row, without a row set that PostgreSQL would have to unpack. */
const openedAlone = (
  sql: SqlClient.SqlClient,
  storeId: string,
  row: Opened,
  now: Date
): Statement.Statement<object> => {
  const thing = {
    store_id: storeId,
    key: row.variantId ?? row.productId,
    product_id: row.productId,
    variant_id: row.variantId
  }
  const movement = {
    ...thing,
    id: row.movementId,
    delta: row.total,
    reason: "correction",
    reference: "initial",
    created_at: now
  }
  const stock = {
    ...thing,
    tracking_mode: row.trackingMode,
    backorder_mode: row.backorderMode,
    backorder_limit: row.backorderLimit,
    total: row.total,
    low_stock_threshold: row.lowStockThreshold,
    updated_at: now
  }
  const moved = row.total === 0 ? sql`` : sql`WITH moved AS (INSERT INTO stock_movement ${sql.insert(movement)})`
  return sql`${moved} INSERT INTO stock ${sql.insert(stock)}`
}

export const openedStock = (
  sql: SqlClient.SqlClient,
  storeId: string,
  rows: ReadonlyArray<Opened>,
  now: Date
): Statement.Statement<object> => {
  const [row, another] = rows
  if (row !== undefined && another === undefined) return openedAlone(sql, storeId, row, now)
  const opened = rows.map((one) => ({ ...one, key: one.variantId ?? one.productId }))
  return sql`WITH opened AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(opened)}::jsonb) AS o (key text, "movementId" text,
        "productId" text, "variantId" text, total int, "trackingMode" text, "backorderMode" text,
        "backorderLimit" int, "lowStockThreshold" int)
    ), moved AS (
      INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
      SELECT ${storeId}, "movementId", key, "productId", "variantId", total, 'correction', 'initial', ${now}
      FROM opened WHERE total <> 0)
    INSERT INTO stock (store_id, key, product_id, variant_id, tracking_mode, backorder_mode, backorder_limit,
      total, low_stock_threshold, updated_at)
    SELECT ${storeId}, key, "productId", "variantId", "trackingMode", "backorderMode", "backorderLimit",
      total, "lowStockThreshold", ${now} FROM opened`
}
