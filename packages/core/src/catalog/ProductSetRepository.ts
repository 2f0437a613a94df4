/**
 * The SQL of products that are created together: the rows of all of them in one statement for each table. What one of
 * them is refused for refuses all.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { planOnceByIndex } from "../database/PlanByIndex.ts"
import { lockThenRead, many, none } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { lockStoreForAll } from "../database/StoreLocks.ts"
import { slugKind } from "../kernel/Slug.ts"
import { productJson, variantJson } from "./internal/productRows.ts"
import type { NewVariant } from "./internal/variantWrites.ts"
import { firstValues } from "./MetafieldValueRepository.ts"
import type { ProductFields } from "./Product.ts"

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
  /** Before the first statement of a set: plans of a store without products would read all of them for each row. */
  readonly begin: Effect.Effect<void>
  /**
   * Slugs in use among these, and those that begin with one of `numbered` and a hyphen; nobody else makes a slug of
   * their kinds until the transaction ends.
   */
  readonly slugsLike: (
    storeId: string,
    slugs: ReadonlyArray<string>,
    numbered: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>>
  /** With the values that the store's metafields begin with. */
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
}

export class ProductSetRepository extends Context.Service<ProductSetRepository, ProductSetRepositoryMethods>()(
  "@effect-commerce/core/catalog/ProductSetRepository"
) {
  static readonly layer = Layer.effect(
    ProductSetRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database

      /** Those of the columns that the rows have; all rows have the same. */
      const columnsOf = (rows: ReadonlyArray<object>, alias: string) => {
        const names = Object.keys(rows[0] ?? {})
        return { into: sql.literal(names.join(", ")), from: sql.literal(names.map((n) => `${alias}.${n}`).join(", ")) }
      }
      const filed = (rows: ReadonlyArray<Filed>) =>
        sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f ("productId" text, id text, position int)`

      return ProductSetRepository.of({
        begin: planOnceByIndex(sql),
        slugsLike: (storeId, slugs, numbered) =>
          Effect.map(
            lockThenRead(
              none(lockStoreForAll(sql, "product_slug", storeId, slugs.map(slugKind))),
              many(sql<{ readonly slug: string }>`WITH used AS NOT MATERIALIZED (
                  SELECT slug FROM product WHERE store_id = ${storeId} AND deleted_at IS NULL
                  UNION ALL SELECT slug FROM product_slug WHERE store_id = ${storeId}
                ) SELECT u.slug FROM used u WHERE u.slug = ANY(${slugs}::text[])
                UNION ALL SELECT u.slug FROM unnest(${numbered}::text[]) AS n (slug)
                  JOIN used u ON starts_with(u.slug, n.slug || '-')`)
            ),
            ([, rows]) => new Set(rows.map(({ slug }) => slug))
          ),
        insert: (storeId, products, now) => {
          const rows = products.map(({ id, fields }) => ({ id, ...productJson(fields) }))
          const columns = columnsOf(rows, "r")
          const ids = products.map(({ id }) => id)
          return none(
            sql`WITH made AS (INSERT INTO product (store_id, created_at, updated_at, ${columns.into})
                SELECT ${storeId}, ${now}, ${now}, ${columns.from}
                FROM jsonb_populate_recordset(NULL::product, ${JSON.stringify(rows)}::jsonb) AS r)
              ${firstValues(sql, storeId, ids, now)}`.pipe(productRefusals)
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
            SELECT ${storeId}, f."productId", f.id, f.position FROM ${filed(categories)}`)
      })
    })
  )
}
