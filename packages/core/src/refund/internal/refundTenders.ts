/**
 * Which payments give back how much of a refund, and what the provider of an order in another currency is asked for.
 * Pure; minor units of the order's currency where nothing else is said.
 */
import { bookedReturn, type OrderPresentment } from "../../fx/OrderPresentment.ts"
import { allocate } from "../../kernel/Allocation.ts"
import { greatest, least } from "../../kernel/Money.ts"
import { divideRounded } from "../../kernel/Rounding.ts"
import type { OrderPayment, OrderRefund, OrderState } from "../../order/Order.ts"

type Refunded = Pick<OrderState, "payments" | "refunds">

const isCounted = ({ status }: Pick<OrderRefund, "status">): boolean => status !== "failed"

/** What of a payment was given back, with what is under way. */
const givenOf = ({ refunds }: Pick<OrderState, "refunds">, { id }: Pick<OrderPayment, "id">): bigint =>
  refunds.reduce((sum, row) => (row.paymentId === id && isCounted(row) ? sum + row.amount : sum), 0n)

/** What is left to give back of a payment. */
export const leftOf = (order: Refunded, payment: OrderPayment): bigint =>
  greatest(0n, payment.captured + payment.surplus - givenOf(order, payment))

/** What is left to give back of an order. */
export const maxRefundable = (order: Refunded): bigint =>
  order.payments.reduce((sum, payment) => sum + leftOf(order, payment), 0n)

/** What one payment gives back. */
export interface TenderPart {
  readonly payment: OrderPayment
  readonly amount: bigint
}

/** In proportion to what each payment has captured, and no more than is left of it. */
export const splitOver = (order: Refunded, amount: bigint): ReadonlyArray<TenderPart> => {
  const parts = allocate(
    amount,
    order.payments.map(({ captured }) => captured),
    order.payments.map((payment) => leftOf(order, payment))
  )
  return order.payments.flatMap((payment, i) => {
    const part = parts[i] ?? 0n
    return part > 0n ? [{ payment, amount: part }] : []
  })
}

/** What the provider is asked for, in the charge's currency, and what that is in the order's. */
export interface AskedRefund {
  readonly asked: bigint
  readonly amount: bigint
}

/**
 * At the rate of the order's own snapshot: the sum of what was asked for follows the sum of what was given back, and
 * the last refund takes all that is left there.
 */
export const askedOf = (order: Refunded, presentment: OrderPresentment, part: TenderPart): AskedRefund => {
  const { payment, amount } = part
  const underWay = order.refunds.reduce(
    (sum, row) => (row.paymentId === payment.id && row.status === "pending" ? sum + (row.asked ?? 0n) : sum),
    0n
  )
  const gone = presentment.refunded + underWay
  const left = greatest(0n, presentment.captured - gone)
  if (amount >= leftOf(order, payment)) return { asked: left, amount }
  const target = divideRounded((givenOf(order, payment) + amount) * presentment.amount, presentment.due, "half_up")
  const asked = greatest(0n, least(target - gone, left - 1n))
  const { captured } = presentment
  return {
    asked,
    amount: bookedReturn(presentment, captured, gone + asked) - bookedReturn(presentment, captured, gone)
  }
}
