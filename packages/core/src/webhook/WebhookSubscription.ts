/** A subscription: its row, its shape on the wire, and the bodies that create and change it. */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  described,
  integer,
  listed,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  string,
  timestamp,
  clearable,
  optional,
  url as webAddress
} from "../kernel/Fields.ts"
import type { Circuit } from "./Circuit.ts"
import { EventSelector, eventTypes } from "./EventCatalog.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/** Bounded because each event is sent to every subscription to its type. */
export const webhookSubscriptionBound: StoreBound = {
  field: "webhookSubscriptions",
  most: 100,
  words: "webhook subscriptions"
}

const sentences = {
  url: "Where events are sent to: https, and reachable from the internet.",
  events: "Event types such as order.created, order.* for all of a resource, or * for all; 1 to 100 of them.",
  description: "A note for the merchant; null without one.",
  standardHeaders:
    "Whether deliveries also carry `webhook-id`, `webhook-timestamp` and `webhook-signature`, as the libraries of " +
    "standardwebhooks.com verify them."
}

const subscriptionFields = {
  id: string("Id of the subscription."),
  storeId: string("The store whose events are sent."),
  url: webAddress(sentences.url, "https://erp.example.com/hooks"),
  events: arrayOf(EventSelector, sentences.events),
  description: nullableString(sentences.description, "Orders to the ERP"),
  isActive: boolean("Whether events are sent."),
  standardHeaders: boolean(sentences.standardHeaders),
  circuitOpen: boolean(
    "Whether sending is suspended after ten failures in a row. Events are then lost until a probe, an hour later, " +
      "succeeds."
  ),
  circuitOpenedAt: nullableTimestamp("Since when sending is suspended; null: it is not."),
  failureCount: integer("Failed attempts since the last success.", 0),
  lastSuccessAt: nullableTimestamp("When an event was last delivered; null: never."),
  lastFailureAt: nullableTimestamp("When an attempt last failed; null: never."),
  secretPrefix: string("The first characters of the signing secret, to recognise it by.", "whsec_ddbc3e"),
  createdAt: timestamp("When the subscription was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}

export const WebhookSubscriptionView = Schema.Struct(subscriptionFields).annotate({
  identifier: "WebhookSubscription",
  description: "An endpoint of a merchant, and the events that are sent to it."
})
export type WebhookSubscriptionView = typeof WebhookSubscriptionView.Type

/** The response to a create: the only one with the secret. */
export const CreatedWebhookSubscription = Schema.Struct({
  ...subscriptionFields,
  secret: string(
    "The secret that signs what is sent. It is shown in this response and never again.",
    "whsec_ddbc3e836fe39dcb2ba74152748ac4c2ee9fc4c1c343d94dbfcdb7ebaca00769"
  )
}).annotate({ identifier: "CreatedWebhookSubscription", description: "A new subscription, with its secret." })
export type CreatedWebhookSubscription = typeof CreatedWebhookSubscription.Type

const url = webAddress(sentences.url, "https://erp.example.com/hooks")
const events = described(Schema.Array(EventSelector), sentences.events, ["order.*", "inventory.updated"])
const description = clearable(Schema.String, sentences.description, "Orders to the ERP")

export const NewWebhookSubscription = Schema.Struct({
  url,
  events,
  description,
  isActive: optional(Schema.Boolean, "Whether events are sent. Default: true."),
  standardHeaders: optional(Schema.Boolean, `${sentences.standardHeaders} Default: false.`)
}).annotate({ identifier: "NewWebhookSubscription", description: "A subscription to create." })
export type NewWebhookSubscription = typeof NewWebhookSubscription.Type

export const WebhookSubscriptionChanges = Schema.Struct({
  url: Schema.optionalKey(url),
  events: Schema.optionalKey(events),
  description,
  isActive: optional(
    Schema.Boolean,
    "Whether events are sent. Setting it to false and to true again ends a suspension at once."
  ),
  standardHeaders: optional(Schema.Boolean, sentences.standardHeaders)
}).annotate({
  identifier: "ChangeWebhookSubscription",
  description: "What to change. An absent field stays as it is."
})
export type WebhookSubscriptionChanges = typeof WebhookSubscriptionChanges.Type

export const TestWebhookSubscription = Schema.Struct({
  type: optional(
    listed(eventTypes),
    "Type of the event to send. Default: the first that the subscription names, else order.created.",
    "order.paid"
  )
}).annotate({ identifier: "TestWebhookSubscription", description: "Which event to send." })
export type TestWebhookSubscription = typeof TestWebhookSubscription.Type

/** The outcome of a test delivery. `error` says why there was no response. */
export const TestDelivery = Schema.Struct({
  delivered: boolean("Whether the endpoint responded with 2xx."),
  statusCode: nullableInteger("HTTP status of the endpoint's response; null if there was none.", 200),
  durationMs: integer("How long it took, in milliseconds.", 84),
  error: nullableString("Why there was no response; null if there was one.")
}).annotate({ identifier: "TestDelivery", description: "The outcome of a test event." })
export type TestDelivery = typeof TestDelivery.Type

export interface WebhookSubscriptionState
  extends Pick<
    WebhookSubscriptionView,
    "id" | "url" | "events" | "description" | "isActive" | "standardHeaders" | "secretPrefix" | "failureCount"
  > {
  /** Sealed. */
  readonly secret: string
  readonly circuitOpenedAt: Date | null
  readonly probingSince: Date | null
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const circuitOf = (
  row: Pick<WebhookSubscriptionState, "failureCount" | "circuitOpenedAt" | "probingSince">
): Circuit => ({
  failureCount: row.failureCount,
  openedAt: row.circuitOpenedAt?.getTime() ?? null,
  probing: row.probingSince !== null
})

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export const toWebhookSubscriptionView = (storeId: string, row: WebhookSubscriptionState): WebhookSubscriptionView => ({
  id: row.id,
  storeId,
  url: row.url,
  events: row.events,
  description: row.description,
  isActive: row.isActive,
  standardHeaders: row.standardHeaders,
  circuitOpen: row.circuitOpenedAt !== null,
  circuitOpenedAt: iso(row.circuitOpenedAt),
  failureCount: row.failureCount,
  lastSuccessAt: iso(row.lastSuccessAt),
  lastFailureAt: iso(row.lastFailureAt),
  secretPrefix: row.secretPrefix,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

export const prefixOf = (secret: string): string => secret.slice(0, 12)

/** The purpose under which secrets are sealed, and the row that a secret is sealed for. */
export const secretPurpose = "webhook-secret"
export const secretContext = (storeId: string, id: string): string => `${storeId}|webhook_subscription|secret|${id}`

const maxEvents = 100
const maxDescription = 1_000

/** The problems of the fields that can be checked without the network, by field. */
export const fieldProblems = (input: WebhookSubscriptionChanges): Readonly<Record<string, string>> => ({
  ...(input.events === undefined || (input.events.length > 0 && input.events.length <= maxEvents)
    ? {}
    : { events: `must name 1 to ${maxEvents} event types` }),
  ...((input.description ?? "").length <= maxDescription
    ? {}
    : { description: `must be at most ${maxDescription} characters` })
})
