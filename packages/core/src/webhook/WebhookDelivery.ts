/** A delivery: one event on its way to one subscription. */
import { Schema } from "effect"
import {
  arrayOf,
  described,
  integer,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  string,
  timestamp
} from "../kernel/Fields.ts"
import type { EncodedEvent } from "./EventEnvelope.ts"
import { EventTypeName } from "./EventCatalog.ts"

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "abandoned", "blocked", "cancelled"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** The outcome of one attempt: the status of the response, or why there was none. */
export const DeliveryAttempt = Schema.Struct({
  at: timestamp("When the attempt ended."),
  statusCode: nullableInteger("HTTP status of the endpoint's response; null if there was none.", 200),
  error: nullableString("Why there was no response; null if there was one."),
  durationMs: integer("How long the attempt took, in milliseconds.", 84)
}).annotate({ identifier: "WebhookDeliveryAttempt", description: "One attempt to deliver an event." })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

export const WebhookDeliveryView = Schema.Struct({
  id: string("Id of the delivery."),
  subscriptionId: string("The subscription that the event is sent to."),
  eventId: string("The event.", "evt_5f0c2b8e9d3a4c1fb7e6a1d2c3b4a5f6"),
  eventType: EventTypeName,
  status: described(
    DeliveryStatus,
    "pending: waits for its next attempt. delivered: the endpoint responded with 2xx. abandoned: failed five times, " +
      "or once as a probe. blocked: the address was private and nothing was sent. cancelled: the subscription was " +
      "switched off."
  ),
  attemptCount: integer("How many attempts there were.", 1),
  attempts: arrayOf(DeliveryAttempt, "The attempts, the oldest first."),
  nextAttemptAt: nullableTimestamp("When the next attempt is due; null: there is none."),
  createdAt: timestamp("When the delivery was queued."),
  finishedAt: nullableTimestamp("When it was delivered or given up; null: it is pending.")
}).annotate({ identifier: "WebhookDelivery", description: "One event on its way to one subscription." })
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

/** A delivery that a worker has claimed: everything that an attempt needs. */
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
  readonly standardHeaders: boolean
  readonly event: EncodedEvent
}
