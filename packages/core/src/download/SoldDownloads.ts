/**
 * Parts of the statements of orders: the files of what is sold, copied when the order is placed, and read with it. They
 * belong to no statement of their own, so that placing and reading an order stay one statement each.
 */
import type { SqlClient, Statement } from "effect/sql"
import { jsonText } from "../kernel/CanonicalJson.ts"
import { mostListedFiles } from "./DownloadGrants.ts"

/** A line that is sold. */
export interface SoldLine {
  readonly id: string
  readonly productId: string | null
  readonly variantId: string | null
  readonly name: string
  readonly kitComponents: ReadonlyArray<unknown> | null
  /** False: it comes without files, which then are not looked for. */
  readonly comesWithFiles?: boolean
}

interface Downloadable {
  readonly isDownloadable: boolean
}

type Sold = Downloadable & { readonly kit: ReadonlyArray<Downloadable> | null }

/** Whether what is sold, or a part of a kit, is a download: files may come with it. */
export const comesWithFiles = (sold: Sold | null): boolean =>
  sold !== null && (sold.isDownloadable || (sold.kit?.some((part) => part.isDownloadable) ?? false))

const asJson = `json_build_object('fileId', d.file_id, 'productId', d.product_id, 'productName', d.product_name,
  'fileName', d.file_name, 'used', d.used, 'limit', d.download_limit, 'expiryDays', d.expiry_days)`

/** The files of an order `o`, as JSON of `OrderDownload`. */
export const downloadsJson = `coalesce((SELECT json_agg(${asJson} ORDER BY d.item_id, d.position) FROM (
    SELECT * FROM order_download f WHERE f.store_id = o.store_id AND f.order_id = o.id
    ORDER BY f.item_id, f.position LIMIT ${mostListedFiles}) d), '[]'::json)`

export interface CopiedDownloads {
  /** Follows the other parts of a WITH; empty where nothing can come with files. */
  readonly part: Statement.Fragment
  /** What was copied, as JSON. */
  readonly copied: Statement.Fragment
}

/** Copies the files of the lines to the order. `copied` reads what the part returns. */
export const copyDownloads = (
  sql: SqlClient.SqlClient,
  { storeId, id, items }: { readonly storeId: string; readonly id: string; readonly items: ReadonlyArray<SoldLine> }
): CopiedDownloads => {
  const lines = items.filter(({ productId, comesWithFiles }) => productId !== null && comesWithFiles !== false)
  if (lines.length === 0) return { part: sql.literal(""), copied: sql`'[]'::json` }
  const sold = lines.map(({ id, productId, variantId, name, kitComponents }) => ({
    id,
    productId,
    variantId,
    name,
    kitComponents
  }))
  return {
    part: sql`, downloads AS (
        INSERT INTO order_download (store_id, order_id, item_id, position, product_id, product_name, file_id,
          file_name, url, storage_key, mime_type, download_limit, expiry_days)
        SELECT ${storeId}, ${id}, i.id, d.at, d.product_id, coalesce(d.component_name, i.name),
          coalesce(d.file ->> 'id', ''), coalesce(d.file ->> 'name', ''), d.file ->> 'url', d.file ->> 'storageKey',
          d.file ->> 'mimeType', d.download_limit, d.expiry_days
        FROM jsonb_to_recordset(${jsonText(sold)}::jsonb) AS i (id text, "productId" text, "variantId" text, name text,
          "kitComponents" jsonb)
        CROSS JOIN LATERAL ROWS FROM (sold_downloads(${storeId}, i."productId", i."variantId", i."kitComponents"))
          WITH ORDINALITY AS d (product_id, component_name, file, download_limit, expiry_days, at)
        RETURNING *)`,
    copied: sql`coalesce((SELECT json_agg(${sql.literal(asJson)} ORDER BY d.item_id, d.position) FROM (
        SELECT * FROM downloads ORDER BY item_id, position LIMIT ${sql.literal(String(mostListedFiles))}) d),
        '[]'::json)`
  }
}
