import { Schema } from "effect"

export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", { id: Schema.String }) {}

export class OrderExternalIdTaken extends Schema.TaggedError<OrderExternalIdTaken>()("OrderExternalIdTaken", { externalId: Schema.String }) {}

const stockItem = Schema.Struct({
  productId: Schema.String,
  variantId: Schema.NullOr(Schema.String),
  available: Schema.Int,
  requested: Schema.Int
})

/** Some of what was asked is there, and not enough. */
export class OrderStockInsufficient extends Schema.TaggedError<OrderStockInsufficient>()("OrderStockInsufficient", { items: Schema.Array(stockItem) }) {}

/** Nothing is left of something that was asked, and no backorder is allowed. */
export class OrderOutOfStock extends Schema.TaggedError<OrderOutOfStock>()("OrderOutOfStock", { items: Schema.Array(stockItem) }) {}

/** A line names a product or variant that the store does not have. */
export class OrderProductUnknown extends Schema.TaggedError<OrderProductUnknown>()("OrderProductUnknown", { productId: Schema.String }) {}

/** The store has no customer of this id. */
export class OrderCustomerUnknown extends Schema.TaggedError<OrderCustomerUnknown>()("OrderCustomerUnknown", { customerId: Schema.String }) {}

/** The store has no coupon of this code. */
export class OrderCouponUnknown extends Schema.TaggedError<OrderCouponUnknown>()("OrderCouponUnknown", { couponCode: Schema.String }) {}

/** The move is not legal from where the order is. */
export class OrderStateConflict extends Schema.TaggedError<OrderStateConflict>()("OrderStateConflict", { id: Schema.String, status: Schema.String }) {}

/** Nothing is left to pay. */
export class OrderAlreadyPaid extends Schema.TaggedError<OrderAlreadyPaid>()("OrderAlreadyPaid", { id: Schema.String }) {}

/** More than is due. Money as decimal strings. */
export class PaymentExceedsDue extends Schema.TaggedError<PaymentExceedsDue>()("PaymentExceedsDue", { amount: Schema.String, due: Schema.String }) {}
