/** The error of a tender. */
import { Schema } from "effect"

/** A tender of a checkout, such as a gift card, has not enough left: it is spent, or held for another checkout. */
export class TenderShort extends Schema.TaggedError<TenderShort>()("TenderShort", {
  kind: Schema.String,
  sourceId: Schema.String
}) {}
