/** What must hold for notices of payment providers. */
import type { Law } from "../database/Law.ts"

export const noticeLaws: ReadonlyArray<Law> = [
  {
    law: "provider.notices",
    says: "notices of payment providers could be interpreted, and the charges that they name are known",
    table: "provider_notice",
    // Those of a provider that serves every store belong to none: they are reported once, with the first store.
    sql: `SELECT n.provider_id || ' ' || n.event_id AS id, NULL AS expected,
        n.state || ': ' || coalesce(n.reason, '') AS found
      FROM provider_notice n
      WHERE (n.store_id = $1 OR (n.store_id IS NULL AND $1 = (SELECT min(id) FROM store)))
        AND (n.state = 'set_aside' OR (n.state = 'open' AND n.attention_at IS NOT NULL))`
  }
]
