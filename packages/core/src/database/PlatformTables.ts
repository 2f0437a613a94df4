/**
 * The tables that belong to no single store: accounts, stores and their channels, credentials, counters, the record of
 * migrations. Every table that is not named here is a tenant table: `store_id` comes first in each of its keys and
 * indexes, and row-level security limits its writes. The catalogue test compares this list with the database.
 */
export const platformTables: ReadonlyArray<string> = [
  "account",
  "store",
  "sales_channel",
  "api_key",
  "dashboard_user",
  "dashboard_session",
  "dashboard_reset",
  "team_member",
  "rate_window",
  "idempotency",
  "event_listener",
  "payment_provider_store",
  "app_token",
  "provider_notice",
  "commerce_migration"
]
