/**
 * Hands every event of the outbox to each consumer exactly once, in the transaction that marks it relayed: what a
 * consumer writes exists if and only if the event is marked, wherever a process dies. Any number of processes may
 * relay; a store is relayed by one at a time, so that `position`, which orders the feed, is the order in which events
 * became visible. Stores take turns of one batch each: a store with a flood of events delays nobody else.
 *
 * A batch is bounded by its bytes too. It is read and made ready before the transaction begins; who finds then that
 * another process was faster throws that away. One that fails is tried again by halves; an event that fails by itself
 * is left alone for a while, so that it holds up no other.
 */
import { Cause, Clock, Context, Effect, Latch, Layer, Schema, Stream } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "./Database.ts"
import { RelayPatience } from "./internal/relayPatience.ts"
import { eventChannel, eventSize } from "./Outbox.ts"
import { planByIndex } from "./PlanByIndex.ts"
import { classify } from "./SqlErrors.ts"

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
   * Runs inside `Database.write(storeId)` and may run again: it does nothing but insert rows of its own. Events come in
   * the order of their commits.
   */
  readonly consume: (storeId: string, events: ReadonlyArray<RelayedEvent>) => Effect.Effect<void>
  /**
   * Where making the rows takes long: does that before the transaction, and answers what is left for `consume` to do.
   * It may be done in vain, so it writes nothing.
   */
  readonly prepare?: (storeId: string, events: ReadonlyArray<RelayedEvent>) => Effect.Effect<Effect.Effect<void>>
}

/** Who is told of events; composed where the rooms are put together. */
export class OutboxConsumers extends Context.Service<OutboxConsumers, ReadonlyArray<OutboxConsumer>>()(
  "@effect-commerce/core/database/OutboxConsumers"
) {}

export interface OutboxRelayMethods {
  /**
   * Relays what this store has committed by now but for what is left alone, waiting for another process that is at it.
   */
  readonly relayStore: (storeId: string) => Effect.Effect<void>
  /** Relays every store until nothing is left, skipping stores another process is at. */
  readonly relayAll: Effect.Effect<void>
  /** Relays for as long as it runs: at once when woken by a commit, at least twice a second otherwise. */
  readonly run: Effect.Effect<never>
}

export interface RelayBounds {
  /** Events of one store in one transaction. */
  readonly events: number
  /** Bytes of their data as JSON; a batch has one event at least. */
  readonly bytes: number
}

export const CurrentRelayBounds = Context.Reference<RelayBounds>("@effect-commerce/core/database/CurrentRelayBounds", {
  defaultValue: () => ({ events: 200, bytes: 1_024 * 1_024 })
})

/** How many stores are relayed at the same time. */
const storesAtOnce = 3
const pollMillis = 500

export class OutboxRelay extends Context.Service<OutboxRelay, OutboxRelayMethods>()(
  "@effect-commerce/core/database/OutboxRelay"
) {
  static readonly layer = Layer.effect(
    OutboxRelay,
    Effect.gen(function* () {
      const database = yield* Database
      const consumers = yield* OutboxConsumers
      const bounds = yield* CurrentRelayBounds
      const patience = new RelayPatience(bounds.events)
      const { sql } = database

      // event_store_id_seq_pending_idx: one probe for each store that has something.
      const pendingStores = Effect.map(
        Effect.orDie(
          sql<{ readonly storeId: string }>`WITH RECURSIVE pending AS (
              (SELECT e.store_id FROM event e WHERE e.relayed_at IS NULL ORDER BY e.store_id LIMIT 1)
              UNION ALL
              SELECT (SELECT e.store_id FROM event e WHERE e.relayed_at IS NULL AND e.store_id > p.store_id ORDER BY
                e.store_id LIMIT 1)
              FROM pending p WHERE p.store_id IS NOT NULL
            )
            SELECT store_id FROM pending WHERE store_id IS NOT NULL`
        ),
        (rows) => rows.map(({ storeId }) => storeId)
      )

      const lockKey = (storeId: string) => sql`hashtextextended(${storeId}, ${relayLock})`
      const tryLock = (storeId: string) =>
        sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_xact_lock(${lockKey(storeId)}) AS mine`
      const waitForTurn = (storeId: string) =>
        database.write(storeId)(Effect.orDie(sql`SELECT pg_advisory_xact_lock(${lockKey(storeId)})`))

      // event_store_id_seq_pending_idx gives the order; the data of what does not fit are not touched.
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
      /** Those that nobody has marked. */
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
       * Fails with Overtaken, and has written nothing, where another process has relayed some of these since they were
       * read.
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

      /**
       * The batch, or the first half of it that can be relayed. One that fails by itself is left alone where others
       * wait behind it.
       */
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

      const relayStore = (storeId: string): Effect.Effect<void> =>
        Effect.flatMap(relayBatch(storeId), (outcome) => {
          if (outcome === "done") return Effect.void
          return Effect.andThen(outcome === "busy" ? waitForTurn(storeId) : Effect.void, relayStore(storeId))
        })

      /**
       * One turn of a store; answers whether it has more. A failure is logged and leaves its events for the next look.
       */
      const oneTurn = (storeId: string): Effect.Effect<boolean> =>
        Effect.map(relayBatch(storeId), (outcome) => outcome === "more").pipe(
          Effect.catchCause((cause) =>
            Effect.as(Effect.logError(`Relaying events of ${storeId} failed and will be tried again`, cause), false)
          )
        )

      /** One turn for each of these stores; answers those that have more. */
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

      return OutboxRelay.of({ relayStore, relayAll, run })
    })
  )
}

type PendingEvent = RelayedEvent & {
  /** Others were found behind it. */
  readonly more: boolean
}

/** `busy`: another process is at it. */
type Outcome = "more" | "done" | "busy"

class Overtaken extends Schema.TaggedError<Overtaken>()("Overtaken", {}) {}

/**
 * The database is not there, or does not let us in: no event is to blame. A statement that took too long may have had
 * too much to do.
 */
const isAway = (cause: Cause.Cause<unknown>): boolean => {
  const failure = Cause.squash(cause)
  const isSlow = SqlError.isSqlError(failure) && failure.reason._tag === "StatementTimeoutError"
  return !isSlow && classify(failure) === "unavailable"
}

/** Sets these advisory locks apart from others. */
const relayLock = 1_186_001n
