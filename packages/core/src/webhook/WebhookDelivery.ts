/** A delivery: one event on its way to one subscription. */
import { Schema } from "effect"
import type { EncodedEvent } from "./EventEnvelope.ts"

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "abandoned", "blocked", "cancelled"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** What one attempt came to: the status that was answered, or why nothing was. */
export const DeliveryAttempt = Schema.Struct({
  at: Schema.String,
  statusCode: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  durationMs: Schema.Int
})
export type DeliveryAttempt = typeof DeliveryAttempt.Type

export const WebhookDeliveryView = Schema.Struct({
  id: Schema.String,
  subscriptionId: Schema.String,
  eventId: Schema.String,
  eventType: Schema.String,
  /**
   * `pending` waits for its next attempt; `abandoned` failed five times, or once as a probe; `blocked` was for a
   * private address, nothing was sent; `cancelled` belonged to a subscription that was switched off.
   */
  status: DeliveryStatus,
  attemptCount: Schema.Int,
  attempts: Schema.Array(DeliveryAttempt),
  nextAttemptAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  finishedAt: Schema.NullOr(Schema.String)
})
export type WebhookDeliveryView = typeof WebhookDeliveryView.Type

export interface DeliveryRow {
  readonly id: string
  readonly subscriptionId: string
  readonly eventId: string
  readonly eventType: string
  readonly status: DeliveryStatus
  readonly attemptCount: number
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export const toWebhookDeliveryView = ({ dueAt, createdAt, finishedAt, ...row }: DeliveryRow): WebhookDeliveryView => ({
  id: row.id,
  subscriptionId: row.subscriptionId,
  eventId: row.eventId,
  eventType: row.eventType,
  status: row.status,
  attemptCount: row.attemptCount,
  attempts: row.attempts,
  nextAttemptAt: dueAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null
})

/** A delivery that a worker has claimed: everything that its attempt needs. */
export interface ClaimedDelivery {
  readonly storeId: string
  readonly id: string
  readonly subscriptionId: string
  /** Names the claim: only results of this claim are recorded. */
  readonly lease: string
  readonly leaseEnds: Date
  readonly url: string
  /** Sealed. */
  readonly secret: string
  readonly event: EncodedEvent
}
