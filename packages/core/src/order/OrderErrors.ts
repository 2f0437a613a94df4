import { Schema } from "effect"

export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", { id: Schema.String }) {}

export class OrderExternalIdTaken extends Schema.TaggedError<OrderExternalIdTaken>()("OrderExternalIdTaken", {
  externalId: Schema.String
}) {}

const stockItem = Schema.Struct({
  productId: Schema.String,
  variantId: Schema.NullOr(Schema.String),
  available: Schema.Int,
  requested: Schema.Int
})

/** Less stock than was ordered. */
export class OrderStockInsufficient extends Schema.TaggedError<OrderStockInsufficient>()("OrderStockInsufficient", {
  items: Schema.Array(stockItem)
}) {}

/** A product has no stock left, and no backorder is allowed. */
export class OrderOutOfStock extends Schema.TaggedError<OrderOutOfStock>()("OrderOutOfStock", {
  items: Schema.Array(stockItem)
}) {}

interface StockShortage {
  readonly items: ReadonlyArray<typeof stockItem.Type>
}

/** The error for insufficient stock: out of stock, or too little of it. */
export const soldOut = ({ items }: StockShortage): OrderOutOfStock | OrderStockInsufficient =>
  items.some((item) => item.available <= 0) ? new OrderOutOfStock({ items }) : new OrderStockInsufficient({ items })

/** A line references a product or variant that the store does not have. */
export class OrderProductUnknown extends Schema.TaggedError<OrderProductUnknown>()("OrderProductUnknown", {
  productId: Schema.String
}) {}

/** The store has no customer with this id. */
export class OrderCustomerUnknown extends Schema.TaggedError<OrderCustomerUnknown>()("OrderCustomerUnknown", {
  customerId: Schema.String
}) {}

/** The order cannot move to this status from its present one. */
export class OrderStateConflict extends Schema.TaggedError<OrderStateConflict>()("OrderStateConflict", {
  id: Schema.String,
  status: Schema.String
}) {}

/** Nothing is left to pay. */
export class OrderAlreadyPaid extends Schema.TaggedError<OrderAlreadyPaid>()("OrderAlreadyPaid", {
  id: Schema.String
}) {}

/** More than is due. Money as decimal strings. */
export class PaymentExceedsDue extends Schema.TaggedError<PaymentExceedsDue>()("PaymentExceedsDue", {
  amount: Schema.String,
  due: Schema.String
}) {}

/** The prices that the shopper was shown are not today's. Money as decimal strings. */
export class OrderPriceDrifted extends Schema.TaggedError<OrderPriceDrifted>()("OrderPriceDrifted", {
  items: Schema.Array(
    Schema.Struct({
      itemId: Schema.String,
      oldUnitPrice: Schema.String,
      newUnitPrice: Schema.String,
      delta: Schema.String,
      direction: Schema.Literals(["up", "down"])
    })
  )
}) {}

/** No shipping zone serves the address, or none of its rates is offered. */
export class OrderAddressUnserved extends Schema.TaggedError<OrderAddressUnserved>()("OrderAddressUnserved", {
  country: Schema.String
}) {}
