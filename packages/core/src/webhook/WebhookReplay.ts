/**
 * Sends an event once more, with the same id, to every active subscription to its type: for a person who has repaired
 * an endpoint. An open circuit does not stop it, but its result counts for the circuit. Workers send it like any other
 * delivery.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makeId } from "../kernel/Ids.ts"
import { hears } from "./EventCatalog.ts"
import { EventRepository } from "./EventRepository.ts"
import { WebhookDeliveryRepository } from "./WebhookDeliveryRepository.ts"
import { EventNotFound } from "./WebhookErrors.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"
import { WebhookSubscriptionRepository } from "./WebhookSubscriptionRepository.ts"

export class WebhookReplay extends Context.Service<WebhookReplay>()("@effect-commerce/core/webhook/WebhookReplay", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const events = yield* EventRepository
    const subscriptions = yield* WebhookSubscriptionRepository
    const deliveries = yield* WebhookDeliveryRepository
    const { retention } = yield* CurrentWebhookPolicy

    /** Queues deliveries of an event of any store, for as long as events are kept. */
    const replay = Effect.fn("WebhookReplay.replay")(function* (eventId: string) {
      const event = yield* events.findAnywhere(eventId)
      if (event === undefined) return yield* new EventNotFound({ id: eventId })
      const { storeId, type } = event
      const now = yield* Clock.currentTimeMillis
      const since = new Date(now - retention)
      return yield* database.write(storeId)(
        Effect.gen(function* () {
          if (!(yield* events.hold(storeId, eventId, since))) return yield* new EventNotFound({ id: eventId })
          const hearing = (yield* subscriptions.holdActive(storeId)).filter(({ events: names }) => hears(names, type))
          // Two replays of one event take turns, so that each repetition has its own number.
          yield* subscriptions.lock(
            storeId,
            hearing.map(({ id }) => id)
          )
          const queued = hearing.map(({ id, url }) => ({ id: makeId("whd", now), subscriptionId: id, url }))
          const rows = queued.map(({ id, subscriptionId }) => ({ id, subscriptionId, eventId, isProbe: false }))
          yield* deliveries.insert(storeId, rows, new Date(now))
          return { storeId, eventId, type, deliveries: queued }
        })
      )
    })

    return {
      replay,
      /** The state of these deliveries of a store. */
      progress: (storeId: string, deliveryIds: ReadonlyArray<string>) =>
        Effect.map(deliveries.findAll(storeId, deliveryIds), (rows) =>
          rows.map(({ id, status, lease, attempts }) => ({
            id,
            status,
            isTaken: lease !== null,
            lastAttempt: attempts.at(-1) ?? null
          }))
        )
    }
  })
}) {
  static readonly layer = Layer.effect(WebhookReplay, WebhookReplay.make)
}
