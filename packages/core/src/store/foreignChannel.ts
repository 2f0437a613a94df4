/** A law for tables whose rows name a sales channel. */
import type { Law } from "../database/Law.ts"

/** Rows that name a sales channel without a foreign key, because channels are a platform table. */
export const foreignChannel = (table: string): Law => ({
  law: `tenant.${table}-channel`,
  says: `a row of ${table} names no other store's sales channel`,
  table,
  sql: `SELECT t.id, t.store_id AS expected,
    c.store_id AS found FROM ${table} t JOIN sales_channel c ON c.id = t.sales_channel_id
    WHERE t.store_id = $1 AND c.store_id <> t.store_id`
})
