/**
 * The SQL of products that are created together: the rows of all of them in one statement for each table. What one of
 * them is refused for refuses all.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { plannedOnceByIndex } from "../database/PlanByIndex.ts"
import { lockThenRead, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { lockStoreForAll } from "../database/StoreLocks.ts"
import { slugKind } from "../kernel/Slug.ts"
import { VersionedCache } from "../kernel/VersionedCache.ts"
import { beginsComposing, keptAsSent } from "../storefront/internal/composing.ts"
import { channelJson, brandJson, categoryJson } from "../taxonomy/TaxonomyColumns.ts"
import { metafieldsJson } from "../metafield/MetafieldColumns.ts"
import type { NamedIds, ProductSurroundings } from "./internal/newProductStates.ts"
import { productJson, shippingClassJson, variantJson } from "./internal/productRows.ts"
import type { NewVariant } from "./internal/variantWrites.ts"
import { firstValues, isFirstValue } from "../metafield/MetafieldValueRepository.ts"
import type { ProductMetafield } from "../metafield/MetafieldFields.ts"
import type { ProductFields, ProductState } from "./Product.ts"
import type { PublishedChannel } from "../taxonomy/Publication.ts"

/** A product cannot be created. Which one, and why, is found by creating fewer together, and then one alone. */
export class ProductSetRefused extends Schema.TaggedError<ProductSetRefused>()("ProductSetRefused", {}) {}

export interface NewProduct {
  readonly id: string
  readonly fields: ProductFields
}

/** Something that a product is filed under, at its place. */
export interface Filed {
  readonly productId: string
  readonly id: string
  readonly position: number
}

const refused = () => new ProductSetRefused()
const productRefusals = constraintViolations({
  product_store_id_slug_key: refused,
  product_store_id_external_source_id_key: refused,
  product_store_id_tax_class_id_fkey: refused,
  product_store_id_shipping_class_id_fkey: refused
})
const variantRefusals = constraintViolations({
  product_variant_store_id_product_id_attributes_key: refused,
  product_variant_store_id_product_id_option_ids_key: refused,
  product_variant_store_id_shipping_class_id_fkey: refused
})

export interface ProductSetRepositoryMethods {
  /** Writes a set: by plans of a store without products each row would read all that there are by then. */
  readonly planned: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Slugs in use among these, and those that begin with one of `numbered` and a hyphen; nobody else makes a slug of
   * their kinds until the transaction ends.
   */
  readonly slugsLike: (
    storeId: string,
    slugs: ReadonlyArray<string>,
    numbered: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>>
  /** With the values that the store's metafields begin with. Begins `composing`: they are composed as made. */
  readonly insert: (
    storeId: string,
    products: ReadonlyArray<NewProduct>,
    now: Date
  ) => Effect.Effect<void, ProductSetRefused>
  readonly insertVariants: (
    storeId: string,
    variants: ReadonlyArray<NewVariant & { readonly productId: string }>,
    now: Date
  ) => Effect.Effect<void, ProductSetRefused>
  readonly file: (
    storeId: string,
    categories: ReadonlyArray<Filed>,
    brands: ReadonlyArray<Filed>
  ) => Effect.Effect<void>
  /** What these ids name, and the metafields that each product of a set begins with: `made` is one of them. */
  readonly surroundings: (
    storeId: string,
    named: NamedIds,
    made: string | undefined
  ) => Effect.Effect<ProductSurroundings>
}

/** What a product that is created in a set is written to. */
const writtenTables = ["product", "product_variant", "product_category", "product_brand", "stock", "metafield_value"]

interface SurroundingsRow {
  readonly categories: ReadonlyArray<ProductState["categories"][number]> | null
  readonly brands: ReadonlyArray<ProductState["brands"][number]> | null
  readonly shippingClasses: ReadonlyArray<NonNullable<ProductState["shippingClass"]>> | null
  readonly channels: ReadonlyArray<PublishedChannel> | null
  /** Absent where only whether there are definitions was asked. */
  readonly metafields?: ReadonlyArray<ProductMetafield> | null
  readonly isKeptAsSent: boolean
  /** Null where there are definitions, and only that was asked. */
  readonly hasFirstValues: boolean | null
  readonly currency: string
}

/** Read where any are named: PostgreSQL prepares for whatever a statement may read. */
const ifAny = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>, read: Statement.Fragment): Statement.Fragment =>
  ids.length === 0 ? sql.literal("NULL::json") : read

const byId = <Thing extends { readonly id: string }>(things: ReadonlyArray<Thing> | null = null) =>
  new Map((things ?? []).map((thing) => [thing.id, thing]))

const toSurroundings = (row: SurroundingsRow | undefined): ProductSurroundings => ({
  categories: byId(row?.categories),
  brands: byId(row?.brands),
  shippingClasses: byId(row?.shippingClasses),
  channels: byId(row?.channels),
  metafields: row?.metafields ?? [],
  isKeptAsSent: row?.isKeptAsSent ?? false,
  hasFirstValues: row?.hasFirstValues ?? false,
  currency: row?.currency ?? ""
})

const storesKept = 10_000

export class ProductSetRepository extends Context.Service<ProductSetRepository, ProductSetRepositoryMethods>()(
  "@effect-commerce/core/product/ProductSetRepository"
) {
  static readonly layer = Layer.effect(
    ProductSetRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database

      const json = {
        category: sql.literal(categoryJson),
        brand: sql.literal(brandJson),
        shippingClass: sql.literal(shippingClassJson),
        channel: sql.literal(channelJson),
        metafields: sql.literal(metafieldsJson),
        kept: sql.literal(keptAsSent(...writtenTables))
      }

      /** Those of the columns that the rows have; all rows have the same. */
      const columnsOf = (rows: ReadonlyArray<object>, alias: string) => {
        const names = Object.keys(rows[0] ?? {})
        return { into: sql.literal(names.join(", ")), from: sql.literal(names.map((n) => `${alias}.${n}`).join(", ")) }
      }
      const filed = (rows: ReadonlyArray<Filed>) =>
        sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f ("productId" text, id text, position int)`

      const startingWith = (storeId: string, slugs: ReadonlyArray<string>) =>
        many(sql<{ readonly slug: string }>`SELECT u.slug FROM unnest(${slugs}::text[]) AS n (slug) JOIN (
            SELECT slug FROM product WHERE store_id = ${storeId} AND deleted_at IS NULL
            UNION ALL SELECT slug FROM product_slug WHERE store_id = ${storeId}
          ) u ON starts_with(u.slug, n.slug || '-')`)

      // Stores that have definitions of metafields: of others nothing is read but that they have none.
      const defined = new VersionedCache<true>(storesKept)

      const surroundingsRow = (
        storeId: string,
        { categories, brands, shippingClasses, channels }: NamedIds,
        made: string | undefined,
        isDefined: boolean
      ) =>
        one(sql<SurroundingsRow>`SELECT
          ${ifAny(
            sql,
            categories,
            sql`(SELECT json_agg(${json.category}) FROM category c
            WHERE c.store_id = ${storeId} AND c.id = ANY(${categories}::text[]) AND c.deleted_at IS NULL)`
          )} AS categories,
          ${ifAny(
            sql,
            brands,
            sql`(SELECT json_agg(${json.brand}) FROM brand b
            WHERE b.store_id = ${storeId} AND b.id = ANY(${brands}::text[]) AND b.deleted_at IS NULL)`
          )} AS brands,
          ${ifAny(
            sql,
            shippingClasses,
            sql`(SELECT json_agg(${json.shippingClass}) FROM shipping_class sc
            WHERE sc.store_id = ${storeId} AND sc.id = ANY(${shippingClasses}::text[]))`
          )} AS shipping_classes,
          ${ifAny(
            sql,
            channels,
            sql`(SELECT json_agg(${json.channel}) FROM sales_channel sc
            WHERE sc.store_id = ${storeId} AND sc.id = ANY(${channels}::text[]))`
          )} AS channels,
          ${
            isDefined
              ? sql`${json.metafields} AS metafields, EXISTS (SELECT FROM metafield_definition
                WHERE store_id = ${storeId} AND ${sql.literal(isFirstValue)}) AS has_first_values`
              : sql`CASE WHEN NOT EXISTS (SELECT FROM metafield_definition WHERE store_id = ${storeId})
                THEN false END AS has_first_values`
          },
          ${json.kept} AS is_kept_as_sent, (SELECT currency FROM store WHERE id = ${storeId}) AS currency
          FROM (SELECT ${storeId}::text AS store_id, ${made ?? null}::text AS id) p`)

      return ProductSetRepository.of({
        planned: plannedOnceByIndex(sql),
        slugsLike: (storeId, slugs, numbered) =>
          Effect.map(
            lockThenRead(
              none(lockStoreForAll(sql, "product_slug", storeId, slugs.map(slugKind))),
              // In the order of the slugs: only the index of slugs gives it without sorting.
              many(sql<{ readonly slug: string }>`SELECT w.slug FROM unnest(${slugs}::text[]) AS w (slug), LATERAL (
                    SELECT p.slug FROM product p WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL
                      AND p.slug >= w.slug ORDER BY p.slug LIMIT 1) p WHERE p.slug = w.slug
                UNION ALL SELECT slug FROM product_slug WHERE store_id = ${storeId} AND slug = ANY(${slugs}::text[])`),
              ...(numbered.length === 0 ? [] : [startingWith(storeId, numbered)])
            ),
            ([, ...found]) => new Set(found.flat().map(({ slug }) => slug))
          ),
        insert: (storeId, products, now) => {
          const rows = products.map(({ id, fields }) => ({ id, ...productJson(fields) }))
          const columns = columnsOf(rows, "r")
          const ids = products.map(({ id }) => id)
          return none(
            sql`WITH valued AS (${firstValues(sql, storeId, ids, now)})
              INSERT INTO product (store_id, created_at, updated_at, ${columns.into})
                SELECT ${storeId}, ${now}, ${now}, ${columns.from}
                FROM jsonb_populate_recordset(NULL::product, ${JSON.stringify(rows)}::jsonb) AS r
              ${sql.literal(beginsComposing)}`.pipe(productRefusals)
          )
        },
        insertVariants: (storeId, variants, now) => {
          const rows = variants.map((variant) => ({ product_id: variant.productId, ...variantJson(variant) }))
          const columns = columnsOf(rows, "r")
          return none(
            sql`INSERT INTO product_variant (store_id, created_at, updated_at, ${columns.into})
              SELECT ${storeId}, ${now}, ${now}, ${columns.from}
              FROM jsonb_populate_recordset(NULL::product_variant, ${JSON.stringify(rows)}::jsonb) AS r`.pipe(
              variantRefusals
            )
          )
        },
        file: (storeId, categories, brands) =>
          none(sql`WITH branded AS (INSERT INTO product_brand (store_id, product_id, brand_id, position)
              SELECT ${storeId}, f."productId", f.id, f.position FROM ${filed(brands)})
            INSERT INTO product_category (store_id, product_id, category_id, position)
            SELECT ${storeId}, f."productId", f.id, f.position FROM ${filed(categories)}`),
        surroundings: (storeId, named, made) =>
          Effect.flatMap(surroundingsRow(storeId, named, made, defined.get(storeId, 0n) ?? false), (row) => {
            if (row?.hasFirstValues !== null) return Effect.succeed(toSurroundings(row))
            defined.set(storeId, 0n, true)
            return Effect.map(surroundingsRow(storeId, named, made, true), toSurroundings)
          })
      })
    })
  )
}
