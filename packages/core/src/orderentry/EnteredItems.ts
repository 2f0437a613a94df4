/** Items of an entered order as lines to be sold, and why an item cannot be one. Pure. */
import { Effect } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { chosenOf, modifierErrors, ModifiersInvalid } from "../modifier/LineModifiers.ts"
import { OrderProductUnknown } from "../order/OrderErrors.ts"
import type { PlacedLine } from "../order/OrderPlacement.ts"
import { chooseVariant, type Sellable, unitPriceAt } from "../pricing/Sellable.ts"
import type { ReadOrder } from "./ReadOrder.ts"

export type ReadOrderItem = ReadOrder["items"][number]

/**
 * Why a product cannot be sold as requested: it is sold by its variants, or it is a kit without all of its components.
 */
const wholeRefusal = ({ type, variantId, kit }: Sellable): [field: string, reason: string] | undefined => {
  if (kit?.some((part) => !part.isThere) === true) return ["productId", "a component of this kit is not there any more"]
  return type === "VARIABLE" && variantId === null ? ["variantId", chooseVariant] : undefined
}

/** Why an item cannot be a line: an unknown product, a VARIABLE one without its variant, or no price. */
export const refusalOf = (
  item: ReadOrderItem,
  at: number,
  sellable: Sellable | null,
  currency: { readonly order: string; readonly catalogue: string }
): OrderProductUnknown | FieldRejected | undefined => {
  const refuse = (field: string, reason: string) => FieldRejected.at(`items.${at}.${field}`, reason)
  if (
    item.productId !== undefined &&
    (sellable === null || sellable.deleted || sellable.variantId !== (item.variantId ?? null))
  ) {
    return new OrderProductUnknown({ productId: item.productId })
  }
  if (item.productId === undefined && item.variantId !== undefined)
    return refuse("variantId", "goes with the productId of its product")
  if (sellable === null) {
    return item.name === undefined || item.price === undefined
      ? refuse("productId", "an item without a product needs a name and a price")
      : undefined
  }
  const whole = wholeRefusal(sellable)
  if (whole !== undefined) return refuse(...whole)
  return item.price === undefined && currency.order !== currency.catalogue
    ? refuse("price", `prices of the catalogue are in ${currency.catalogue}`)
    : undefined
}

/** Modifiers in the request must fit; without any, the product is sold without modifiers. */
export const checkModifiers = (
  { modifiers = [] }: ReadOrderItem,
  at: number,
  sellable: Sellable | null
): Effect.Effect<void, ModifiersInvalid | FieldRejected> => {
  if (modifiers.length === 0) return Effect.void
  if (sellable === null) return FieldRejected.at(`items.${at}.modifiers`, "go with the productId of their product")
  const errors = sellable.modifiers === null ? [] : modifierErrors(sellable.modifiers)
  return errors.length === 0 ? Effect.void : Effect.fail(new ModifiersInvalid({ errors }))
}

export const toLine = (item: ReadOrderItem, sellable: Sellable | null, now: number): PlacedLine => ({
  id: makeId("item", now),
  productId: item.productId ?? null,
  variantId: item.variantId ?? null,
  quantity: item.quantity,
  unitPrice: item.price ?? (sellable === null ? 0n : unitPriceAt(sellable, now)),
  name: item.name ?? null,
  metadata: {},
  customizations: {},
  modifiers: chosenOf(item.modifiers ?? []),
  sellable
})
