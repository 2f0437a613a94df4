/** The body that a draft order is stored as: that of an order to enter, with a price for every item. Pure. */
import { formatMoney } from "../../kernel/Money.ts"
import type { EnteredOrder } from "../../orderentry/OrderEntry.ts"
import type { OrderInput } from "../../orderentry/OrderInput.ts"
import type { DraftOrderInput, DraftOrderPatch } from "../DraftOrder.ts"

/** Where a draft without a source came from. */
const madeAsDraft = "draft"

/** The fields that are set. */
const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

/** The order that a draft describes. */
export const bodyOf = ({ salesChannelId: _, items, ...fields }: DraftOrderInput): OrderInput => ({
  sourceName: madeAsDraft,
  ...withoutNulls(fields),
  items
})

/** A patch that names the buyer one way drops the other. */
export const changedBody = (body: OrderInput, patch: DraftOrderPatch): OrderInput => {
  const { salesChannelId: _, items = body.items, ...changes } = patch
  const { customer, customerId, ...rest } = body
  const named = has(patch.customer) !== has(patch.customerId)
  const kept = named ? rest : { ...rest, ...withoutNulls({ customer, customerId }) }
  return { ...withoutNulls({ sourceName: madeAsDraft, ...kept, ...changes }), items }
}

const has = (value: unknown): boolean => value !== null && value !== undefined

/** What was drafted keeps its prices, whatever the catalogue says later. */
export const withPrices = (body: OrderInput, { input: { currency }, lines }: EnteredOrder): OrderInput => ({
  ...body,
  currency,
  items: body.items.map((item, i) => ({ ...item, price: formatMoney(lines[i]?.unitPrice ?? 0n, currency) }))
})
