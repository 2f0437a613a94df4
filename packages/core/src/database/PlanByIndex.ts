/**
 * How statements of background work are planned: each time anew, by an index, row by row. A plan that was made while a
 * table was nearly empty, or by figures that do not know a store yet, takes all rows of a store for a handful, and
 * reads them in place of the few that are asked for.
 *
 * The settings alone do not rule that out. Such a statement finds its rows by `LATERAL (... OFFSET 0)`, which cannot be
 * turned round, and changes them by their ctid.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { lockThenRead, none } from "./Repository.ts"

const rowByRow = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_material"].map(
  (name) => `set_config('${name}', 'off', true)`
)

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
    ...rowByRow,
    "set_config('plan_cache_mode', 'force_custom_plan', true)",
    ...(waitsForDisk ? [] : ["set_config('synchronous_commit', 'off', true)"])
  ])

/**
 * The same for a transaction that writes many rows: the plans that the connection keeps are forgotten, and each
 * statement is planned once, by an index. The checks of foreign keys and the bodies of functions are statements too,
 * and run for every row: planning them for each takes longer than running them. Rows that are asked for in the order of
 * an index are found by that index.
 */
export const planOnceByIndex = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.asVoid(
    lockThenRead(none(sql`DISCARD PLANS`), send(sql, [...rowByRow, "set_config('enable_sort', 'off', true)"]))
  )
