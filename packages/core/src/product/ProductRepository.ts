/**
 * The SQL of product, product_variant and product_category. A product is read with its variants, stock and categories
 * in one statement; a page of them takes two, whatever its size and however many products there are.
 */
import { shownOn } from "../taxonomy/TaxonomyColumns.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { anyRow, lookedUp, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { versionAfter } from "../database/Precondition.ts"
import type { Page, PageOf } from "../kernel/Pagination.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { ProductExternalIdTaken, ProductSlugTaken } from "./ProductErrors.ts"
import type { LockedProduct } from "../taxonomy/ProductChanges.ts"
import type { ProductFields, ProductSort, ProductState } from "./Product.ts"
import type { FacetFilters } from "../storefront/internal/facetFilters.ts"
import { searchConditions, type Searched } from "../storefront/internal/searchConditions.ts"
import {
  productColumns,
  productRecord,
  type ProductRow,
  productSelect,
  toProductState
} from "./internal/productRows.ts"

/** Undefined fields do not filter. */
export interface ProductFilter extends FacetFilters, Searched {
  readonly types?: ReadonlyArray<string> | undefined
  /** Products that go with these. */
  readonly beside?: ReadonlyArray<string> | undefined
}

export interface ProductQuery {
  readonly page: Page
  readonly filter: ProductFilter
  readonly sortBy: ProductSort
  readonly descending: boolean
}

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
  readonly list: (storeId: string, query: ProductQuery) => Effect.Effect<PageOf<ProductState>>
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

const sortColumns: Record<ProductSort, string> = {
  name: "p.name",
  createdAt: "p.created_at",
  updatedAt: "p.updated_at",
  menuOrder: "p.menu_order",
  status: "p.status",
  sku: "p.sku",
  slug: "p.slug",
  basePrice: "p.base_price"
}

/**
 * product_store_id_menu_order_idx, _created_at_idx, _name_idx and _base_price_idx give these orders, forwards and
 * backwards; only the sku may be absent.
 */
const orderOf = (sortBy: ProductSort, descending: boolean): string => {
  const direction = descending ? " DESC" : ""
  return `${sortColumns[sortBy]}${direction}${sortBy === "sku" ? " NULLS LAST" : ""}, p.id${direction}`
}

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

      /** One value is asked for as one: an index that begins with it then serves. */
      const oneOf = (column: string, values: ReadonlyArray<string> | undefined) => {
        if (values === undefined) return []
        return [
          values.length === 1
            ? sql`${sql.literal(column)} = ${values[0]}`
            : sql`${sql.literal(column)} = ANY(${values}::text[])`
        ]
      }

      const conditionsOf = (storeId: string, filter: ProductFilter) => {
        const onSale = sql`(p.sale_price_starts_at IS NULL OR
          (p.sale_price_starts_at <= ${filter.now} AND p.sale_price_ends_at > ${filter.now}))`
        const lowest = sql`CASE WHEN p.kit_pricing_mode = 'COMPONENTS'
            THEN kit_price_at(p.store_id, p.id, ${filter.now})
          WHEN p.type = 'VARIABLE' THEN (
            SELECT min(CASE WHEN ${onSale} THEN coalesce(v.sale_price, v.price) ELSE v.price END) FROM product_variant v
            WHERE v.store_id = p.store_id AND v.product_id = p.id AND v.status = 'active')
          WHEN ${onSale} THEN coalesce(p.sale_price, p.base_price) ELSE p.base_price END`
        const buyable = sql`CASE WHEN p.type = 'KIT' THEN listing_buyable_at(p.store_id, p.id, p.type, ${filter.now})
          ELSE EXISTS
          (SELECT 1 FROM stock s LEFT JOIN product_variant v ON v.store_id = s.store_id AND v.id = s.variant_id
          WHERE s.store_id = p.store_id AND s.product_id = p.id
          AND CASE p.type WHEN 'VARIABLE' THEN v.status = 'active' ELSE s.variant_id IS NULL END AND s.tracking_mode <>
            'DISABLED' AND (
            s.tracking_mode = 'UNTRACKED' OR s.backorder_mode = 'ALLOW'
            OR s.total - s.reserved + CASE s.backorder_mode WHEN 'LIMITED' THEN coalesce(s.backorder_limit,
              0) ELSE 0 END > 0)) END`
        return [
          sql`p.deleted_at IS NULL`,
          ...oneOf("p.status", filter.statuses),
          ...(filter.channelId === undefined ? [] : [shownOn(sql, "p.channel_ids", filter.channelId)]),
          ...oneOf("p.type", filter.types),
          ...searchConditions(sql, storeId, filter).map(
            (found) => sql`EXISTS (SELECT 1 FROM product_listing l
              WHERE l.store_id = p.store_id AND l.product_id = p.id AND ${found})`
          ),
          ...(filter.minPrice === undefined ? [] : [sql`${lowest} >= ${filter.minPrice}`]),
          ...(filter.maxPrice === undefined ? [] : [sql`${lowest} <= ${filter.maxPrice}`]),
          ...(filter.inStock === undefined ? [] : [filter.inStock ? buyable : sql`NOT (${buyable})`]),
          ...(filter.brands === undefined
            ? []
            : [
                sql`EXISTS (SELECT 1 FROM product_brand pb
                  JOIN brand b ON b.store_id = pb.store_id AND b.id = pb.brand_id WHERE pb.store_id = p.store_id
                  AND pb.product_id = p.id AND b.deleted_at IS NULL AND b.is_active
                  AND (b.id = ANY(${filter.brands}::text[]) OR b.slug = ANY(${filter.brands}::text[])))`
              ]),
          ...(filter.categories === undefined
            ? []
            : [
                sql`EXISTS
                  (SELECT 1 FROM product_category pc WHERE pc.store_id = p.store_id AND pc.product_id = p.id AND
                  pc.category_id IN (
                  WITH RECURSIVE shown AS (
                    SELECT c.id, c.slug,
                      c.parent_id FROM category c WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active
                      AND c.parent_id IS NULL
                    UNION SELECT c.id, c.slug, c.parent_id FROM category c JOIN shown s ON c.parent_id = s.id
                      WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active
                  ), below AS (
                    SELECT id FROM shown WHERE id = ANY(${filter.categories}::text[]) OR slug =
                      ANY(${filter.categories}::text[])
                    UNION SELECT c.id FROM shown c JOIN below b ON c.parent_id = b.id
                  ) SELECT id FROM below))`
              ])
        ]
      }

      const reader = makePageReader<ProductRow>(sql, { name: "product", alias: "p", columns: productColumns })
      const list = (storeId: string, { filter, sortBy, descending, page }: ProductQuery) =>
        Effect.map(
          reader.page(storeId, {
            conditions: conditionsOf(storeId, filter),
            order: sql.literal(orderOf(sortBy, descending)),
            page,
            search: filter.search
          }),
          ({ items, total }) => ({ items: items.map(toProductState), total })
        )

      /** What a product is filed under, in this order and no others. */
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
        list,
        setCategories: setNamed("product_category", "category_id"),
        setBrands: setNamed("product_brand", "brand_id")
      })
    })
  )
}
