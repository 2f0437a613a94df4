/** The laws of events and their feed. */
import type { Law } from "../database/Law.ts"

export const outboxLaws: ReadonlyArray<Law> = [
  {
    law: "event.position",
    says: "an event has a place in the feed when it was relayed, and not before",
    table: "event",
    sql: `SELECT e.id, CASE WHEN e.relayed_at IS NULL THEN NULL ELSE 'a position' END AS expected,
      e.position AS found FROM event e
      WHERE e.store_id = $1 AND (e.relayed_at IS NULL) <> (e.position IS NULL)`
  },
  {
    law: "event.feed",
    says: "no two events have the same place in the feed",
    table: "event",
    sql: `SELECT max(e.id) AS id, 1 AS expected, count(*) AS found FROM event e
      WHERE e.store_id = $1 AND e.position IS NOT NULL GROUP BY e.position HAVING count(*) > 1`
  }
]
