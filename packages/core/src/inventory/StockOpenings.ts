/** The stock a product or variant begins with: its row, and the movement that explains its total. */
import { Effect, Layer } from "effect"
import { StockOpening } from "../catalog/StockOpening.ts"
import { Database } from "../database/Database.ts"
import { makeId } from "../kernel/Ids.ts"

export const stockOpeningLayer = Layer.effect(
  StockOpening,
  Effect.map(Database, ({ sql }) =>
    StockOpening.of({
      open: (storeId, rows, now) => {
        const opened = rows.map((row) => ({ ...row, key: row.variantId ?? row.productId, movementId: makeId("mov", now.getTime()) }))
        return Effect.asVoid(
          Effect.orDie(
            sql`WITH opened AS (
                SELECT * FROM jsonb_to_recordset(${JSON.stringify(opened)}::jsonb) AS o (key text, "movementId" text, "productId" text, "variantId" text, total int,
                  "trackingMode" text, "backorderMode" text, "backorderLimit" int, "lowStockThreshold" int)
              ), moved AS (
                INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
                SELECT ${storeId}, "movementId", key, "productId", "variantId", total, 'correction', 'initial', ${now} FROM opened WHERE total <> 0)
              INSERT INTO stock (store_id, key, product_id, variant_id, tracking_mode, backorder_mode, backorder_limit, total, low_stock_threshold, updated_at)
              SELECT ${storeId}, key, "productId", "variantId", "trackingMode", "backorderMode", "backorderLimit", total, "lowStockThreshold", ${now} FROM opened`
          )
        )
      }
    })
  )
)
