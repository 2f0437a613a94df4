/** The SQL of product_listing and product_document. Writers must have locked the product's own row. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { many, one } from "../database/Repository.ts"
import type { ComposedDocument } from "./internal/productDocument.ts"
import { makeSearchWords } from "./SearchWordRepository.ts"

/** Minor units as text and times in ISO 8601, or "infinity", as PostgreSQL reads them from JSON. */
export interface ListingRow {
  readonly product_id: string
  readonly status: string
  readonly type: string
  readonly name: string
  readonly slug: string
  readonly sku: string | null
  readonly menu_order: number
  readonly base_price: string
  readonly price: string
  readonly price_since: string
  readonly price_until: string
  readonly regular_price: string
  readonly sale_price: string
  readonly sale_starts_at: string | null
  readonly sale_ends_at: string | null
  readonly filter_keys: ReadonlyArray<string>
  readonly channel_ids: ReadonlyArray<string> | null
  readonly created_at: string
  readonly updated_at: string
  /** A text search vector. */
  readonly search: string
}

export interface ListingWrite {
  /** For products that are not deleted. */
  readonly rows: ReadonlyArray<ListingRow>
  /** For the active products among them. */
  readonly documents: ReadonlyArray<ComposedDocument>
  /** Ids of deleted products. */
  readonly removed: ReadonlyArray<string>
  /** Words of all rows that misspelt words can be corrected to. */
  readonly words: ReadonlyArray<string>
}

/** A document as storefronts read it, with the currency of its store. */
export interface StoredDocument {
  readonly productId: string
  readonly document: string
  readonly stockKeys: ReadonlyArray<string>
  readonly currency: string
}

const written = `product_id text, status text, type text, name text, slug text, sku text, menu_order int,
  base_price bigint, price bigint, price_since timestamptz, price_until timestamptz, regular_price bigint,
  sale_price bigint, sale_starts_at timestamptz, sale_ends_at timestamptz,
  filter_keys text[], channel_ids text[],
  created_at timestamptz,
  updated_at timestamptz, search tsvector`
const columns = written.split(",").map((column) => column.trim().split(" ")[0] ?? "")
const changing = [...columns, "buyable"].filter((column) => column !== "product_id")
const liesInRow = (name: string) => name !== "search"
/** Leaves an unchanged row as it is. `beside`: further assignments for a changed row. */
const replaced = (table: string, names: ReadonlyArray<string>, beside: ReadonlyArray<string> = []) =>
  `DO UPDATE SET ${[...names.filter(liesInRow).map((name) => `${name} = EXCLUDED.${name}`), ...beside].join(", ")}
    WHERE (${names.map((name) => `${table}.${name}`).join(", ")}) IS DISTINCT FROM
      (${names.map((name) => `EXCLUDED.${name}`).join(", ")})`

/** Keeps the stored value of an unchanged search vector; the filler moves a changed one out of the row. */
const searchOrSame = ["search", "filler"].map(
  (name) => `${name} = CASE WHEN product_listing.search = EXCLUDED.search THEN product_listing.${name}
    ELSE EXCLUDED.${name} END`
)

export class ListingRepository extends Context.Service<ListingRepository>()(
  "@effect-commerce/core/storefront/ListingRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const words = makeSearchWords(sql, database)
      const listed = sql.literal(columns.join(", "))
      const record = sql.literal(written)
      const newListing = sql.literal(replaced("product_listing", changing, searchOrSame))
      const newDocument = sql.literal(replaced("product_document", ["document", "stock_keys", "link_ids"]))

      const writing = (
        storeId: string,
        { rows, documents, removed }: Omit<ListingWrite, "words">,
        written: Statement.Fragment
      ) => {
        const shown = documents.map((one) => one.product_id)
        const hidden = [...rows.map((row) => row.product_id).filter((id) => !shown.includes(id)), ...removed]
        // Most writes remove nothing: the statement without this CTE has one plan, which is kept.
        const removing =
          hidden.length === 0
            ? sql``
            : sql`removed AS (
              DELETE FROM product_listing WHERE store_id = ${storeId} AND product_id = ANY(${removed}::text[])
            ), hidden AS (
              DELETE FROM product_document WHERE store_id = ${storeId} AND product_id = ANY(${hidden}::text[])
            ), `
        return sql`WITH ${removing} listed AS (
              INSERT INTO product_listing (store_id, buyable, ${listed})
              SELECT ${storeId}, listing_buyable(${storeId}, l.product_id, l.type), l.*
              FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS l (${record}) ORDER BY l.product_id
              ON CONFLICT (store_id, product_id) ${newListing} RETURNING 1
            ) ${written}, shown AS (
              INSERT INTO product_document (store_id, product_id, document, stock_keys, link_ids)
              SELECT ${storeId}, d.* FROM jsonb_to_recordset(${JSON.stringify(documents)}::jsonb)
                AS d (product_id text, document text, stock_keys text[], link_ids text[]) ORDER BY d.product_id
              ON CONFLICT (store_id, product_id) ${newDocument} RETURNING 1
            ) SELECT 1`
      }

      return {
        write: (storeId: string, all: ListingWrite) =>
          words.writeWith(storeId, all.words, (written) => writing(storeId, all, written)),

        countDocuments: (storeId: string) =>
          Effect.map(
            one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM product_document
              WHERE store_id = ${storeId}`),
            (row) => row?.n ?? 0
          ),

        /** Documents by id, without products marked stale (except for stock) and kits that contain one. */
        documentsAfter: (storeId: string, after: string, limit: number) =>
          many(sql<StoredDocument>`SELECT d.product_id, d.document, d.stock_keys, s.currency
            FROM product_document d JOIN store s ON s.id = d.store_id
            WHERE d.store_id = ${storeId} AND d.product_id > ${after} AND NOT EXISTS (
              SELECT FROM product_stale n WHERE n.store_id = d.store_id AND n.cause <> 'stock'
                AND (n.product_id = d.product_id OR n.product_id IN (SELECT kc.product_id FROM kit_component kc
                  WHERE kc.store_id = d.store_id AND kc.kit_id = d.product_id)))
            ORDER BY d.product_id ${sql.literal(`LIMIT ${limit}`)}`),

        /** Stores with prices that have changed since they were written. */
        repricedStores: (now: Date) =>
          many(
            sql<{ readonly storeId: string }>`SELECT DISTINCT l.store_id FROM product_listing l
              WHERE l.price_until <= ${now} AND l.price_until < 'infinity'`,
            (row) => row.storeId
          ),

        /** Writes down at most `limit` prices that have changed since they were written; returns how many. */
        // product_listing_store_id_price_until_idx finds them; all that is read is in the row itself, but for kits that
        // their components price.
        reprice: (storeId: string, limit: number, now: Date) =>
          Effect.map(
            many(sql`UPDATE product_listing l SET
                price = coalesce(due.kit_price,
                  price_at(l.regular_price, l.sale_price, l.sale_starts_at, l.sale_ends_at, at.now)),
                price_since = CASE WHEN due.kit_price IS NULL
                  THEN price_since(l.sale_starts_at, l.sale_ends_at, at.now) ELSE at.now END,
                price_until = CASE WHEN due.kit_price IS NULL
                  THEN price_until(l.sale_starts_at, l.sale_ends_at, at.now)
                  ELSE kit_price_until(l.store_id, l.product_id, at.now) END
              FROM (SELECT ${now}::timestamptz AS now) at, (SELECT d.product_id,
                CASE WHEN d.type = 'KIT' THEN kit_price_at(d.store_id, d.product_id, ${now}) END AS kit_price
                FROM product_listing d
                WHERE d.store_id = ${storeId} AND d.price_until <= ${now} AND d.price_until < 'infinity'
                ORDER BY d.product_id ${sql.literal(`LIMIT ${limit}`)} FOR NO KEY UPDATE SKIP LOCKED) due
              WHERE l.store_id = ${storeId} AND l.product_id = due.product_id AND l.price_until <= ${now}
              RETURNING l.product_id`),
            (rows) => rows.length
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ListingRepository, ListingRepository.make)
}
