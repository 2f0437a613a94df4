/**
 * The SQL of search_word: words that misspelt ones may stand for, written beside the listing rows that have them. Most
 * are there already: a process remembers for five minutes those that it has seen committed, and asks for the others. A
 * word that nothing uses any more is marked first, and removed ten minutes later: whoever uses it in between adds it
 * anew, because a marked word counts as absent, and nobody remembers for so long that it was there.
 */
import { Clock, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { DatabaseMethods } from "../database/DatabaseMethods.ts"
import { none, one } from "../database/Repository.ts"

/** Of all stores; then they are learnt anew. */
const wordsKept = 50_000
/** How long, in milliseconds, a process remembers that words are there. */
const remembered = 300_000
/** How long, in milliseconds, a word stays marked before it is removed. */
const marked = 2 * remembered
/** Words that one statement looks at. */
const wordsSweptAtOnce = 500

export const makeSearchWords = (sql: SqlClient.SqlClient, { afterCommit }: Pick<DatabaseMethods, "afterCommit">) => {
  const known = new Map<string, Set<string>>()
  let count = 0
  let since = 0

  const forgetInTime = (now: number) => {
    if (since <= now && now < since + remembered) return
    known.clear()
    count = 0
    since = now
  }

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
          WHERE (SELECT true FROM search_word k WHERE k.store_id = ${storeId} AND k.word = w
            AND k.unused_since IS NULL LIMIT 1) IS NULL)`

  return {
    /** Runs a statement that has the CTE of those of the words in it that are to be written. */
    writeWith: (
      storeId: string,
      words: ReadonlyArray<string>,
      statement: (written: Statement.Fragment) => Statement.Statement<object>
    ): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        forgetInTime(now)
        const missing = unknown(storeId, words)
        return Effect.andThen(none(statement(written(storeId, missing))), remember(storeId, missing))
      })
  }
}

/** Where a sweep is: behind this word of this store. */
export interface SweptTo {
  readonly storeId: string
  readonly word: string
}

export const sweepBegins: SweptTo = { storeId: "", word: "" }

/**
 * Looks at the next words of a store: marks those that nothing uses, and removes those that were marked long enough.
 * Answers where to go on; `sweepBegins` when there are no more.
 */
export const makeSearchWordSweep =
  ({ sql, write }: Pick<DatabaseMethods, "sql" | "write">) =>
  ({ storeId, word }: SweptTo): Effect.Effect<SweptTo> =>
    Effect.gen(function* () {
      const next = yield* one(sql<{ readonly storeId: string }>`SELECT w.store_id FROM search_word w
        WHERE (w.store_id, w.word) > (${storeId}, ${word}) ORDER BY w.store_id, w.word LIMIT 1`)
      if (next === undefined) return sweepBegins
      const now = yield* Clock.currentTimeMillis
      const store = next.storeId
      const after = store === storeId ? word : ""
      const swept = yield* write(store)(
        one(sql<{ readonly last: string }>`WITH looked AS MATERIALIZED (
            SELECT w.word, w.id, w.unused_since, search_uses(w.store_id, w.word) AND NOT (w.unused_since IS NOT NULL
              AND EXISTS (SELECT FROM search_word o WHERE o.store_id = w.store_id AND o.word = w.word
                AND o.unused_since IS NULL)) AS used
            FROM search_word w WHERE w.store_id = ${store} AND w.word > ${after}
            ORDER BY w.word ${sql.literal(`LIMIT ${wordsSweptAtOnce}`)}
          ), gone AS (
            DELETE FROM search_word w USING looked l WHERE w.store_id = ${store} AND w.word = l.word AND w.id = l.id
              AND NOT l.used AND l.unused_since <= ${new Date(now - marked)}
          ), marked AS (
            UPDATE search_word w SET unused_since = CASE WHEN l.used THEN NULL ELSE ${new Date(now)}::timestamptz END
            FROM looked l WHERE w.store_id = ${store} AND w.word = l.word AND w.id = l.id
              AND l.used = (l.unused_since IS NOT NULL)
          ) SELECT max(l.word) AS last FROM looked l`)
      )
      return { storeId: store, word: swept?.last ?? "" }
    })
