import { Effect } from "effect"
import type { SqlError } from "effect/sql"

/**
 * Rows that one statement removes: so many end well within the bound of a statement, also where each has an answer of
 * some megabytes beside it.
 */
const sweptAtOnce = 1_000

/**
 * Repeats a statement that removes at most so many rows, and answers one for each, until it finds fewer: a backlog of a
 * day never is one statement.
 */
export const sweepInBatches = (
  remove: (most: number) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
): Effect.Effect<void> =>
  Effect.flatMap(Effect.orDie(remove(sweptAtOnce)), (rows) =>
    rows.length < sweptAtOnce ? Effect.void : sweepInBatches(remove)
  )
