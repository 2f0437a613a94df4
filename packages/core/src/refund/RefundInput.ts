/** A refund as a body asks for it, and as it is read. */
import { Effect, Schema } from "effect"
import { Amount, amounts } from "../kernel/Amount.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { boolean, clearable, described, optional, text } from "../kernel/Fields.ts"

/** The most items that one refund names, and payments that it is split over. */
const mostItems = 500
const mostTenders = 100

const RefundItemInput = Schema.Struct({
  itemId: described(text(200), "Id of an item of the order.", "item_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  quantity: described(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))),
    "How many units are given back.",
    1
  ),
  restock: Schema.optionalKey(
    boolean("Whether the units go back into stock. By default those do that were not shipped.")
  )
}).annotate({ identifier: "RefundItem", description: "Units of an item that are given back." })

const TenderAllocationInput = Schema.Struct({
  tenderId: described(text(200), "Id of a payment of the order.", "pay_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  amount: described(Amount, "What this payment gives back: a number or a decimal string.", "10.00")
}).annotate({ identifier: "TenderAllocation", description: "What one payment of an order gives back." })

export const RefundInput = Schema.Struct({
  amount: Schema.optionalKey(
    described(Amount, "What is given back, instead of items: a number or a decimal string. Restocks nothing.", "10.00")
  ),
  items: Schema.optionalKey(
    described(
      Schema.Array(RefundItemInput).pipe(Schema.check(Schema.isMaxLength(mostItems))),
      `The units that are given back, of at most ${mostItems} items: each comes to what it was paid with, units ` +
        "without discounts first."
    )
  ),
  shippingAmount: Schema.optionalKey(
    described(
      Amount,
      "What is given back of the order's `shippingAmount`; tax that was added to it goes along.",
      "5.00"
    )
  ),
  currency: optional(text(3), "ISO 4217 currency of the amounts: the order's. Another one is an error.", "USD"),
  reason: clearable(text(500), "Why, for the merchant and the buyer to read.", "Damaged"),
  tenderAllocations: Schema.optionalKey(
    described(
      Schema.Array(TenderAllocationInput).pipe(Schema.check(Schema.isMaxLength(mostTenders))),
      `Which payments give back how much, at most ${mostTenders}: together all of it. By default each does in ` +
        "proportion to what it has captured."
    )
  ),
  notifyCustomer: Schema.optionalKey(boolean("Whether the buyer gets a mail about it. True by default."))
}).annotate({
  identifier: "CreateRefund",
  description: "A refund by `amount`, or by `items`, `shippingAmount` or both."
})
export type RefundInput = typeof RefundInput.Type

export interface ReadRefund {
  /** Minor units; undefined for a refund by items and shipping. */
  readonly amount: bigint | undefined
  readonly items: ReadonlyArray<typeof RefundItemInput.Type>
  readonly shipping: bigint
  readonly reason: string | null
  readonly tenders: ReadonlyArray<{ readonly tenderId: string; readonly amount: bigint }> | undefined
  readonly isBuyerTold: boolean
}

const repeated = (ids: ReadonlyArray<string>): number => ids.findIndex((id, i) => ids.indexOf(id) < i)

const checkForm = ({ amount, items, shippingAmount, tenderAllocations = [] }: RefundInput) => {
  if (amount !== undefined && (items !== undefined || shippingAmount !== undefined))
    return FieldRejected.at("amount", "give an amount, or items and shippingAmount")
  if (amount === undefined && (items ?? []).length === 0 && shippingAmount === undefined)
    return FieldRejected.at("amount", "give an amount, items or a shippingAmount")
  const item = repeated((items ?? []).map(({ itemId }) => itemId))
  if (item >= 0) return FieldRejected.at(`items.${item}.itemId`, "is named twice")
  const tender = repeated(tenderAllocations.map(({ tenderId }) => tenderId))
  return tender < 0 ? Effect.void : FieldRejected.at(`tenderAllocations.${tender}.tenderId`, "is named twice")
}

/** Reads a refund of an order in this currency. */
export const readRefund = Effect.fnUntraced(function* (currency: string, body: RefundInput) {
  yield* checkForm(body)
  if (body.currency !== undefined && body.currency.toUpperCase() !== currency)
    return yield* FieldRejected.at("currency", `this order is in ${currency}`)
  const read = amounts(currency)
  const positive = (field: string, given: number | string | undefined) =>
    Effect.flatMap(read(field, given), (minor) =>
      minor !== undefined && minor <= 0n ? FieldRejected.at(field, "must be more than zero") : Effect.succeed(minor)
    )
  const { amount, shipping, tenders } = yield* checkAll({
    amount: positive("amount", body.amount),
    shipping: Effect.map(positive("shippingAmount", body.shippingAmount), (minor = 0n) => minor),
    tenders:
      body.tenderAllocations === undefined
        ? Effect.undefined
        : checkEach(body.tenderAllocations, (tender, i) =>
            Effect.map(positive(`tenderAllocations.${i}.amount`, tender.amount), (minor = 0n) => ({
              tenderId: tender.tenderId,
              amount: minor
            }))
          )
  })
  const refund: ReadRefund = {
    amount,
    items: body.items ?? [],
    shipping,
    reason: body.reason ?? null,
    tenders,
    isBuyerTold: body.notifyCustomer ?? true
  }
  return refund
})
