/** The laws of admin keys. */
import type { Law } from "../database/Law.ts"

export const identityLaws: ReadonlyArray<Law> = [
  {
    law: "tenant.key",
    says: "an admin key of a store belongs to the store's account",
    table: "api_key",
    sql: `SELECT k.id, s.account_id AS expected,
      k.account_id AS found FROM api_key k JOIN store s ON s.id = k.store_id WHERE k.store_id = $1 AND k.account_id <>
      s.account_id`
  }
]
