/** What must hold for files that were bought. */
import type { Law } from "../database/Law.ts"

export const downloadLaws: ReadonlyArray<Law> = [
  {
    law: "download.limit",
    says: "a file is fetched at most as often as was bought",
    table: "order_download",
    sql: `SELECT order_id || ' ' || item_id || ' ' || position AS id, download_limit AS expected, used AS found
      FROM order_download WHERE store_id = $1 AND used > download_limit`
  },
  {
    law: "download.counted",
    says: "each link that is remembered has been counted",
    table: "order_download",
    sql: `SELECT order_id || ' ' || item_id || ' ' || position AS id, n.links AS expected, used AS found
      FROM order_download CROSS JOIN LATERAL (SELECT count(*) AS links FROM jsonb_object_keys(links)) n
      WHERE store_id = $1 AND n.links > used`
  },
  {
    law: "download.paid",
    says: "a file was fetched of an order that has been paid",
    table: "order_download",
    sql: `SELECT d.order_id || ' ' || d.item_id || ' ' || d.position AS id, 0 AS expected, d.used AS found
      FROM order_download d JOIN orders o ON o.store_id = d.store_id AND o.id = d.order_id
      WHERE d.store_id = $1 AND d.used > 0 AND o.paid_at IS NULL`
  }
]
