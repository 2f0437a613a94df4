/** The SQL of category; the tree of a store is read whole, in one statement. */
import { publishedChannels, shownOn } from "./TaxonomyColumns.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { containing, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import { fieldsOf, makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import type { Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import {
  type CategoryFields,
  CategoryInput,
  type CategoryInTree,
  type CategoryState,
  shownCategoryProducts
} from "./Category.ts"
import { CategoryTaken } from "./TaxonomyErrors.ts"

/** Undefined fields do not filter; `platform` is the system that a category came from. */
export interface CategoryFilter {
  readonly search?: string | undefined
  readonly platform?: string | undefined
}

const table: StoreTable<CategoryFields> = {
  table: "category",
  fields: fieldsOf(CategoryInput),
  columns: { salesChannelIds: "channel_ids" },
  json: ["translations"],
  keepsDeleted: true
}

const ownColumns = `c.id, ${selectedFields(table, "c")}, c.created_at, c.updated_at`
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
      const rows = makeStoreTable(sql, table)
      const taken = (fields: CategoryFields) =>
        constraintViolations({
          ...sharedSize("categories"),
          category_store_id_slug_key: () => new CategoryTaken({ field: "slug", value: fields.slug }),
          category_store_id_external_id_key: () =>
            new CategoryTaken({ field: "externalId", value: fields.externalId ?? "" })
        })

      return {
        /**
         * Locks the tree of the store until the transaction ends, so that the second of two concurrent moves sees the
         * first.
         */
        lockTree: (storeId: string) => none(lockStoreFor(sql, "category_tree", storeId)),
        insert: (storeId: string, id: string, fields: CategoryFields, now: Date) =>
          none(rows.insert(storeId, id, fields, now).pipe(taken(fields))),
        update: (storeId: string, id: string, fields: CategoryFields, now: Date) =>
          none(rows.update(storeId, id, fields, now).pipe(taken(fields))),
        remove: (storeId: string, ids: ReadonlyArray<string>, now: Date) =>
          none(sql`UPDATE category SET deleted_at = ${now}, updated_at = ${versionAfter(sql, now)}, external_id = NULL
            WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`),
        reparent: (storeId: string, from: string, to: string | null, now: Date) =>
          none(sql`UPDATE category SET parent_id = ${to}, updated_at = ${versionAfter(sql, now)}
            WHERE store_id = ${storeId} AND parent_id = ${from} AND deleted_at IS NULL`),
        find: (storeId: string, id: string) =>
          one(sql<CategoryState>`SELECT ${sql.literal(columns)} FROM category c
            WHERE c.store_id = ${storeId} AND c.id = ${id} AND c.deleted_at IS NULL`),
        /** Every category that is not deleted. Reads no products, however many there are. */
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
        existing: rows.existing,
        idsByExternal: rows.idsBy("externalId"),
        /** The number of distinct products that a channel shows in any of the categories. */
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
