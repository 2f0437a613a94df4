/**
 * Transactions over any client of ours: one for a store, one over platform tables, and the part that we take in one of
 * a host.
 */
import { Context, Effect, Option, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { JoinedTransaction } from "../../kernel/JoinedTransaction.ts"
import type { SessionBounds } from "../ConnectionOptions.ts"
import type { DatabaseMethods } from "../DatabaseMethods.ts"
import { HostTransactionUnusable, WriteOutsideStore } from "../DatabaseErrors.ts"
import { FairTurns } from "../FairTurns.ts"
import type { HostClient } from "../HostClient.ts"
import type { StatementLog } from "../StatementLog.ts"
import { GuestTransaction } from "./hostTransaction.ts"
import { retryTransaction, sqlFailuresToDefects } from "./retryTransaction.ts"
import { Invitation, Opening, type OpeningStatements, type TransactionalConnection } from "./transactionalClient.ts"

export interface TransactionOptions {
  /** Statements behind every BEGIN. */
  readonly settings: OpeningStatements
  readonly bounds: SessionBounds
  /** Connections that transactions may have at a time. */
  readonly connections: number
  /** Where our tables are, if not in the search_path of whoever connects. */
  readonly schema?: string | undefined
  readonly log: StatementLog | undefined
}

/** Which store the open write transaction is for. */
const WritingFor = Context.Reference<string | undefined>("@effect-commerce/core/database/WritingFor", {
  defaultValue: () => undefined
})

const nameStore = "SELECT set_config('app.store_id', $1, true)"

/** The most write transactions that one store has open at a time, of so many connections. */
const shareOfWrites = (connections: number): number => Math.max(1, Math.floor((connections * 3) / 4))

export const transactionsOn = (
  sql: SqlClient.SqlClient,
  { settings, bounds, connections, schema, log }: TransactionOptions
): Pick<DatabaseMethods, "write" | "platform" | "withCommit" | "afterCommit" | "join"> => {
  // A transaction that waits for a lock keeps its connection: one store may not have them all.
  const turns = new FairTurns({ atOnce: connections, ofOwner: shareOfWrites(connections) })
  const isOpen = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

  const transaction = <A, E, R>(body: Effect.Effect<A, E, R>, opening: OpeningStatements) =>
    retryTransaction(Effect.provideService(sql.withTransaction(body), Opening, opening))

  const named = <A, E, R>(storeId: string, body: Effect.Effect<A, E, R>) =>
    Effect.andThen(Effect.orDie(sql.unsafe(nameStore, [storeId])), body) as Effect.Effect<A, E, R>

  /**
   * A use case that survives the failure of a write of its own must find it taken back, in a host's transaction too.
   */
  const savepoint = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    sqlFailuresToDefects(sql.withTransaction(body)) as Effect.Effect<A, E, R>

  const write: DatabaseMethods["write"] =
    (storeId) =>
    <A, E, R>(body: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Effect.all([WritingFor, isOpen, JoinedTransaction]), ([writingFor, open, joined]) => {
        if (writingFor === storeId) return body as Effect.Effect<A, E, R>
        if (writingFor !== undefined) return Effect.die(new WriteOutsideStore({ open: writingFor, asked: storeId }))
        const owned = Effect.provideService(body, WritingFor, storeId)
        if (!open) return turns.run(storeId)(transaction(owned, [...settings, [nameStore, [storeId]]]))
        return joined ? savepoint(named(storeId, owned)) : named(storeId, owned)
      })

  const platform: DatabaseMethods["platform"] = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.all([isOpen, JoinedTransaction, InPlatform]), ([open, joined, inside]) => {
      if (!open) return transaction(body, settings)
      return joined && !inside
        ? savepoint(Effect.provideService(body, InPlatform, true))
        : (body as Effect.Effect<A, E, R>)
    })

  const join: DatabaseMethods["join"] =
    (client) =>
    <A, E, R>(body: Effect.Effect<A, E, R>) =>
      Effect.flatMap(isOpen, (open) => {
        if (open)
          return Effect.die(
            new HostTransactionUnusable({
              reason: "a transaction of ours is open already: a host's cannot be joined inside of it"
            })
          )
        const guest = new GuestTransaction(client, { bounds, schema, prepare: false, log })
        const joined = sql.withTransaction(Effect.provideService(body, JoinedTransaction, true))
        const invited = sqlFailuresToDefects(Effect.provideService(joined, Invitation, guest)) as Effect.Effect<A, E, R>
        return turnOf(client).withPermit(listening(client, Effect.ensuring(invited, guest.end)))
      })

  const withCommit: DatabaseMethods["withCommit"] = (statement) => {
    const written = Effect.asVoid(Effect.orDie(statement))
    return Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) => {
      const connection = Option.isSome(open) ? (open.value[0] as TransactionalConnection) : undefined
      return connection?.sendWithCommit === undefined ? written : connection.sendWithCommit(written)
    })
  }

  return {
    write,
    platform,
    withCommit,
    join,
    afterCommit: (effect) =>
      Effect.flatMap(JoinedTransaction, (joined) => (joined ? Effect.void : sql.afterCommit(effect)))
  }
}

const InPlatform = Context.Reference<boolean>("@effect-commerce/core/database/InPlatform", {
  defaultValue: () => false
})

/**
 * One call at a time on one client: savepoints of two calls would interleave, and the end of one would take the writes
 * of the other back while it reported success.
 */
const turnOf = (client: HostClient): Semaphore.Semaphore => {
  const known = turns.get(client)
  if (known !== undefined) return known
  const made = Semaphore.makeUnsafe(1)
  turns.set(client, made)
  return made
}
const turns = new WeakMap<HostClient, Semaphore.Semaphore>()

/** A connection lost under a call is that call's failure; without a listener Node would end the process. */
const listening = <A, E, R>(client: HostClient, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const ignore = () => undefined
  return Effect.acquireUseRelease(
    Effect.sync(() => client.on("error", ignore)),
    () => call,
    () => Effect.sync(() => client.removeListener("error", ignore))
  )
}
