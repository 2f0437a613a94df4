import { Schema } from "effect"

export class ReviewNotFound extends Schema.TaggedError<ReviewNotFound>()("ReviewNotFound", { id: Schema.String }) {}

/** The customer has written a review of the product already. */
export class ReviewWritten extends Schema.TaggedError<ReviewWritten>()("ReviewWritten", {
  productId: Schema.String
}) {}
