import type {
  OrderMoneyKept,
  OrderPartlySent,
  RefundNotPossible
} from "@effect-commerce/core/cancellation/CancellationErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

export const cancellationErrors: ErrorRows<OrderPartlySent | OrderMoneyKept | RefundNotPossible> = {
  OrderPartlySent: {
    code: "ORDER_INVALID_STATE",
    message: () => "A part of this order was sent",
    details: (e) => ({ status: e.status, reason: "fulfilled" })
  },
  OrderMoneyKept: {
    code: "ORDER_INVALID_STATE",
    message: (e) => `${e.amount} of this order is not refunded`,
    details: (e) => ({ status: e.status, reason: "unrefunded", amount: e.amount })
  },
  RefundNotPossible: {
    code: "BUSINESS_RULE_VIOLATION",
    message: () => "A payment of this order cannot be refunded through this API",
    details: (e) => ({ manualRefundUrl: e.manualRefundUrl })
  }
}
