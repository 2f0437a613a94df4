/** The refusals of metafields, with the facts that a caller needs. */
import { Schema } from "effect"

export class MetafieldDefinitionNotFound extends Schema.TaggedError<MetafieldDefinitionNotFound>()(
  "MetafieldDefinitionNotFound",
  { id: Schema.String }
) {}

/** Another definition of the store has the key. */
export class MetafieldKeyTaken extends Schema.TaggedError<MetafieldKeyTaken>()("MetafieldKeyTaken", {
  key: Schema.String
}) {}

/** What the change would make of the values that products have is not for us to guess. */
export class MetafieldInUse extends Schema.TaggedError<MetafieldInUse>()("MetafieldInUse", {
  /** What cannot change, or `definition` where it cannot be deleted. */
  field: Schema.Literals(["definition", "type", "isCustomerInput", "enumValues", "productIds"]),
  valueCount: Schema.Int
}) {}

/** What is wrong, field by field: of a definition, of the values of a product, of the customizations of a line. */
export class MetafieldsRejected extends Schema.TaggedError<MetafieldsRejected>()("MetafieldsRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

export class MetafieldConflictNotFound extends Schema.TaggedError<MetafieldConflictNotFound>()(
  "MetafieldConflictNotFound",
  { id: Schema.String }
) {}

/** It was resolved or ignored before. */
export class MetafieldConflictSettled extends Schema.TaggedError<MetafieldConflictSettled>()(
  "MetafieldConflictSettled",
  { id: Schema.String, status: Schema.String }
) {}

export class MetafieldResolutionRequired extends Schema.TaggedError<MetafieldResolutionRequired>()(
  "MetafieldResolutionRequired",
  {}
) {}
