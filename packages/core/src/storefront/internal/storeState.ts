/** The SQL of a store's state: versions, stock that is about to change, shared labels. */
import type { SqlClient, Statement } from "effect/sql"
import { labelKinds } from "./sharedLabels.ts"

/** See `toVersions`. */
export const storeVersions = (
  sql: SqlClient.SqlClient,
  storeId: string
): Statement.Fragment => sql`(SELECT coalesce(json_object_agg(v.kind, v.version), '{}') FROM (
  SELECT v.kind, sum(v.version)::text AS version FROM catalog_version v
  WHERE v.store_id = ${storeId} GROUP BY v.kind) v)`

/** `o.store` is a column here, so that the kinds are written without parameters. */
const labelRows = Object.entries(labelKinds)
  .map(([kind, rows]) => `SELECT '${kind}' AS kind, w.id, w.facts FROM (${rows}) w`)
  .join(" UNION ALL ")

/** `LabelRow`s as JSON. */
export const sharedLabelRows = (sql: SqlClient.SqlClient, storeId: string): Statement.Fragment => sql`(
  SELECT coalesce(json_agg(json_build_array(w.kind, w.id, w.facts)), '[]')
  FROM (SELECT ${storeId}::text COLLATE "C" AS store) o, LATERAL (${sql.literal(labelRows)}) w)`

/** Whether there are expired reservations, pending stock marks, or stock that is computed at each read. */
export const unsettledStock = (sql: SqlClient.SqlClient, storeId: string, now: Date): Statement.Fragment =>
  sql`(EXISTS (SELECT FROM product_stale n WHERE n.store_id = ${storeId} AND n.cause <> 'again') OR EXISTS (
    SELECT FROM reservation r WHERE r.store_id = ${storeId} AND r.expires_at <= ${now}) OR EXISTS (
    SELECT FROM product_listing u WHERE u.store_id = ${storeId} AND u.buyable IS NULL
      AND u.status = 'active'))`
