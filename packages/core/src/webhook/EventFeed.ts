/**
 * The feed of a store's events for readers who would rather ask than be called (completions.md, Webhooks, events, mail, apps): everything of the last 30
 * days, in the order in which it became visible, whether or not a subscription received it. What webhooks do is no business of the feed, nor the other way
 * round.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { OutboxRelay } from "../database/OutboxRelay.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { eventTypes, hears, unknownEvents } from "./EventCatalog.ts"
import { type EventEnvelope, toEventEnvelope } from "./EventEnvelope.ts"
import { EventRepository } from "./EventRepository.ts"
import { EventCursorUnknown, EventTypesUnknown } from "./WebhookErrors.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"

export interface FeedPage {
  /** Oldest first. */
  readonly data: ReadonlyArray<EventEnvelope>
  /** The id of the last one, for the next question; null where there is nothing new: ask again with the cursor that was used. */
  readonly nextCursor: string | null
}

export interface EventFeedMethods {
  /** Events behind `after`, an event's id, or from the beginning. `types` as a subscription names them. What this store has committed by now is in it. */
  readonly list: (
    store: StoreContext,
    asked: { readonly after?: string | undefined; readonly types?: ReadonlyArray<string> | undefined; readonly limit: number }
  ) => Effect.Effect<FeedPage, EventCursorUnknown | EventTypesUnknown>
  /** Removes what is older than the feed reaches back, deliveries included. */
  readonly sweep: Effect.Effect<void>
}

/** Events removed in one transaction. */
const sweepBatch = 500

export class EventFeed extends Context.Service<EventFeed, EventFeedMethods>()("@effect-commerce/core/webhook/EventFeed") {
  static readonly layer = Layer.effect(
    EventFeed,
    Effect.gen(function* () {
      const database = yield* Database
      const relay = yield* OutboxRelay
      const events = yield* EventRepository
      const policy = yield* CurrentWebhookPolicy
      const begins = Effect.map(Clock.currentTimeMillis, (now) => new Date(now - policy.retention))

      const list: EventFeedMethods["list"] = Effect.fn("EventFeed.list")(function* (store, { after, types, limit }) {
        const unknown = unknownEvents(types ?? [])
        if (unknown.length > 0) return yield* new EventTypesUnknown({ unknown })
        if (yield* events.hasPending(store.id)) yield* relay.relayStore(store.id)
        const since = yield* begins
        const position = after === undefined ? 0n : yield* events.positionOf(store.id, after, since)
        if (position === undefined) return yield* new EventCursorUnknown({ after: after ?? "" })
        const wanted = types === undefined || types.includes("*") ? undefined : eventTypes.filter((type) => hears(types, type))
        const found = yield* events.read(store.id, { after: position, types: wanted, since, limit })
        return { data: found.map(toEventEnvelope), nextCursor: found.at(-1)?.id ?? null }
      })

      const sweepStore = (storeId: string, before: Date): Effect.Effect<void> =>
        Effect.flatMap(database.write(storeId)(events.removeOlder(storeId, before, sweepBatch)), (count) =>
          count === sweepBatch ? sweepStore(storeId, before) : Effect.void
        )

      const sweep = Effect.gen(function* () {
        const before = yield* begins
        yield* Effect.forEach(yield* events.storesWithOlder(before), (storeId) => sweepStore(storeId, before), { discard: true })
      })

      return EventFeed.of({ list, sweep })
    })
  )
}
