import { Effect } from "effect"
import type { SqlError } from "effect/sql"

/**
 * Rows that one statement removes: few enough to finish well within the statement timeout, even if each holds a
 * response of some megabytes.
 */
const sweptAtOnce = 1_000

/**
 * Repeats a statement that removes at most this many rows and returns one for each, until it finds fewer: a day's
 * backlog is never one statement.
 */
export const sweepInBatches = (
  remove: (most: number) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
): Effect.Effect<void> =>
  Effect.flatMap(Effect.orDie(remove(sweptAtOnce)), (rows) =>
    rows.length < sweptAtOnce ? Effect.void : sweepInBatches(remove)
  )
