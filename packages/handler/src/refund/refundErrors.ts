import type {
  RefundByHandOnly,
  RefundExceedsLeft,
  RefundFailed,
  RefundOfNothing,
  RefundOutcomeUnknown,
  RefundShippingExceeded,
  RefundUnitsExceeded
} from "@effect-commerce/core/refund/RefundErrors"
import type {
  CaptureExceedsReserved,
  ChargeAlreadyCaptured,
  ChargeChangeFailed,
  ChargeChangeUnknown,
  NothingReserved
} from "@effect-commerce/core/refund/ChargeChangeErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

export const refundErrors: ErrorRows<
  | RefundExceedsLeft
  | RefundUnitsExceeded
  | RefundShippingExceeded
  | RefundOfNothing
  | RefundByHandOnly
  | RefundFailed
  | RefundOutcomeUnknown
  | NothingReserved
  | ChargeAlreadyCaptured
  | CaptureExceedsReserved
  | ChargeChangeFailed
  | ChargeChangeUnknown
> = {
  NothingReserved: {
    code: "ORDER_INVALID_STATE",
    message: () => "No money is reserved for this order that could be captured or released",
    details: (e) => ({ reason: e.reason, paymentId: e.paymentId })
  },
  ChargeAlreadyCaptured: {
    code: "PAYMENT_ALREADY_CAPTURED",
    message: (e) => (e.isUnderWay ? "A capture of this payment is under way" : "This payment is captured already"),
    details: (e) => ({ paymentId: e.paymentId })
  },
  CaptureExceedsReserved: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => `${e.amount} is more than the ${e.reserved} that is reserved`,
    details: (e) => ({ amount: e.amount, reserved: e.reserved })
  },
  ChargeChangeFailed: {
    code: "PAYMENT_PROCESSING_ERROR",
    message: (e) => `The payment provider did not do the ${e.kind}. Nothing has changed`,
    details: (e) => ({ reason: e.reason })
  },
  ChargeChangeUnknown: {
    code: "PAYMENT_PROCESSING_ERROR",
    message: (e) => `The outcome of the ${e.kind} is not known yet. It will be found out; nothing is done twice`,
    headers: () => ({ "retry-after": "5" })
  },
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
