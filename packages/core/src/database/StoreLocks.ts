/**
 * Locks that are no row: what a store has one of at most, or what is not there yet (the shape of a tree, a name about
 * to be taken). Held until the transaction ends; the store's id is part of each, so that stores never wait for each
 * other.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** What is locked; writers of one kind of thing name the same. */
export type StoreLock = "category_tree" | "product_slug" | CountedTable

/** Tables of which a store has a bounded number of rows. */
export type CountedTable =
  | "sales_channel"
  | "api_key"
  | "webhook_subscription"
  | "email_template"
  | "tax_class"
  | "shipping_class"
  | "product_import"

/**
 * Inside a write transaction, in a statement of its own: the next one then sees what the holder before has committed.
 */
export const lockStoreFor = (sql: SqlClient.SqlClient, lock: StoreLock, storeId: string, name = "") =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${lock} ${storeId} ${name}`}::text, 0))`

/**
 * How many rows of the table an owner has, nobody else adding one until the transaction ends: of two who look for the
 * last place, one finds it. For writes that add a row to a table of which an owner, a store as a rule, has few.
 */
export const countLocked = (
  sql: SqlClient.SqlClient,
  {
    table,
    ownerId,
    which
  }: { readonly table: CountedTable; readonly ownerId: string; readonly which: Statement.Fragment }
): Effect.Effect<number> =>
  Effect.orDie(
    Effect.map(
      Effect.all(
        [
          lockStoreFor(sql, table, ownerId),
          sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM ${sql(table)} WHERE ${which}`
        ],
        {
          concurrency: "unbounded"
        }
      ),
      ([, [row]]) => row?.n ?? 0
    )
  )
