/**
 * Hands every event of the outbox to each consumer exactly once, in the transaction that marks it relayed: what a consumer writes exists if and only if
 * the event is marked, wherever a process dies. Any number of processes may relay; a store is relayed by one at a time, so that `position`, which orders
 * the feed, is the order in which events became visible. Stores take turns of one batch each: a store with a flood of events delays nobody else.
 */
import { Clock, Context, Effect, Latch, Layer, Stream } from "effect"
import { Database } from "./Database.ts"
import { eventChannel } from "./Outbox.ts"
import { planByIndex } from "./PlanByIndex.ts"

export interface RelayedEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
}

export interface OutboxConsumer {
  /** For logs. */
  readonly name: string
  /** Runs inside `Database.write(storeId)` and may run again: it does nothing but insert rows of its own. Events come in the order of their commits. */
  readonly consume: (storeId: string, events: ReadonlyArray<RelayedEvent>) => Effect.Effect<void>
}

/** Who is told of events; composed where the rooms are put together. */
export class OutboxConsumers extends Context.Service<OutboxConsumers, ReadonlyArray<OutboxConsumer>>()("@effect-commerce/core/database/OutboxConsumers") {}

export interface OutboxRelayMethods {
  /** Relays what this store has committed by now, waiting for another process that is at it. */
  readonly relayStore: (storeId: string) => Effect.Effect<void>
  /** Relays every store until nothing is left, skipping stores another process is at. */
  readonly relayAll: Effect.Effect<void>
  /** Relays for as long as it runs: at once when woken by a commit, at least twice a second otherwise. */
  readonly run: Effect.Effect<never>
}

/** Events of one store in one transaction. */
const batchSize = 200
/** How many stores are relayed at the same time. */
const storesAtOnce = 3
const pollMillis = 500

export class OutboxRelay extends Context.Service<OutboxRelay, OutboxRelayMethods>()("@effect-commerce/core/database/OutboxRelay") {
  static readonly layer = Layer.effect(
    OutboxRelay,
    Effect.gen(function* () {
      const database = yield* Database
      const consumers = yield* OutboxConsumers
      const { sql } = database

      // event_store_id_seq_pending_idx: one probe for each store that has something.
      const pendingStores = Effect.map(
        Effect.orDie(
          sql<{ readonly storeId: string }>`WITH RECURSIVE pending AS (
              (SELECT e.store_id FROM event e WHERE e.relayed_at IS NULL ORDER BY e.store_id LIMIT 1)
              UNION ALL
              SELECT (SELECT e.store_id FROM event e WHERE e.relayed_at IS NULL AND e.store_id > p.store_id ORDER BY e.store_id LIMIT 1)
              FROM pending p WHERE p.store_id IS NOT NULL
            )
            SELECT store_id FROM pending WHERE store_id IS NOT NULL`
        ),
        (rows) => rows.map(({ storeId }) => storeId)
      )

      const lockKey = (storeId: string) => sql`hashtextextended(${storeId}, ${relayLock})`
      const take = (storeId: string, turn: "wait" | "try") =>
        turn === "wait"
          ? sql<{ readonly mine: boolean }>`SELECT true AS mine FROM pg_advisory_xact_lock(${lockKey(storeId)})`
          : sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_xact_lock(${lockKey(storeId)}) AS mine`
      const claim = (storeId: string) =>
        sql<RelayedEvent>`SELECT id, type, data, created_at FROM event
          WHERE store_id = ${storeId} AND relayed_at IS NULL ORDER BY seq LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`
      const mark = (storeId: string, ids: ReadonlyArray<string>, at: Date) =>
        sql`UPDATE event e SET relayed_at = ${at}, position = before.position + told.turn
          FROM (SELECT coalesce(max(position), 0) AS position FROM event WHERE store_id = ${storeId}) AS before,
            unnest(${ids}::text[]) WITH ORDINALITY AS told (id, turn), LATERAL (
              SELECT w.ctid FROM event w WHERE w.store_id = ${storeId} AND w.id = told.id OFFSET 0
            ) w
          WHERE e.store_id = ${storeId} AND e.ctid = w.ctid`

      /** Answers how many events were relayed. Lock and claim travel together, the claim with a snapshot taken once the lock is held. */
      const relayBatch = Effect.fn("OutboxRelay.relayBatch")((storeId: string, turn: "wait" | "try") =>
        database.write(storeId)(
          Effect.gen(function* () {
            const [[lock], events] = yield* Effect.orDie(Effect.all([take(storeId, turn), claim(storeId)], { concurrency: "unbounded" }))
            if (lock?.mine !== true || events.length === 0) return 0
            yield* Effect.forEach(consumers, (consumer) => consumer.consume(storeId, events), { discard: true })
            const at = new Date(yield* Clock.currentTimeMillis)
            const ids = events.map(({ id }) => id)
            yield* Effect.all([planByIndex(sql, { waitsForDisk: true }), Effect.orDie(mark(storeId, ids, at))], { concurrency: "unbounded" })
            return events.length
          })
        )
      )

      const relayStore = (storeId: string): Effect.Effect<void> =>
        Effect.flatMap(relayBatch(storeId, "wait"), (count) => (count < batchSize ? Effect.void : relayStore(storeId)))

      /** One turn of a store; answers whether it has more. A failure is logged and leaves its events for the next look. */
      const oneTurn = (storeId: string): Effect.Effect<boolean> =>
        Effect.map(relayBatch(storeId, "try"), (count) => count === batchSize).pipe(
          Effect.catchCause((cause) => Effect.as(Effect.logError(`Relaying events of ${storeId} failed and will be tried again`, cause), false))
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
          Effect.andThen(Effect.logError("Looking for events failed and will be tried again", cause), Effect.sleep(pollMillis))
        )
        return yield* Effect.forever(looking)
      }).pipe(Effect.scoped)

      return OutboxRelay.of({ relayStore, relayAll, run })
    })
  )
}

/** Sets these advisory locks apart from others. */
const relayLock = 1_186_001n
