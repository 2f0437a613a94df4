/** The SQL of category; the tree of a store is read whole, in one statement. */
import { publishedChannels, shownOn } from "./TaxonomyColumns.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { containing, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import type { Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import { type CategoryFields, type CategoryInTree, type CategoryState, shownCategoryProducts } from "./Category.ts"
import { CategorySlugTaken } from "./TaxonomyErrors.ts"

/** Undefined fields do not filter; `platform` is where a category came from. */
export interface CategoryFilter {
  readonly search?: string | undefined
  readonly platform?: string | undefined
}

const record = (fields: CategoryFields) => ({
  parent_id: fields.parentId,
  external_id: fields.externalId,
  name: fields.name,
  slug: fields.slug,
  description: fields.description,
  meta_description: fields.metaDescription,
  image: fields.image,
  image_key: fields.imageKey,
  source: fields.source,
  google_product_category: fields.googleProductCategory,
  tax_behavior: fields.taxBehavior,
  translations: JSON.stringify(fields.translations),
  is_active: fields.isActive,
  channel_ids: fields.salesChannelIds
})

const ownColumns = `c.id, c.parent_id, c.external_id, c.name, c.slug, c.description, c.meta_description, c.image,
  c.image_key, c.source, c.google_product_category, c.tax_behavior, c.translations, c.is_active,
  c.channel_ids AS sales_channel_ids, c.created_at,
  c.updated_at`
const productsOf = `product_category pc JOIN product p ON p.store_id = pc.store_id AND p.id = pc.product_id
  WHERE pc.store_id = c.store_id AND pc.category_id = c.id AND p.deleted_at IS NULL`
/** product_category_store_id_category_id_idx gives the products of a category, oldest first. */
const columns = `${ownColumns}, ${publishedChannels("c")} AS published_channels,
  (SELECT count(*)::int FROM ${productsOf}) AS product_count,
  (SELECT coalesce(json_agg(shown), '[]') FROM (SELECT p.id, p.name, p.sku FROM ${productsOf} ORDER BY pc.product_id
    LIMIT ${shownCategoryProducts}) shown) AS products`

export class CategoryRepository extends Context.Service<CategoryRepository>()(
  "@effect-commerce/core/taxonomy/CategoryRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const reader = makePageReader<CategoryState>(sql, { name: "category", alias: "c", columns })
      const taken = (fields: CategoryFields) =>
        constraintViolations({
          ...sharedSize("categories"),
          category_store_id_slug_key: () => new CategorySlugTaken({ slug: fields.slug })
        })

      return {
        /**
         * Nobody else changes the tree of the store until the transaction ends: of two moves at once, the second sees the
         * first.
         */
        lockTree: (storeId: string) => none(lockStoreFor(sql, "category_tree", storeId)),
        insert: (storeId: string, id: string, fields: CategoryFields, now: Date) =>
          none(
            sql`INSERT INTO category
              ${sql.insert({ store_id: storeId, id, created_at: now, updated_at: now, ...record(fields) })}`.pipe(
              taken(fields)
            )
          ),
        update: (storeId: string, id: string, fields: CategoryFields, now: Date) =>
          none(
            sql`UPDATE category SET ${sql.update(record(fields))}, updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${id}`.pipe(taken(fields))
          ),
        remove: (storeId: string, ids: ReadonlyArray<string>, now: Date) =>
          none(sql`UPDATE category SET deleted_at = ${now},
            updated_at = ${now} WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`),
        reparent: (storeId: string, from: string, to: string | null, now: Date) =>
          none(sql`UPDATE category SET parent_id = ${to},
            updated_at = ${now} WHERE store_id = ${storeId} AND parent_id = ${from} AND deleted_at IS NULL`),
        find: (storeId: string, id: string) =>
          one(sql<CategoryState>`SELECT ${sql.literal(columns)} FROM category c
            WHERE c.store_id = ${storeId} AND c.id = ${id} AND c.deleted_at IS NULL`),
        /** Every category that is not deleted. No product is looked at, however many there are. */
        all: (storeId: string) =>
          many(
            sql<CategoryInTree>`SELECT ${sql.literal(ownColumns)} FROM category c
              WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL ORDER BY c.name, c.id`
          ),
        list: (storeId: string, page: Page, { search, platform }: CategoryFilter) =>
          reader.page(storeId, {
            conditions: [
              sql`c.deleted_at IS NULL`,
              ...(platform === undefined ? [] : [sql`c.source = ${platform.toUpperCase()}`]),
              ...(search === undefined ? [] : [sql`lower(c.name) LIKE ${containing(search.toLowerCase())}`])
            ],
            order: sql.literal("c.name, c.id"),
            page,
            search
          }),
        /** Which of these ids the store has. */
        existing: (storeId: string, ids: ReadonlyArray<string>) =>
          Effect.map(
            many(sql<{
              readonly id: string
            }>`SELECT id FROM category WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) AND deleted_at IS
              NULL`),
            (rows) => new Set(rows.map((row) => row.id))
          ),
        idsByExternal: (storeId: string, externalIds: ReadonlyArray<string>) =>
          Effect.map(
            many(sql<{ readonly externalId: string; readonly id: string }>`SELECT external_id, id FROM category
              WHERE store_id = ${storeId} AND external_id = ANY(${externalIds}::text[]) AND deleted_at IS NULL`),
            (rows) => new Map(rows.map((row) => [row.externalId, row.id]))
          ),
        /** Distinct products that a channel shows under any of the categories. */
        countProducts: (storeId: string, ids: ReadonlyArray<string>, channelId: string | null) =>
          Effect.map(
            one(sql<{
              readonly n: number
            }>`SELECT count(DISTINCT p.id)::int AS n FROM product_category pc JOIN product p ON p.store_id =
              pc.store_id AND p.id = pc.product_id
              WHERE pc.store_id = ${storeId} AND pc.category_id = ANY(${ids}::text[]) AND p.deleted_at IS NULL AND
                p.status = 'active' AND ${shownOn(sql, "p.channel_ids", channelId)}`),
            (row) => row?.n ?? 0
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CategoryRepository, CategoryRepository.make)
}
