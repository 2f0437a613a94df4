/** Rows that tests begin with, written as the application's role inside a write transaction of their store. */
import { Clock, Effect } from "effect"
import { Database } from "../database/Database.ts"
import { makeId } from "../kernel/Ids.ts"

/** Prices in minor units. `stock` null makes no stock row. */
export interface ProductSeed {
  readonly name?: string
  readonly price?: bigint
  readonly salePrice?: bigint
  readonly saleStartsAt?: Date
  readonly saleEndsAt?: Date
  readonly status?: "active" | "draft"
  readonly taxBehavior?: "taxable" | "exempt"
  readonly isDownloadable?: boolean
  readonly stock?: number | null
  readonly trackingMode?: "TRACKED" | "UNTRACKED" | "DISABLED"
  readonly backorderMode?: "DENY" | "ALLOW" | "LIMITED"
  readonly backorderLimit?: number
}

/** A SIMPLE product with its stock and the movement that explains it; returns its id. */
export const seedProduct = Effect.fn("Factories.seedProduct")(function* (storeId: string, seed: ProductSeed = {}) {
  const database = yield* Database
  const { sql } = database
  const now = yield* Clock.currentTimeMillis
  const at = new Date(now)
  const id = makeId("prod", now)
  const total = seed.stock === undefined ? 100 : seed.stock
  yield* database.write(storeId)(
    Effect.gen(function* () {
      yield* sql`INSERT INTO product (store_id, id, type, status, name, slug, sku, base_price, sale_price,
        sale_price_starts_at, sale_price_ends_at, tax_behavior,
          is_downloadable, created_at, updated_at)
        VALUES
          (${storeId}, ${id}, 'SIMPLE',
            ${seed.status ?? "active"}, ${seed.name ?? "Product"}, ${id.replaceAll("_", "-")}, ${id},
            ${seed.price ?? 1_000n},
          ${seed.salePrice ?? null}, ${seed.saleStartsAt ?? null}, ${seed.saleEndsAt ?? null},
          ${seed.taxBehavior ?? null}, ${seed.isDownloadable ?? false}, ${at}, ${at})`
      if (total === null) return
      yield* sql`INSERT INTO stock (store_id, key, product_id, tracking_mode, backorder_mode, backorder_limit, total,
        updated_at)
        VALUES
          (${storeId}, ${id}, ${id}, ${seed.trackingMode ?? "TRACKED"}, ${seed.backorderMode ?? "DENY"},
            ${seed.backorderLimit ?? null}, ${total}, ${at})`
      yield* sql`INSERT INTO stock_movement (store_id, id, key, product_id, delta, reason, reference, created_at)
        VALUES (${storeId}, ${makeId("mov", now)}, ${id}, ${id}, ${total}, 'correction', 'initial', ${at})`
    })
  )
  return id
})
