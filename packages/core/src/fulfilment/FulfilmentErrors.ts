/** The errors of fulfilments. */
import { Schema } from "effect"

/** More units than are left to send; no items where nothing is left at all. */
export class FulfilmentExceedsOpen extends Schema.TaggedError<FulfilmentExceedsOpen>()("FulfilmentExceedsOpen", {
  items: Schema.Array(Schema.Struct({ itemId: Schema.String, open: Schema.Int, requested: Schema.Int }))
}) {}
