/**
 * The SQL of product_listing, product_document and product_stale. Whoever writes a product's rows here holds the
 * product's own row, and has removed its notes from product_stale before reading what is written: a note that is still
 * there tells of something that was not read.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { among, lockThenRead, many, none, one } from "../database/Repository.ts"
import type { ComposedDocument } from "./internal/composeDocument.ts"
import type { ListingRow } from "./internal/listingRow.ts"
import { makeSearchWords } from "./SearchWordRepository.ts"

export interface ListingWrite {
  /** Of products that are not deleted. */
  readonly rows: ReadonlyArray<ListingRow>
  /** Of those of them that are active. */
  readonly documents: ReadonlyArray<ComposedDocument>
  /** Products that have no row any more. */
  readonly gone: ReadonlyArray<string>
  /** Words of all rows that misspelt ones may stand for. */
  readonly words: ReadonlyArray<string>
}

/** A document as storefronts read it, with the currency of its store. */
export interface StoredDocument {
  readonly productId: string
  readonly document: string
  readonly stockKeys: ReadonlyArray<string>
  readonly currency: string
}

/** What a reader is about to show: products, or whichever has the slug. */
export interface ShownToReader {
  readonly ids: ReadonlyArray<string>
  readonly slug?: string | undefined
}

export interface ListingRepositoryMethods {
  /** Nobody else composes these products until the transaction ends. What was noted of them is done by the caller. */
  readonly hold: (storeId: string, productIds: ReadonlyArray<string>) => Effect.Effect<void>
  readonly write: (storeId: string, write: ListingWrite) => Effect.Effect<void>
  /** Marks the kits that have one of these components stale; not waited for. */
  readonly markKitsStale: (storeId: string, productIds: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * Products with notes, so many at most; `stockOnly` where nothing else is noted of them. Those that readers cannot do
   * without come first. For a reader these are all: of what it shows first.
   */
  readonly noted: (
    storeId: string,
    limit: number,
    reader?: ShownToReader
  ) => Effect.Effect<ReadonlyArray<{ readonly productId: string; readonly stockOnly: boolean }>>
  readonly countDocuments: (storeId: string) => Effect.Effect<number>
  /** By id, of products that are not noted but for their stock, nor made of one that is. */
  readonly documentsAfter: (
    storeId: string,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<StoredDocument>>
  readonly notedStores: Effect.Effect<ReadonlyArray<string>>
  /** Stores with prices that have changed since they were written. */
  readonly repricedStores: (now: Date) => Effect.Effect<ReadonlyArray<string>>
  /** How many products are noted, but for their stock: of one store, or of all. */
  readonly countNoted: (storeId: string | undefined) => Effect.Effect<number>
  /** Notes every product of the store, and every row that is left of one, to be composed again; answers how many. */
  readonly noteAll: (storeId: string) => Effect.Effect<number>
  /** Writes down prices that have changed since they were written, so many at most; answers how many. */
  readonly reprice: (storeId: string, limit: number, now: Date) => Effect.Effect<number>
  /** Decides anew whether these products can be bought, and removes what is noted of their stock. */
  readonly recount: (storeId: string, productIds: ReadonlyArray<string>) => Effect.Effect<void>
}

const written = `product_id text, status text, type text, name text, slug text, sku text, menu_order int,
  base_price bigint, price bigint, price_since timestamptz, price_until timestamptz, regular_price bigint,
  sale_price bigint, sale_starts_at timestamptz, sale_ends_at timestamptz,
  terms text[], channel_ids text[],
  created_at timestamptz,
  updated_at timestamptz, search tsvector`
const columns = written.split(",").map((column) => column.trim().split(" ")[0] ?? "")
const changing = [...columns, "buyable"].filter((column) => column !== "product_id")
const liesInRow = (name: string) => name !== "search"
/**
 * A row that says the same stays as it is, and so does the version of the store's listing. `beside`: what else is set
 * then.
 */
const replaced = (table: string, names: ReadonlyArray<string>, beside: ReadonlyArray<string> = []) =>
  `DO UPDATE SET ${[...names.filter(liesInRow).map((name) => `${name} = EXCLUDED.${name}`), ...beside].join(", ")}
    WHERE (${names.map((name) => `${table}.${name}`).join(", ")}) IS DISTINCT FROM
      (${names.map((name) => `EXCLUDED.${name}`).join(", ")})`

/** A search vector that says the same stays where it lies; the filler moves a new one out of the row. */
const searchOrSame = ["search", "filler"].map(
  (name) => `${name} = CASE WHEN product_listing.search = EXCLUDED.search THEN product_listing.${name}
    ELSE EXCLUDED.${name} END`
)

export class ListingRepository extends Context.Service<ListingRepository, ListingRepositoryMethods>()(
  "@effect-commerce/core/storefront/ListingRepository"
) {
  static readonly layer = Layer.effect(
    ListingRepository,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const words = makeSearchWords(sql, database)
      const listed = sql.literal(columns.join(", "))
      const record = sql.literal(written)
      const newListing = sql.literal(replaced("product_listing", changing, searchOrSame))
      const newDocument = sql.literal(replaced("product_document", ["document", "stock_keys", "link_ids"]))

      // The rows of product_stale are deleted by whoever holds their product: behind its lock, never before.
      const holdAnd = (storeId: string, productIds: ReadonlyArray<string>, which: string) =>
        none(sql`WITH done AS (
              DELETE FROM product_stale WHERE store_id = ${storeId} AND ${among(sql, "product_id", productIds)}
                ${sql.literal(which)}
            ) SELECT 1 FROM product WHERE store_id = ${storeId} AND ${among(sql, "id", productIds)} ORDER BY id FOR NO
              KEY UPDATE`)

      // Listing rows raise the version of the store's listing by a trigger. Where documents alone are others, they do.
      const writing = (
        storeId: string,
        { rows, documents, gone }: Omit<ListingWrite, "words">,
        written: Statement.Fragment
      ) => {
        const shown = documents.map((one) => one.product_id)
        const hidden = [...rows.map((row) => row.product_id).filter((id) => !shown.includes(id)), ...gone]
        // Nothing is gone where a product is written: the statement without it has one plan, which is kept.
        const removed =
          hidden.length === 0
            ? sql``
            : sql`gone AS (
              DELETE FROM product_listing WHERE store_id = ${storeId} AND product_id = ANY(${gone}::text[])
            ), hidden AS (
              DELETE FROM product_document WHERE store_id = ${storeId} AND product_id = ANY(${hidden}::text[])
            ), `
        return sql`WITH ${removed} listed AS (
              INSERT INTO product_listing (store_id, buyable, ${listed})
              SELECT ${storeId}, listing_buyable(${storeId}, l.product_id, l.type), l.*
              FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS l (${record}) ORDER BY l.product_id
              ON CONFLICT (store_id, product_id) ${newListing} RETURNING 1
            ) ${written}, shown AS (
              INSERT INTO product_document (store_id, product_id, document, stock_keys, link_ids)
              SELECT ${storeId}, d.* FROM jsonb_to_recordset(${JSON.stringify(documents)}::jsonb)
                AS d (product_id text, document text, stock_keys text[], link_ids text[]) ORDER BY d.product_id
              ON CONFLICT (store_id, product_id) ${newDocument} RETURNING 1
            ) SELECT CASE WHEN EXISTS (SELECT FROM shown) AND NOT EXISTS (SELECT FROM listed)
              THEN raise_catalog_version(${storeId}, 'listing')::text END`
      }

      const bySlug = (storeId: string, slug: string) => sql`
        UNION ALL SELECT p.id FROM product p
          WHERE p.store_id = ${storeId} AND p.slug = ${slug} AND p.deleted_at IS NULL
        UNION ALL SELECT h.product_id FROM product_slug h WHERE h.store_id = ${storeId} AND h.slug = ${slug}`
      /** What a kit shows follows from its components. */
      const shownBy = (storeId: string, { ids, slug }: ShownToReader) => sql`SELECT unnest(${ids}::text[])
        UNION ALL SELECT kc.product_id FROM kit_component kc
          WHERE kc.store_id = ${storeId} AND kc.kit_id = ANY(${ids}::text[])
        ${slug === undefined ? sql`` : bySlug(storeId, slug)}`

      /** Of a row whose price has changed since it was written: the sale began, ended, or did both. */
      const onSale = sql.literal(`(l.sale_starts_at IS NULL OR l.sale_starts_at <= at.now)
        AND (l.sale_ends_at IS NULL OR l.sale_ends_at > at.now)`)

      return ListingRepository.of({
        hold: (storeId, productIds) => holdAnd(storeId, productIds, ""),
        noted: (storeId, limit, reader) =>
          many(sql`SELECT n.product_id, bool_and(n.cause = 'stock') AS stock_only FROM product_stale n
            WHERE n.store_id = ${storeId} GROUP BY n.product_id
            ${reader === undefined ? sql`` : sql`HAVING NOT bool_and(n.cause = 'again')`}
            ORDER BY ${reader === undefined ? sql`` : sql`n.product_id IN (${shownBy(storeId, reader)}) DESC,`}
              bool_and(n.cause = 'again'), n.product_id ${sql.literal(`LIMIT ${limit}`)}`),
        countDocuments: (storeId) =>
          Effect.map(
            one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM product_document
              WHERE store_id = ${storeId}`),
            (row) => row?.n ?? 0
          ),
        documentsAfter: (storeId, after, limit) =>
          many(sql<StoredDocument>`SELECT d.product_id, d.document, d.stock_keys, s.currency
            FROM product_document d JOIN store s ON s.id = d.store_id
            WHERE d.store_id = ${storeId} AND d.product_id > ${after} AND NOT EXISTS (
              SELECT FROM product_stale n WHERE n.store_id = d.store_id AND n.cause <> 'stock'
                AND (n.product_id = d.product_id OR n.product_id IN (SELECT kc.product_id FROM kit_component kc
                  WHERE kc.store_id = d.store_id AND kc.kit_id = d.product_id)))
            ORDER BY d.product_id ${sql.literal(`LIMIT ${limit}`)}`),
        notedStores: many(
          sql<{ readonly storeId: string }>`SELECT DISTINCT n.store_id FROM product_stale n`,
          (row) => row.storeId
        ),
        repricedStores: (now) =>
          many(
            sql<{ readonly storeId: string }>`SELECT DISTINCT l.store_id FROM product_listing l
              WHERE l.price_until <= ${now} AND l.price_until < 'infinity'`,
            (row) => row.storeId
          ),
        countNoted: (storeId) =>
          Effect.map(
            one(sql<{ readonly n: number }>`SELECT count(DISTINCT (n.store_id, n.product_id))::int AS n
              FROM product_stale n WHERE n.cause <> 'stock'
              ${storeId === undefined ? sql`` : sql`AND n.store_id = ${storeId}`}`),
            (row) => row?.n ?? 0
          ),
        noteAll: (storeId) =>
          Effect.map(
            one(sql<{ readonly n: number }>`WITH p AS MATERIALIZED (
                SELECT id FROM product WHERE store_id = ${storeId} AND deleted_at IS NULL
                UNION SELECT product_id FROM product_listing WHERE store_id = ${storeId}
              ), noted AS (
                INSERT INTO product_stale (store_id, product_id, cause)
                SELECT ${storeId}, p.id, 'again' FROM p
                WHERE NOT EXISTS (SELECT FROM product_stale n WHERE n.store_id = ${storeId} AND n.product_id = p.id
                  AND n.cause <> 'stock')
              ) SELECT count(*)::int AS n FROM p`),
            (row) => row?.n ?? 0
          ),
        // product_listing_store_id_price_until_idx finds them; all that is read is in the row itself, but for kits that
        // their components price.
        reprice: (storeId, limit, now) =>
          Effect.map(
            many(sql`UPDATE product_listing l SET
                price = CASE WHEN due.is_kit THEN kit_price_at(l.store_id, l.product_id, at.now)
                  WHEN ${onSale} THEN l.sale_price ELSE l.regular_price END,
                price_since = CASE WHEN due.is_kit THEN at.now
                  WHEN ${onSale} THEN coalesce(l.sale_starts_at, '-infinity') ELSE l.sale_ends_at END,
                price_until = CASE WHEN due.is_kit THEN kit_price_until(l.store_id, l.product_id, at.now)
                  WHEN ${onSale} THEN coalesce(l.sale_ends_at, 'infinity') ELSE 'infinity' END
              FROM (SELECT ${now}::timestamptz AS now) at, (SELECT d.product_id,
                d.type = 'KIT' AND kit_price_at(d.store_id, d.product_id, ${now}) IS NOT NULL AS is_kit
                FROM product_listing d
                WHERE d.store_id = ${storeId} AND d.price_until <= ${now} AND d.price_until < 'infinity'
                ORDER BY d.product_id ${sql.literal(`LIMIT ${limit}`)} FOR NO KEY UPDATE SKIP LOCKED) due
              WHERE l.store_id = ${storeId} AND l.product_id = due.product_id AND l.price_until <= ${now}
              RETURNING l.product_id`),
            (rows) => rows.length
          ),
        recount: (storeId, productIds) =>
          Effect.asVoid(
            lockThenRead(
              holdAnd(storeId, productIds, "AND cause = 'stock'"),
              none(sql`UPDATE product_listing l SET buyable = listing_buyable(l.store_id, l.product_id, l.type)
                WHERE l.store_id = ${storeId} AND l.product_id = ANY(${productIds}::text[])
                AND l.buyable IS DISTINCT FROM listing_buyable(l.store_id, l.product_id, l.type)`)
            )
          ),
        markKitsStale: (storeId, productIds) =>
          database.withCommit(sql`INSERT INTO product_stale (store_id, product_id, cause)
            SELECT DISTINCT kc.store_id, kc.kit_id, 'rows' FROM kit_component kc
            WHERE kc.store_id = ${storeId} AND kc.product_id = ANY(${productIds}::text[])`),
        write: (storeId, all) => words.writeWith(storeId, all.words, (written) => writing(storeId, all, written))
      })
    })
  )
}
