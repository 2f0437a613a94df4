/** The SQL of brand. */
import { publishedChannels, shownOn } from "./TaxonomyColumns.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, containing, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { fieldsOf, makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import type { Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import {
  type BrandFields,
  BrandInput,
  type BrandPage,
  type BrandState,
  type ShownBrand,
  shownBrandProducts
} from "./Brand.ts"
import { BrandTaken } from "./TaxonomyErrors.ts"

/** Undefined fields do not filter; `platform` is the system that a brand came from. */
export interface BrandFilter {
  readonly search?: string | undefined
  readonly platform?: string | undefined
}

const taken = ({ name, slug }: BrandFields) =>
  constraintViolations({
    ...sharedSize("brands"),
    brand_store_id_name_key: () => new BrandTaken({ field: "name", value: name }),
    brand_store_id_slug_key: () => new BrandTaken({ field: "slug", value: slug })
  })

const table: StoreTable<BrandFields> = {
  table: "brand",
  fields: fieldsOf(BrandInput),
  columns: { salesChannelIds: "channel_ids" },
  json: ["translations"],
  keepsDeleted: true
}

const ownColumns = selectedFields(table, "b")
const productsOf = `product_brand pb JOIN product p ON p.store_id = pb.store_id AND p.id = pb.product_id
  WHERE pb.store_id = b.store_id AND pb.brand_id = b.id AND p.deleted_at IS NULL`
/** product_brand_store_id_brand_id_idx gives the products of a brand, oldest first. */
const columns = `b.id, ${ownColumns}, b.created_at, b.updated_at,
  ${publishedChannels("b")} AS published_channels, (SELECT count(*)::int FROM ${productsOf}) AS product_count,
  (SELECT coalesce(json_agg(shown), '[]') FROM (SELECT p.id, p.name, p.sku FROM ${productsOf} ORDER BY pb.product_id
    LIMIT ${shownBrandProducts}) shown) AS products`

export class BrandRepository extends Context.Service<BrandRepository>()(
  "@effect-commerce/core/taxonomy/BrandRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, table)
      const reader = makePageReader<BrandState>(sql, { name: "brand", alias: "b", columns })

      /** The number of brands of the store. Locks: no other request adds one until the transaction ends. */
      const countToAdd = (storeId: string) =>
        countLocked(sql, { table: "brand", ownerId: storeId, which: sql`store_id = ${storeId} AND deleted_at IS NULL` })

      return {
        countToAdd,
        insert: (storeId: string, id: string, fields: BrandFields, now: Date) =>
          none(taken(fields)(rows.insert(storeId, id, fields, now))),
        update: (storeId: string, id: string, fields: BrandFields, now: Date) =>
          none(taken(fields)(rows.update(storeId, id, fields, now))),
        /** Returns whether the brand existed. Its rows in product_brand stay and are not shown any more. */
        remove: (storeId: string, id: string, now: Date) =>
          anyRow(sql`UPDATE brand SET deleted_at = ${now}, updated_at = ${versionAfter(sql, now)}, external_id = NULL
            WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL RETURNING id`),
        find: (storeId: string, id: string) =>
          one(
            sql<BrandState>`SELECT ${sql.literal(columns)} FROM brand b
              WHERE b.store_id = ${storeId} AND b.id = ${id} AND b.deleted_at IS NULL`
          ),
        /** The stored fields only, locked until the transaction ends. */
        lock: (storeId: string, id: string) =>
          one(
            sql<BrandFields>`SELECT ${sql.literal(ownColumns)} FROM brand b
              WHERE b.store_id = ${storeId} AND b.id = ${id} AND b.deleted_at IS NULL FOR NO KEY UPDATE`
          ),
        list: (storeId: string, page: Page, { search, platform }: BrandFilter) =>
          reader.page(storeId, {
            conditions: [
              sql`b.deleted_at IS NULL`,
              ...(platform === undefined ? [] : [sql`b.source = ${platform.toUpperCase()}`]),
              ...(search === undefined ? [] : [sql`lower(b.name) LIKE ${containing(search.toLowerCase())}`])
            ],
            order: sql.literal("b.name, b.id"),
            page,
            search
          }),
        /** Every active brand of a channel. */
        shown: (storeId: string, channelId: string | null) =>
          many(
            sql<ShownBrand>`SELECT b.id, b.name, b.slug, b.translations FROM brand b
              WHERE b.store_id = ${storeId} AND b.deleted_at IS NULL AND b.is_active
                AND ${shownOn(sql, "b.channel_ids", channelId)} ORDER BY b.name, b.id`
          ),
        page: (storeId: string, slug: string, channelId: string | null) =>
          one(
            sql<BrandPage>`SELECT b.id, b.name, b.slug, b.description, b.logo, b.translations, (SELECT count(*)::int
              FROM ${sql.literal(productsOf)} AND p.status = 'active' AND ${shownOn(sql, "p.channel_ids", channelId)})
              AS product_count
              FROM brand b WHERE b.store_id = ${storeId} AND b.slug = ${slug} AND b.deleted_at IS NULL AND b.is_active
              AND ${shownOn(sql, "b.channel_ids", channelId)}`
          ),
        existing: rows.existing,
        idsByName: rows.idsBy("name"),
        slugsLike: (storeId: string, slug: string) =>
          Effect.map(
            many(
              sql<{ readonly slug: string }>`SELECT b.slug FROM brand b WHERE b.store_id = ${storeId}
                AND b.deleted_at IS NULL AND (b.slug = ${slug} OR starts_with(b.slug, ${`${slug}-`}))`
            ),
            (rows) => new Set(rows.map((row) => row.slug))
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(BrandRepository, BrandRepository.make)
}
