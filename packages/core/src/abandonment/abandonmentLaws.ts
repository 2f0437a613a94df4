/** What must hold for checkouts that were left. */
import type { Law } from "../database/Law.ts"

export const abandonmentLaws: ReadonlyArray<Law> = [
  {
    law: "checkout.reminded",
    says: "a shopper who was reminded of a checkout had left it with an e-mail address, and is not reminded again",
    table: "checkout",
    sql: `SELECT k.id, 'left with an address, and done' AS expected,
      concat_ws(', ', CASE WHEN k.abandoned_at IS NULL THEN 'not left' END,
        CASE WHEN k.email IS NULL THEN 'no address' END,
        CASE WHEN k.recovery_due_at IS NOT NULL THEN 'due again' END) AS found
      FROM checkout k WHERE k.store_id = $1 AND k.recovery_email_sent_at IS NOT NULL
        AND (k.abandoned_at IS NULL OR k.email IS NULL OR k.recovery_due_at IS NOT NULL)`
  },
  {
    law: "cart.reminded-once",
    says: "a shopper is reminded of a cart once, however many checkouts were made of it",
    table: "cart",
    sql: `SELECT k.cart_id AS id, 1 AS expected, count(*) AS found FROM checkout k
      WHERE k.store_id = $1 AND k.recovery_email_sent_at IS NOT NULL GROUP BY k.cart_id HAVING count(*) > 1`
  }
]
