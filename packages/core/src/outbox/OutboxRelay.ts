/**
 * Hands every event of the outbox to each consumer exactly once, in the transaction that marks it as relayed: what a
 * consumer writes exists if and only if the event is marked, even if the process dies. Any number of processes may
 * relay. A store is relayed by one process at a time, so that `position`, which orders the feed, is the order in which
 * events became visible. Stores take turns of one batch each, so a store with very many events does not delay the
 * others.
 *
 * A batch is also bounded by its bytes. It is read and prepared before the transaction begins; if another process was
 * faster, the preparation is thrown away. A batch that fails is tried again by halves. An event that fails by itself is
 * set aside for a while, so that it does not hold up the others.
 */
import { Cause, Clock, Context, Effect, Latch, Layer, Schema, Stream } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "../database/Database.ts"
import { many, storesWith } from "../database/Repository.ts"
import { RelayPatience } from "./internal/relayPatience.ts"
import { eventChannel, eventSize } from "./Outbox.ts"
import { planByIndex } from "../database/PlanByIndex.ts"
import { classify } from "../database/SqlErrors.ts"

export interface RelayedEvent {
  readonly id: string
  readonly type: string
  /** The version of the data (kernel/StoredData); null: 1. */
  readonly version: number | null
  readonly data: unknown
  readonly createdAt: Date
}

export interface OutboxConsumer {
  /** For logs. */
  readonly name: string
  /**
   * Runs inside `Database.write(storeId)`, and may run again after a rollback, so it does nothing but insert rows of
   * its own. Events come in the order of their commits. An event that it cannot read it logs and leaves out: a failure
   * is tried again for as long as the event exists.
   */
  readonly consume: (storeId: string, events: ReadonlyArray<RelayedEvent>) => Effect.Effect<void>
  /**
   * For a consumer whose rows take long to make: makes them before the transaction, and returns the effect that inserts
   * them, which is run in place of `consume`. The transaction may never come, so this writes nothing.
   */
  readonly prepare?: (storeId: string, events: ReadonlyArray<RelayedEvent>) => Effect.Effect<Effect.Effect<void>>
}

/** The consumers of events; listed where the rooms are put together. */
export class OutboxConsumers extends Context.Service<OutboxConsumers, ReadonlyArray<OutboxConsumer>>()(
  "@effect-commerce/core/database/OutboxConsumers"
) {}

export interface OutboxRelayMethods {
  /**
   * Relays what this store has committed by now, except for events that are set aside. Waits if another process is
   * relaying the store.
   */
  readonly relayStore: (storeId: string) => Effect.Effect<void>
  /** Relays one batch of the store; returns whether there may be more. Waits if another process is relaying it. */
  readonly relaySome: (storeId: string) => Effect.Effect<boolean>
  /** Relays every store until nothing is left. Skips stores that another process is relaying. */
  readonly relayAll: Effect.Effect<void>
  /** Relays for as long as it runs: at once when a commit wakes it, and at least twice a second. */
  readonly run: Effect.Effect<never>
}

export interface RelayBounds {
  /** Events of one store in one transaction. */
  readonly events: number
  /** Bytes of their data as JSON. A batch has at least one event, whatever its size. */
  readonly bytes: number
}

export const CurrentRelayBounds = Context.Reference<RelayBounds>("@effect-commerce/core/database/CurrentRelayBounds", {
  defaultValue: () => ({ events: 200, bytes: 1_024 * 1_024 })
})

/** How many stores are relayed at the same time. */
const storesAtOnce = 3
const pollMillis = 500

export class OutboxRelay extends Context.Service<OutboxRelay, OutboxRelayMethods>()(
  "@effect-commerce/core/outbox/OutboxRelay"
) {
  static readonly layer = Layer.effect(
    OutboxRelay,
    Effect.gen(function* () {
      const database = yield* Database
      const consumers = yield* OutboxConsumers
      const bounds = yield* CurrentRelayBounds
      const patience = new RelayPatience(bounds.events)
      const { sql } = database

      // event_store_id_seq_pending_idx: one probe for each store that has an event to relay.
      const pendingStores = many(
        sql<{ readonly storeId: string }>`SELECT store_id
          FROM ${storesWith(sql, "event", sql`relayed_at IS NULL`)} pending`,
        ({ storeId }) => storeId
      )

      const lockKey = (storeId: string) => sql`hashtextextended(${storeId}, ${relayLock})`
      const tryLock = (storeId: string) =>
        sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_xact_lock(${lockKey(storeId)}) AS mine`
      const waitForTurn = (storeId: string) =>
        database.write(storeId)(Effect.orDie(sql`SELECT pg_advisory_xact_lock(${lockKey(storeId)})`))

      // event_store_id_seq_pending_idx gives the order; the data of events that do not fit are not read.
      const pending = (storeId: string, most: number, except: ReadonlyArray<string>) =>
        Effect.orDie(
          sql<PendingEvent>`SELECT id, type, version, data, created_at, before + bytes < total AS more FROM (
              SELECT e.*, sum(bytes) OVER (ORDER BY seq) - bytes AS before, sum(bytes) OVER () AS total FROM (
                SELECT id, type, version, data, created_at, seq, ${sql.literal(eventSize)} AS bytes FROM event
                WHERE store_id = ${storeId} AND relayed_at IS NULL AND id <> ALL(${except}::text[]) ORDER BY seq LIMIT
                  ${most}
              ) e
            ) e WHERE before < ${bounds.bytes}::bigint ORDER BY seq`
        )
      /** Marks those of them that are not marked yet. */
      const mark = (storeId: string, ids: ReadonlyArray<string>, at: Date) =>
        sql`UPDATE event e SET relayed_at = ${at}, position = before.position + told.turn
          FROM (SELECT coalesce(max(position), 0) AS position FROM event WHERE store_id = ${storeId}) AS before,
            unnest(${ids}::text[]) WITH ORDINALITY AS told (id, turn), LATERAL (
              SELECT w.ctid FROM event w WHERE w.store_id = ${storeId} AND w.id = told.id OFFSET 0
            ) w
          WHERE e.store_id = ${storeId} AND e.ctid = w.ctid AND e.relayed_at IS NULL RETURNING e.id`

      const prepare = (storeId: string, events: ReadonlyArray<RelayedEvent>) =>
        Effect.forEach(
          consumers,
          (consumer) => consumer.prepare?.(storeId, events) ?? Effect.succeed(consumer.consume(storeId, events))
        )

      /**
       * Fails with Overtaken, and has written nothing, if another process has relayed some of these since they were
       * read. Returns false if another process is relaying the store.
       */
      const relay = Effect.fn("OutboxRelay.relay")(function* (storeId: string, events: ReadonlyArray<RelayedEvent>) {
        const ids = events.map(({ id }) => id)
        const prepared = yield* prepare(storeId, events)
        return yield* database.write(storeId)(
          Effect.gen(function* () {
            const [lock] = yield* Effect.orDie(tryLock(storeId))
            if (lock?.mine !== true) return false
            yield* Effect.forEach(prepared, (consume) => consume, { discard: true })
            const at = new Date(yield* Clock.currentTimeMillis)
            const [, marked] = yield* Effect.all(
              [planByIndex(sql, { waitsForDisk: true }), Effect.orDie(mark(storeId, ids, at))],
              {
                concurrency: "unbounded"
              }
            )
            if (marked.length < ids.length) return yield* new Overtaken()
            return true
          })
        )
      })

      /** Relays the batch, or after a failure its first half. An event that fails by itself is set aside. */
      const relayOrHalve = (storeId: string, events: ReadonlyArray<PendingEvent>): Effect.Effect<Outcome> =>
        relay(storeId, events).pipe(
          Effect.map((isMine): Outcome => {
            if (!isMine) return "busy"
            const isFull = events.length >= patience.most(storeId)
            patience.succeeded(
              storeId,
              events.map(({ id }) => id)
            )
            return isFull || events.at(-1)?.more === true ? "more" : "done"
          }),
          Effect.catchTag("Overtaken", () => Effect.succeed<Outcome>("more")),
          Effect.catchCause((cause) => {
            if (Cause.hasInterruptsOnly(cause) || isAway(cause)) return Effect.failCause(cause)
            const half = events.slice(0, Math.floor(events.length / 2))
            if (half.length === 0) return setAside(storeId, events, cause)
            patience.narrow(storeId, half.length)
            return Effect.andThen(
              Effect.logWarning(
                `Relaying ${events.length} events of ${storeId} failed; ${half.length} of them are tried again`,
                cause
              ),
              relayOrHalve(storeId, half)
            )
          })
        )

      const setAside = Effect.fnUntraced(function* (
        storeId: string,
        [event]: ReadonlyArray<PendingEvent>,
        cause: Cause.Cause<never>
      ) {
        const now = yield* Clock.currentTimeMillis
        const until = event && patience.setAside(storeId, event.id, now)
        if (event === undefined || until === undefined) return yield* Effect.failCause(cause)
        const message =
          `Event ${event.id} (${event.type}) of ${storeId} could not be relayed ` +
          `and is tried again; the others of its store go on without it`
        yield* Effect.logError(message, cause).pipe(Effect.annotateLogs({ notBefore: new Date(until).toISOString() }))
        const others = yield* pending(storeId, 1, [event.id])
        return others.length > 0 ? ("more" as const) : ("done" as const)
      })

      /** One batch of a store. */
      const relayBatch = Effect.fn("OutboxRelay.relayBatch")(function* (storeId: string) {
        const now = yield* Clock.currentTimeMillis
        const events = yield* pending(storeId, patience.most(storeId), patience.aside(storeId, now))
        return events.length === 0 ? ("done" as const) : yield* relayOrHalve(storeId, events)
      })

      const relaySome = (storeId: string): Effect.Effect<boolean> =>
        Effect.flatMap(relayBatch(storeId), (outcome) =>
          outcome === "busy" ? Effect.as(waitForTurn(storeId), true) : Effect.succeed(outcome === "more")
        )
      const relayStore = (storeId: string): Effect.Effect<void> =>
        Effect.flatMap(relaySome(storeId), (isMore) => (isMore ? relayStore(storeId) : Effect.void))

      /**
       * One turn of a store; returns whether it has more. A failure is logged, and its events wait for the next turn.
       */
      const oneTurn = (storeId: string): Effect.Effect<boolean> =>
        Effect.map(relayBatch(storeId), (outcome) => outcome === "more").pipe(
          Effect.catchCause((cause) =>
            Effect.as(Effect.logError(`Relaying events of ${storeId} failed and will be tried again`, cause), false)
          )
        )

      /** One turn for each of these stores; returns those that have more. */
      const round = (storeIds: Iterable<string>) => Effect.filter([...storeIds], oneTurn, { concurrency: storesAtOnce })

      const relayAll = Effect.gen(function* () {
        let waiting = yield* pendingStores
        while (waiting.length > 0) waiting = yield* round(waiting)
      })

      const run = Effect.gen(function* () {
        const waiting = new Set<string>()
        const wake = yield* Latch.make(true)
        let everywhereAt = 0
        const hear = (storeId: string | undefined) =>
          Effect.suspend(() => {
            if (storeId === undefined) everywhereAt = 0
            else waiting.add(storeId)
            return wake.open
          })
        yield* Effect.forkScoped(Stream.runForEach(database.listen(eventChannel), hear))
        const look = Effect.gen(function* () {
          yield* Effect.timeoutOption(wake.await, pollMillis)
          yield* wake.close
          const now = performance.now()
          if (now >= everywhereAt) {
            everywhereAt = now + pollMillis
            for (const storeId of yield* pendingStores) waiting.add(storeId)
          }
          const turn = [...waiting]
          waiting.clear()
          const more = yield* round(turn)
          for (const storeId of more) waiting.add(storeId)
          if (more.length > 0) yield* wake.open
        })
        const looking = Effect.catchCause(look, (cause) =>
          Effect.andThen(
            Effect.logError("Looking for events failed and will be tried again", cause),
            Effect.sleep(pollMillis)
          )
        )
        return yield* Effect.forever(looking)
      }).pipe(Effect.scoped)

      return OutboxRelay.of({ relayStore, relaySome, relayAll, run })
    })
  )
}

type PendingEvent = RelayedEvent & {
  /** There are events behind it that did not fit into the batch. */
  readonly more: boolean
}

/** `busy`: another process is relaying the store. */
type Outcome = "more" | "done" | "busy"

class Overtaken extends Schema.TaggedError<Overtaken>()("Overtaken", {}) {}

/**
 * Whether the database is unavailable, so that no event is to blame. A statement that timed out does not count: its
 * batch may have been too large.
 */
const isAway = (cause: Cause.Cause<unknown>): boolean => {
  const failure = Cause.squash(cause)
  const isSlow = SqlError.isSqlError(failure) && failure.reason._tag === "StatementTimeoutError"
  return !isSlow && classify(failure) === "unavailable"
}

/** The seed of these advisory locks, which keeps them apart from other ones. */
const relayLock = 1_186_001n
