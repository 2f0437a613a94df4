import { Schema } from "effect"

export class ShippingZoneNotFound extends Schema.TaggedError<ShippingZoneNotFound>()("ShippingZoneNotFound", {
  id: Schema.String
}) {}

/** Values that cannot be stored; `errors` maps each field of the body to a sentence. */
export class ShippingZoneRejected extends Schema.TaggedError<ShippingZoneRejected>()("ShippingZoneRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

export class ShippingRateNotFound extends Schema.TaggedError<ShippingRateNotFound>()("ShippingRateNotFound", {
  id: Schema.String
}) {}

/** As ShippingZoneRejected. */
export class ShippingRateRejected extends Schema.TaggedError<ShippingRateRejected>()("ShippingRateRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

export class ShippingClassNotFound extends Schema.TaggedError<ShippingClassNotFound>()("ShippingClassNotFound", {
  id: Schema.String
}) {}

/** Another class of the store has this name or slug. */
export class ShippingClassTaken extends Schema.TaggedError<ShippingClassTaken>()("ShippingClassTaken", {
  field: Schema.Literals(["name", "slug"]),
  value: Schema.String
}) {}

/** The costs of rates, or products, still name the class. Deleting it would silently change what shipping costs. */
export class ShippingClassInUse extends Schema.TaggedError<ShippingClassInUse>()("ShippingClassInUse", {
  id: Schema.String,
  by: Schema.Literals(["rates", "products"])
}) {}

/** The address provider does not know the place. */
export class PlaceUnknown extends Schema.TaggedError<PlaceUnknown>()("PlaceUnknown", { placeId: Schema.String }) {}

/** The address provider has failed, was too slow, or has returned what is no address. `reason` is for the log. */
export class AddressesUnavailable extends Schema.TaggedError<AddressesUnavailable>()("AddressesUnavailable", {
  provider: Schema.String,
  reason: Schema.String
}) {}
