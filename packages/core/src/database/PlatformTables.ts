/**
 * The tables that belong to no single store: accounts, stores and their channels, credentials, counters, the record of
 * migrations. Every table that is not named here is a tenant table: `store_id` comes first in each of its keys and
 * indexes, and its writes are held by row-level security. The catalogue test reads this list and the database.
 */
export const platformTables: ReadonlyArray<string> = [
  "account",
  "store",
  "sales_channel",
  "api_key",
  "dashboard_user",
  "rate_window",
  "idempotency",
  "commerce_migration"
]
