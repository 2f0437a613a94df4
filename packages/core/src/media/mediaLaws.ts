/** The laws of a store's files. */
import type { Law } from "../database/Law.ts"

export const mediaLaws: ReadonlyArray<Law> = [
  {
    law: "media.storage",
    says: "a store uses as much storage as its files take that are not deleted, and its shoppers' that nothing names",
    table: "media_storage",
    sql: `SELECT s.store_id AS id, c.expected, c.found
      FROM media_storage s LEFT JOIN (
        SELECT sum(stored_bytes) FILTER (WHERE NOT unclaimed) AS kept,
          sum(stored_bytes) FILTER (WHERE unclaimed) AS unclaimed
        FROM media_file WHERE store_id = $1 AND deleted_at IS NULL) f ON true,
        LATERAL (VALUES (coalesce(f.kept, 0), s.used_bytes),
          (coalesce(f.unclaimed, 0), s.unclaimed_bytes)) AS c (expected, found)
      WHERE s.store_id = $1 AND c.expected <> c.found`
  }
]
