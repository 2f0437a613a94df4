/**
 * How the tables are laid out where the schema is distributed over several PostgreSQL servers. A table that is named
 * nowhere here is distributed by its `store_id`, as every tenant table must be.
 */
import { platformTables } from "../../src/database/PlatformTables.ts"

/** On every server, for what all stores share or what is looked up before the store is known. Few rows, seldom written. */
export const referenceTables: ReadonlyArray<string> = [
  "account",
  "store",
  "sales_channel",
  "api_key",
  "dashboard_user",
  "dashboard_session",
  "dashboard_reset",
  "team_member",
  "payment_provider_store",
  "app_token",
  "provider_notice"
]

/** On the coordinator alone: no other table points to them. */
export const localTables: ReadonlyArray<string> = ["rate_window", "event_listener", "commerce_migration"]

/** Tables of the platform that are distributed by `store_id` all the same. */
export const distributedBesideTenants: ReadonlyArray<string> = platformTables.filter(
  (table) => !referenceTables.includes(table) && !localTables.includes(table)
)
