/**
 * How a repository runs its statements. The name says what is returned: `one` row, `many` rows, a `page` of a list with
 * the total, whether there was `anyRow`, or nothing (`none`). A failure of the database becomes a defect; a domain
 * error that `constraintViolation` has made from it stays in the type. Writes whose result is not awaited are sent by
 * `Database.withCommit`.
 */
import { Effect, Schema } from "effect"
import { type SqlClient, SqlError, type Statement as Sql } from "effect/sql"
import type { PageOf } from "../kernel/Pagination.ts"

/** A statement as `sql` makes it, or with violated constraints mapped to domain errors already. */
export type Statement<Row, E = SqlError.SqlError, R = never> = Effect.Effect<ReadonlyArray<Row>, E, R>

type DomainError<E> = Exclude<E, SqlError.SqlError>

/** Turns a failure of the database into a defect and leaves domain errors alone. */
const orDefect = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, DomainError<E>, R> =>
  Effect.catch(self, (error) => (SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(error as DomainError<E>)))

/** Returns every row, or what `toState` makes of each. */
export const many: {
  <Row, E, R>(statement: Statement<Row, E, R>): Effect.Effect<ReadonlyArray<Row>, DomainError<E>, R>
  <Row, State, E, R>(
    statement: Statement<Row, E, R>,
    toState: (row: Row) => State
  ): Effect.Effect<ReadonlyArray<State>, DomainError<E>, R>
} = <Row, E, R>(statement: Statement<Row, E, R>, toState?: (row: Row) => Row) =>
  orDefect(toState === undefined ? statement : Effect.map(statement, (rows) => rows.map((row) => toState(row))))

/** Returns the first row, or what `toState` makes of it; undefined where there is none. */
export const one: {
  <Row, E, R>(statement: Statement<Row, E, R>): Effect.Effect<Row | undefined, DomainError<E>, R>
  <Row, State, E, R>(
    statement: Statement<Row, E, R>,
    toState: (row: Row) => State
  ): Effect.Effect<State | undefined, DomainError<E>, R>
} = <Row, E, R>(statement: Statement<Row, E, R>, toState?: (row: Row) => Row) =>
  orDefect(Effect.map(statement, ([row]) => (row === undefined || toState === undefined ? row : toState(row))))

/** Returns whether the statement found or changed a row: a `SELECT 1`, or a write that ends in RETURNING. */
export const anyRow = <Row, E, R>(statement: Statement<Row, E, R>): Effect.Effect<boolean, DomainError<E>, R> =>
  orDefect(Effect.map(statement, (rows) => rows.length > 0))

/** Runs a write, waits for it, and returns nothing. */
export const none = <A, E, R>(statement: Effect.Effect<A, E, R>): Effect.Effect<void, DomainError<E>, R> =>
  Effect.asVoid(orDefect(statement))

/**
 * Returns the rows of one page and how many rows the whole list has. The two statements are sent together. A list whose
 * rows are joined with other tables is better read by `makePageReader`.
 */
export const page: {
  <Row, E, R>(rows: Statement<Row, E, R>, counted: Counted<E, R>): Effect.Effect<PageOf<Row>, DomainError<E>, R>
  <Row, State, E, R>(
    rows: Statement<Row, E, R>,
    counted: Counted<E, R>,
    toState: (row: Row) => State
  ): Effect.Effect<PageOf<State>, DomainError<E>, R>
} = <Row, E, R>(rows: Statement<Row, E, R>, counted: Counted<E, R>, toState: (row: Row) => Row = (row) => row) =>
  Effect.map(Effect.all([many(rows), one(counted)], { concurrency: 2 }), ([items, count]) => ({
    items: items.map(toState),
    total: count?.total ?? 0
  }))

type Counted<E, R> = Statement<{ readonly total: number }, E, R>

/** The pattern of LIKE and ILIKE for texts that contain this one, with wildcards escaped. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/** Returns what was found; fails if nothing was. */
export const orFail = <A, E, R, E2>(
  found: Effect.Effect<A | undefined, E, R>,
  missing: () => E2
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(found, (value) => (value === undefined ? Effect.fail(missing()) : Effect.succeed(value)))

/**
 * `column` is one of the values. A single value is compared by `=`: PostgreSQL then caches the plan, while for a list,
 * whose length it does not know, it would plan each time.
 */
export const among = (sql: SqlClient.SqlClient, column: string, values: ReadonlyArray<string>) =>
  values.length === 1
    ? sql`${sql.literal(column)} = ${values[0]}`
    : sql`${sql.literal(column)} = ANY(${values}::text[])`

/**
 * The stores that have a row of the table for which the condition holds, for FROM: one index probe for each store, in
 * the condition's index that begins with the store. The condition names columns only.
 */
export const storesWith = (sql: SqlClient.SqlClient, table: string, condition: Sql.Fragment = sql`true`) => {
  const first = sql`SELECT w.store_id FROM ${sql.literal(table)} w WHERE ${condition}`
  return sql`(WITH RECURSIVE found AS (
      (${first} ORDER BY w.store_id LIMIT 1)
      UNION ALL
      SELECT (${first} AND w.store_id > f.store_id ORDER BY w.store_id LIMIT 1)
      FROM found f WHERE f.store_id IS NOT NULL
    ) SELECT store_id FROM found WHERE store_id IS NOT NULL)`
}

/**
 * The ids of stores whose oldest row is due, by one index probe for each store: `oldest` finds the oldest row of the
 * store `s`, in the order of an index, and `isDue` is a condition on it, under the alias `oldest`.
 */
export const storesWhoseOldest = (
  sql: SqlClient.SqlClient,
  oldest: Sql.Fragment,
  isDue: Sql.Fragment
): Effect.Effect<ReadonlyArray<string>> =>
  many(
    sql<{ readonly storeId: string }>`SELECT s.id AS store_id FROM store s, LATERAL (${oldest}) oldest
      WHERE ${isDue} ORDER BY s.id`,
    ({ storeId }) => storeId
  )

/**
 * The rows of a table that have these ids, each looked up by its primary key, for FROM. With `id = ANY` PostgreSQL does
 * not know how many ids there are, and may read all rows of a large store.
 */
export const lookedUp = (sql: SqlClient.SqlClient, table: string, storeId: string, ids: ReadonlyArray<string>) =>
  sql`(SELECT DISTINCT unnest(${ids}::text[]) COLLATE "C" AS id) i CROSS JOIN LATERAL (
    SELECT q.* FROM ${sql.literal(table)} q WHERE q.store_id = ${storeId} AND q.id = i.id OFFSET 0)`

/**
 * Locks a row and reads it in one round trip. Both statements are sent at once on the transaction's connection, the
 * lock first; PostgreSQL runs them in that order and gives each its own snapshot, so the read sees what the transaction
 * that held the lock before has written. More reads may follow, and run in the given order. Only inside
 * `Database.write` or `Database.platform`: elsewhere no lock is kept.
 */
export const lockThenRead = <
  Locked,
  const Reads extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>,
  E = never,
  R = never
>(
  lock: Effect.Effect<Locked, E, R>,
  ...reads: Reads
): Effect.Effect<
  readonly [locked: Locked, ...reads: { readonly [K in keyof Reads]: Effect.Success<Reads[K]> }],
  E | Effect.Error<Reads[number]>,
  R | Effect.Services<Reads[number]>
> => Effect.all([lock, ...reads], { concurrency: "unbounded" }) as never

/** A stored document that its schema does not accept; a defect, because only this program writes the column. */
export class StoredJsonUnreadable extends Schema.TaggedError<StoredJsonUnreadable>()("StoredJsonUnreadable", {
  /** `table.column`. */
  column: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.column} holds what its schema does not accept: ${this.reason}`
  }
}

/**
 * Makes the decoder of a jsonb column from the schema of its documents. Build it once, at the top of the module, and
 * call it where a row becomes a state. The driver has parsed the JSON already.
 */
export const storedJson = <S extends Schema.ConstraintDecoder<unknown>>(
  column: string,
  schema: S
): ((stored: unknown) => S["Type"]) => {
  const decode = Schema.decodeUnknownSync(schema)
  return (stored) => {
    try {
      return decode(stored)
    } catch (error) {
      throw new StoredJsonUnreadable({ column, reason: error instanceof Error ? error.message : String(error) })
    }
  }
}
