/** What must hold for sign-ups of the newsletter. */
import type { Law } from "../database/Law.ts"

export const newsletterLaws: ReadonlyArray<Law> = [
  {
    law: "newsletter.coupon",
    says: "a coupon welcomes one mailbox",
    table: "newsletter_signup",
    sql: `SELECT min(s.email) AS id, 1 AS expected, count(*) AS found FROM newsletter_signup s
      WHERE s.store_id = $1 AND s.coupon_id IS NOT NULL GROUP BY s.coupon_id HAVING count(*) > 1`
  }
]
