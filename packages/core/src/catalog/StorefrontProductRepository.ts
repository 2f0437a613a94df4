/**
 * Reads what storefronts show of products, from product_listing and product_document. A reading is one statement, which
 * tells the versions of the listing and of the vocabulary as well: of what a process remembers of either, it says in
 * the same snapshot whether that still holds.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { among, many } from "../database/Repository.ts"
import type { StockFacts } from "../kernel/Availability.ts"
import { withBase } from "../kernel/Locale.ts"
import { shownOn } from "./internal/channelColumns.ts"
import { type FacetRows, facetCounts } from "./internal/facetCounts.ts"
import { listingConditions } from "./internal/listingConditions.ts"
import { foundIds, type ListingOrder } from "./internal/foundIds.ts"
import { askedSearch } from "./internal/searchConditions.ts"
import { vocabularyKinds, type VocabularyRow } from "./internal/vocabularyPieces.ts"
import type { ProductFilter } from "./ProductRepository.ts"

/** `languages`: of those that have the slug in some language, whose comes first. */
interface BySlug {
  readonly slug: string
  readonly languages?: ReadonlyArray<string> | undefined
}

/** Which products a reading shows, and in what order. */
export type Which =
  /** Of a list that was found before. `known`: digests of documents that the process remembers: they are not sent. */
  | { readonly ids: ReadonlyArray<string>; readonly known: ReadonlyArray<string> }
  | {
      readonly one: { readonly id: string } | BySlug
      readonly channelId: string | null
      readonly known: ReadonlyArray<string>
    }
  | {
      readonly filter: ProductFilter
      readonly sortBy: ListingOrder
      readonly descending: boolean
      /** What the list can be narrowed by is counted too. */
      readonly facets?: boolean | undefined
      /** Products of the list that are found: where they begin, and how many. */
      readonly block: { readonly offset: number; readonly length: number }
      /** Of the found ones, those that are shown. */
      readonly page: { readonly offset: number; readonly length: number }
    }

export interface ShownProduct {
  readonly id: string
  readonly digest: string
  /** Null where the process knows it by its digest. */
  readonly document: string | null
  readonly stock: string | null
}

export interface Reading {
  readonly listing: bigint
  readonly vocabulary: bigint
  /** A product of the store is noted as stale: its document or its listing row may not be what its rows say. */
  readonly stale: boolean
  /** Stock of the store is about to be written down, or decided at each reading: what depends on it is not kept. */
  readonly unsettled: boolean
  /** Of a list: all ids of the block, how many products the list has, and until when that stays so. */
  readonly found:
    | {
        readonly ids: ReadonlyArray<string>
        readonly total: number
        readonly until: number | null
        readonly facets: FacetRows | undefined
      }
    | undefined
  readonly products: ReadonlyArray<ShownProduct>
  readonly words: ReadonlyArray<VocabularyRow> | undefined
}

export interface StorefrontProductRepositoryMethods {
  /** `withWords`: the vocabulary itself too. */
  readonly read: (storeId: string, which: Which, now: Date, withWords: boolean) => Effect.Effect<Reading>
  readonly words: (
    storeId: string
  ) => Effect.Effect<{ readonly version: bigint; readonly words: ReadonlyArray<VocabularyRow> }>
}

/** What the statement answers: a first row about the store and the list, then one for each product. */
interface Row {
  readonly listing: bigint | null
  readonly vocabulary: bigint | null
  readonly stale: boolean | null
  readonly unsettled: boolean | null
  readonly total: bigint | null
  readonly until: Date | null
  readonly ids: ReadonlyArray<string> | null
  readonly facets: FacetRows | null
  readonly words: ReadonlyArray<VocabularyRow> | null
  readonly id: string | null
  readonly digest: string | null
  readonly document: string | null
  readonly stock: string | null
}

const modes = { T: "TRACKED", U: "UNTRACKED", D: "DISABLED" } as const
const backorders = { D: "DENY", A: "ALLOW", L: "LIMITED" } as const

/** Reads rows of stock as the statement writes them: key, total, reserved, most below zero, the two modes. */
export const stockOf = (text: string | null, into: Map<string, StockFacts>): void => {
  if (text === null) return
  for (const row of text.split(",")) {
    const [key = "", total, reserved, limit, mode = "TD"] = row.split(" ")
    into.set(key, {
      trackingMode: modes[mode.charAt(0) as keyof typeof modes],
      backorderMode: backorders[mode.charAt(1) as keyof typeof backorders],
      backorderLimit: Number(limit),
      total: Number(total),
      reserved: Number(reserved)
    })
  }
}

export class StorefrontProductRepository extends Context.Service<
  StorefrontProductRepository,
  StorefrontProductRepositoryMethods
>()("@effect-commerce/core/catalog/StorefrontProductRepository") {
  static readonly layer = Layer.effect(
    StorefrontProductRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const versionOf = (storeId: string, kind: "listing" | "vocabulary") =>
        sql`(SELECT coalesce(sum(v.version), 0)::bigint FROM catalog_version v WHERE v.store_id = ${storeId}
          AND v.kind = ${sql.literal(`'${kind}'`)})`
      const wordRows = sql.literal(
        Object.entries(vocabularyKinds)
          .map(([kind, { rows }]) => `SELECT '${kind}' AS kind, w.id, w.facts FROM (${rows}) w`)
          .join(" UNION ALL ")
      )
      // `o.store` is a column here, so that the kinds are written without parameters.
      const wordsOf = (storeId: string) => sql`(SELECT coalesce(json_agg(json_build_array(w.kind, w.id, w.facts)), '[]')
        FROM (SELECT ${storeId}::text COLLATE "C" AS store) o, LATERAL (${wordRows}) w)`

      // reservation_store_id_key_expires_at_idx is asked only where something is reserved.
      const stock = (now: Date) => sql`(SELECT string_agg(s.key || ' ' || s.total || ' ' || CASE WHEN s.reserved = 0
        THEN 0 ELSE s.reserved - coalesce((SELECT sum(r.quantity)::int FROM reservation r
          WHERE r.store_id = s.store_id AND r.key = s.key AND r.expires_at <= ${now}), 0) END
        || ' ' || coalesce(s.backorder_limit, 0) || ' ' || left(s.tracking_mode, 1) || left(s.backorder_mode, 1), ',')
        FROM stock s WHERE s.store_id = d.store_id AND s.key = ANY(d.stock_keys))`

      const whole = sql.literal("d.document")
      const unlessKnown = (digests: ReadonlyArray<string>) =>
        digests.length === 0 ? whole : sql`CASE WHEN d.digest = ANY(${digests}::text[]) THEN NULL ELSE d.document END`
      const products = (
        storeId: string,
        those: Statement.Fragment,
        now: Date,
        known: ReadonlyArray<string> = []
      ) => sql`SELECT NULL::bigint, NULL::bigint, NULL::boolean, NULL::boolean, NULL::bigint, NULL::timestamptz,
        NULL::text[], NULL::json, NULL::json, d.product_id, d.digest, ${unlessKnown(known)}, ${stock(now)}
        FROM product_document d WHERE d.store_id = ${storeId} AND ${those}`

      const about = (
        storeId: string,
        found: {
          readonly total: Statement.Fragment
          readonly until: Statement.Fragment
          readonly ids: Statement.Fragment
          readonly facets: Statement.Fragment
        },
        now: Date,
        withWords: boolean
      ) => sql`SELECT ${versionOf(storeId, "listing")} AS listing, ${versionOf(storeId, "vocabulary")} AS vocabulary,
        EXISTS (SELECT FROM product_stale n WHERE n.store_id = ${storeId} AND n.cause = 'rows') AS stale,
        EXISTS (SELECT FROM product_stale n WHERE n.store_id = ${storeId} AND n.cause <> 'again') OR EXISTS (
          SELECT FROM reservation r WHERE r.store_id = ${storeId} AND r.expires_at <= ${now}) OR EXISTS (
          SELECT FROM product_listing u WHERE u.store_id = ${storeId} AND u.buyable IS NULL
            AND u.status = 'active') AS unsettled,
        ${found.total} AS total, ${found.until} AS until, ${found.ids} AS ids, ${found.facets} AS facets,
        ${withWords ? wordsOf(storeId) : sql`NULL::json`} AS words, NULL::text AS id, NULL::text AS digest,
        NULL::text AS document, NULL::text AS stock`

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
        (SELECT min(CASE WHEN l.type = 'KIT' THEN ${now} WHEN l.sale_starts_at > ${now} THEN l.sale_starts_at
          WHEN l.sale_ends_at > ${now} THEN l.sale_ends_at END) FROM product_listing l
          WHERE l.store_id = ${storeId} AND l.price_until <= ${now})))`

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

      const statementOf = (storeId: string, which: Which, now: Date, withWords: boolean) => {
        if ("ids" in which)
          return sql<Row>`${about(storeId, nothing, now, withWords)} UNION ALL
            ${products(storeId, among(sql, "d.product_id", which.ids), now, which.known)}`
        if ("one" in which) {
          const { one, channelId, known } = which
          const isShown = sql`l.store_id = ${storeId} AND l.status = 'active'
            AND ${shownOn(sql, "l.channel_ids", channelId)}`
          const named =
            "id" in one
              ? sql`d.product_id = (SELECT l.product_id FROM product_listing l
                  WHERE ${isShown} AND l.product_id = ${one.id})`
              : sql`d.product_id = ${bySlug(storeId, one, isShown)}`
          return sql<Row>`${about(storeId, nothing, now, withWords)} UNION ALL ${products(storeId, named, now, known)}`
        }
        const { sortBy, page, facets = false } = which
        const filter = { ...which.filter, withAsked: true as const }
        const matching = sql.and([sql`l.store_id = ${storeId}`, ...listingConditions(sql, storeId, filter)])
        const timed =
          facets || filter.minPrice !== undefined || filter.maxPrice !== undefined || sortBy === "displayPriceMin"
        const found = {
          total: sql`(SELECT count(*) FROM product_listing l WHERE ${matching})`,
          until: timed ? nextPrice(storeId, now) : nothing.until,
          ids: sql`(SELECT ids FROM found)`,
          facets: facets ? facetCounts(sql, storeId, filter) : nothing.facets
        }
        const slice = sql`(SELECT (ids)[${page.offset + 1}::int : ${page.offset + page.length}::int] FROM found)`
        const those = sql`d.product_id = ANY(${slice}::text[])`
        return sql<Row>`WITH ${askedSearch(sql, storeId, filter)} ${foundIds(sql, storeId, { ...which, filter })}
          ${about(storeId, found, now, withWords)} UNION ALL ${products(storeId, those, now)}`
      }

      return StorefrontProductRepository.of({
        read: (storeId, which, now, withWords) =>
          Effect.map(many(statementOf(storeId, which, now, withWords)), toReading),
        words: (storeId) =>
          Effect.map(
            many(
              sql<{
                readonly version: bigint
                readonly words: ReadonlyArray<VocabularyRow>
              }>`SELECT ${versionOf(storeId, "vocabulary")} AS version, ${wordsOf(storeId)} AS words`
            ),
            ([row]) => row ?? { version: 0n, words: [] }
          )
      })
    })
  )
}

const absent: Row = {
  listing: 0n,
  vocabulary: 0n,
  stale: false,
  unsettled: false,
  total: null,
  until: null,
  ids: null,
  facets: null,
  words: null,
  id: null,
  digest: null,
  document: null,
  stock: null
}

const toFound = ({ ids, total, until, facets }: Row): Reading["found"] =>
  ids === null || total === null
    ? undefined
    : { ids, total: Number(total), until: until?.getTime() ?? null, facets: facets ?? undefined }

const toReading = (rows: ReadonlyArray<Row>): Reading => {
  const about = rows.find((row) => row.listing !== null) ?? absent
  return {
    listing: about.listing ?? 0n,
    vocabulary: about.vocabulary ?? 0n,
    stale: about.stale === true,
    unsettled: about.unsettled === true,
    found: toFound(about),
    products: rows.flatMap(({ id, digest, document, stock }) =>
      id === null || digest === null ? [] : [{ id, digest, document, stock }]
    ),
    words: about.words ?? undefined
  }
}
