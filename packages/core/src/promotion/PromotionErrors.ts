import { Schema } from "effect"

export class PromotionNotFound extends Schema.TaggedError<PromotionNotFound>()("PromotionNotFound", {
  id: Schema.String
}) {}
