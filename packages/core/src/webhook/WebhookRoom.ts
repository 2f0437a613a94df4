/**
 * The layers of the webhook room. The feed has a layer of its own: it needs the relay, which needs the queue of
 * deliveries.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { EventFeed } from "./EventFeed.ts"
import { EventRepository } from "./EventRepository.ts"
import { WebhookCleanup } from "./WebhookCleanup.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { WebhookDeliveryRepository } from "./WebhookDeliveryRepository.ts"
import { WebhookDispatcher } from "./WebhookDispatcher.ts"
import { WebhookReplay } from "./WebhookReplay.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { WebhookSubscriptionRepository } from "./WebhookSubscriptionRepository.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { webhookLaws } from "./webhookLaws.ts"
import { webhookSubscriptionBound } from "./WebhookSubscription.ts"

export const webhookRoom = {
  layer: Layer.mergeAll(
    WebhookSubscriptions.layer,
    WebhookDispatcher.layer,
    WebhookReplay.layer,
    WebhookCleanup.layer
  ).pipe(
    Layer.provideMerge(WebhookDeliveries.layer),
    Layer.provideMerge(WebhookSender.layer),
    Layer.provideMerge(
      Layer.mergeAll(WebhookSubscriptionRepository.layer, WebhookDeliveryRepository.layer, EventRepository.layer)
    )
  ),
  rows: { webhookSubscription: { table: "webhook_subscription", keepsDeleted: true } },
  laws: webhookLaws,
  bounds: [webhookSubscriptionBound]
} as const satisfies Room

export const webhookFeed = EventFeed.layer
