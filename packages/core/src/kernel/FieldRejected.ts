/** The one refusal of a value that every room shares (interface.md, Errors: VALIDATION_FAILED). */
import { Schema } from "effect"

/** A value that is well-formed and yet cannot be accepted; `field` is the path of the body's field. */
export class FieldRejected extends Schema.TaggedError<FieldRejected>()("FieldRejected", {
  field: Schema.String,
  reason: Schema.String
}) {}
