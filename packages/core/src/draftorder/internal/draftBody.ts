/** The body that a draft order is stored as: that of an order to enter, with a price for every item. Pure. */
import { Effect } from "effect"
import { checkEach, FieldRejected } from "../../kernel/FieldRejected.ts"
import { formatMoney, parseAmount } from "../../kernel/Money.ts"
import type { NewOrder } from "../../order/Order.ts"
import type { EnteredOrder } from "../../orderentry/OrderEntry.ts"
import type { OrderInput } from "../../orderentry/OrderInput.ts"
import type { DraftOrderInput, DraftOrderPatch, DraftOrderState } from "../DraftOrder.ts"

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

type ChangedItem = NonNullable<DraftOrderPatch["items"]>[number]

const itemOf = ({ id: _, productId, price, name, ...item }: ChangedItem): OrderInput["items"][number] => ({
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

/**
 * A patch without what it only repeats. An item that is named by its id has the price that it was drafted with. In a
 * draft that was read and is sent back, which its items' ids tell, an amount as the draft shows it stays worked out if
 * it was; in any other patch it is stated.
 */
export const changesOf = ({ priced, currency }: DraftOrderState, patch: DraftOrderPatch): DraftOrderPatch => {
  const { discountAmount, shippingAmount, taxAmount, items, ...rest } = patch
  const isSentBack = items?.some(({ id }) => id !== undefined) === true
  const isShown = (given: number | string | null | undefined, shown: bigint) =>
    given === undefined || (isSentBack && has(given) && parseAmount(given, currency) === shown)
  return {
    ...rest,
    ...(isShown(discountAmount, priced.discountAmount) ? {} : { discountAmount }),
    ...(isShown(shippingAmount, priced.shippingAmount) ? {} : { shippingAmount }),
    ...(isShown(taxAmount, priced.taxAmount) ? {} : { taxAmount }),
    ...(items === undefined ? {} : { items: items.map((item) => asDrafted(priced.items, item, currency)) })
  } as DraftOrderPatch
}

const asDrafted = (drafted: NewOrder["items"], item: ChangedItem, currency: string) => {
  const kept = drafted.find(
    ({ id, productId, variantId }) =>
      id === item.id && productId === (item.productId ?? null) && variantId === (item.variantId ?? null)
  )
  const isPriced = kept === undefined || has(item.price) || (item.modifiers ?? []).length > 0
  return isPriced ? item : { ...item, price: formatMoney(kept.unitPrice, currency) }
}

/** Items that are named by their ids are the draft's. */
export const checkItemIds = ({ priced }: DraftOrderState, { items = [] }: DraftOrderPatch) =>
  checkEach(items, ({ id }, i) =>
    id === undefined || priced.items.some((item) => item.id === id)
      ? Effect.void
      : FieldRejected.at(`items.${i}.id`, "is not an item of this draft")
  )

/** The ids of the draft's items after a patch: those that stay keep theirs. */
export const itemIdsOf = (
  { priced }: DraftOrderState,
  { items }: DraftOrderPatch
): ReadonlyArray<string | undefined> => {
  const known = priced.items.map(({ id }) => id)
  const ids = items?.map(({ id }) => id) ?? known
  return ids.map((id, i) => (id !== undefined && known.includes(id) && ids.indexOf(id) === i ? id : undefined))
}

/** What was drafted keeps its prices, whatever the catalogue says later. */
export const withPrices = (body: OrderInput, { input: { currency }, lines }: EnteredOrder): OrderInput => ({
  ...body,
  currency,
  items: body.items.map((item, i) => ({ ...item, price: formatMoney(lines[i]?.unitPrice ?? 0n, currency) }))
})
