/**
 * The SQL of product, product_variant and product_category. A product is read with its variants, stock and categories
 * in one statement; a page of them takes two, whatever its size and however many products there are.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, lookedUp, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { versionAfter } from "../database/Precondition.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { ProductExternalIdTaken, ProductSlugTaken } from "./ProductErrors.ts"
import type { LockedProduct } from "../taxonomy/ProductChanges.ts"
import type { ProductFields, ProductState } from "./Product.ts"
import {
  productColumns,
  productRecord,
  type ProductRow,
  productSelect,
  toProductState
} from "./internal/productRows.ts"

export type InsertError = ProductSlugTaken | ProductExternalIdTaken | FieldRejected

interface HeldIds {
  /** Which of these the store has; they stay until the transaction ends. */
  readonly existing: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
}

export interface ProductRepositoryMethods {
  readonly update: (storeId: string, id: string, fields: ProductFields, now: Date) => Effect.Effect<void, InsertError>
  readonly remove: (storeId: string, id: string, now: Date) => Effect.Effect<boolean>
  readonly lock: (storeId: string, id: string) => Effect.Effect<boolean>
  /** Locks those that there are, in the order of their ids. */
  readonly lockAll: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LockedProduct>>
  /** Gives products that are locked another version. */
  readonly raiseVersions: (storeId: string, ids: ReadonlyArray<string>, now: Date) => Effect.Effect<void>
  /** Locks a product whose variants are about to change, which gives it another version. */
  readonly lockToChange: (storeId: string, id: string, now: Date) => Effect.Effect<boolean>
  readonly find: (
    storeId: string,
    by: { readonly id: string } | { readonly slug: string },
    onlyActive: boolean
  ) => Effect.Effect<ProductState | undefined>
  /** Those of the ids that are products of the store and not deleted, in no order. */
  readonly several: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ProductState>>
  readonly findByExternalIds: (
    storeId: string,
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, string>>
  /** Those of the ids that are products of the store. */
  readonly existing: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  readonly taxClasses: HeldIds
  readonly shippingClasses: HeldIds
  /** The categories of a product, in this order and no others. */
  readonly setCategories: (storeId: string, id: string, categoryIds: ReadonlyArray<string>) => Effect.Effect<void>
  /** The brands of a product, in this order and no others. */
  readonly setBrands: (storeId: string, id: string, brandIds: ReadonlyArray<string>) => Effect.Effect<void>
}

const noShippingClass = () => FieldRejected.at("shippingClassId", "is not a shipping class of this store")
/** What a product is refused for by the database. */
export const productRefusals = ({ slug, externalSourceId }: ProductFields) =>
  constraintViolations({
    product_store_id_slug_key: () => new ProductSlugTaken({ slug }),
    product_store_id_external_source_id_key: () =>
      new ProductExternalIdTaken({ externalSourceId: externalSourceId ?? "" }),
    product_store_id_tax_class_id_fkey: () => FieldRejected.at("taxClassId", "is not a tax class of this store"),
    product_store_id_shipping_class_id_fkey: noShippingClass
  })

export class ProductRepository extends Context.Service<ProductRepository, ProductRepositoryMethods>()(
  "@effect-commerce/core/product/ProductRepository"
) {
  static readonly layer = Layer.effect(
    ProductRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const select = sql.literal(productSelect)
      const columns = sql.literal(productColumns)

      const heldIds = (table: "tax_class" | "shipping_class"): HeldIds => ({
        existing: (storeId, ids) =>
          Effect.map(
            many(sql<{ readonly id: string }>`SELECT id FROM ${sql.literal(table)}
                WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`),
            (rows) => new Set(rows.map((row) => row.id))
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

      return ProductRepository.of({
        update: (storeId, id, fields, now) =>
          none(
            sql`UPDATE product SET ${sql.update(productRecord(fields))}, updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${id}`.pipe(productRefusals(fields))
          ),
        remove: (storeId, id, now) =>
          anyRow(sql`WITH freed AS (
                DELETE FROM product_slug WHERE store_id = ${storeId} AND product_id = ${id})
              UPDATE product SET deleted_at = ${now},
                updated_at = ${now} WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL RETURNING id`),
        lock: (storeId, id) =>
          anyRow(sql`SELECT 1 FROM product WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY
                UPDATE`),
        lockAll: (storeId, ids) =>
          many(
            sql<LockedProduct>`SELECT id, status = 'active' AS is_active FROM product
              WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) AND deleted_at IS NULL
              ORDER BY id FOR NO KEY UPDATE`
          ),
        raiseVersions: (storeId, ids, now) =>
          none(
            sql`UPDATE product SET updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`
          ),
        lockToChange: (storeId, id, now) =>
          anyRow(sql`UPDATE product SET updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL RETURNING id`),
        find: (storeId, by, onlyActive) => {
          const key = "id" in by ? sql`p.id = ${by.id}` : sql`p.slug = ${by.slug}`
          const visible = onlyActive ? sql`p.deleted_at IS NULL AND p.status = 'active'` : sql`p.deleted_at IS NULL`
          return one(sql<ProductRow>`${select} WHERE p.store_id = ${storeId} AND ${key} AND ${visible}`, toProductState)
        },
        several: (storeId, ids) =>
          many(
            ids.length === 1
              ? sql<ProductRow>`${select} WHERE p.store_id = ${storeId} AND p.id = ${ids[0]} AND p.deleted_at IS NULL`
              : sql<ProductRow>`SELECT ${columns} FROM ${lookedUp(sql, "product", storeId, ids)} p
                  WHERE p.deleted_at IS NULL`,
            toProductState
          ),
        existing: (storeId, ids) =>
          Effect.map(
            many(
              sql<{
                readonly id: string
              }>`SELECT p.id FROM ${lookedUp(sql, "product", storeId, ids)} p WHERE p.deleted_at IS NULL`
            ),
            (rows) => new Set(rows.map((row) => row.id))
          ),
        taxClasses: heldIds("tax_class"),
        shippingClasses: heldIds("shipping_class"),
        findByExternalIds: (storeId, ids) =>
          Effect.map(
            many(sql<{
              readonly externalSourceId: string
              readonly id: string
            }>`SELECT external_source_id, id FROM product
                WHERE store_id = ${storeId} AND external_source_id = ANY(${ids}::text[]) AND deleted_at IS NULL`),
            (rows) => new Map(rows.map((row) => [row.externalSourceId, row.id]))
          ),
        setCategories: setNamed("product_category", "category_id"),
        setBrands: setNamed("product_brand", "brand_id")
      })
    })
  )
}
