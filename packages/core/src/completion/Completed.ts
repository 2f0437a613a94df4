/**
 * The response of a completion, on every surface: made from the order that it has placed, or that an earlier completion
 * placed.
 */
import { Effect, Schema } from "effect"
import { listedText, money, string } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { orderStatuses } from "../order/Order.ts"
import type { OrderPlacement } from "../order/OrderPlacement.ts"
import { formatOrderNumber, type OrderView } from "../order/OrderView.ts"

/** `total` is a decimal string on every surface. */
export const Completed = Schema.Struct({
  orderId: string("Id of the order.", "ord_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  orderNumber: string("Number of the order.", "#1001"),
  status: listedText(orderStatuses, "Status of the order: PAID where the payment was captured, else PENDING."),
  message: string("What happened, for people. The wording may change."),
  total: money("What the order costs.", "48.53")
}).annotate({ identifier: "CompletedCheckout", description: "The order that a checkout became." })
export type Completed = typeof Completed.Type

const message = (settled: boolean): string => (settled ? "Order placed and paid" : "Order placed; payment is pending")

export const completedOf = (order: OrderView): Completed => ({
  orderId: order.id,
  orderNumber: order.orderNumber,
  status: order.status,
  message: message(order.financialStatus === "paid"),
  total: order.totalAmount
})

/** The response for a checkout that was completed before. */
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
