/**
 * The state machines of an order: its status, which people change; its financial status, which follows money alone and
 * is derived from its payments; and its fulfilment status, which follows from the units of its lines.
 */
import type { FinancialStatus, FulfillmentStatus, OrderItem, OrderPayment, OrderStatus } from "./Order.ts"

/**
 * Allowed changes of `status`; every other is rejected. Nothing changes to PENDING; a further partial refund changes
 * nothing.
 */
const orderMoves: Readonly<Record<OrderStatus, ReadonlyArray<OrderStatus>>> = {
  PENDING: ["PROCESSING", "PAID", "CANCELLED"],
  PAID: ["PROCESSING", "SHIPPED", "DELIVERED", "CANCELLED", "REFUNDED"],
  PROCESSING: ["PAID", "SHIPPED", "DELIVERED", "CANCELLED", "PARTIALLY_REFUNDED", "REFUNDED"],
  SHIPPED: ["DELIVERED", "PARTIALLY_REFUNDED", "REFUNDED"],
  DELIVERED: ["PARTIALLY_REFUNDED", "REFUNDED"],
  PARTIALLY_REFUNDED: ["SHIPPED", "DELIVERED", "PARTIALLY_REFUNDED", "REFUNDED"],
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

type Units = Pick<OrderItem, "quantity" | "fulfilledQuantity" | "refundedQuantity">

/** Units of a line that are still to be sent: a refund takes those that are not sent yet first. */
export const openUnits = ({ quantity, fulfilledQuantity, refundedQuantity }: Units): number =>
  Math.max(0, quantity - fulfilledQuantity - refundedQuantity)

export const fulfillmentStatusOf = (items: ReadonlyArray<Units>): FulfillmentStatus => {
  if (items.every(({ fulfilledQuantity }) => fulfilledQuantity === 0)) return "unfulfilled"
  return items.every((item) => openUnits(item) === 0) ? "fulfilled" : "partial"
}
