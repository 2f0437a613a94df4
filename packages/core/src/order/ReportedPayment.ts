/** The payment of an order that is placed once a provider has said what became of it. Pure. */
import { booked } from "../fx/OrderPresentment.ts"
import type { NewOrder } from "./Order.ts"
import { financialStatusOf } from "./OrderStates.ts"
import { placedBy, statusChange } from "./StatusHistory.ts"

/**
 * What a provider has reported about an order's money when the order is placed. Minor units; `captured` is all that it
 * has captured, also beyond what was due.
 */
export interface ProviderPayment {
  readonly provider: string
  readonly externalId: string
  readonly state: "captured" | "authorized" | "pending"
  readonly captured: bigint
  /** When what is reserved lapses; null where nothing is, or the provider does not say. */
  readonly expiresAt: Date | null
  /** Where the merchant refunds it by hand; null where this service can do it. */
  readonly manualRefundUrl: string | null
}

/** The draft with the payment that the provider has reported, and the time at which it is placed. */
export const withPayment = (draft: NewOrder, payment: ProviderPayment, now: number): NewOrder => {
  const at = new Date(now)
  const due = draft.totalAmount - draft.capturedAmount
  const { presentment } = draft
  const taken = presentment === null ? payment.captured : booked(presentment, payment.captured)
  const ours = taken < due ? taken : due
  const captured = draft.capturedAmount + ours
  const status = captured >= draft.totalAmount ? "PAID" : "PENDING"
  return {
    ...draft,
    status,
    financialStatus: financialStatusOf({
      total: draft.totalAmount,
      captured,
      refunded: 0n,
      states: [payment.state]
    }),
    capturedAmount: captured,
    presentment: presentment === null ? null : { ...presentment, captured: payment.captured },
    statusHistory: [statusChange(null, status, { reason: null, actor: placedBy(draft), now })],
    createdAt: at,
    updatedAt: at,
    payments: draft.payments.map((row) =>
      row.status === "captured"
        ? row
        : {
            ...row,
            provider: payment.provider,
            method: payment.provider,
            reference: payment.externalId,
            status: payment.state,
            captured: ours,
            surplus: taken - ours,
            expiresAt: ours < due ? (payment.expiresAt?.toISOString() ?? null) : null,
            manualRefundUrl: payment.manualRefundUrl,
            paidAt: ours > 0n ? at.toISOString() : null
          }
    )
  }
}
