/**
 * How statements of background work are planned: afresh each time, by an index, row by row. A plan that was made while
 * a table was nearly empty, or by figures that do not know a store yet, takes all rows of a store for a handful, and
 * reads them in place of the few that are asked for.
 *
 * The settings alone do not rule that out. Such a statement finds its rows by `LATERAL (... OFFSET 0)`, which cannot be
 * turned round, and changes them by their ctid.
 */
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { none } from "./Repository.ts"

const byIndex = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_material"]
const switchedOff = (name: string): string => `set_config('${name}', 'off', true)`

const send = (sql: SqlClient.SqlClient, settings: ReadonlyArray<string>): Effect.Effect<void> =>
  none(sql`SELECT ${sql.literal(settings.join(", "))}`)

/**
 * Holds for the transaction it is sent in. Without `waitsForDisk` its commit does not wait either: for what may be done
 * again after a crash of the server.
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
