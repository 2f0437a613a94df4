/** The errors of metafields, with the facts that a caller needs. */
import { Schema } from "effect"

export class MetafieldDefinitionNotFound extends Schema.TaggedError<MetafieldDefinitionNotFound>()(
  "MetafieldDefinitionNotFound",
  { id: Schema.String }
) {}

/** Another definition of the store has the key. */
export class MetafieldKeyTaken extends Schema.TaggedError<MetafieldKeyTaken>()("MetafieldKeyTaken", {
  key: Schema.String
}) {}

/** The change would invalidate values that products have. */
export class MetafieldInUse extends Schema.TaggedError<MetafieldInUse>()("MetafieldInUse", {
  /** The field that cannot change, or `definition` where it cannot be deleted. */
  field: Schema.Literals(["definition", "type", "isCustomerInput", "enumValues", "productIds"]),
  valueCount: Schema.Int
}) {}

/** The errors by field: of a definition, of the values of a product, or of the customizations of a line. */
export class MetafieldsRejected extends Schema.TaggedError<MetafieldsRejected>()("MetafieldsRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

export class MetafieldConflictNotFound extends Schema.TaggedError<MetafieldConflictNotFound>()(
  "MetafieldConflictNotFound",
  { id: Schema.String }
) {}

/** The conflict was already resolved or ignored. */
export class MetafieldConflictSettled extends Schema.TaggedError<MetafieldConflictSettled>()(
  "MetafieldConflictSettled",
  { id: Schema.String, status: Schema.String }
) {}

export class MetafieldResolutionRequired extends Schema.TaggedError<MetafieldResolutionRequired>()(
  "MetafieldResolutionRequired",
  {}
) {}
