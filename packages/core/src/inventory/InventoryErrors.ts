import { Schema } from "effect"

/** Per product or variant: what could be had and what was asked. `available` is never negative. */
export class StockInsufficient extends Schema.TaggedError<StockInsufficient>()("StockInsufficient", {
  items: Schema.Array(Schema.Struct({ productId: Schema.String, variantId: Schema.NullOr(Schema.String), available: Schema.Int, requested: Schema.Int }))
}) {}
