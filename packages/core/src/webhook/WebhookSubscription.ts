/** A subscription: its row, its shape on the wire (completions.md 2.12), and what a body may say. */
import { Schema } from "effect"
import type { Circuit } from "./Circuit.ts"

const nullableText = Schema.NullOr(Schema.String)

export const WebhookSubscriptionView = Schema.Struct({
  id: Schema.String,
  storeId: Schema.String,
  url: Schema.String,
  /** Event types, `order.*`, or `*`. */
  events: Schema.Array(Schema.String),
  description: nullableText,
  isActive: Schema.Boolean,
  /** Open or half-open: events are lost until a probe succeeds. */
  circuitOpen: Schema.Boolean,
  circuitOpenedAt: nullableText,
  /** Failed attempts since the last success. */
  failureCount: Schema.Int,
  lastSuccessAt: nullableText,
  lastFailureAt: nullableText,
  /** The first characters of the signing secret. */
  secretPrefix: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type WebhookSubscriptionView = typeof WebhookSubscriptionView.Type

/** The answer to a create: the only one that holds the secret. */
export const CreatedWebhookSubscription = Schema.Struct({ ...WebhookSubscriptionView.fields, secret: Schema.String })
export type CreatedWebhookSubscription = typeof CreatedWebhookSubscription.Type

export const NewWebhookSubscription = Schema.Struct({
  url: Schema.String,
  events: Schema.Array(Schema.String),
  description: Schema.optionalKey(nullableText),
  isActive: Schema.optionalKey(Schema.Boolean)
})
export type NewWebhookSubscription = typeof NewWebhookSubscription.Type

export const WebhookSubscriptionChanges = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  events: Schema.optionalKey(Schema.Array(Schema.String)),
  description: Schema.optionalKey(nullableText),
  isActive: Schema.optionalKey(Schema.Boolean)
})
export type WebhookSubscriptionChanges = typeof WebhookSubscriptionChanges.Type

/** What came of a delivery that was sent to try a subscription. `error` says why nothing was answered. */
export const TestDelivery = Schema.Struct({
  delivered: Schema.Boolean,
  statusCode: Schema.NullOr(Schema.Int),
  durationMs: Schema.Int,
  error: nullableText
})
export type TestDelivery = typeof TestDelivery.Type

export interface WebhookSubscriptionState {
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly description: string | null
  readonly isActive: boolean
  /** Sealed. */
  readonly secret: string
  readonly secretPrefix: string
  readonly failureCount: number
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

/** Purpose under which secrets are sealed, and where one belongs. */
export const secretPurpose = "webhook-secret"
export const secretContext = (storeId: string, id: string): string => `${storeId}|webhook_subscription|secret|${id}`

const maxEvents = 100
const maxDescription = 1_000

/** What is wrong with the fields that need no network to be judged, field by field. */
export const fieldProblems = (input: WebhookSubscriptionChanges): Readonly<Record<string, string>> => ({
  ...(input.events === undefined || (input.events.length > 0 && input.events.length <= maxEvents)
    ? {}
    : { events: `must name 1 to ${maxEvents} event types` }),
  ...((input.description ?? "").length <= maxDescription
    ? {}
    : { description: `must be at most ${maxDescription} characters` })
})
