/** An event as subscribers and readers of the feed receive it (interface.md, Envelope): plain JSON. */
import { Schema } from "effect"

export const EventEnvelope = Schema.Struct({
  /** `evt_` and 32 hex digits. The same event may arrive twice: de-duplicate by it. */
  id: Schema.String,
  type: Schema.String,
  createdAt: Schema.String,
  data: Schema.Unknown
})
export type EventEnvelope = typeof EventEnvelope.Type

export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
}

export const toEventEnvelope = ({ id, type, data, createdAt }: StoredEvent): EventEnvelope => ({
  id,
  type,
  createdAt: createdAt.toISOString(),
  data
})

/** An event as it is sent. Stored data have one order of keys, so `body` has the same bytes in every attempt. */
export interface EncodedEvent {
  readonly id: string
  readonly type: string
  readonly body: Uint8Array
}

export const encodeEvent = (event: StoredEvent): EncodedEvent => ({
  id: event.id,
  type: event.type,
  body: Buffer.from(JSON.stringify(toEventEnvelope(event)), "utf8")
})
