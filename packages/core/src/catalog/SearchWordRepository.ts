/**
 * The SQL of search_word: words that misspelt ones may stand for, written beside the listing rows that have them. Most
 * are there already: a process remembers those that it has seen committed, which are never removed, and asks for the
 * others.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { DatabaseMethods } from "../database/DatabaseMethods.ts"

/** Of all stores; then they are learnt anew. */
const wordsKept = 50_000

export const makeSearchWords = (
  sql: SqlClient.SqlClient,
  { withCommit, afterCommit }: Pick<DatabaseMethods, "withCommit" | "afterCommit">
) => {
  const known = new Map<string, Set<string>>()
  let count = 0

  const unknown = (storeId: string, words: ReadonlyArray<string>) => {
    const there = known.get(storeId)
    return there === undefined ? words : words.filter((word) => !there.has(word))
  }

  const learn = (storeId: string, words: ReadonlyArray<string>) => {
    if (count > wordsKept) {
      known.clear()
      count = 0
    }
    const there = known.get(storeId) ?? new Set()
    for (const word of words) there.add(word)
    known.set(storeId, there)
    count += words.length
  }

  const remember = (storeId: string, words: ReadonlyArray<string>): Effect.Effect<void> =>
    words.length === 0 ? Effect.void : afterCommit(Effect.sync(() => learn(storeId, words)))

  /**
   * A CTE, with its comma, that writes those of the words that are not there. Each is looked for by itself, however
   * many a store has. How many are asked for is hidden from the planner, which would plan the statement anew each time.
   */
  const written = (storeId: string, words: ReadonlyArray<string>): Statement.Fragment =>
    words.length === 0
      ? sql``
      : sql`, known AS (INSERT INTO search_word (store_id, word, keys)
          SELECT ${storeId}, w, search_keys(${storeId}, w) FROM unnest((SELECT ${words}::text[])) AS w
          WHERE (SELECT true FROM search_word k WHERE k.store_id = ${storeId} AND k.word = w LIMIT 1) IS NULL)`

  return {
    written,
    /** Sends with the commit a statement that has the CTE of the words in it, where any are to be written. */
    sendWith: (
      storeId: string,
      words: ReadonlyArray<string>,
      statement: (written: Statement.Fragment) => Statement.Statement<object>
    ): Effect.Effect<void> => {
      const missing = unknown(storeId, words)
      return Effect.andThen(withCommit(statement(written(storeId, missing))), remember(storeId, missing))
    }
  }
}
