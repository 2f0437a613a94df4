/**
 * What a completion answers, on every surface: made from the order that it has placed, or that another one placed
 * before.
 */
import { Effect } from "effect"
import { formatMoney } from "../kernel/Money.ts"
import type { OrderPlacement } from "../order/OrderPlacement.ts"
import { formatOrderNumber, type OrderView } from "../order/OrderView.ts"

/** `total` is a decimal string, the same on every surface. */
export interface Completed {
  readonly orderId: string
  readonly orderNumber: string
  readonly status: string
  readonly message: string
  readonly total: string
}

const message = (settled: boolean): string => (settled ? "Order placed and paid" : "Order placed; payment is pending")

export const completedOf = (order: OrderView): Completed => ({
  orderId: order.id,
  orderNumber: order.orderNumber,
  status: order.status,
  message: message(order.financialStatus === "paid"),
  total: order.totalAmount
})

/** What a completed checkout has become. */
export const placedBefore = (
  { findByCheckout }: Pick<OrderPlacement["Service"], "findByCheckout">,
  storeId: string,
  checkoutId: string
): Effect.Effect<Completed> =>
  Effect.flatMap(findByCheckout(storeId, checkoutId), (order) =>
    order === undefined
      ? Effect.die(new Error(`Checkout ${checkoutId} is COMPLETED and has no order`))
      : Effect.succeed({
          orderId: order.id,
          orderNumber: formatOrderNumber(order.orderNumber),
          status: order.status,
          message: message(order.financialStatus === "paid"),
          total: formatMoney(order.totalAmount, order.currency)
        })
  )
