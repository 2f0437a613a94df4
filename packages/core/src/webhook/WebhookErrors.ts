import { Schema } from "effect"

/** No subscription of this store has the id; it may be another store's. */
export class WebhookSubscriptionNotFound extends Schema.TaggedError<WebhookSubscriptionNotFound>()(
  "WebhookSubscriptionNotFound",
  { id: Schema.String }
) {}

/**
 * Values that cannot be stored; `errors` maps each field of the body to a sentence, `unknown` lists event types that no
 * subscription can name.
 */
export class WebhookSubscriptionRejected extends Schema.TaggedError<WebhookSubscriptionRejected>()(
  "WebhookSubscriptionRejected",
  {
    errors: Schema.Record(Schema.String, Schema.String),
    unknown: Schema.Array(Schema.String)
  }
) {}

/** A cursor that names no event of this store within the retention of the feed. */
export class EventCursorUnknown extends Schema.TaggedError<EventCursorUnknown>()("EventCursorUnknown", {
  after: Schema.String
}) {}

/** Names in a feed's filter that are not event types. */
export class EventTypesUnknown extends Schema.TaggedError<EventTypesUnknown>()("EventTypesUnknown", {
  unknown: Schema.Array(Schema.String)
}) {}

/** A replay of an event that this installation does not have. */
export class EventNotFound extends Schema.TaggedError<EventNotFound>()("EventNotFound", { id: Schema.String }) {}
