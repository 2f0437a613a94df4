import { Schema } from "effect"

export { StockBelowReserved } from "../product/ProductErrors.ts"

/** Per product or variant: the available and the requested units. `available` is never negative. */
export class StockInsufficient extends Schema.TaggedError<StockInsufficient>()("StockInsufficient", {
  items: Schema.Array(
    Schema.Struct({
      productId: Schema.String,
      variantId: Schema.NullOr(Schema.String),
      available: Schema.Int,
      requested: Schema.Int
    })
  )
}) {}

/** Invalid counts: negative, fractional, or more than can be stored. Each field of the body with its reason. */
export class StockValueInvalid extends Schema.TaggedError<StockValueInvalid>()("StockValueInvalid", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

/** Somebody else has changed the total since the caller read it. */
export class StockTotalMismatch extends Schema.TaggedError<StockTotalMismatch>()("StockTotalMismatch", {
  expectedTotal: Schema.Int,
  currentTotal: Schema.Int
}) {}

/** The store holds no stock for carts, so there is nothing to extend or to release. */
export class ReservationUnsupported extends Schema.TaggedError<ReservationUnsupported>()("ReservationUnsupported", {
  strategy: Schema.String
}) {}

/** The checkout has expired, or the time for which units were held for it or its cart. */
export class ReservationExpired extends Schema.TaggedError<ReservationExpired>()("ReservationExpired", {
  id: Schema.String
}) {}
