import { Schema } from "effect"

/** The store has as many products as its operator allows. */
export class ProductQuotaReached extends Schema.TaggedError<ProductQuotaReached>()("ProductQuotaReached", {
  most: Schema.Int,
  used: Schema.Int
}) {}

/** The store has as many orders of this month as its operator allows; `resetsAt` is when the next month begins. */
export class OrderQuotaReached extends Schema.TaggedError<OrderQuotaReached>()("OrderQuotaReached", {
  most: Schema.Int,
  used: Schema.Int,
  resetsAt: Schema.String
}) {}
