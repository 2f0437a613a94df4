/**
 * Invariants of the listing rows and documents of products. Products that are marked stale are about to be composed.
 */
import type { Law } from "../database/Law.ts"

const settled = (id: string, causes: string) => `NOT EXISTS (SELECT FROM product_stale n WHERE n.store_id = $1
  AND n.product_id = ${id} AND n.cause IN (${causes}))`

const copied = ["status", "type", "name", "slug", "sku", "menu_order"]
/** A kit priced by its components has no price of its own: its listing row has the price that its components make. */
const ownPrice = "CASE WHEN p.kit_pricing_mode = 'COMPONENTS' THEN l.base_price ELSE p.base_price END"
/** Times of listing rows are milliseconds, as the process reads them. */
const toMillis = (column: string) => `date_trunc('milliseconds', ${column})`
const asItIs = (column: string) => column

const facts = (alias: string, time: (column: string) => string) =>
  `(${copied.map((column) => `${alias}.${column}`).join(", ")}, ${time(`${alias}.created_at`)},
    ${time(`${alias}.updated_at`)})`

export const listingLaws: ReadonlyArray<Law> = [
  {
    law: "listing.row",
    says: "lists filter and sort a product by what its own row says",
    table: "product_listing",
    sql: `SELECT coalesce(p.id, l.product_id) AS id, CASE WHEN p.id IS NOT NULL THEN 'as the product' END AS expected,
        CASE WHEN l.product_id IS NOT NULL THEN 'otherwise' END AS found
      FROM (SELECT * FROM product WHERE store_id = $1 AND deleted_at IS NULL) p
      FULL JOIN (SELECT * FROM product_listing WHERE store_id = $1) l ON l.product_id = p.id
      WHERE (${facts("p", toMillis)} IS DISTINCT FROM ${facts("l", asItIs)}
          OR ${ownPrice} IS DISTINCT FROM l.base_price)
        AND ${settled("coalesce(p.id, l.product_id)", "'rows'")}`
  },
  {
    law: "listing.document",
    says: "each active product has a document, of its last change, and no other has one",
    table: "product_document",
    sql: `SELECT coalesce(p.id, d.product_id) AS id, p.updated_at AS expected,
        CASE WHEN d.product_id IS NOT NULL THEN 'another document' END AS found
      FROM (SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at
        FROM product WHERE store_id = $1 AND deleted_at IS NULL AND status = 'active') p
      FULL JOIN (SELECT product_id, document FROM product_document WHERE store_id = $1) d ON d.product_id = p.id
      WHERE (p.id IS NULL OR d.product_id IS NULL
          OR position('"updatedAt":"' || p.updated_at || '"' IN d.document) = 0)
        AND ${settled("coalesce(p.id, d.product_id)", "'rows'")}`
  },
  {
    law: "listing.buyable",
    says: "a list knows of each product whether its stock has one to sell",
    table: "product_listing",
    sql: `SELECT l.product_id AS id, listing_buyable($1, l.product_id, l.type) AS expected, l.buyable AS found
      FROM product_listing l WHERE l.store_id = $1
        AND l.buyable IS DISTINCT FROM listing_buyable($1, l.product_id, l.type)
        AND ${settled("l.product_id", "'rows', 'stock'")}`
  }
]

/** Not a statement: storefront/DocumentChecks composes the documents again. */
export const documentLaw: Omit<Law, "sql"> = {
  law: "listing.text",
  says: "storefronts are answered what the rows of a product say",
  table: "product_document"
}
