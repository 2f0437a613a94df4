/** The laws of unsubscribing. */
import type { Law } from "../database/Law.ts"

export const emailLinkLaws: ReadonlyArray<Law> = [
  {
    law: "email.unsubscribed",
    says: "no marketing mail was made for an address after it was unsubscribed",
    table: "email_message",
    sql: `SELECT m.id, 'none after ' || s.created_at AS expected, m.created_at::text AS found FROM email_message m
      JOIN email_suppression s ON s.store_id = m.store_id AND s.email = m.to_address
      WHERE m.store_id = $1 AND m.event_type = 'MARKETING_CAMPAIGN' AND m.created_at > s.created_at
        AND m.status IN ('SENT', 'KEPT')
        AND NOT EXISTS (SELECT FROM customer c WHERE c.store_id = m.store_id AND c.email = m.to_address
          AND c.accepts_marketing AND c.email_verified)`
  }
]
