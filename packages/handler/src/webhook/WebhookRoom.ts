import { EventFeed } from "@effect-commerce/core/webhook/EventFeed"
import { WebhookCleanup } from "@effect-commerce/core/webhook/WebhookCleanup"
import { WebhookDispatcher } from "@effect-commerce/core/webhook/WebhookDispatcher"
import { every, forever, type Room } from "../middleware/Room.ts"
import { webhookEndpoints } from "./WebhookEndpoints.ts"
import { webhookErrors } from "./webhookErrors.ts"

export const webhookRoom = {
  endpoints: webhookEndpoints,
  errors: webhookErrors,
  workers: [
    forever(WebhookDispatcher.use((webhooks) => webhooks.run)),
    // A page from the beginning of a feed passes over what is old and still there.
    every(
      "60 seconds",
      "Sweeping old events",
      EventFeed.use((feed) => feed.sweep)
    ),
    every(
      "20 seconds",
      "Deleting what removed webhook subscriptions had",
      WebhookCleanup.use((cleanup) => cleanup.pass)
    )
  ]
} as const satisfies Room
