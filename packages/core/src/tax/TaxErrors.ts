import { Schema } from "effect"

export class TaxRateNotFound extends Schema.TaggedError<TaxRateNotFound>()("TaxRateNotFound", { id: Schema.String }) {}

/** Values that cannot be stored; `errors` maps each field of the body to a sentence. */
export class TaxRateRejected extends Schema.TaggedError<TaxRateRejected>()("TaxRateRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

export class TaxClassNotFound extends Schema.TaggedError<TaxClassNotFound>()("TaxClassNotFound", {
  id: Schema.String
}) {}

export class TaxClassNameTaken extends Schema.TaggedError<TaxClassNameTaken>()("TaxClassNameTaken", {
  name: Schema.String
}) {}

/** Rates or products still name the class. Deleting it would silently move them to the Standard class. */
export class TaxClassInUse extends Schema.TaggedError<TaxClassInUse>()("TaxClassInUse", {
  id: Schema.String,
  by: Schema.Literals(["rates", "products"])
}) {}

/**
 * The installation's tax calculator has failed, or has returned what does not hold together: nothing can be priced.
 * `reason` is for the log. It is a defect: no caller can treat it, and the same request may succeed later.
 */
export class TaxesUnavailable extends Schema.TaggedError<TaxesUnavailable>()("TaxesUnavailable", {
  calculator: Schema.String,
  reason: Schema.String
}) {}
