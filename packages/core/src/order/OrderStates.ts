/**
 * The two machines of an order: its status, which people move, and its financial status, which follows money alone and
 * is derived from the ledger of payments.
 */
import type { FinancialStatus, OrderPayment, OrderStatus } from "./Order.ts"

/** Legal moves of `status`; a move that is not named is refused. Nothing moves to PENDING. */
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

/** `to` where that move is legal, else where it is. */
export const movedTo = (from: OrderStatus, to: OrderStatus): OrderStatus => (isLegalMove(from, to) ? to : from)

/** Sums are minor units over all payments of the order. */
export interface OrderLedger {
  readonly total: bigint
  readonly captured: bigint
  readonly refunded: bigint
  readonly states: ReadonlyArray<OrderPayment["status"]>
}

/** A part payment leaves `pending`; a refund shows before every other state. */
export const financialStatusOf = ({ total, captured, refunded, states }: OrderLedger): FinancialStatus => {
  if (refunded > 0n) return refunded >= captured ? "refunded" : "partially_refunded"
  if (captured >= total) return "paid"
  if (states.includes("authorized")) return "authorized"
  return states.length > 0 && states.every((state) => state === "failed" || state === "voided") ? "voided" : "pending"
}
