/**
 * The SQL of product_stale: marks of products whose rows were written without composing them, and of those whose stock
 * ran out or came back. A mark is removed under the lock of the product's row, before its rows are read: a mark that
 * remains is of a change that was not read.
 */
import { Context, Effect, Layer } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { among, lockThenRead, many, none, one } from "../database/Repository.ts"

/** What a reader is about to show: products by id, or the one with the slug. */
export interface ShownToReader {
  readonly ids: ReadonlyArray<string>
  readonly slug?: string | undefined
}

/** Whether the store has a product that was written without being composed. */
export const hasStaleRows = (sql: SqlClient.SqlClient, storeId: string): Statement.Fragment =>
  sql`EXISTS (SELECT FROM product_stale n WHERE n.store_id = ${storeId} AND n.cause = 'rows')`

export interface StaleProduct {
  readonly productId: string
  /** Only its stock is marked. */
  readonly stockOnly: boolean
}

export class StaleProductRepository extends Context.Service<StaleProductRepository>()(
  "@effect-commerce/core/storefront/StaleProductRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database

      // Marks are deleted by a transaction that holds the lock of their product: after locking it, never before.
      const lockAnd = (storeId: string, productIds: ReadonlyArray<string>, which: string) =>
        none(sql`WITH done AS (
              DELETE FROM product_stale WHERE store_id = ${storeId} AND ${among(sql, "product_id", productIds)}
                ${sql.literal(which)}
            ) SELECT 1 FROM product WHERE store_id = ${storeId} AND ${among(sql, "id", productIds)} ORDER BY id FOR NO
              KEY UPDATE`)

      const bySlug = (storeId: string, slug: string) => sql`
        UNION ALL SELECT p.id FROM product p
          WHERE p.store_id = ${storeId} AND p.slug = ${slug} AND p.deleted_at IS NULL
        UNION ALL SELECT h.product_id FROM product_slug h WHERE h.store_id = ${storeId} AND h.slug = ${slug}`
      /** The products to show, with the components that kits among them depend on. */
      const shownBy = (storeId: string, { ids, slug }: ShownToReader) => sql`SELECT unnest(${ids}::text[])
        UNION ALL SELECT kc.product_id FROM kit_component kc
          WHERE kc.store_id = ${storeId} AND kc.kit_id = ANY(${ids}::text[])
        ${slug === undefined ? sql`` : bySlug(storeId, slug)}`

      return {
        /** Locks these products, so that no other transaction composes them, and removes their marks. */
        lock: (storeId: string, productIds: ReadonlyArray<string>) => lockAnd(storeId, productIds, ""),

        /**
         * At most `limit` marked products, those that readers wait for first. For a reader, only those are returned,
         * beginning with the ids being read.
         */
        marked: (storeId: string, limit: number, reader?: ShownToReader) =>
          many(sql<StaleProduct>`SELECT n.product_id, bool_and(n.cause = 'stock') AS stock_only FROM product_stale n
            WHERE n.store_id = ${storeId} GROUP BY n.product_id
            ${reader === undefined ? sql`` : sql`HAVING NOT bool_and(n.cause = 'again')`}
            ORDER BY ${reader === undefined ? sql`` : sql`n.product_id IN (${shownBy(storeId, reader)}) DESC,`}
              bool_and(n.cause = 'again'), n.product_id ${sql.literal(`LIMIT ${limit}`)}`),

        stores: many(
          sql<{ readonly storeId: string }>`SELECT DISTINCT n.store_id FROM product_stale n`,
          (row) => row.storeId
        ),

        /** The number of products marked for more than their stock, of one store or of all. */
        count: (storeId: string | undefined) =>
          Effect.map(
            one(sql<{ readonly n: number }>`SELECT count(DISTINCT (n.store_id, n.product_id))::int AS n
              FROM product_stale n WHERE n.cause <> 'stock'
              ${storeId === undefined ? sql`` : sql`AND n.store_id = ${storeId}`}`),
            (row) => row?.n ?? 0
          ),

        mark: (storeId: string, productIds: ReadonlyArray<string>) =>
          none(sql`INSERT INTO product_stale (store_id, product_id, cause)
            SELECT ${storeId}, unnest(${productIds}::text[]), 'rows'`),

        /** Marks the kits that contain one of these components; does not wait for the statement. */
        markKits: (storeId: string, productIds: ReadonlyArray<string>) =>
          withCommit(sql`INSERT INTO product_stale (store_id, product_id, cause)
            SELECT DISTINCT kc.store_id, kc.kit_id, 'rows' FROM kit_component kc
            WHERE kc.store_id = ${storeId} AND kc.product_id = ANY(${productIds}::text[])`),

        /** Marks every product of the store, and every listing row without a product; returns the number. */
        markAll: (storeId: string) =>
          Effect.map(
            one(sql<{ readonly n: number }>`WITH p AS MATERIALIZED (
                SELECT id FROM product WHERE store_id = ${storeId} AND deleted_at IS NULL
                UNION SELECT product_id FROM product_listing WHERE store_id = ${storeId}
              ), marked AS (
                INSERT INTO product_stale (store_id, product_id, cause)
                SELECT ${storeId}, p.id, 'again' FROM p
                WHERE NOT EXISTS (SELECT FROM product_stale n WHERE n.store_id = ${storeId} AND n.product_id = p.id
                  AND n.cause <> 'stock')
              ) SELECT count(*)::int AS n FROM p`),
            (row) => row?.n ?? 0
          ),

        /** Updates whether these products can be bought, and removes the marks of their stock. */
        recount: (storeId: string, productIds: ReadonlyArray<string>) =>
          Effect.asVoid(
            lockThenRead(
              lockAnd(storeId, productIds, "AND cause = 'stock'"),
              none(sql`UPDATE product_listing l SET buyable = listing_buyable(l.store_id, l.product_id, l.type)
                WHERE l.store_id = ${storeId} AND l.product_id = ANY(${productIds}::text[])
                AND l.buyable IS DISTINCT FROM listing_buyable(l.store_id, l.product_id, l.type)`)
            )
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(StaleProductRepository, StaleProductRepository.make)
}
