/**
 * The two state machines of an order: its status, which people change, and its financial status, which follows money
 * alone and is derived from its payments.
 */
import type { FinancialStatus, OrderPayment, OrderStatus } from "./Order.ts"

/** Allowed changes of `status`; every other is rejected. Nothing changes to PENDING. */
const orderMoves: Readonly<Record<OrderStatus, ReadonlyArray<OrderStatus>>> = {
  PENDING: ["PROCESSING", "PAID", "CANCELLED"],
  PAID: ["PROCESSING", "SHIPPED", "DELIVERED", "CANCELLED", "REFUNDED"],
  PROCESSING: ["PAID", "SHIPPED", "DELIVERED", "CANCELLED", "PARTIALLY_REFUNDED", "REFUNDED"],
  SHIPPED: ["DELIVERED", "PARTIALLY_REFUNDED", "REFUNDED"],
  DELIVERED: ["PARTIALLY_REFUNDED", "REFUNDED"],
  PARTIALLY_REFUNDED: ["SHIPPED", "DELIVERED", "REFUNDED"],
  CANCELLED: [],
  REFUNDED: []
}

export const isLegalMove = (from: OrderStatus, to: OrderStatus): boolean => orderMoves[from].includes(to)

/** `to` if that change is allowed, else the present status. */
export const movedTo = (from: OrderStatus, to: OrderStatus): OrderStatus => (isLegalMove(from, to) ? to : from)

/** Sums are minor units over all payments of the order. */
export interface OrderLedger {
  readonly total: bigint
  readonly captured: bigint
  readonly refunded: bigint
  readonly states: ReadonlyArray<OrderPayment["status"]>
}

/** A partial payment leaves `pending`; a refund takes precedence over every other state. */
export const financialStatusOf = ({ total, captured, refunded, states }: OrderLedger): FinancialStatus => {
  if (refunded > 0n) return refunded >= captured ? "refunded" : "partially_refunded"
  if (captured >= total) return "paid"
  if (states.includes("authorized")) return "authorized"
  return states.length > 0 && states.every((state) => state === "failed" || state === "voided") ? "voided" : "pending"
}
