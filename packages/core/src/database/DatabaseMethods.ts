/** What the way to PostgreSQL offers to every room (Database.ts). */
import type { Effect, Stream } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { HostClient } from "./HostClient.ts"

export interface DatabaseMethods {
  /**
   * Tagged template; inside `write` and `platform` it runs on the transaction's connection, where statements sent
   * together travel together.
   */
  readonly sql: SqlClient.SqlClient
  /**
   * One transaction for one store: its rows and no other store's can be written. Nested for the same store it joins,
   * for another one it is a defect (WriteOutsideStore). A typed failure rolls back. The body may run up to four times,
   * so nothing but the database may happen in it.
   */
  readonly write: (storeId: string) => <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * One transaction over platform tables; joins an open one. `write` inside of it joins too and names the store from
   * there on.
   */
  readonly platform: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Sends a write of the surrounding transaction without waiting for its result: it travels with the next statement or
   * with the commit, and the commit fails if the write failed. For writes that return nothing and have no error that
   * the caller handles. Outside of a transaction, and on a host's connection, it is waited for.
   */
  readonly withCommit: <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>) => Effect.Effect<void, never, R>
  /**
   * Runs after the surrounding transaction has committed; at once outside of one; never inside a host's, whose commit
   * we do not see.
   */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /**
   * Runs the body inside the transaction that a host has open on its own client, whatever this database is reached by:
   * in a savepoint, as the application's role, under our bounds where the host has none. A failure takes back the
   * body's writes and leaves the host's transaction usable. Calls on one client wait for each other. `write` inside of
   * it is a savepoint, not a transaction, and is not tried again.
   */
  readonly join: (client: HostClient) => <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Payloads notified on a channel, over a direct connection that is made again whenever it is lost. `undefined` comes
   * first and after each reconnection: notifications may have been missed, so whoever keeps copies must drop them all.
   */
  readonly listen: (channel: string) => Stream.Stream<string | undefined>
}
