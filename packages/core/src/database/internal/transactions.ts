/**
 * Transactions over any driver: for one store, over platform tables, and inside a transaction that a host has opened.
 */
import { Context, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { JoinedTransaction } from "../../kernel/JoinedTransaction.ts"
import type { DatabaseDriver, JoinedConnection, OpeningStatements, TransactionalConnection } from "../DatabaseDriver.ts"
import { HostTransactionUnusable, WriteOutsideStore } from "../DatabaseErrors.ts"
import { FairTurns } from "../FairTurns.ts"
import { retryTransaction, sqlFailuresToDefects } from "./retryTransaction.ts"
import { Invitation, Opening } from "./transactionalClient.ts"

/** Which store the open write transaction is for. */
const WritingFor = Context.Reference<string | undefined>("@effect-commerce/core/database/WritingFor", {
  defaultValue: () => undefined
})

const nameStore = "SELECT set_config('app.store_id', $1, true)"

/** The most write transactions that one store may have open at a time, given the number of connections. */
const shareOfWrites = (connections: number): number => Math.max(1, Math.floor((connections * 3) / 4))

export const transactionsOn = (sql: SqlClient.SqlClient, driver: DatabaseDriver) => {
  const { settings, transactions } = driver
  // A transaction that waits for a lock keeps its connection: one store may not have them all.
  const turns = new FairTurns({ atOnce: transactions, ofOwner: shareOfWrites(transactions) })
  // Those of no store take no turn, and the same connections.
  let ofNoStore = 0
  const counted = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => (ofNoStore += 1)),
      () => body,
      () => Effect.sync(() => (ofNoStore -= 1))
    )
  const isOpen = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

  const transaction = <A, E, R>(body: Effect.Effect<A, E, R>, opening: OpeningStatements) =>
    retryTransaction(Effect.provideService(sql.withTransaction(body), Opening, opening))

  const named = <A, E, R>(storeId: string, body: Effect.Effect<A, E, R>) =>
    Effect.andThen(Effect.orDie(sql.unsafe(nameStore, [storeId])), body) as Effect.Effect<A, E, R>

  const savepoint = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    sqlFailuresToDefects(sql.withTransaction(body)) as Effect.Effect<A, E, R>

  return {
    load: () => {
      const { underWay, waiting } = turns.load()
      const asked = underWay + ofNoStore
      return { underWay: Math.min(asked, transactions), waiting: waiting + Math.max(0, asked - transactions) }
    },

    /**
     * One transaction for one store: only its rows can be written. Nested for the same store it joins, nested for
     * another store it dies with WriteOutsideStore. A typed failure rolls back. The body may run up to four times, so
     * it may have no effects outside of the database.
     */
    write:
      (storeId: string) =>
      <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.flatMap(Effect.all([WritingFor, isOpen, JoinedTransaction]), ([writingFor, open, joined]) => {
          if (writingFor === storeId) return body
          if (writingFor !== undefined) return Effect.die(new WriteOutsideStore({ open: writingFor, asked: storeId }))
          const owned = Effect.provideService(body, WritingFor, storeId)
          if (!open) return turns.run(storeId)(transaction(owned, [...settings, [nameStore, [storeId]]]))
          return joined ? savepoint(named(storeId, owned)) : named(storeId, owned)
        }),

    /**
     * One transaction over platform tables; joins an open one. `write` inside joins too and sets the store from there
     * on.
     */
    platform: <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(Effect.all([isOpen, JoinedTransaction, InPlatform]), ([open, joined, inside]) => {
        if (!open) return counted(transaction(body, settings))
        return joined && !inside ? savepoint(Effect.provideService(body, InPlatform, true)) : body
      }),

    /**
     * Inside a transaction: a failure of the body rolls back the body's writes, and the transaction goes on. For a use
     * case that handles the failure of its own write; a host's transaction has one for each `write`.
     */
    savepoint,

    /**
     * Sends a write of the surrounding transaction without waiting for its result: it is sent with the next statement
     * or with the commit, and the commit fails if the write failed. For writes that return nothing and have no error
     * that the caller handles. Outside of a transaction, and on a host's connection, the result is awaited.
     */
    withCommit: <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<void, never, R> => {
      const written = Effect.asVoid(Effect.orDie(statement))
      return Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) => {
        const connection = Option.isSome(open) ? (open.value[0] as TransactionalConnection) : undefined
        return connection?.sendWithCommit === undefined ? written : connection.sendWithCommit(written)
      })
    },

    /**
     * Runs after the surrounding transaction has committed; at once outside of one; never inside a host's, whose commit
     * we do not see.
     */
    afterCommit: (effect: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.flatMap(JoinedTransaction, (joined) => (joined ? Effect.void : sql.afterCommit(effect))),

    /**
     * Runs the body inside a host's open transaction, on the given connection. A failure rolls back the body's writes
     * and leaves the transaction usable. `write` inside is a savepoint, not a transaction, and is not tried again.
     */
    join:
      (connection: JoinedConnection) =>
      <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.flatMap(isOpen, (open) => {
          if (open) return Effect.die(new HostTransactionUnusable({ reason: alreadyOpen }))
          const joined = sql.withTransaction(Effect.provideService(body, JoinedTransaction, true))
          return Effect.scoped(
            Effect.flatMap(
              connection(driver),
              (guest) =>
                sqlFailuresToDefects(Effect.provideService(joined, Invitation, guest)) as Effect.Effect<A, E, R>
            )
          )
        })
  }
}

const alreadyOpen = "a transaction of ours is open already: a host's cannot be joined inside of it"

const InPlatform = Context.Reference<boolean>("@effect-commerce/core/database/InPlatform", {
  defaultValue: () => false
})
