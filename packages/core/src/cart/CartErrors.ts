import { Schema } from "effect"

export class CartNotFound extends Schema.TaggedError<CartNotFound>()("CartNotFound", { id: Schema.String }) {}

export class CartItemNotFound extends Schema.TaggedError<CartItemNotFound>()("CartItemNotFound", {
  id: Schema.String
}) {}

/** A cart that was converted or merged, or has expired, can be read but not written. */
export class CartNotWritable extends Schema.TaggedError<CartNotWritable>()("CartNotWritable", {
  id: Schema.String,
  status: Schema.String
}) {}

/** A payment for a checkout of this cart is in progress: until its outcome is known the cart cannot be merged. */
export class CartBeingPaid extends Schema.TaggedError<CartBeingPaid>()("CartBeingPaid", { id: Schema.String }) {}

/** Storefront callers only, and only where a new line would be added. */
export class CartLineLimitReached extends Schema.TaggedError<CartLineLimitReached>()("CartLineLimitReached", {
  maxLines: Schema.Int
}) {}

/** `requested` is the line's total quantity after the change. */
export class CartStockInsufficient extends Schema.TaggedError<CartStockInsufficient>()("CartStockInsufficient", {
  available: Schema.Int,
  requested: Schema.Int
}) {}

const productRef = Schema.Struct({ productId: Schema.String, variantId: Schema.NullOr(Schema.String) })

/** Not for sale here: hidden, deleted, or requested without the variant it needs. */
export class ProductUnavailable extends Schema.TaggedError<ProductUnavailable>()("ProductUnavailable", {
  items: Schema.Array(productRef),
  /** The product is sold by its variants, and the request names none. */
  needsVariant: Schema.optionalKey(Schema.Boolean)
}) {}
