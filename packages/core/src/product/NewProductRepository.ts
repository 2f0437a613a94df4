/** The SQL of products that are created together: one statement for each table. */
import { Context, Effect, Layer, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead, many, none } from "../database/Repository.ts"
import { lockStoreForAll } from "../database/StoreLocks.ts"
import { makeStoreTable } from "../database/StoreTable.ts"
import { slugKind } from "../kernel/Slug.ts"
import { firstValues } from "../metafield/MetafieldColumns.ts"
import { productRefusals, productTable, withSearch } from "./internal/productRows.ts"
import type { ProductFields } from "./Product.ts"

/**
 * One of several products cannot be created. The caller creates fewer together, and finally one alone, to find which
 * one and why.
 */
export class ProductSetRefused extends Schema.TaggedError<ProductSetRefused>()("ProductSetRefused", {}) {}

export interface NewProduct {
  readonly id: string
  readonly fields: ProductFields
}

/** A category or brand of a product, with its position. */
export interface Filed {
  readonly productId: string
  readonly id: string
  readonly position: number
}

export class NewProductRepository extends Context.Service<NewProductRepository>()(
  "@effect-commerce/core/product/NewProductRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, productTable)

      const filed = (rows: ReadonlyArray<Filed>) =>
        sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f ("productId" text, id text, position int)`

      const startingWith = (storeId: string, slugs: ReadonlyArray<string>) =>
        many(sql<{ readonly slug: string }>`SELECT u.slug FROM unnest(${slugs}::text[]) AS n (slug) JOIN (
            SELECT slug FROM product WHERE store_id = ${storeId} AND deleted_at IS NULL
            UNION ALL SELECT slug FROM product_slug WHERE store_id = ${storeId}
          ) u ON starts_with(u.slug, n.slug || '-')`)

      return {
        /**
         * Slugs in use among these, and those that begin with one of `numbered` and a hyphen. Locks: no other request
         * creates such slugs until the transaction ends.
         */
        slugsLike: (storeId: string, slugs: ReadonlyArray<string>, numbered: ReadonlyArray<string>) =>
          Effect.map(
            lockThenRead(
              none(lockStoreForAll(sql, "product_slug", storeId, slugs.map(slugKind))),
              // Ordered by slug: only the index of slugs gives that order without sorting.
              many(sql<{ readonly slug: string }>`SELECT w.slug FROM unnest(${slugs}::text[]) AS w (slug), LATERAL (
                    SELECT p.slug FROM product p WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL
                      AND p.slug >= w.slug ORDER BY p.slug LIMIT 1) p WHERE p.slug = w.slug
                UNION ALL SELECT slug FROM product_slug WHERE store_id = ${storeId} AND slug = ANY(${slugs}::text[])`),
              ...(numbered.length === 0 ? [] : [startingWith(storeId, numbered)])
            ),
            ([, ...found]): ReadonlySet<string> => new Set(found.flat().map(({ slug }) => slug))
          ),

        /** Includes default values of metafields. For a single product, the error names the conflict. */
        insert: (storeId: string, products: ReadonlyArray<NewProduct>, now: Date) => {
          const [first, second] = products
          if (first === undefined) return Effect.void
          const ids = products.map(({ id }) => id)
          const inserted = rows.insertAll(
            storeId,
            products.map(({ id, fields }) => ({ ...withSearch(fields), id })),
            now
          )
          const statement = sql`WITH valued AS (${firstValues(sql, storeId, ids, now)}) ${inserted}`
          return none(statement.pipe(productRefusals(first.fields))).pipe(
            Effect.mapError((refused) => (second === undefined ? refused : new ProductSetRefused()))
          )
        },

        file: (storeId: string, categories: ReadonlyArray<Filed>, brands: ReadonlyArray<Filed>) =>
          categories.length + brands.length === 0
            ? Effect.void
            : none(sql`WITH branded AS (INSERT INTO product_brand (store_id, product_id, brand_id, position)
                SELECT ${storeId}, f."productId", f.id, f.position FROM ${filed(brands)})
              INSERT INTO product_category (store_id, product_id, category_id, position)
              SELECT ${storeId}, f."productId", f.id, f.position FROM ${filed(categories)}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(NewProductRepository, NewProductRepository.make)
}
