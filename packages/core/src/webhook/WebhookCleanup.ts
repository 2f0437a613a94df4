/**
 * Deletes the deliveries of subscriptions that were removed, and then those: a bounded number of rows in a transaction,
 * store by store. What a process leaves undone the next pass of any process does.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { WebhookDeliveryRepository } from "./WebhookDeliveryRepository.ts"
import { WebhookSubscriptionRepository } from "./WebhookSubscriptionRepository.ts"

/** Deliveries of one transaction. */
const batch = 1_000

export class WebhookCleanup extends Context.Service<WebhookCleanup>()("@effect-commerce/core/webhook/WebhookCleanup", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const subscriptions = yield* WebhookSubscriptionRepository
    const deliveries = yield* WebhookDeliveryRepository

    /** One piece of a subscription that has ended: some deliveries, else the row itself. */
    const removeSome = (storeId: string) =>
      database.write(storeId)(
        Effect.gen(function* () {
          const id = yield* subscriptions.takeEnded(storeId)
          if (id === undefined) return false
          if ((yield* deliveries.removeSome(storeId, id, batch)) === 0) yield* subscriptions.remove(storeId, id)
          return true
        })
      )

    return {
      pass: storesInTurn("Deleting what removed webhook subscriptions had", subscriptions.storesWithEnded, removeSome)
    }
  })
}) {
  static readonly layer = Layer.effect(WebhookCleanup, WebhookCleanup.make)
}
