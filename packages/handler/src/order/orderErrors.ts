import type {
  OrderAddressUnserved,
  OrderAlreadyPaid,
  OrderCustomerUnknown,
  OrderExternalIdTaken,
  OrderNotFound,
  OrderOutOfStock,
  OrderPriceDrifted,
  OrderProductUnknown,
  OrderStateConflict,
  OrderStockInsufficient,
  PaymentExceedsDue
} from "@effect-commerce/core/order/OrderErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const orderErrors: ErrorRows<
  | OrderNotFound
  | OrderExternalIdTaken
  | OrderStockInsufficient
  | OrderOutOfStock
  | OrderProductUnknown
  | OrderCustomerUnknown
  | OrderStateConflict
  | OrderAlreadyPaid
  | PaymentExceedsDue
  | OrderPriceDrifted
  | OrderAddressUnserved
> = {
  OrderPriceDrifted: {
    code: "PRICE_DRIFT",
    message: () => "Prices have changed since they were shown",
    details: (e) => ({ items: e.items })
  },
  OrderAddressUnserved: {
    code: "VALIDATION_FAILED",
    message: (e) => `This store does not ship to this address in ${e.country}`,
    details: (e) => ({
      reason: "unserved",
      errors: { shippingAddress: "no shipping zone serves it" },
      country: e.country
    })
  },
  OrderNotFound: missing("order", "ORDER_NOT_FOUND"),
  OrderCustomerUnknown: missing("customer", "CUSTOMER_NOT_FOUND"),
  OrderStateConflict: {
    code: "ORDER_INVALID_STATE",
    message: (e) => `This order is ${e.status}`,
    details: (e) => ({ status: e.status })
  },
  OrderAlreadyPaid: { code: "PAYMENT_ALREADY_CAPTURED", message: () => "Nothing is left to pay for this order" },
  PaymentExceedsDue: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => `${e.amount} is more than the ${e.due} that is due`,
    details: (e) => ({ amount: e.amount, due: e.due })
  },
  OrderExternalIdTaken: {
    code: "CONFLICT",
    message: (e) => `An order with the external id ${e.externalId} exists`,
    details: (e) => ({ externalId: e.externalId })
  },
  OrderStockInsufficient: {
    code: "INSUFFICIENT_STOCK",
    message: () => "Not enough stock",
    details: (e) => ({ items: e.items })
  },
  OrderOutOfStock: {
    code: "OUT_OF_STOCK",
    message: () => "A product is out of stock",
    details: (e) => ({ items: e.items })
  },
  OrderProductUnknown: {
    code: "PRODUCT_NOT_FOUND",
    message: (e) => `No such product: ${e.productId}`,
    details: (e) => ({ productId: e.productId })
  }
}
