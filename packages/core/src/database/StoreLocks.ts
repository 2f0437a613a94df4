/**
 * Locks that are no row: what a store has one of at most, or what is not there yet (the shape of a tree, a name about to be taken). Held until the
 * transaction ends; the store's id is part of each, so that stores never wait for each other.
 */
import type { SqlClient } from "effect/sql"

/** What is locked; writers of one kind of thing name the same. */
export type StoreLock = "category_tree" | "product_slug"

/** Inside a write transaction, in a statement of its own: the next one then sees what the holder before has committed. */
export const lockStoreFor = (sql: SqlClient.SqlClient, lock: StoreLock, storeId: string, name = "") =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${lock} ${storeId} ${name}`}::text, 0))`
