/**
 * Functions of the host that are called with events, in its own process: at least once for each event, after the
 * commit, in the order of the feed within a store. The database keeps the position of each listener under its name, so
 * what happens while no process has it is handed over when one has it again. Processes that have a listener of one name
 * share its events. Where they have other types under it (a new release while the old one runs), the process that began
 * last has them all, and the others stand by.
 *
 * A function that fails is called again with the same event, after a pause that doubles, for as long as the event is
 * kept; the events behind it in its store wait, those of other stores do not. A process that dies leaves a lease, and
 * another one goes on when it ends.
 */
import { Clock, Context, Effect, Fiber, Latch, Layer, type Scope } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import type { OutboxConsumer } from "../outbox/OutboxConsumer.ts"
import { selectorsOf, unknownEvents } from "../webhook/EventCatalog.ts"
import { EventTypesUnknown } from "../webhook/WebhookErrors.ts"
import { CurrentWebhookPolicy } from "../webhook/WebhookPolicy.ts"
import { type EventListener, type Listening, makeHandOver } from "./internal/handOver.ts"
import { CurrentListenerPolicy } from "./ListenerPolicy.ts"
import { ListenerRepository } from "./ListenerRepository.ts"

/** Stores whose events a listener is called with at once. */
const storesAtOnce = 4
/** How often a listener looks for what other processes have relayed, and says that it is in use. */
const pollMillis = 500
const seenMillis = 3_600_000

export class EventListeners extends Context.Service<EventListeners>()("@effect-commerce/core/listener/EventListeners", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ListenerRepository
    const handOver = yield* makeHandOver
    const { retention } = yield* CurrentWebhookPolicy
    const { stopping } = yield* CurrentListenerPolicy
    const wakes = new Set<Latch.Latch>()

    /** Opens at the commit of a relayed batch in this process. */
    const wake = Effect.suspend(() => Effect.forEach(wakes, (latch) => latch.open, { discard: true }))

    const consumer: OutboxConsumer = {
      name: "listeners",
      consume: Effect.fnUntraced(function* (storeId, relayed) {
        const selectors = selectorsOf(relayed.map(({ type }) => type))
        if (selectors.length === 0) return
        yield* repository.tell(storeId, selectors, new Date(yield* Clock.currentTimeMillis))
        yield* database.afterCommit(wake)
      })
    }

    const run = Effect.fnUntraced(function* <E, R>(listening: Listening<E, R>, latch: Latch.Latch) {
      const { name } = listening.listener
      let seenAt = yield* Clock.currentTimeMillis
      const look = Effect.gen(function* () {
        yield* Effect.timeoutOption(latch.await, pollMillis)
        yield* latch.close
        const now = yield* Clock.currentTimeMillis
        if (now - seenAt >= seenMillis) {
          yield* repository.see(listening.listener, new Date(now))
          seenAt = now
        }
        yield* storesInTurn(
          `Handing events to the listener ${name}`,
          Effect.flatMap(Clock.currentTimeMillis, (at) => repository.storesWaiting(name, new Date(at))),
          (storeId) => handOver(listening, storeId),
          storesAtOnce
        )
      })
      while (!listening.isStopping)
        yield* Effect.catchCause(look, (cause) =>
          Effect.andThen(
            Effect.logError(`Looking for events of the listener ${name} failed and will be tried again`, cause),
            Effect.sleep(pollMillis)
          )
        )
    })

    /**
     * Records the listener, and calls its function until the scope ends, which waits for the call under way. Events
     * that are committed after this has succeeded are handed over; of earlier ones, those that this name is still due.
     */
    const listen = Effect.fn("EventListeners.listen")(function* <E, R>(
      asked: EventListener<E, R>
    ): Effect.fn.Return<void, EventTypesUnknown, R | Scope.Scope> {
      const unknown = unknownEvents(asked.types)
      if (unknown.length > 0) return yield* new EventTypesUnknown({ unknown })
      // In one order: processes compare them.
      const listener = { ...asked, types: [...new Set(asked.types)].toSorted() }
      yield* repository.begin(listener, new Date(yield* Clock.currentTimeMillis))
      const latch = yield* Latch.make(true)
      const listening: Listening<E, R> = { listener, isStopping: false }
      wakes.add(latch)
      const fiber = yield* Effect.forkScoped(run(listening, latch))
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => {
          wakes.delete(latch)
          listening.isStopping = true
          return Effect.andThen(latch.open, Effect.timeoutOption(Fiber.await(fiber), stopping))
        })
      )
    })

    /** Forgets listeners that no process has had for as long as events are kept. */
    const sweep = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* repository.dropUnseen(new Date(now - retention))
      yield* storesInTurn("Dropping what listeners have left", repository.storesWithLeftovers, (storeId) =>
        Effect.as(database.write(storeId)(repository.dropLeftovers(storeId)), false)
      )
    })

    return { consumer, listen, sweep }
  })
}) {
  static readonly layer = Layer.effect(EventListeners, EventListeners.make)
}
