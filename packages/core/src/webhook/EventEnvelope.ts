/**
 * An event as subscribers and readers of the feed receive it: plain JSON, and the same bytes every time. The data is
 * passed on as it is stored, whatever its version.
 */
import { Schema } from "effect"
import { integer, json, string, timestamp } from "../kernel/Fields.ts"
import { EventTypeName } from "./EventCatalog.ts"

export const EventEnvelope = Schema.Struct({
  id: string(
    "Id of the event. The same event may arrive twice: remember the ids that you have handled.",
    "evt_5f0c2b8e9d3a4c1fb7e6a1d2c3b4a5f6"
  ),
  type: EventTypeName,
  createdAt: timestamp("When it happened."),
  sequence: integer(
    "Of two events of one resource, such as an order, the later one has the greater number. Gaps mean nothing. 0 in " +
      "a test event.",
    48213
  ),
  data: json(
    "The id of the resource and, for most types, the resource as it was. The event catalogue has a JSON Schema of it " +
      "for each type."
  )
}).annotate({ identifier: "Event", description: "Something that happened in a store." })
export type EventEnvelope = typeof EventEnvelope.Type

export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
  /** `event.seq`: given when the event is appended, while its transaction holds the lock of the resource. */
  readonly sequence: bigint
}

export const toEventEnvelope = ({ id, type, data, createdAt, sequence }: StoredEvent): EventEnvelope => ({
  id,
  type,
  createdAt: createdAt.toISOString(),
  sequence: Number(sequence),
  // The data of every event is an object, because every event's schema is one.
  data: data as EventEnvelope["data"]
})

/** An event as it is sent. Stored data has one order of keys, so `body` has the same bytes in every attempt. */
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
