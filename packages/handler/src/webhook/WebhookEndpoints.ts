import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { eventCatalog } from "@effect-commerce/core/webhook/EventCatalog"
import { EventFeed } from "@effect-commerce/core/webhook/EventFeed"
import type {
  NewWebhookSubscription,
  WebhookSubscriptionChanges
} from "@effect-commerce/core/webhook/WebhookSubscription"
import { WebhookSubscriptions } from "@effect-commerce/core/webhook/WebhookSubscriptions"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AdminCaller } from "../middleware/Callers.ts"
import { listOf } from "../middleware/CommaList.ts"

interface Named {
  readonly params: { readonly id: string }
}
interface Paged {
  readonly query: { readonly page?: string; readonly limit?: string }
}

/** The same for both prefixes: which store it is about, the caller says. */
const handlersOf = (subscriptions: WebhookSubscriptions["Service"]) => ({
  catalog: () => Effect.sync(eventCatalog),
  list: ({ query }: Paged) =>
    Effect.flatMap(AdminCaller, ({ store }) =>
      Effect.map(subscriptions.list(store, pageOf(query)), (found) => toEnvelope(pageOf(query), found))
    ),
  create: ({ payload }: { readonly payload: NewWebhookSubscription }) =>
    Effect.flatMap(AdminCaller, ({ store }) => subscriptions.create(store, payload)),
  get: ({ params }: Named) => Effect.flatMap(AdminCaller, ({ store }) => subscriptions.get(store, params.id)),
  update: ({ params, payload }: Named & { readonly payload: WebhookSubscriptionChanges }) =>
    Effect.flatMap(AdminCaller, ({ store }) => subscriptions.update(store, params.id, payload)),
  remove: ({ params }: Named) =>
    Effect.flatMap(AdminCaller, ({ store }) =>
      Effect.as(subscriptions.remove(store, params.id), { success: true as const })
    ),
  rotateSecret: ({ params }: Named) =>
    Effect.flatMap(AdminCaller, ({ store }) => subscriptions.rotateSecret(store, params.id)),
  test: ({ params, payload }: Named & { readonly payload: { readonly type?: string } }) =>
    Effect.flatMap(AdminCaller, ({ store }) => subscriptions.test(store, params.id, payload.type)),
  deliveries: ({ params, query }: Named & Paged) =>
    Effect.flatMap(AdminCaller, ({ store }) =>
      Effect.map(subscriptions.deliveries(store, params.id, pageOf(query)), (found) => toEnvelope(pageOf(query), found))
    )
})

const keys = HttpApiBuilder.group(Api, "webhookSubscriptions", (handlers) =>
  Effect.map(WebhookSubscriptions, (subscriptions) => handlers.handleAll(handlersOf(subscriptions)))
)

const dashboard = HttpApiBuilder.group(Api, "storeWebhookSubscriptions", (handlers) =>
  Effect.map(WebhookSubscriptions, (subscriptions) => handlers.handleAll(handlersOf(subscriptions)))
)

const events = HttpApiBuilder.group(Api, "events", (handlers) =>
  Effect.map(EventFeed, (feed) =>
    handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          feed.list(store, {
            after: query.after === "" ? undefined : query.after,
            types: listOf(query.types),
            limit: pageOf(query).limit
          })
        )
    })
  )
)

export const webhookEndpoints = Layer.mergeAll(keys, dashboard, events)
