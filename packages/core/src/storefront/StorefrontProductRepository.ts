/**
 * The SQL by which storefronts read product_listing and product_document. A read is one statement, which also returns
 * the versions of the store's listing and labels, so that the same snapshot says whether cached entries are still
 * valid.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { heavyRead } from "../database/HeavyReads.ts"
import { among, many, one } from "../database/Repository.ts"
import { facetCounts } from "./internal/facetCounts.ts"
import { type FoundList, foundIds } from "./internal/foundIds.ts"
import { nextPrice } from "./internal/listingNow.ts"
import { askedSearch } from "./internal/searchConditions.ts"
import type { LabelRow } from "./internal/sharedLabels.ts"
import { isOne, pageState, shownRows } from "./internal/shownRows.ts"
import { sharedLabelRows, storeVersions, unsettledStock } from "./internal/storeState.ts"
import { hasStaleRows } from "./StaleProductRepository.ts"
import {
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

      const nothing: Record<"total" | "until" | "ids" | "facets", Statement.Fragment> = {
        total: sql`NULL::bigint`,
        until: sql`NULL::timestamptz`,
        ids: sql`NULL::text[]`,
        facets: sql`NULL::json`
      }

      /** The first row: the store's state, and the list if one was requested. */
      const about = (
        storeId: string,
        found: typeof nothing,
        now: Date,
        withLabels: boolean
      ) => sql`SELECT ${storeVersions(sql, storeId)} AS versions, ${hasStaleRows(sql, storeId)} AS stale,
        ${unsettledStock(sql, storeId, now)} AS unsettled, ${found.total} AS total, ${found.until} AS until,
        ${found.ids} AS ids, ${found.facets} AS facets,
        ${withLabels ? sharedLabelRows(sql, storeId) : sql`NULL::json`} AS labels,
        NULL::text AS id, NULL::text AS digest, NULL::text AS document, NULL::text AS stock,
        NULL::text[] AS "stockKeys", NULL::text AS links`

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
          until: timed ? nextPrice(sql, storeId, now) : nothing.until,
          ids: sql`(SELECT ids FROM found)`,
          facets: facets ? facetCounts(sql, storeId, filter) : nothing.facets
        }
        const slice = sql`(SELECT (ids)[${page.offset + 1}::int : ${page.offset + page.length}::int] FROM found)`
        const shown = shownRows(sql, storeId, sql`d.product_id = ANY(${slice}::text[])`, now, {
          channelId: filter.channelId ?? null
        })
        return sql<Row>`WITH ${askedSearch(sql, storeId, filter)} ${foundIds(sql, storeId, which)}
          ${about(storeId, found, now, withLabels)} UNION ALL ${shown}`
      }

      const statementOf = (storeId: string, which: Which, now: Date, withLabels: boolean) => {
        if ("filter" in which) return findAndRead(storeId, which, now, withLabels)
        const those = "ids" in which ? among(sql, "d.product_id", which.ids) : isOne(sql, storeId, which)
        return sql<Row>`${about(storeId, nothing, now, withLabels)} UNION ALL
          ${shownRows(sql, storeId, those, now, which)}`
      }

      return {
        /** A page of a list, and whether a product of the store is marked stale, so that the page may be outdated. */
        find: (storeId: string, list: FoundList) => {
          const read = Effect.map(
            one(
              sql<FoundPage>`WITH ${askedSearch(sql, storeId, list.filter)} ${foundIds(sql, storeId, list)}
                SELECT (SELECT n FROM counted)::int AS total, (SELECT ids FROM found) AS ids,
                  ${hasStaleRows(sql, storeId)} AS stale`
            ),
            (row) => row ?? { ids: [], total: 0, stale: false }
          )
          return list.filter.search === undefined ? read : heavyRead(storeId)(read)
        },

        /** `withLabels`: also reads the shared labels of the store. */
        read: (storeId: string, which: Which, now: Date, withLabels: boolean) => {
          const read = Effect.map(many(statementOf(storeId, which, now, withLabels)), toReading)
          // Finding a list reads the store's listing; everything else is read by keys.
          return "filter" in which ? heavyRead(storeId)(read) : read
        },

        /** The current state of a cached page. `unsettled` is only read if the page's list depends on stock. */
        check: (storeId: string, page: PageParts, now: Date, isByStock: boolean): Effect.Effect<PageCheck> =>
          Effect.map(
            one(
              sql<Omit<PageCheck, "versions"> & { readonly versions: StoredVersions }>`SELECT
                ${storeVersions(sql, storeId)} AS versions, ${hasStaleRows(sql, storeId)} AS stale,
                ${isByStock ? unsettledStock(sql, storeId, now) : sql.literal("false")} AS unsettled,
                ${pageState(sql, storeId, page, now)} AS state`
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
                ${storeVersions(sql, storeId)} AS versions, ${sharedLabelRows(sql, storeId)} AS labels`
            ),
            (row) => ({ version: toVersions(row?.versions ?? {}).labels, labels: row?.labels ?? [] })
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(StorefrontProductRepository, StorefrontProductRepository.make)
}
