/** A shop with things on its stockedShop, and what its books say of them. */
import { Clock, Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { Inventory } from "../../src/inventory/Inventory.ts"
import { Reservations } from "../../src/inventory/Reservations.ts"
import { StorefrontStock } from "../../src/inventory/StorefrontStock.ts"
import { StockLedger } from "../../src/inventory/StockLedger.ts"
import { makeId } from "../../src/kernel/Ids.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

/** Every statement that `stockedShop` sends. */
export const statements = makeStatementCounter()

export const stockedShop = Layer.mergeAll(Inventory.layer, StorefrontStock.layer, Reservations.layer).pipe(
  Layer.provideMerge(StockLedger.layer),
  Layer.provideMerge(Outbox.layer(() => true)),
  Layer.provideMerge(Stores.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(CurrentStatementLog, statements))
)

export const openStore = Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))

export const at = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

export const write = <A, E, R>(storeId: string, body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Database, (database) => database.write(storeId)(body))

/**
 * A VARIABLE product with these variants, each with its units and the movement that explains them; ids of product and
 * variants.
 */
export const seedVariants = Effect.fnUntraced(function* (storeId: string, totals: ReadonlyArray<number>) {
  const { sql } = yield* Database
  const now = yield* at
  const product = makeId("prod", now.getTime())
  const variants = totals.map((_, i) => `${makeId("var", now.getTime())}${i}`)
  yield* write(
    storeId,
    Effect.gen(function* () {
      yield* sql`INSERT INTO product (store_id, id, type, status, name, slug, sku, created_at, updated_at)
        VALUES (${storeId}, ${product}, 'VARIABLE', 'active', 'Shirt', ${product.replaceAll("_", "-")}, 'SHIRT', ${now}, ${now})`
      for (const [i, id] of variants.entries()) {
        yield* sql`INSERT INTO product_variant (store_id, id, product_id, sku, name, attributes, price, position, created_at, updated_at)
          VALUES (${storeId}, ${id}, ${product}, ${`SHIRT-${i}`}, ${`Size ${i}`}, ${JSON.stringify({ Size: String(i) })}::jsonb, 1000, ${i}, ${now}, ${now})`
        yield* sql`INSERT INTO stock (store_id, key, product_id, variant_id, total, updated_at) VALUES (${storeId}, ${id}, ${product}, ${id}, ${totals[i]}, ${now})`
        yield* sql`INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
          VALUES (${storeId}, ${makeId("mov", now.getTime())}, ${id}, ${product}, ${id}, ${totals[i]}, 'correction', 'initial', ${now})`
      }
    })
  )
  return { product, variants }
})

/** What the books say of one row. */
export const booksOf = Effect.fnUntraced(function* (storeId: string, key: string) {
  const { sql } = yield* Database
  const rows = yield* sql<{ total: number; reserved: number; moved: number; held: number }>`SELECT s.total, s.reserved,
      (SELECT coalesce(sum(delta), 0)::int FROM stock_movement m WHERE m.store_id = s.store_id AND m.key = s.key) AS moved,
      (SELECT coalesce(sum(quantity), 0)::int FROM reservation r WHERE r.store_id = s.store_id AND r.key = s.key) AS held
    FROM stock s WHERE s.store_id = ${storeId} AND s.key = ${key}`
  return rows[0]!
})

/** Events of the store, oldest first. */
export const eventsOf = Effect.fnUntraced(function* (storeId: string) {
  const { sql } = yield* Database
  return yield* sql<{
    type: string
    data: unknown
  }>`SELECT type, data FROM event WHERE store_id = ${storeId} ORDER BY created_at, id`
})

/** One thing, so many times. */
export const of = (productId: string, quantity: number, variantId: string | null = null) => ({
  productId,
  variantId,
  quantity
})
