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
import { Cause, Clock, Context, Effect, Layer, Metric, Schema } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "../database/Database.ts"
import { classify } from "../database/SqlErrors.ts"
import { makeEventStatements, type PendingEvent } from "./internal/eventStatements.ts"
import { relayForever } from "./internal/relayLoop.ts"
import { RelayPatience } from "./internal/relayPatience.ts"
import { eventChannel } from "./Outbox.ts"
import { OutboxConsumers, type RelayedEvent } from "./OutboxConsumer.ts"

export interface RelayBounds {
  /** Events of one store in one transaction. */
  readonly events: number
  /** Bytes of their data as JSON. A batch has at least one event, whatever its size. */
  readonly bytes: number
}

export const CurrentRelayBounds = Context.Reference<RelayBounds>("@effect-commerce/core/outbox/CurrentRelayBounds", {
  defaultValue: () => ({ events: 200, bytes: 1_024 * 1_024 })
})

const relayed = Metric.counter("commerce_events_relayed_total", {
  description: "Events that were handed to their consumers.",
  incremental: true
})

/** How many stores are relayed at the same time. */
const storesAtOnce = 3

export class OutboxRelay extends Context.Service<OutboxRelay>()("@effect-commerce/core/outbox/OutboxRelay", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const consumers = yield* OutboxConsumers
    const bounds = yield* CurrentRelayBounds
    const patience = new RelayPatience(bounds.events)
    const statements = makeEventStatements(database)
    const pending = (storeId: string, most: number, except: ReadonlyArray<string>) =>
      statements.pending(storeId, most, bounds.bytes, except)

    const prepare = (storeId: string, events: ReadonlyArray<RelayedEvent>) =>
      Effect.forEach(
        consumers,
        (consumer) => consumer.prepare?.(storeId, events) ?? Effect.succeed(consumer.consume(storeId, events))
      )

    /**
     * Fails with Overtaken, and has written nothing, if another process has relayed some of these since they were read.
     * Returns false if another process is relaying the store.
     */
    const relay = Effect.fn("OutboxRelay.relay")(function* (storeId: string, events: ReadonlyArray<RelayedEvent>) {
      const ids = events.map(({ id }) => id)
      yield* Effect.annotateCurrentSpan({ "commerce.store.id": storeId, "commerce.events": ids.length })
      const prepared = yield* prepare(storeId, events)
      const isMine = yield* database.write(storeId)(
        Effect.gen(function* () {
          if ((yield* statements.tryLock(storeId)) !== true) return false
          yield* Effect.forEach(prepared, (consume) => consume, { discard: true })
          const at = new Date(yield* Clock.currentTimeMillis)
          if ((yield* statements.mark(storeId, ids, at)) < ids.length) return yield* new Overtaken()
          return true
        })
      )
      if (isMine) yield* Metric.update(relayed, ids.length)
      return isMine
    })

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
          if (Cause.hasInterruptsOnly(cause) || isUnavailable(cause)) return Effect.failCause(cause)
          const half = events.slice(0, Math.floor(events.length / 2))
          if (half.length === 0) return setAside(storeId, events, cause)
          patience.narrow(storeId, half.length)
          const message = `Relaying ${events.length} events of ${storeId} failed; ${half.length} are tried again`
          return Effect.andThen(Effect.logWarning(message, cause), relayOrHalve(storeId, half))
        })
      )

    /** One batch of a store. */
    const relayBatch = Effect.fn("OutboxRelay.relayBatch")(function* (storeId: string) {
      const now = yield* Clock.currentTimeMillis
      const events = yield* pending(storeId, patience.most(storeId), patience.aside(storeId, now))
      return events.length === 0 ? ("done" as const) : yield* relayOrHalve(storeId, events)
    })

    return methodsOver(relayBatch, statements, database)
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** Relaying one store or all of them, built on relaying one batch of a store. */
const methodsOver = (
  relayBatch: (storeId: string) => Effect.Effect<Outcome>,
  { pendingStores, waitForTurn }: ReturnType<typeof makeEventStatements>,
  { listen }: Database["Service"]
) => {
  /** Relays one batch of the store; returns whether there may be more. Waits if another process is relaying it. */
  const relaySome = (storeId: string): Effect.Effect<boolean> =>
    Effect.flatMap(relayBatch(storeId), (outcome) =>
      outcome === "busy" ? Effect.as(waitForTurn(storeId), true) : Effect.succeed(outcome === "more")
    )

  /** Whether the store has more after one turn. A failure is logged, and its events wait for the next turn. */
  const oneTurn = (storeId: string): Effect.Effect<boolean> =>
    Effect.map(relayBatch(storeId), (outcome) => outcome === "more").pipe(
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError(`Relaying events of ${storeId} failed and will be tried again`, cause), false)
      )
    )

  /** One turn for each of these stores; returns those that have more. */
  const round = (storeIds: Iterable<string>) => Effect.filter([...storeIds], oneTurn, { concurrency: storesAtOnce })

  /**
   * Relays what this store has committed by now, except for events that are set aside. Waits if another process is
   * relaying the store.
   */
  const relayStore = (storeId: string): Effect.Effect<void> =>
    Effect.flatMap(relaySome(storeId), (isMore) => (isMore ? relayStore(storeId) : Effect.void))

  return {
    relayStore,
    relaySome,
    /** Relays every store until nothing is left. Skips stores that another process is relaying. */
    relayAll: Effect.gen(function* () {
      let waiting = yield* pendingStores
      while (waiting.length > 0) waiting = yield* round(waiting)
    }),
    /** Relays for as long as it runs: at once when a commit wakes it, and at least twice a second. */
    run: relayForever(listen(eventChannel), pendingStores, round)
  }
}

/** `busy`: another process is relaying the store. */
type Outcome = "more" | "done" | "busy"

class Overtaken extends Schema.TaggedError<Overtaken>()("Overtaken", {}) {}

/**
 * Whether the database is unavailable, so that no event is to blame. A statement that timed out does not count: its
 * batch may have been too large.
 */
const isUnavailable = (cause: Cause.Cause<unknown>): boolean => {
  const failure = Cause.squash(cause)
  const isSlow = SqlError.isSqlError(failure) && failure.reason._tag === "StatementTimeoutError"
  return !isSlow && classify(failure) === "unavailable"
}
