import { Schema } from "effect"

/**
 * Points that cannot be taken, given or spent. `bound` is the number of points that `reason` speaks of: the least that
 * can be spent at once (`minimum`), what the customer has (`balance`), the most that an account holds (`maximum`).
 */
export class PointsRefused extends Schema.TaggedError<PointsRefused>()("PointsRefused", {
  reason: Schema.Literals(["disabled", "needs_customer", "minimum", "balance", "maximum"]),
  points: Schema.Int,
  bound: Schema.NullOr(Schema.Int)
}) {}
