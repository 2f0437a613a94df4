/**
 * Reads what storefronts show of products, from product_listing and product_document. A reading is one statement, which
 * returns the versions of the store's listing and labels as well: of what a process remembers of either, it says in the
 * same snapshot whether that still holds.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { heavyRead } from "../database/HeavyReads.ts"
import { among, many, one } from "../database/Repository.ts"
import { reservedNow } from "../product/KitParts.ts"
import { withBase } from "../kernel/Locale.ts"
import { shownOn } from "../taxonomy/TaxonomyColumns.ts"
import { facetCounts } from "./internal/facetCounts.ts"
import { type FoundList, foundIds } from "./internal/foundIds.ts"
import { isPriceOutdated } from "./internal/listingNow.ts"
import { askedSearch } from "./internal/searchConditions.ts"
import { labelKinds, type LabelRow } from "./internal/sharedLabels.ts"
import { hasStaleRows } from "./StaleProductRepository.ts"
import {
  type BySlug,
  type PageCheck,
  type PageParts,
  type Row,
  type StoredVersions,
  toReading,
  toVersions,
  type Which
} from "./internal/storefrontReading.ts"

interface FoundPage {
  readonly ids: ReadonlyArray<string>
  readonly total: number
  readonly stale: boolean
}

export class StorefrontProductRepository extends Context.Service<StorefrontProductRepository>()(
  "@effect-commerce/core/storefront/StorefrontProductRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      const versions = (storeId: string) => sql`(SELECT coalesce(json_object_agg(v.kind, v.version), '{}') FROM (
        SELECT v.kind, sum(v.version)::text AS version FROM catalog_version v
        WHERE v.store_id = ${storeId} GROUP BY v.kind) v)`
      const labelRows = sql.literal(
        Object.entries(labelKinds)
          .map(([kind, rows]) => `SELECT '${kind}' AS kind, w.id, w.facts FROM (${rows}) w`)
          .join(" UNION ALL ")
      )
      // `o.store` is a column here, so that the kinds are written without parameters.
      const labelsOf = (storeId: string) => sql`(
        SELECT coalesce(json_agg(json_build_array(w.kind, w.id, w.facts)), '[]')
        FROM (SELECT ${storeId}::text COLLATE "C" AS store) o, LATERAL (${labelRows}) w)`

      /** Rows of stock `s` as `storefrontReading` reads them. */
      const stockRows = (now: Date) => sql`string_agg(
        (s.key, s.total, ${reservedNow(sql, now)}, s.backorder_limit, s.tracking_mode, s.backorder_mode)::text, ','
        ORDER BY s.key)`
      /** As `pagePartsOf` makes it: product_document_pkey and stock_pkey find what the page shows. */
      const pageState = (storeId: string, { ids, stockKeys }: PageParts, now: Date) => sql`md5(
        coalesce((SELECT string_agg(d.digest, ',' ORDER BY d.product_id) FROM product_document d
          WHERE d.store_id = ${storeId} AND d.product_id = ANY(${ids}::text[])), '') || '|' ||
        coalesce((SELECT ${stockRows(now)} FROM stock s
          WHERE s.store_id = ${storeId} AND s.key = ANY(${stockKeys}::text[])), ''))`

      const unlessKnown = (digests: ReadonlyArray<string>, column: Statement.Fragment) =>
        digests.length === 0 ? column : sql`CASE WHEN d.digest = ANY(${digests}::text[]) THEN NULL ELSE ${column} END`
      // Its modifiers belong to groups that other products have too, so that no document holds what they refer to.
      // product_modifier_group_pkey finds its groups, modifier_pkey what they have.
      const linksOfModifiers = sql.literal(`ARRAY(SELECT m.referenced_product_id FROM product_modifier_group a
        JOIN modifier m ON m.store_id = a.store_id AND m.group_id = a.group_id AND m.referenced_product_id IS NOT NULL
        WHERE a.store_id = d.store_id AND a.product_id = d.product_id)`)
      /** Of the products that a document and its modifiers name, those that the channel shows: few name any. */
      const links = (channelId: string | null) => sql`(SELECT CASE WHEN n.ids <> '{}' THEN (
        SELECT string_agg(k.product_id, ' ' ORDER BY k.product_id) FROM product_listing k
        WHERE k.store_id = d.store_id AND k.product_id = ANY(n.ids) AND k.status = 'active'
          AND ${shownOn(sql, "k.channel_ids", channelId)}) END
        FROM (SELECT d.link_ids || ${linksOfModifiers} AS ids OFFSET 0) n)`
      const products = (
        storeId: string,
        those: Statement.Fragment,
        now: Date,
        { channelId, known = [] }: { readonly channelId: string | null; readonly known?: ReadonlyArray<string> }
      ) => sql`SELECT NULL::json, NULL::boolean, NULL::boolean, NULL::bigint, NULL::timestamptz, NULL::text[],
        NULL::json, NULL::json, d.product_id, d.digest, ${unlessKnown(known, sql.literal("d.document"))},
        (SELECT ${stockRows(now)} FROM stock s WHERE s.store_id = d.store_id AND s.key = ANY(d.stock_keys)),
        ${unlessKnown(known, sql.literal("d.stock_keys"))}, ${links(channelId)}
        FROM product_document d WHERE d.store_id = ${storeId} AND ${those}`

      const unsettledStock = (storeId: string, now: Date) =>
        sql`(EXISTS (SELECT FROM product_stale n WHERE n.store_id = ${storeId} AND n.cause <> 'again') OR EXISTS (
          SELECT FROM reservation r WHERE r.store_id = ${storeId} AND r.expires_at <= ${now}) OR EXISTS (
          SELECT FROM product_listing u WHERE u.store_id = ${storeId} AND u.buyable IS NULL
            AND u.status = 'active'))`

      const about = (
        storeId: string,
        found: {
          readonly total: Statement.Fragment
          readonly until: Statement.Fragment
          readonly ids: Statement.Fragment
          readonly facets: Statement.Fragment
        },
        now: Date,
        withLabels: boolean
      ) => sql`SELECT ${versions(storeId)} AS versions, ${hasStaleRows(sql, storeId)} AS stale,
        ${unsettledStock(storeId, now)} AS unsettled, ${found.total} AS total, ${found.until} AS until,
        ${found.ids} AS ids, ${found.facets} AS facets,
        ${withLabels ? labelsOf(storeId) : sql`NULL::json`} AS labels, NULL::text AS id, NULL::text AS digest,
        NULL::text AS document, NULL::text AS stock, NULL::text[] AS "stockKeys", NULL::text AS links`

      const nothing = {
        total: sql`NULL::bigint`,
        until: sql`NULL::timestamptz`,
        ids: sql`NULL::text[]`,
        facets: sql`NULL::json`
      }

      /** The next instant at which the price of a product of the store changes without a write. */
      const nextPrice = (storeId: string, now: Date) => sql`(SELECT least(
        (SELECT min(l.price_until) FROM product_listing l WHERE l.store_id = ${storeId} AND l.price_until > ${now}
          AND l.price_until < 'infinity'),
        (SELECT min(CASE WHEN l.type = 'KIT' THEN ${now}
          ELSE nullif(price_until(l.sale_starts_at, l.sale_ends_at, ${now}), 'infinity') END) FROM product_listing l
          WHERE l.store_id = ${storeId} AND ${isPriceOutdated(sql, now)})))`

      /**
       * The product whose own slug it is, else the one that has it in the best of the languages that the shopper reads,
       * else in any.
       */
      const bySlug = (storeId: string, { slug, languages = [] }: BySlug, isShown: Statement.Fragment) =>
        sql`coalesce((SELECT l.product_id FROM product_listing l WHERE ${isShown} AND l.slug = ${slug}),
          (SELECT l.product_id FROM product_slug h
            JOIN product_listing l ON l.store_id = h.store_id AND l.product_id = h.product_id
            WHERE h.store_id = ${storeId} AND h.slug = ${slug} AND ${isShown}
            ORDER BY array_position(${languages.flatMap(withBase)}::text[], h.locale), h.locale
            LIMIT 1))`

      const readOne = (
        storeId: string,
        { one: asked, channelId, known }: Extract<Which, { readonly one: unknown }>,
        now: Date
      ) => {
        const isShown = sql`l.store_id = ${storeId} AND l.status = 'active'
          AND ${shownOn(sql, "l.channel_ids", channelId)}`
        const named =
          "id" in asked
            ? sql`d.product_id = (SELECT l.product_id FROM product_listing l
                WHERE ${isShown} AND l.product_id = ${asked.id})`
            : sql`d.product_id = ${bySlug(storeId, asked, isShown)}`
        return products(storeId, named, now, { channelId, known })
      }

      const findAndRead = (
        storeId: string,
        which: Extract<Which, { readonly filter: unknown }>,
        now: Date,
        withLabels: boolean
      ) => {
        const { filter, sortBy, page, facets = false } = which
        const timed =
          facets || filter.minPrice !== undefined || filter.maxPrice !== undefined || sortBy === "displayPriceMin"
        const found = {
          total: sql`(SELECT n FROM counted)`,
          until: timed ? nextPrice(storeId, now) : nothing.until,
          ids: sql`(SELECT ids FROM found)`,
          facets: facets ? facetCounts(sql, storeId, filter) : nothing.facets
        }
        const slice = sql`(SELECT (ids)[${page.offset + 1}::int : ${page.offset + page.length}::int] FROM found)`
        const shown = products(storeId, sql`d.product_id = ANY(${slice}::text[])`, now, {
          channelId: filter.channelId ?? null
        })
        return sql<Row>`WITH ${askedSearch(sql, storeId, filter)} ${foundIds(sql, storeId, which)}
          ${about(storeId, found, now, withLabels)} UNION ALL ${shown}`
      }

      const statementOf = (storeId: string, which: Which, now: Date, withLabels: boolean) => {
        if ("filter" in which) return findAndRead(storeId, which, now, withLabels)
        const those =
          "ids" in which
            ? products(storeId, among(sql, "d.product_id", which.ids), now, which)
            : readOne(storeId, which, now)
        return sql<Row>`${about(storeId, nothing, now, withLabels)} UNION ALL ${those}`
      }

      return {
        /** A page of a list, and whether a product of the store is marked stale, so that it may not be right. */
        find: (storeId: string, list: FoundList) => {
          const { filter } = list
          const read = Effect.map(
            one(
              sql<FoundPage>`WITH ${askedSearch(sql, storeId, filter)}
                ${foundIds(sql, storeId, list)}
                SELECT (SELECT n FROM counted)::int AS total, (SELECT ids FROM found) AS ids,
                  ${hasStaleRows(sql, storeId)} AS stale`
            ),
            (row) => row ?? { ids: [], total: 0, stale: false }
          )
          return filter.search === undefined ? read : heavyRead(storeId)(read)
        },

        /** `withLabels`: the shared labels of the store too. */
        read: (storeId: string, which: Which, now: Date, withLabels: boolean) => {
          const read = Effect.map(many(statementOf(storeId, which, now, withLabels)), toReading)
          // To find a list is to read the store's listing; everything else is found by its keys.
          return "filter" in which ? heavyRead(storeId)(read) : read
        },

        /** How a page that is remembered is now. `unsettled` is asked only where what it lists depends on stock. */
        check: (storeId: string, page: PageParts, now: Date, isByStock: boolean): Effect.Effect<PageCheck> =>
          Effect.map(
            one(
              sql<Omit<PageCheck, "versions"> & { readonly versions: StoredVersions }>`SELECT
                ${versions(storeId)} AS versions, ${hasStaleRows(sql, storeId)} AS stale,
                ${isByStock ? unsettledStock(storeId, now) : sql.literal("false")} AS unsettled,
                ${pageState(storeId, page, now)} AS state`
            ),
            (row) => ({
              versions: toVersions(row?.versions ?? {}),
              stale: row?.stale ?? true,
              unsettled: row?.unsettled ?? true,
              state: row?.state ?? ""
            })
          ),

        /** The shared labels, with their version. */
        labels: (storeId: string) =>
          Effect.map(
            one(
              sql<{ readonly versions: StoredVersions; readonly labels: ReadonlyArray<LabelRow> }>`SELECT
                ${versions(storeId)} AS versions, ${labelsOf(storeId)} AS labels`
            ),
            (row) => ({ version: toVersions(row?.versions ?? {}).labels, labels: row?.labels ?? [] })
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(StorefrontProductRepository, StorefrontProductRepository.make)
}
