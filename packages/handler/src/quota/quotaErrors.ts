import type { OrderQuotaReached, ProductQuotaReached } from "@effect-commerce/core/quota/QuotaErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

export const quotaErrors: ErrorRows<ProductQuotaReached | OrderQuotaReached> = {
  ProductQuotaReached: {
    code: "PLAN_LIMIT_REACHED",
    message: (e) => `This store's plan has room for ${e.most} products, and there are ${e.used}`,
    details: ({ most, used }) => ({
      limit: "products",
      most,
      used,
      remedy: "Delete products that are not needed, or ask the operator of the server for more."
    })
  },
  OrderQuotaReached: {
    code: "PLAN_ORDERS_EXHAUSTED",
    message: (e) => `This store's plan has ${e.most} orders a month, and this month has ${e.used}`,
    details: ({ most, used, resetsAt }) => ({
      limit: "ordersPerMonth",
      most,
      used,
      resetsAt,
      remedy: "Wait until the next month, or ask the operator of the server for more."
    })
  }
}
