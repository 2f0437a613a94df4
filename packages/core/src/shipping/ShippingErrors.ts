import { Schema } from "effect"

export class ShippingZoneNotFound extends Schema.TaggedError<ShippingZoneNotFound>()("ShippingZoneNotFound", { id: Schema.String }) {}

/** Values that cannot be stored; `errors` maps each field of the body to a sentence. */
export class ShippingZoneRejected extends Schema.TaggedError<ShippingZoneRejected>()("ShippingZoneRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

export class ShippingRateNotFound extends Schema.TaggedError<ShippingRateNotFound>()("ShippingRateNotFound", { id: Schema.String }) {}

/** As ShippingZoneRejected. */
export class ShippingRateRejected extends Schema.TaggedError<ShippingRateRejected>()("ShippingRateRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}
