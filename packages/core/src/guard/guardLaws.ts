/** The laws of Idempotency-Key records. */
import type { Law } from "../database/Law.ts"

export const guardLaws: ReadonlyArray<Law> = [
  {
    law: "idempotency.lease",
    says: "a key is blocked by a request under way for a minute at most",
    table: "idempotency",
    // The record is kept for a day from its claim.
    sql: `SELECT i.credential || ' ' || i.key AS id, '<= 60 s' AS expected,
      extract(epoch FROM i.claimed_until - i.expires_at + interval '24 hours') || ' s' AS found
      FROM idempotency i WHERE i.store_id = $1 AND i.claimed_until > i.expires_at - interval '24 hours' + interval
        '60 seconds'`
  }
]
