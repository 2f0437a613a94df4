/** What must hold for exports. */
import type { Law } from "../database/Law.ts"

export const exportLaws: ReadonlyArray<Law> = [
  {
    law: "export.lease",
    says: "an export that is leased is under way, and its lease ends",
    table: "export_job",
    sql: `SELECT id, 'RUNNING until a time' AS expected, status AS found FROM export_job
      WHERE store_id = $1 AND lease IS NOT NULL AND (status <> 'RUNNING' OR due_at IS NULL)`
  },
  {
    law: "export.parts",
    says: "the parts of an export follow each other without a gap, and hold the rows and bytes that it counts",
    table: "export_job",
    sql: `SELECT j.id, j.parts || ' parts, ' || j.rows || ' rows, ' || j.bytes || ' bytes' AS expected,
        coalesce(p.parts, 0) || ' parts, ' || coalesce(p.rows, 0) || ' rows, ' || coalesce(p.bytes, 0) || ' bytes'
          AS found
      FROM export_job j LEFT JOIN (
        SELECT export_id, count(*) AS parts, sum(rows) AS rows, sum(bytes) AS bytes
        FROM export_part WHERE store_id = $1 AND ready GROUP BY export_id) p ON p.export_id = j.id
      WHERE j.store_id = $1 AND NOT j.files_removed
        AND (j.parts, j.rows, j.bytes) IS DISTINCT FROM
          (coalesce(p.parts, 0), coalesce(p.rows, 0), coalesce(p.bytes, 0)::bigint)`
  },
  {
    law: "export.position",
    says: "no part of an export is missing between two others",
    table: "export_part",
    sql: `SELECT key AS id, expected, position AS found FROM (
        SELECT key, position, row_number() OVER (PARTITION BY export_id ORDER BY position) - 1 AS expected
        FROM export_part WHERE store_id = $1 AND ready) n
      WHERE expected <> position`
  }
]
