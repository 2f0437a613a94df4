/**
 * The SQL of product_listing, product_document and product_stale. Whoever writes a product's rows here holds the
 * product's own row, and has removed its notes from product_stale before reading what is written: a note that is still
 * there tells of something that was not read.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import type { ComposedDocument } from "./internal/composeDocument.ts"
import type { ListingRow } from "./internal/listingRow.ts"

export interface ListingWrite {
  /** Of products that are not deleted. */
  readonly rows: ReadonlyArray<ListingRow>
  /** Of those of them that are active. */
  readonly documents: ReadonlyArray<ComposedDocument>
  /** Products that have no row any more. */
  readonly gone: ReadonlyArray<string>
}

export interface ListingRepositoryMethods {
  /** Nobody else composes these products until the transaction ends. What was noted of them is done by the caller. */
  readonly hold: (storeId: string, productIds: ReadonlyArray<string>) => Effect.Effect<void>
  readonly write: (storeId: string, write: ListingWrite) => Effect.Effect<void>
}

const written = `product_id text, status text, type text, name text, slug text, sku text, menu_order int,
  base_price bigint, price bigint, price_since timestamptz, price_until timestamptz, regular_price bigint,
  sale_price bigint, sale_starts_at timestamptz, sale_ends_at timestamptz, terms text[], created_at timestamptz,
  updated_at timestamptz`
const columns = written.split(",").map((column) => column.trim().split(" ")[0] ?? "")
const changing = [...columns, "buyable"].filter((column) => column !== "product_id")
/** A row that says the same stays as it is, and so does the version of the store's listing. */
const replaced = (table: string, names: ReadonlyArray<string>) =>
  `DO UPDATE SET ${names.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}
    WHERE (${names.map((name) => `${table}.${name}`).join(", ")}) IS DISTINCT FROM
      (${names.map((name) => `EXCLUDED.${name}`).join(", ")})`

export class ListingRepository extends Context.Service<ListingRepository, ListingRepositoryMethods>()(
  "@effect-commerce/core/catalog/ListingRepository"
) {
  static readonly layer = Layer.effect(
    ListingRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const listed = sql.literal(columns.join(", "))
      const record = sql.literal(written)
      const newListing = sql.literal(replaced("product_listing", changing))
      const newDocument = sql.literal(replaced("product_document", ["document", "stock_keys"]))

      return ListingRepository.of({
        hold: (storeId, productIds) =>
          none(sql`WITH done AS (
              DELETE FROM product_stale WHERE store_id = ${storeId} AND product_id = ANY(${productIds}::text[])
            ) SELECT 1 FROM product WHERE store_id = ${storeId} AND id = ANY(${productIds}::text[]) ORDER BY id FOR NO
              KEY UPDATE`),
        write: (storeId, { rows, documents, gone }) => {
          const shown = documents.map((one) => one.product_id)
          const hidden = [...rows.map((row) => row.product_id).filter((id) => !shown.includes(id)), ...gone]
          return none(sql`WITH gone AS (
              DELETE FROM product_listing WHERE store_id = ${storeId} AND product_id = ANY(${gone}::text[])
            ), hidden AS (
              DELETE FROM product_document WHERE store_id = ${storeId} AND product_id = ANY(${hidden}::text[])
            ), listed AS (
              INSERT INTO product_listing (store_id, buyable, ${listed})
              SELECT ${storeId}, listing_buyable(${storeId}, l.product_id, l.type), l.*
              FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS l (${record}) ORDER BY l.product_id
              ON CONFLICT (store_id, product_id) ${newListing}
            ) INSERT INTO product_document (store_id, product_id, document, stock_keys)
              SELECT ${storeId}, d.* FROM jsonb_to_recordset(${JSON.stringify(documents)}::jsonb)
                AS d (product_id text, document text, stock_keys text[]) ORDER BY d.product_id
              ON CONFLICT (store_id, product_id) ${newDocument}`)
        }
      })
    })
  )
}
