/**
 * Webhook subscriptions (completions.md 2.12), the same routes for keys (`/v1`) and for the dashboard
 * (`/stores/{storeId}`), and the feed of events. A signing secret is in the answers to `create` and `rotateSecret` and
 * in no other.
 */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { text } from "@effect-commerce/core/kernel/Fields"
import { EventTypeEntry } from "@effect-commerce/core/webhook/EventCatalog"
import { EventEnvelope } from "@effect-commerce/core/webhook/EventEnvelope"
import { WebhookDeliveryView } from "@effect-commerce/core/webhook/WebhookDelivery"
import {
  EventCursorUnknown,
  EventTypesUnknown,
  WebhookSubscriptionNotFound,
  WebhookSubscriptionRejected
} from "@effect-commerce/core/webhook/WebhookErrors"
import {
  CreatedWebhookSubscription,
  NewWebhookSubscription,
  TestDelivery,
  WebhookSubscriptionChanges,
  WebhookSubscriptionView
} from "@effect-commerce/core/webhook/WebhookSubscription"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { CommaList } from "../middleware/CommaList.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, storeAdminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

const id = { id: Schema.String }
const store = { storeId: Schema.String }
const storeAndId = { ...store, ...id }

const catalog = { success: Schema.Array(EventTypeEntry) }
const list = { query: pageQuery, success: listEnvelope(WebhookSubscriptionView) }
const create = {
  payload: NewWebhookSubscription,
  success: CreatedWebhookSubscription.pipe(HttpApiSchema.status(201)),
  error: fails(WebhookSubscriptionRejected)
}
const get = { success: WebhookSubscriptionView, error: fails(WebhookSubscriptionNotFound) }
const update = {
  payload: WebhookSubscriptionChanges,
  success: WebhookSubscriptionView,
  error: fails(WebhookSubscriptionNotFound, WebhookSubscriptionRejected)
}
const remove = { success: Success, error: fails(WebhookSubscriptionNotFound) }
const rotateSecret = { success: Schema.Struct({ secret: Schema.String }), error: fails(WebhookSubscriptionNotFound) }
const test = {
  payload: Schema.Struct({ type: Schema.optionalKey(Schema.String) }),
  success: TestDelivery,
  error: fails(WebhookSubscriptionNotFound, WebhookSubscriptionRejected)
}
const deliveries = {
  query: pageQuery,
  success: listEnvelope(WebhookDeliveryView),
  error: fails(WebhookSubscriptionNotFound)
}

const noBody = { optionalBody: true }
const secretAnswer = { secretAnswer: true } as const
const versioned = { version: row("webhookSubscription", "id") }

export class WebhookSubscriptionsGroup extends apiGroup("webhookSubscriptions", {
  part: "Admin",
  title: "Webhook subscriptions",
  description: "Where a store's events are sent, and how each delivery went."
}).add(
  HttpApiEndpoint.get("catalog", "/v1/webhook-subscriptions/event-catalog", catalog).pipe(adminRoute()),
  HttpApiEndpoint.get("list", "/v1/webhook-subscriptions", list).pipe(adminRoute()),
  HttpApiEndpoint.post("create", "/v1/webhook-subscriptions", create).pipe(adminRoute(secretAnswer)),
  HttpApiEndpoint.get("get", "/v1/webhook-subscriptions/:id", { params: id, ...get }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/webhook-subscriptions/:id", { params: id, ...update }).pipe(
    adminRoute(versioned)
  ),
  HttpApiEndpoint.delete("remove", "/v1/webhook-subscriptions/:id", { params: id, ...remove }).pipe(
    adminRoute(versioned)
  ),
  HttpApiEndpoint.post("rotateSecret", "/v1/webhook-subscriptions/:id/rotate-secret", {
    params: id,
    ...rotateSecret
  }).pipe(adminRoute({ ...secretAnswer, ...versioned })),
  HttpApiEndpoint.post("test", "/v1/webhook-subscriptions/:id/test", { params: id, ...test }).pipe(adminRoute(noBody)),
  HttpApiEndpoint.get("deliveries", "/v1/webhook-subscriptions/:id/deliveries", { params: id, ...deliveries }).pipe(
    adminRoute()
  )
) {}

const webhooks = storeAdminRoute("webhooks")
const secretWebhooks = storeAdminRoute("webhooks", secretAnswer)

export class StoreWebhookSubscriptionsGroup extends apiGroup("storeWebhookSubscriptions", {
  part: "Dashboard",
  title: "Store webhook subscriptions",
  description: "The webhook subscriptions of one store, named in the path."
}).add(
  HttpApiEndpoint.get("catalog", "/stores/:storeId/webhook-subscriptions/event-catalog", {
    params: store,
    ...catalog
  }).pipe(webhooks),
  HttpApiEndpoint.get("list", "/stores/:storeId/webhook-subscriptions", { params: store, ...list }).pipe(webhooks),
  HttpApiEndpoint.post("create", "/stores/:storeId/webhook-subscriptions", { params: store, ...create }).pipe(
    secretWebhooks
  ),
  HttpApiEndpoint.get("get", "/stores/:storeId/webhook-subscriptions/:id", { params: storeAndId, ...get }).pipe(
    webhooks
  ),
  HttpApiEndpoint.patch("update", "/stores/:storeId/webhook-subscriptions/:id", { params: storeAndId, ...update }).pipe(
    storeAdminRoute("webhooks", versioned)
  ),
  HttpApiEndpoint.delete("remove", "/stores/:storeId/webhook-subscriptions/:id", {
    params: storeAndId,
    ...remove
  }).pipe(storeAdminRoute("webhooks", versioned)),
  HttpApiEndpoint.post("rotateSecret", "/stores/:storeId/webhook-subscriptions/:id/rotate-secret", {
    params: storeAndId,
    ...rotateSecret
  }).pipe(storeAdminRoute("webhooks", { ...secretAnswer, ...versioned })),
  HttpApiEndpoint.post("test", "/stores/:storeId/webhook-subscriptions/:id/test", { params: storeAndId, ...test }).pipe(
    storeAdminRoute("webhooks", noBody)
  ),
  HttpApiEndpoint.get("deliveries", "/stores/:storeId/webhook-subscriptions/:id/deliveries", {
    params: storeAndId,
    ...deliveries
  }).pipe(webhooks)
) {}

export class EventsGroup extends apiGroup("events", {
  part: "Admin",
  title: "Events",
  description: "Everything that happened in a store, in order, to be read at one's own pace."
}).add(
  HttpApiEndpoint.get("list", "/v1/events", {
    query: {
      /** The id of the last event that was read. */
      after: Schema.optionalKey(text(200)),
      /** Event types, comma-separated; `order.*` for all of one resource. */
      types: Schema.optionalKey(CommaList),
      limit: pageQuery.limit,
      storeId: Schema.optionalKey(Schema.String)
    },
    success: Schema.Struct({ data: Schema.Array(EventEnvelope), nextCursor: Schema.NullOr(Schema.String) }),
    error: fails(EventCursorUnknown, EventTypesUnknown)
  }).pipe(adminRoute())
) {}

export const webhookGroups = [WebhookSubscriptionsGroup, StoreWebhookSubscriptionsGroup, EventsGroup] as const
