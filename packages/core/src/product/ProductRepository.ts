/**
 * The SQL of product, product_variant and product_category. One statement reads a product with its variants, stock and
 * categories; two read a page of them, whatever its size and however many products there are.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, lookedUp, many, none, one } from "../database/Repository.ts"
import { makeStoreTable } from "../database/StoreTable.ts"
import type { LockedProduct } from "../taxonomy/ProductChanges.ts"
import {
  productColumns,
  productRefusals,
  type ProductRow,
  productSelect,
  productTable,
  toProductState,
  withSearch
} from "./internal/productRows.ts"
import type { ProductFields } from "./Product.ts"

/** The key that a product is looked up by. */
export type ProductKey = { readonly id: string } | { readonly slug: string }

interface IdRow {
  readonly id: string
}

const idsOf = (rows: ReadonlyArray<IdRow>): ReadonlySet<string> => new Set(rows.map(({ id }) => id))

export class ProductRepository extends Context.Service<ProductRepository>()(
  "@effect-commerce/core/product/ProductRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const select = sql.literal(productSelect)
      const columns = sql.literal(productColumns)
      const rows = makeStoreTable(sql, productTable)

      const heldIds = (table: "tax_class" | "shipping_class") => ({
        /** Those of the ids that the store has, locked so that they exist until the transaction ends. */
        existing: (storeId: string, ids: ReadonlyArray<string>) =>
          Effect.map(
            many(sql<IdRow>`SELECT id FROM ${sql(table)}
              WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`),
            idsOf
          )
      })

      const setNamed =
        (table: "product_category" | "product_brand", column: "category_id" | "brand_id") =>
        (storeId: string, productId: string, ids: ReadonlyArray<string>) =>
          none(sql`WITH wanted AS (
              SELECT w.id, w.position FROM unnest(${[...new Set(ids)]}::text[]) WITH ORDINALITY AS w (id, position)
            ), gone AS (
              DELETE FROM ${sql(table)} WHERE store_id = ${storeId} AND product_id = ${productId}
                AND NOT ${sql(column)} IN (SELECT id FROM wanted)
            ) INSERT INTO ${sql(table)} AS filed (store_id, product_id, ${sql(column)}, position)
            SELECT ${storeId}, ${productId}, id, position FROM wanted
            ON CONFLICT (store_id, product_id, ${sql(column)}) DO UPDATE SET position = EXCLUDED.position
              WHERE filed.position <> EXCLUDED.position`)

      return {
        update: (storeId: string, id: string, fields: ProductFields, now: Date) =>
          none(rows.update(storeId, id, withSearch(fields), now).pipe(productRefusals(fields))),

        /** Returns whether the product existed. */
        remove: (storeId: string, id: string, now: Date) =>
          anyRow(sql`WITH freed AS (
              DELETE FROM product_slug WHERE store_id = ${storeId} AND product_id = ${id})
            UPDATE product SET deleted_at = ${now}, updated_at = ${now}
            WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL RETURNING id`),

        /** Returns whether the product exists. */
        lock: (storeId: string, id: string) =>
          anyRow(sql`SELECT 1 FROM product
            WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`),

        /** Locks those that exist, in the order of their ids. */
        lockAll: (storeId: string, ids: ReadonlyArray<string>) =>
          many(sql<LockedProduct>`SELECT id, status = 'active' AS is_active FROM product
            WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) AND deleted_at IS NULL
            ORDER BY id FOR NO KEY UPDATE`),

        /** Raises the versions of products that are locked. */
        raiseVersions: (storeId: string, ids: ReadonlyArray<string>, now: Date) =>
          none(sql`UPDATE product SET updated_at = ${versionAfter(sql, now)}
            WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`),

        /** Locks a product whose variants are about to change, and raises its version. */
        lockToChange: (storeId: string, id: string, now: Date) =>
          anyRow(sql`UPDATE product SET updated_at = ${versionAfter(sql, now)}
            WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL RETURNING id`),

        find: (storeId: string, by: ProductKey, onlyActive: boolean) => {
          const key = "id" in by ? sql`p.id = ${by.id}` : sql`p.slug = ${by.slug}`
          const visible = onlyActive ? sql`p.deleted_at IS NULL AND p.status = 'active'` : sql`p.deleted_at IS NULL`
          return one(sql<ProductRow>`${select} WHERE p.store_id = ${storeId} AND ${key} AND ${visible}`, toProductState)
        },

        /** Those of the ids that are products of the store and not deleted, in no particular order. */
        several: (storeId: string, ids: ReadonlyArray<string>) =>
          many(
            ids.length === 1
              ? sql<ProductRow>`${select} WHERE p.store_id = ${storeId} AND p.id = ${ids[0]} AND p.deleted_at IS NULL`
              : sql<ProductRow>`SELECT ${columns} FROM ${lookedUp(sql, "product", storeId, ids)} p
                  WHERE p.deleted_at IS NULL`,
            toProductState
          ),

        /** Those of the ids that are products of the store. */
        existing: (storeId: string, ids: ReadonlyArray<string>) =>
          Effect.map(
            many(sql<IdRow>`SELECT p.id FROM ${lookedUp(sql, "product", storeId, ids)} p WHERE p.deleted_at IS NULL`),
            idsOf
          ),

        taxClasses: heldIds("tax_class"),
        shippingClasses: heldIds("shipping_class"),
        idsByExternal: rows.idsBy("externalSourceId"),
        /** Replaces the categories or brands of a product by these, in this order. */
        setCategories: setNamed("product_category", "category_id"),
        setBrands: setNamed("product_brand", "brand_id")
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProductRepository, ProductRepository.make)
}
