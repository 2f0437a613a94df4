/**
 * What a refund gives back, of which payments: the order as it is stored, and what was given back before. Pure; amounts
 * in minor units of the order's currency.
 */
import { Effect } from "effect"
import { checkEach, FieldRejected } from "../../kernel/FieldRejected.ts"
import { formatMoney } from "../../kernel/Money.ts"
import type { OrderState } from "../../order/Order.ts"
import {
  RefundExceedsLeft,
  RefundOfNothing,
  type RefundRefused,
  RefundShippingExceeded,
  RefundUnitsExceeded
} from "../RefundErrors.ts"
import type { ReadRefund } from "../RefundInput.ts"
import { shippingPart, unitsAmount } from "./refundAmounts.ts"
import { leftOf, maxRefundable, splitOver, type TenderPart } from "./refundTenders.ts"

export interface RefundedUnits {
  readonly itemId: string
  readonly quantity: number
  readonly amount: bigint
  readonly tax: bigint
  readonly restock: number
}

export interface RefundPlan {
  readonly amount: bigint
  readonly items: ReadonlyArray<RefundedUnits>
  readonly shipping: bigint
  readonly shippingTax: bigint
  readonly maxRefundable: bigint
  readonly tenders: ReadonlyArray<TenderPart>
}

type Refused = RefundRefused | FieldRejected

const unitsOf = (
  order: OrderState,
  { itemId, quantity, restock }: ReadRefund["items"][number],
  at: number
): Effect.Effect<RefundedUnits, Refused> => {
  const item = order.items.find(({ id }) => id === itemId)
  if (item === undefined) return FieldRejected.at(`items.${at}.itemId`, "is no item of this order")
  const before = item.refundedQuantity ?? 0
  const refundable = item.quantity - before
  if (quantity > refundable) return Effect.fail(new RefundUnitsExceeded({ itemId, quantity, refundable }))
  // Units that were not shipped are given back before those that were.
  const open = Math.max(0, item.quantity - item.fulfilledQuantity - before)
  return Effect.succeed({
    itemId,
    quantity,
    ...unitsAmount(order, { itemId, before, units: quantity }),
    restock: restock === undefined ? Math.min(quantity, open) : restock ? quantity : 0
  })
}

const noPayment = (at: number) => FieldRejected.at(`tenderAllocations.${at}.tenderId`, "is no payment of this order")

const checkTenders = ({ payments }: OrderState, { tenders = [] }: ReadRefund): Effect.Effect<void, FieldRejected> => {
  const unknown = tenders.findIndex(({ tenderId }) => payments.every(({ id }) => id !== tenderId))
  return unknown < 0 ? Effect.void : noPayment(unknown)
}

const tendersOf = (
  order: OrderState,
  asked: ReadRefund,
  amount: bigint
): Effect.Effect<RefundPlan["tenders"], Refused> => {
  if (asked.tenders === undefined) return Effect.succeed(splitOver(order, amount))
  const sum = asked.tenders.reduce((total, tender) => total + tender.amount, 0n)
  const money = (minor: bigint) => formatMoney(minor, order.currency)
  if (sum !== amount)
    return FieldRejected.at("tenderAllocations", `come to ${money(sum)}, and the refund to ${money(amount)}`)
  return Effect.forEach(asked.tenders, (tender, i): Effect.Effect<TenderPart, Refused> => {
    const payment = order.payments.find(({ id }) => id === tender.tenderId)
    if (payment === undefined) return noPayment(i)
    const left = leftOf(order, payment)
    return tender.amount > left
      ? Effect.fail(
          new RefundExceedsLeft({
            amount: money(tender.amount),
            maxRefundable: money(left),
            tenderId: payment.id
          })
        )
      : Effect.succeed({ payment, amount: tender.amount })
  })
}

/** Whether nothing of the order is left to give back when this is. */
const isRest = ({ items, shippingAmount }: OrderState, units: RefundPlan["items"], shipping: bigint): boolean =>
  shipping >= shippingAmount &&
  items.every(({ id, quantity, refundedQuantity = 0 }) => {
    const now = units.find(({ itemId }) => itemId === id)?.quantity ?? 0
    return refundedQuantity + now >= quantity
  })

/**
 * Where a provider gives back in another currency, what earlier refunds came to may differ by less than its smallest
 * unit each: the last one takes the remainder.
 */
const restOf = (order: OrderState, amount: bigint, left: bigint): bigint => {
  if (order.presentment === null) return amount
  const { due, amount: presented } = order.presentment
  const unit = due / presented + 1n
  const difference = left > amount ? left - amount : amount - left
  return difference <= unit * BigInt(order.refunds.length) ? left : amount
}

/** `shippingBefore`: what of the order's shipping was given back by earlier refunds. */
export const planRefund = Effect.fnUntraced(function* (order: OrderState, asked: ReadRefund, shippingBefore: bigint) {
  const money = (minor: bigint) => formatMoney(minor, order.currency)
  yield* checkTenders(order, asked)
  const items = yield* checkEach(asked.items, (item, i) => unitsOf(order, item, i))
  if (asked.shipping > order.shippingAmount - shippingBefore)
    return yield* new RefundShippingExceeded({
      shippingAmount: money(asked.shipping),
      refundable: money(order.shippingAmount - shippingBefore)
    })
  const { shipping, tax: shippingTax } = shippingPart(order, shippingBefore, asked.shipping)
  const left = maxRefundable(order)
  const units = items.reduce((sum, item) => sum + item.amount, 0n)
  const stated = asked.amount ?? units + shipping + shippingTax
  const isLast = asked.amount === undefined && isRest(order, items, shippingBefore + shipping)
  const amount = isLast ? restOf(order, stated, left) : stated
  if (amount === 0n) return yield* new RefundOfNothing()
  if (amount > left) return yield* new RefundExceedsLeft({ amount: money(amount), maxRefundable: money(left) })
  const tenders = yield* tendersOf(order, asked, amount)
  const plan: RefundPlan = { amount, items, shipping, shippingTax, maxRefundable: left, tenders }
  return plan
})
