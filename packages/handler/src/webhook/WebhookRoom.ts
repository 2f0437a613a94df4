import { EventFeed } from "@effect-commerce/core/webhook/EventFeed"
import { WebhookDispatcher } from "@effect-commerce/core/webhook/WebhookDispatcher"
import { every, forever, type Room } from "../middleware/Room.ts"
import { webhookEndpoints } from "./WebhookEndpoints.ts"
import { webhookErrors } from "./webhookErrors.ts"

export const webhookRoom = {
  endpoints: webhookEndpoints,
  errors: webhookErrors,
  workers: [
    forever(WebhookDispatcher.use((webhooks) => webhooks.run)),
    every(
      "300 seconds",
      "Sweeping old events",
      EventFeed.use((feed) => feed.sweep)
    )
  ]
} as const satisfies Room
