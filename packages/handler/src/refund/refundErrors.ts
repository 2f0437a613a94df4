import type {
  RefundByHandOnly,
  RefundExceedsLeft,
  RefundFailed,
  RefundOfNothing,
  RefundOutcomeUnknown,
  RefundShippingExceeded,
  RefundUnitsExceeded
} from "@effect-commerce/core/refund/RefundErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

export const refundErrors: ErrorRows<
  | RefundExceedsLeft
  | RefundUnitsExceeded
  | RefundShippingExceeded
  | RefundOfNothing
  | RefundByHandOnly
  | RefundFailed
  | RefundOutcomeUnknown
> = {
  RefundExceedsLeft: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => `${e.amount} is more than the ${e.maxRefundable} that can be refunded`,
    details: ({ amount, maxRefundable, tenderId }) => ({
      amount,
      maxRefundable,
      ...(tenderId === undefined ? {} : { tenderId })
    })
  },
  RefundUnitsExceeded: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => `${e.quantity} units are more than the ${e.refundable} of this item that can be refunded`,
    details: (e) => ({ itemId: e.itemId, quantity: e.quantity, refundable: e.refundable })
  },
  RefundShippingExceeded: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => `${e.shippingAmount} is more than the ${e.refundable} of shipping that can be refunded`,
    details: (e) => ({ shippingAmount: e.shippingAmount, refundable: e.refundable })
  },
  RefundOfNothing: { code: "BUSINESS_RULE_VIOLATION", message: () => "This refund comes to nothing" },
  RefundByHandOnly: {
    code: "BUSINESS_RULE_VIOLATION",
    message: () => "This payment cannot be refunded here: refund it at its provider",
    details: (e) => ({ tenderId: e.tenderId, manualRefundUrl: e.manualRefundUrl })
  },
  RefundFailed: {
    code: "REFUND_PROCESSING_ERROR",
    message: () => "The payment provider could not refund it. Nothing was given back",
    details: (e) => ({ refundId: e.refundId, reason: e.reason })
  },
  RefundOutcomeUnknown: {
    code: "REFUND_PROCESSING_ERROR",
    message: () => "How the refund stands is not known yet. It will be found out; nothing is refunded twice",
    details: (e) => ({ refundId: e.refundId }),
    headers: () => ({ "retry-after": "5" })
  }
}
