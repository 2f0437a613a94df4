/** What a refund would give back, on the wire. */
import { Schema } from "effect"
import { arrayOf, integer, money, string } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { OrderState } from "../order/Order.ts"
import type { RefundPlan } from "./internal/refundPlan.ts"

export const RefundPreview = Schema.Struct({
  amount: money("What would be given back in all.", "10.00"),
  items: arrayOf(
    Schema.Struct({
      itemId: string("Id of the item.", "item_01k9f3m2q7x4b8n6c5d1e0h2jk"),
      quantity: integer("How many units would be given back.", 1),
      amount: money("What they were paid with, tax and their share of surcharges included.", "10.00"),
      tax: money("How much of it is tax.", "0.82"),
      restock: integer("How many of them would go back into stock.", 1)
    }).annotate({ identifier: "RefundPreviewItem", description: "Units of an item that would be given back." }),
    "The units that would be given back; empty for a refund by amount."
  ),
  shipping: money("How much of it is shipping, with tax that was added to that.", "0.00"),
  tax: money("How much of it is tax, as far as it is of items and shipping.", "0.82"),
  maxRefundable: money("The most that can be given back of the order now.", "48.53"),
  tenders: arrayOf(
    Schema.Struct({
      tenderId: string("Id of the payment.", "pay_01k9f3m2q7x4b8n6c5d1e0h2jk"),
      type: string("How it was paid, such as manual, gift_card or stripe.", "manual"),
      amount: money("What it would give back.", "10.00")
    }).annotate({ identifier: "RefundPreviewTender", description: "What one payment would give back." }),
    "The payments that would give it back."
  )
}).annotate({ identifier: "RefundPreview", description: "What a refund would give back. Nothing is written." })
export type RefundPreview = typeof RefundPreview.Type

export const toRefundPreview = ({ currency }: Pick<OrderState, "currency">, plan: RefundPlan): RefundPreview => {
  const text = (minor: bigint) => formatMoney(minor, currency)
  return {
    amount: text(plan.amount),
    items: plan.items.map(({ amount, tax, ...item }) => ({ ...item, amount: text(amount), tax: text(tax) })),
    shipping: text(plan.shipping + plan.shippingTax),
    tax: text(plan.items.reduce((sum, { tax }) => sum + tax, plan.shippingTax)),
    maxRefundable: text(plan.maxRefundable),
    tenders: plan.tenders.map(({ payment, amount }) => ({
      tenderId: payment.id,
      type: payment.method,
      amount: text(amount)
    }))
  }
}
