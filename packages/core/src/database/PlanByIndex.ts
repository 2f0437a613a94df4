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
import { isJoined } from "../kernel/JoinedTransaction.ts"
import { lockThenRead, many, none } from "./Repository.ts"

const byIndex = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_material"]
const switchedOff = (name: string): string => `set_config('${name}', 'off', true)`

const send = (sql: SqlClient.SqlClient, settings: ReadonlyArray<string>): Effect.Effect<void> =>
  none(sql`SELECT ${sql.literal(settings.join(", "))}`)

/** What sets those of `plannedOnceByIndex` as they are now. */
const settingsNow = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<string>> =>
  many(
    sql<{ readonly name: string; readonly setting: string }>`SELECT name, setting FROM pg_settings
      WHERE name = ANY(${[...byIndex, "enable_sort"]}::text[])`,
    ({ name, setting }) => `set_config('${name}', '${setting}', true)`
  )

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

/**
 * The same for work that writes many rows, inside a transaction: the plans that the connection keeps are forgotten, and
 * each statement is planned once, by an index. The checks of foreign keys and the bodies of functions are statements
 * too, and run for every row: planning them for each takes longer than running them. Rows that are asked for in the
 * order of an index are found by that index. In a host's transaction the settings are put back when the work is done;
 * where it fails, taking it back does that.
 */
export const plannedOnceByIndex =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const before = isJoined() ? yield* settingsNow(sql) : undefined
      yield* lockThenRead(
        none(sql`DISCARD PLANS`),
        send(sql, [...byIndex.map(switchedOff), switchedOff("enable_sort")])
      )
      const done = yield* work
      if (before !== undefined) yield* send(sql, before)
      return done
    })
