/**
 * The SQL of search_word: the words that misspelt ones are corrected to, written together with the listing rows that
 * contain them. Most words are stored already. A process remembers for five minutes which words it has seen committed,
 * and the statement looks up the others. A word that no product uses any more is marked first and removed ten minutes
 * later. The mark matters to writers alone: a product that uses the word in between adds it again, unless its process
 * remembers the word, which no process does for ten minutes. A search uses every stored word, marked or not: a process
 * that remembers a marked word may have used it again.
 */
import { Clock, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Database } from "../database/Database.ts"
import { none, one } from "../database/Repository.ts"

/** Words that a process remembers, of all stores together; beyond that it drops them all. */
const mostWordsRemembered = 50_000
/** How long a process remembers that a word is stored, in milliseconds. */
const rememberedFor = 300_000
/** How long a word stays marked before it is removed, in milliseconds. */
const markedFor = 2 * rememberedFor
/** Words that one statement of a sweep checks. */
const wordsPerStatement = 500

export const makeSearchWords = (
  sql: SqlClient.SqlClient,
  { afterCommit }: Pick<Database["Service"], "afterCommit">
) => {
  const rememberedWords = new Map<string, Set<string>>()
  let count = 0
  let since = 0

  const forgetAll = () => {
    rememberedWords.clear()
    count = 0
  }

  const forgetExpired = (now: number) => {
    if (since <= now && now < since + rememberedFor) return
    forgetAll()
    since = now
  }

  const notRemembered = (storeId: string, words: ReadonlyArray<string>) => {
    const ofStore = rememberedWords.get(storeId)
    return ofStore === undefined ? words : words.filter((word) => !ofStore.has(word))
  }

  const remember = (storeId: string, words: ReadonlyArray<string>) => {
    if (count > mostWordsRemembered) forgetAll()
    const ofStore = rememberedWords.get(storeId) ?? new Set()
    for (const word of words) ofStore.add(word)
    rememberedWords.set(storeId, ofStore)
    count += words.length
  }

  const rememberAfterCommit = (storeId: string, words: ReadonlyArray<string>): Effect.Effect<void> =>
    words.length === 0 ? Effect.void : afterCommit(Effect.sync(() => remember(storeId, words)))

  /**
   * A CTE, with a leading comma, that writes the words that are not stored yet. Each word is looked up by its key, so
   * that the cost does not grow with the words of the store. The subquery around the array hides its length from the
   * planner, which would otherwise plan the statement again each time.
   */
  const written = (storeId: string, words: ReadonlyArray<string>): Statement.Fragment =>
    words.length === 0
      ? sql``
      : sql`, known AS (INSERT INTO search_word (store_id, word, keys)
          SELECT ${storeId}, w, search_keys(${storeId}, w) FROM unnest((SELECT ${words}::text[])) AS w
          WHERE (SELECT true FROM search_word k WHERE k.store_id = ${storeId} AND k.word = w
            AND k.unused_since IS NULL LIMIT 1) IS NULL)`

  return {
    /** Runs `statement` with the CTE that writes those words that may not be stored yet. */
    writeWith: (
      storeId: string,
      words: ReadonlyArray<string>,
      statement: (written: Statement.Fragment) => Statement.Statement<object>
    ): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        forgetExpired(now)
        const missing = notRemembered(storeId, words)
        return Effect.andThen(none(statement(written(storeId, missing))), rememberAfterCommit(storeId, missing))
      })
  }
}

/** The last word that a sweep has checked, and its store. */
export interface SweepPosition {
  readonly storeId: string
  readonly word: string
}

/** Before the first word. */
export const sweepStart: SweepPosition = { storeId: "", word: "" }

/**
 * Checks the next words of one store: marks those that no product uses, and removes those that have been marked for ten
 * minutes. Returns the position to continue from; `sweepStart` when all words have been checked.
 */
export const makeSearchWordSweep =
  ({ sql, write }: Pick<Database["Service"], "sql" | "write">) =>
  ({ storeId, word }: SweepPosition): Effect.Effect<SweepPosition> =>
    Effect.gen(function* () {
      const next = yield* one(sql<{ readonly storeId: string }>`SELECT w.store_id FROM search_word w
        WHERE (w.store_id, w.word) > (${storeId}, ${word}) ORDER BY w.store_id, w.word LIMIT 1`)
      if (next === undefined) return sweepStart
      const now = yield* Clock.currentTimeMillis
      const store = next.storeId
      const after = store === storeId ? word : ""
      const swept = yield* write(store)(
        one(sql<{ readonly last: string }>`WITH looked AS MATERIALIZED (
            SELECT w.word, w.id, w.unused_since, search_uses(w.store_id, w.word) AND NOT (w.unused_since IS NOT NULL
              AND EXISTS (SELECT FROM search_word o WHERE o.store_id = w.store_id AND o.word = w.word
                AND o.unused_since IS NULL)) AS used
            FROM search_word w WHERE w.store_id = ${store} AND w.word > ${after}
            ORDER BY w.word ${sql.literal(`LIMIT ${wordsPerStatement}`)}
          ), removed AS (
            DELETE FROM search_word w USING looked l WHERE w.store_id = ${store} AND w.word = l.word AND w.id = l.id
              AND NOT l.used AND l.unused_since <= ${new Date(now - markedFor)}
          ), marked AS (
            UPDATE search_word w SET unused_since = CASE WHEN l.used THEN NULL ELSE ${new Date(now)}::timestamptz END
            FROM looked l WHERE w.store_id = ${store} AND w.word = l.word AND w.id = l.id
              AND l.used = (l.unused_since IS NOT NULL)
          ) SELECT max(l.word) AS last FROM looked l`)
      )
      return { storeId: store, word: swept?.last ?? "" }
    })
