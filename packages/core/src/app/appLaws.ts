/** What must hold for installed apps. */
import type { Law } from "../database/Law.ts"

export const appLaws: ReadonlyArray<Law> = [
  {
    law: "app.token",
    says: "an installed app has one token, and one that was removed has none",
    table: "app_installation",
    sql: `SELECT i.id, (i.deleted_at IS NULL)::int AS expected, count(t.token_hash) AS found
      FROM app_installation i LEFT JOIN app_token t ON t.store_id = i.store_id AND t.installation_id = i.id
      WHERE i.store_id = $1 GROUP BY i.id, i.deleted_at HAVING count(t.token_hash) <> (i.deleted_at IS NULL)::int`
  },
  {
    law: "app.mappings",
    says: "an installed app has as many mappings as it counts",
    table: "app_installation",
    sql: `SELECT i.id, count(m.id) AS expected, i.mappings AS found
      FROM app_installation i LEFT JOIN app_mapping m ON m.store_id = i.store_id AND m.installation_id = i.id
      WHERE i.store_id = $1 AND i.deleted_at IS NULL GROUP BY i.id, i.mappings HAVING count(m.id) <> i.mappings`
  },
  {
    law: "app.mapping-bytes",
    says: "an installed app's mappings come to the bytes that it counts",
    table: "app_installation",
    sql: `SELECT i.id, coalesce(sum(m.charge), 0) AS expected, i.mapping_bytes AS found
      FROM app_installation i LEFT JOIN app_mapping m ON m.store_id = i.store_id AND m.installation_id = i.id
      WHERE i.store_id = $1 AND i.deleted_at IS NULL
      GROUP BY i.id, i.mapping_bytes HAVING coalesce(sum(m.charge), 0) <> i.mapping_bytes`
  },
  {
    law: "app.inbound",
    says: "an app's events come to the bytes that it counts",
    table: "app_installation",
    sql: `SELECT i.id, coalesce(sum(e.charge), 0) AS expected, i.inbound_bytes AS found
      FROM app_installation i LEFT JOIN app_inbound e ON e.store_id = i.store_id AND e.installation_id = i.id
      WHERE i.store_id = $1 GROUP BY i.id, i.inbound_bytes HAVING coalesce(sum(e.charge), 0) <> i.inbound_bytes`
  }
]
