/** The laws of mails. */
import type { Law } from "../database/Law.ts"

export const emailLaws: ReadonlyArray<Law> = [
  {
    law: "mail.sealed",
    says: "the body of a mail that has left holds no secret any more",
    table: "email_message",
    sql: `SELECT m.id, NULL AS expected,
      'sealed, ' || m.status AS found FROM email_message m WHERE m.store_id = $1 AND m.status <> 'QUEUED' AND m.sealed
      IS NOT NULL`
  }
]
