import { pageOf } from "@effect-commerce/core/kernel/Pagination"
import { eventCatalog } from "@effect-commerce/core/webhook/EventCatalog"
import { EventFeed } from "@effect-commerce/core/webhook/EventFeed"
import type {
  NewWebhookSubscription,
  TestWebhookSubscription,
  WebhookSubscriptionChanges
} from "@effect-commerce/core/webhook/WebhookSubscription"
import { WebhookSubscriptions } from "@effect-commerce/core/webhook/WebhookSubscriptions"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { listOf } from "../middleware/CommaList.ts"
import { EventsGroup, StoreWebhookSubscriptionsGroup, WebhookSubscriptionsGroup } from "./WebhookApi.ts"

interface Named {
  readonly params: { readonly id: string }
}
interface Paged {
  readonly query: { readonly page?: string; readonly limit?: string }
}

/** The same for both prefixes: which store it is about, the caller says. */
const handlersOf = (subscriptions: WebhookSubscriptions["Service"]) => ({
  catalog: () => Effect.sync(eventCatalog),
  list: asAdmin(({ store }, { query }: Paged) => paged(query, (page) => subscriptions.list(store, page))),
  create: asAdmin(({ store }, { payload }: { readonly payload: NewWebhookSubscription }) =>
    subscriptions.create(store, payload)
  ),
  get: asAdmin(({ store }, { params }: Named) => subscriptions.get(store, params.id)),
  update: asAdmin(({ store }, { params, payload }: Named & { readonly payload: WebhookSubscriptionChanges }) =>
    subscriptions.update(store, params.id, payload)
  ),
  remove: asAdmin(({ store }, { params }: Named) => succeed(subscriptions.remove(store, params.id))),
  rotateSecret: asAdmin(({ store }, { params }: Named) => subscriptions.rotateSecret(store, params.id)),
  test: asAdmin(({ store }, { params, payload }: Named & { readonly payload: TestWebhookSubscription }) =>
    subscriptions.test(store, params.id, payload)
  ),
  deliveries: asAdmin(({ store }, { params, query }: Named & Paged) =>
    paged(query, (page) => subscriptions.deliveries(store, params.id, page))
  )
})

const keys = endpointsOf(WebhookSubscriptionsGroup, (handlers) =>
  Effect.map(WebhookSubscriptions, (subscriptions) => handlers.handleAll(handlersOf(subscriptions)))
)

const dashboard = endpointsOf(StoreWebhookSubscriptionsGroup, (handlers) =>
  Effect.map(WebhookSubscriptions, (subscriptions) => handlers.handleAll(handlersOf(subscriptions)))
)

const events = endpointsOf(EventsGroup, (handlers) =>
  Effect.map(EventFeed, (feed) =>
    handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
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
