/** The body that a draft order is stored as: that of an order to enter, with a price for every item. Pure. */
import { formatMoney } from "../../kernel/Money.ts"
import type { EnteredOrder } from "../../orderentry/OrderEntry.ts"
import type { OrderInput } from "../../orderentry/OrderInput.ts"
import type { DraftOrderInput, DraftOrderPatch } from "../DraftOrder.ts"

/** Where a draft without a source came from. */
const madeAsDraft = "draft"

/** The fields that are set, also those of the buyer. */
const withoutNulls = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (!has(value)) return []
      return [[name, name === "customer" ? withoutNulls(value) : value]]
    })
  )

/** The order that a draft describes. */
export const bodyOf = ({ salesChannelId: _, items, ...fields }: DraftOrderInput): OrderInput => ({
  sourceName: madeAsDraft,
  ...withoutNulls(fields),
  items: items.map(itemOf)
})

const itemOf = ({
  productId,
  price,
  name,
  ...item
}: DraftOrderInput["items"][number]): OrderInput["items"][number] => ({
  ...item,
  ...(has(productId) ? { productId } : {}),
  ...(has(price) ? { price } : {}),
  ...(has(name) ? { name } : {})
})

/**
 * A patch that names the buyer one way drops the other. Where it names both, as a draft that was read does, the
 * customer of the store counts.
 */
export const changedBody = (body: OrderInput, patch: DraftOrderPatch): OrderInput => {
  const { salesChannelId: _, items = body.items, ...given } = patch
  const changes = has(given.customerId) ? { ...given, customer: null } : given
  const { customer, customerId, ...rest } = body
  const named = has(patch.customer) !== has(patch.customerId)
  const kept = named ? rest : { ...rest, ...withoutNulls({ customer, customerId }) }
  return { ...withoutNulls({ sourceName: madeAsDraft, ...kept, ...changes }), items: items.map(itemOf) }
}

const has = <A>(value: A | null | undefined): value is A => value !== null && value !== undefined

/** What was drafted keeps its prices, whatever the catalogue says later. */
export const withPrices = (body: OrderInput, { input: { currency }, lines }: EnteredOrder): OrderInput => ({
  ...body,
  currency,
  items: body.items.map((item, i) => ({ ...item, price: formatMoney(lines[i]?.unitPrice ?? 0n, currency) }))
})
