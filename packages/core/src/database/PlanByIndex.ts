/**
 * Planner settings for statements of background work: planned each time, by an index, row by row. A plan made while a
 * table was nearly empty, or with statistics that do not know a store yet, expects a store to have a handful of rows,
 * and reads all of them instead of the few that are asked for.
 *
 * The settings alone do not rule that out. Such a statement also finds its rows by `LATERAL (... OFFSET 0)`, whose join
 * order is fixed, and changes them by their ctid.
 */
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { none } from "./Repository.ts"

const byIndex = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_material"]
const switchedOff = (name: string): string => `set_config('${name}', 'off', true)`

const send = (sql: SqlClient.SqlClient, settings: ReadonlyArray<string>): Effect.Effect<void> =>
  none(sql`SELECT ${sql.literal(settings.join(", "))}`)

/**
 * Sets them for the surrounding transaction. Without `waitsForDisk` its commit does not wait for the disk: for work
 * that may be repeated after a crash of the server.
 */
export const planByIndex = (
  sql: SqlClient.SqlClient,
  { waitsForDisk }: { readonly waitsForDisk: boolean }
): Effect.Effect<void> =>
  send(sql, [
    ...byIndex.map(switchedOff),
    "set_config('plan_cache_mode', 'force_custom_plan', true)",
    ...(waitsForDisk ? [] : ["set_config('synchronous_commit', 'off', true)"])
  ])
