import { EventFeed } from "@effect-commerce/core/webhook/EventFeed"
import { WebhookDispatcher } from "@effect-commerce/core/webhook/WebhookDispatcher"
import { every, forever, room } from "../middleware/Room.ts"
import { webhookEndpoints } from "./WebhookEndpoints.ts"

export const webhookRoom = room(
  webhookEndpoints,
  forever(WebhookDispatcher.use((webhooks) => webhooks.run)),
  every(
    "300 seconds",
    "Sweeping old events",
    EventFeed.use((feed) => feed.sweep)
  )
)
