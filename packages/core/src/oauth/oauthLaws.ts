/** What must hold for identities of customers. No finding identifies a person. */
import type { Law } from "../database/Law.ts"

export const oauthLaws: ReadonlyArray<Law> = [
  {
    law: "oauth.identity-of-a-customer",
    says: "each account at a provider is linked to a customer who is not deleted",
    table: "oauth_identity",
    sql: `SELECT c.id, '0' AS expected, count(*)::text AS found FROM oauth_identity i
      JOIN customer c ON c.store_id = i.store_id AND c.id = i.customer_id
      WHERE i.store_id = $1 AND c.deleted_at IS NOT NULL GROUP BY c.id`
  },
  {
    law: "oauth.identity-of-a-password",
    says: "an identity that ends with a password names a version that the password has or had",
    table: "oauth_identity",
    sql: `SELECT c.id, '<= ' || c.password_version AS expected, i.until_password_version::text AS found
      FROM oauth_identity i JOIN customer c ON c.store_id = i.store_id AND c.id = i.customer_id
      WHERE i.store_id = $1 AND i.until_password_version > c.password_version`
  }
]
