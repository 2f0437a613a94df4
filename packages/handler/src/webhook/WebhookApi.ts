/**
 * Webhook subscriptions, with the same routes for integrations (`/v1`) and for the dashboard (`/stores/{storeId}`), and
 * the feed of events. Only the answers to `create` and `rotateSecret` hold a signing secret.
 */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { arrayOf, described, nullableString, optional, string, text } from "@effect-commerce/core/kernel/Fields"
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
  TestWebhookSubscription,
  WebhookSubscriptionChanges,
  WebhookSubscriptionView
} from "@effect-commerce/core/webhook/WebhookSubscription"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { CommaList } from "../middleware/CommaList.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { storePath } from "../middleware/PathParameters.ts"
import { adminRoute, type Facts, storeAdminRoute } from "../middleware/Policy.ts"
import { row, unversioned } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { webhookErrors } from "./webhookErrors.ts"

const fails = failsBy(webhookErrors)

const id = { id: string("The subscription.") }
const storeAndId = { ...storePath, ...id }

const EventCatalog = Schema.Array(EventTypeEntry).annotate({
  identifier: "EventCatalog",
  description: "All types of events."
})
const NewSecret = Schema.Struct({
  secret: string(
    "The secret that signs what is sent from now on. It is shown in this response and never again.",
    "whsec_ddbc3e836fe39dcb2ba74152748ac4c2ee9fc4c1c343d94dbfcdb7ebaca00769"
  )
}).annotate({ identifier: "WebhookSecret", description: "A new signing secret." })
/** What the two groups have in common: the shapes, and the facts with the words. */
const catalog = { success: EventCatalog }
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
const rotateSecret = { success: NewSecret, error: fails(WebhookSubscriptionNotFound) }
const test = {
  payload: TestWebhookSubscription,
  success: TestDelivery,
  error: fails(WebhookSubscriptionNotFound, WebhookSubscriptionRejected)
}
const deliveries = {
  query: pageQuery,
  success: listEnvelope(WebhookDeliveryView),
  error: fails(WebhookSubscriptionNotFound)
}

const versioned = { version: row("webhookSubscription", "id") }
const facts = {
  catalog: {
    summary: "List event types",
    description: "Returns every type of event, whether it is sent yet, and a JSON Schema of its data."
  },
  list: {
    summary: "List webhook subscriptions",
    description: "Returns the subscriptions of the store, in pages, without their secrets."
  },
  create: {
    secretAnswer: true,
    summary: "Create a webhook subscription",
    description:
      "Sends the given events to a URL from now on. Only this response shows the signing secret. The URL must be " +
      "https and must not lead to a private address. An unknown event type is 400; one that is `coming_soon` is " +
      "accepted, and not sent yet."
  },
  get: {
    summary: "Get a webhook subscription",
    description: "Returns one subscription, with the outcome of its latest deliveries."
  },
  update: {
    ...versioned,
    summary: "Change a webhook subscription",
    description:
      "Changes the URL, the events, the note, or whether events are sent. Switching it off cancels the deliveries " +
      "that wait; switching it on again closes the circuit and clears failureCount."
  },
  remove: {
    ...versioned,
    summary: "Delete a webhook subscription",
    description: "Ends a subscription. Deliveries that wait are not sent."
  },
  rotateSecret: {
    ...versioned,
    secretAnswer: true,
    summary: "Rotate the signing secret",
    description: "Makes a new secret and shows it this once. The old one signs nothing from then on."
  },
  test: {
    optionalBody: true,
    summary: "Send a test event",
    description:
      "Sends one sample event now and returns the endpoint's response. It does not count as a success or a failure " +
      "of the subscription.",
    version: unversioned("an event is sent, and the subscription stays as it is")
  },
  deliveries: {
    summary: "List deliveries",
    description:
      "Returns the deliveries of the last 30 days, the newest first: each attempt with its status or error. A failed " +
      "attempt is repeated after 5, 10, 20 and 40 seconds."
  }
} as const

export class WebhookSubscriptionsGroup extends apiGroup("webhookSubscriptions", {
  part: "Admin",
  title: "Webhook subscriptions",
  description: "Where a store's events are sent, and how each delivery went."
}).add(
  HttpApiEndpoint.get("catalog", "/v1/webhook-subscriptions/event-catalog", catalog).pipe(adminRoute(facts.catalog)),
  HttpApiEndpoint.get("list", "/v1/webhook-subscriptions", list).pipe(adminRoute(facts.list)),
  HttpApiEndpoint.post("create", "/v1/webhook-subscriptions", create).pipe(adminRoute(facts.create)),
  HttpApiEndpoint.get("get", "/v1/webhook-subscriptions/:id", { params: id, ...get }).pipe(adminRoute(facts.get)),
  HttpApiEndpoint.patch("update", "/v1/webhook-subscriptions/:id", { params: id, ...update }).pipe(
    adminRoute(facts.update)
  ),
  HttpApiEndpoint.delete("remove", "/v1/webhook-subscriptions/:id", { params: id, ...remove }).pipe(
    adminRoute(facts.remove)
  ),
  HttpApiEndpoint.post("rotateSecret", "/v1/webhook-subscriptions/:id/rotate-secret", {
    params: id,
    ...rotateSecret
  }).pipe(adminRoute(facts.rotateSecret)),
  HttpApiEndpoint.post("test", "/v1/webhook-subscriptions/:id/test", { params: id, ...test }).pipe(
    adminRoute(facts.test)
  ),
  HttpApiEndpoint.get("deliveries", "/v1/webhook-subscriptions/:id/deliveries", { params: id, ...deliveries }).pipe(
    adminRoute(facts.deliveries)
  )
) {}

const webhooks = (fact: Facts) => storeAdminRoute("webhooks", fact)

export class StoreWebhookSubscriptionsGroup extends apiGroup("storeWebhookSubscriptions", {
  part: "Dashboard",
  title: "Store webhook subscriptions",
  description: "The webhook subscriptions of one store, named in the path."
}).add(
  HttpApiEndpoint.get("catalog", "/stores/:storeId/webhook-subscriptions/event-catalog", {
    params: storePath,
    ...catalog
  }).pipe(webhooks(facts.catalog)),
  HttpApiEndpoint.get("list", "/stores/:storeId/webhook-subscriptions", { params: storePath, ...list }).pipe(
    webhooks(facts.list)
  ),
  HttpApiEndpoint.post("create", "/stores/:storeId/webhook-subscriptions", { params: storePath, ...create }).pipe(
    webhooks(facts.create)
  ),
  HttpApiEndpoint.get("get", "/stores/:storeId/webhook-subscriptions/:id", { params: storeAndId, ...get }).pipe(
    webhooks(facts.get)
  ),
  HttpApiEndpoint.patch("update", "/stores/:storeId/webhook-subscriptions/:id", { params: storeAndId, ...update }).pipe(
    webhooks(facts.update)
  ),
  HttpApiEndpoint.delete("remove", "/stores/:storeId/webhook-subscriptions/:id", {
    params: storeAndId,
    ...remove
  }).pipe(webhooks(facts.remove)),
  HttpApiEndpoint.post("rotateSecret", "/stores/:storeId/webhook-subscriptions/:id/rotate-secret", {
    params: storeAndId,
    ...rotateSecret
  }).pipe(webhooks(facts.rotateSecret)),
  HttpApiEndpoint.post("test", "/stores/:storeId/webhook-subscriptions/:id/test", { params: storeAndId, ...test }).pipe(
    webhooks(facts.test)
  ),
  HttpApiEndpoint.get("deliveries", "/stores/:storeId/webhook-subscriptions/:id/deliveries", {
    params: storeAndId,
    ...deliveries
  }).pipe(webhooks(facts.deliveries))
) {}

const EventList = Schema.Struct({
  data: arrayOf(EventEnvelope, "The events, the oldest first."),
  nextCursor: nullableString(
    "The id to send as after for what follows; null: nothing follows yet, so keep the last one."
  )
}).annotate({ identifier: "EventList", description: "A part of the events of a store." })

export class EventsGroup extends apiGroup("events", {
  part: "Admin",
  title: "Events",
  description: "Everything that happened in a store, in order, to read at your own pace."
}).add(
  HttpApiEndpoint.get("list", "/v1/events", {
    query: {
      after: optional(text(200), "Id of the last event that was read. Without it: from the oldest event that is kept."),
      types: Schema.optionalKey(
        described(CommaList, "Types of events, separated by commas; order.* for all of a resource.", "order.*")
      ),
      limit: pageQuery.limit,
      storeId: optional(Schema.String, "The store, where the key is for a whole account.")
    },
    success: EventList,
    error: fails(EventCursorUnknown, EventTypesUnknown)
  }).pipe(
    adminRoute({
      summary: "Read events",
      description:
        "Returns the events of the last 30 days, the oldest first, also those that no subscription received. Read " +
        "the next page with `after`. Use it to catch up after an outage, or instead of webhooks."
    })
  )
) {}

export const webhookGroups = [WebhookSubscriptionsGroup, StoreWebhookSubscriptionsGroup, EventsGroup] as const
