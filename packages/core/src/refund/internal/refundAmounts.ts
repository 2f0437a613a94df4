/**
 * What a refund of an order's units and shipping comes to. Everything that the order's total is made of belongs to a
 * line or to shipping: surcharges and a tax that was stated for the whole order are borne by the lines in proportion to
 * what they cost, and tax that was added to shipping goes with shipping. So all units and all shipping come to exactly
 * the total. Pure; minor units of the order's currency.
 */
import { allocate } from "../../kernel/Allocation.ts"
import type { OrderItem, OrderState } from "../../order/Order.ts"
import { manualKinds } from "../../pricing/Adjustment.ts"
import { firstUnitsOf, type PaidLine, runningShare, type UnitsAmount } from "./unitAmounts.ts"

export type RefundableOrder = Pick<
  OrderState,
  "items" | "adjustments" | "totalAmount" | "shippingAmount" | "surchargeAmount"
>

/** What is given back of shipping: as the order states it, and the tax that was added to it. */
export interface ShippingPart {
  readonly shipping: bigint
  readonly tax: bigint
}

const linesTotal = (items: ReadonlyArray<OrderItem>): bigint => items.reduce((sum, { total }) => sum + total, 0n)

/** Tax that was added to the order and is in none of its lines. */
const addedTax = ({ items, totalAmount, shippingAmount, surchargeAmount }: RefundableOrder): bigint =>
  totalAmount - linesTotal(items) - shippingAmount - surchargeAmount

/** A tax that was stated is of the whole order; else it is that of shipping. */
const isOfLines = ({ adjustments, shippingAmount }: RefundableOrder): boolean =>
  shippingAmount === 0n || adjustments.some(({ kind }) => kind === manualKinds.tax)

const paidLines = (order: RefundableOrder): ReadonlyArray<PaidLine> => {
  const { items, surchargeAmount } = order
  const tax = isOfLines(order) ? addedTax(order) : 0n
  const weights = items.map(({ total }) => (total > 0n ? total : 0n))
  const surcharges = allocate(surchargeAmount, weights)
  const taxes = allocate(tax, weights)
  return items.map((item, i) => ({
    item,
    borne: (surcharges[i] ?? 0n) + (taxes[i] ?? 0n),
    borneTax: taxes[i] ?? 0n
  }))
}

/** What `units` of a line come to after `before` of it were given back. */
export const unitsAmount = (
  order: RefundableOrder,
  { itemId, before, units }: { readonly itemId: string; readonly before: number; readonly units: number }
): UnitsAmount => {
  const line = paidLines(order).find(({ item }) => item.id === itemId)
  if (line === undefined) return { amount: 0n, tax: 0n }
  const firstUnits = firstUnitsOf(line, order.adjustments)
  const after = firstUnits(before + units)
  const already = firstUnits(before)
  return { amount: after.amount - already.amount, tax: after.tax - already.tax }
}

/** A part of shipping after `before` of it was given back, with its share of the tax that was added to it. */
export const shippingPart = (order: RefundableOrder, before: bigint, shipping: bigint): ShippingPart => {
  const { shippingAmount } = order
  const tax = isOfLines(order) ? 0n : addedTax(order)
  if (shippingAmount === 0n) return { shipping, tax: 0n }
  return {
    shipping,
    tax: runningShare(tax, before + shipping, shippingAmount) - runningShare(tax, before, shippingAmount)
  }
}
