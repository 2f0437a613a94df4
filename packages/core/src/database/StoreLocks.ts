/**
 * Advisory locks, for things that are not a row: the shape of a store's category tree, or a name that is about to be
 * taken. A lock is held until the transaction ends. Its key includes the store's id: stores never wait for each other.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { lockThenRead, none, one } from "./Repository.ts"

/**
 * The name of a lock: a table, or a room's own name such as `category_tree`. All writers of one kind of thing take the
 * same lock; an architecture test compares the names in a room.
 */
export type StoreLock = string

/**
 * Takes the lock inside a write transaction, in a separate statement: the next statement then sees what the previous
 * holder committed.
 */
export const lockStoreFor = (sql: SqlClient.SqlClient, lock: StoreLock, storeId: string, name = "") =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${lock} ${storeId} ${name}`}::text, 0))`

/** The same for several names, in a fixed order, so that callers cannot deadlock. */
export const lockStoreForAll = (
  sql: SqlClient.SqlClient,
  lock: StoreLock,
  storeId: string,
  names: ReadonlyArray<string>
) => {
  const keys = [...new Set(names)].sort().map((name) => `${lock} ${storeId} ${name}`)
  return sql`SELECT pg_advisory_xact_lock(hashtextextended(k.key, 0)) FROM unnest(${keys}::text[]) AS k (key)`
}

/**
 * Counts the rows that an owner (usually a store) has in a table, and keeps others from adding rows until the
 * transaction ends: two requests cannot both take the last free place. For tables in which an owner has few rows.
 */
export const countLocked = (
  sql: SqlClient.SqlClient,
  { table, ownerId, which }: { readonly table: string; readonly ownerId: string; readonly which: Statement.Fragment }
): Effect.Effect<number> =>
  Effect.map(
    lockThenRead(
      none(lockStoreFor(sql, table, ownerId)),
      one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM ${sql(table)} WHERE ${which}`)
    ),
    ([, row]) => row?.n ?? 0
  )
