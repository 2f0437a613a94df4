/**
 * The feed of a store's events, for clients that poll: all events of the last 30 days, in the order in which they
 * became visible, whether or not a subscription received them. Feed and webhooks do not affect each other.
 */
import { Clock, Context, Effect, Latch, Layer, Stream } from "effect"
import { Database } from "../database/Database.ts"
import { eventChannel } from "../outbox/Outbox.ts"
import { OutboxRelay } from "../outbox/OutboxRelay.ts"
import { removedInTurn } from "../database/StoreTurns.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { typesNamed, unknownEvents } from "./EventCatalog.ts"
import { type StoredEvent, toEventEnvelope } from "./EventEnvelope.ts"
import { EventRepository } from "./EventRepository.ts"
import { EventCursorUnknown, EventTypesUnknown } from "./WebhookErrors.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"

/** How long a request relays pending events before it returns the events relayed so far. */
const relayingMillis = 1_000

/** Events removed in one transaction. */
const sweepBatch = 500

/** How often `follow` reads, at least: an event may be relayed after its notification. */
const followMillis = 200

export class EventFeed extends Context.Service<EventFeed>()("@effect-commerce/core/webhook/EventFeed", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const relay = yield* OutboxRelay
    const events = yield* EventRepository
    const policy = yield* CurrentWebhookPolicy
    const begins = Effect.map(Clock.currentTimeMillis, (now) => new Date(now - policy.retention))

    /**
     * Events after the event with the id `after`, or from the beginning. `types` are named as in a subscription.
     * Includes the events that the store has committed by now, as far as they are relayed before the page is full or a
     * second has passed; the next request returns more. Oldest first; `nextCursor` is the id of the last event, null
     * for an empty page: then repeat the request with the same cursor.
     */
    const list = Effect.fn("EventFeed.list")(function* (
      store: StoreContext,
      {
        after,
        types,
        limit
      }: {
        readonly after?: string | undefined
        readonly types?: ReadonlyArray<string> | undefined
        readonly limit: number
      }
    ) {
      const unknown = unknownEvents(types ?? [])
      if (unknown.length > 0) return yield* new EventTypesUnknown({ unknown })
      const since = yield* begins
      const position = after === undefined ? 0n : yield* events.positionOf(store.id, after, since)
      if (position === undefined) return yield* new EventCursorUnknown({ after: after ?? "" })
      const read = (from: bigint, most: number) =>
        events.read(store.id, { after: from, types: typesNamed(types), since, limit: most })
      const until = (yield* Clock.currentTimeMillis) + relayingMillis
      // Checked before the feed is read, so that what a worker relays in between is in the page.
      let isMore = yield* events.hasPending(store.id)
      const found = [...(yield* read(position, limit))]
      while (isMore && found.length < limit) {
        isMore = yield* relay.relaySome(store.id)
        found.push(...(yield* read(found.at(-1)?.position ?? position, limit - found.length)))
        isMore &&= (yield* Clock.currentTimeMillis) < until
      }
      return { data: found.map(toEventEnvelope), nextCursor: found.at(-1)?.id ?? null }
    })

    /**
     * Records the current end of the feed. The function that it returns calls `tell` with every later event, in the
     * order of the feed and one after the other, for as long as it runs. A worker must be relaying.
     */
    const follow = Effect.fn("EventFeed.follow")(function* (
      store: StoreContext,
      types: ReadonlyArray<string> | undefined
    ) {
      const unknown = unknownEvents(types ?? [])
      if (unknown.length > 0) return yield* new EventTypesUnknown({ unknown })
      let after = yield* events.lastPosition(store.id)
      const since = yield* begins
      return Effect.fnUntraced(function* (tell: (event: StoredEvent) => Effect.Effect<void>) {
        const wake = yield* Latch.make(false)
        yield* Effect.forkScoped(Stream.runForEach(database.listen(eventChannel), () => wake.open))
        const look = Effect.gen(function* () {
          const found = yield* events.read(store.id, { after, types: typesNamed(types), since, limit: 100 })
          for (const event of found) {
            yield* tell(event)
            after = event.position
          }
          if (found.length > 0) return
          yield* Effect.timeoutOption(wake.await, followMillis)
          yield* wake.close
        })
        return yield* Effect.forever(look)
      }, Effect.scoped)
    })

    /** Removes events that are older than the retention of the feed, and their deliveries. */
    const sweep = Effect.flatMap(begins, (before) =>
      removedInTurn("Sweeping old events", events.storesWithOlder(before), (storeId, after) =>
        database.write(storeId)(events.removeOlder(storeId, { after, before, most: sweepBatch }))
      )
    )

    return { list, follow, sweep }
  })
}) {
  static readonly layer = Layer.effect(EventFeed, EventFeed.make)
}
