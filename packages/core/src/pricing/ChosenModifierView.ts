/** A chosen modifier, as items of carts, checkouts and orders show it, and as orders store it. */
import { Schema } from "effect"
import { integer, nullableMoney, nullableString, string } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { type PricedModifier, pricedModifiers } from "../modifier/LineModifiers.ts"
import type { Sellable } from "./Sellable.ts"

export const ChosenModifierView = Schema.Struct({
  modifierGroupId: string("The group it was chosen from."),
  modifierId: string("The chosen modifier."),
  quantity: integer("How many of it for each unit of the product.", 1),
  groupName: nullableString("Name of the group; null where the product does not have it any more.", "Toppings"),
  name: nullableString("Name of the modifier; null where it cannot be chosen any more.", "Olives"),
  sku: nullableString("Stock keeping unit of the modifier."),
  priceDelta: nullableMoney("What one of it costs; null where that is not known.", "1.00"),
  freeQuantity: integer("How many of `quantity` cost nothing.", 0),
  amount: nullableMoney("What it adds to the price of one unit of the product; null where that is not known.", "1.00")
}).annotate({
  identifier: "ChosenModifier",
  description: "A modifier that a shopper chose for a line, with its price."
})
export type ChosenModifierView = typeof ChosenModifierView.Type

/** The modifiers of a line of a cart or a checkout, at today's prices. */
export const chosenModifierViews = ({ modifiers }: Sellable, currency: string): ReadonlyArray<ChosenModifierView> => {
  if (modifiers === null) return []
  const money = (minor: bigint | null) => (minor === null ? null : formatMoney(minor, currency))
  return pricedModifiers(modifiers).map((modifier) => ({
    ...modifier,
    priceDelta: money(modifier.priceDelta),
    amount: money(modifier.amount)
  }))
}

/** As an order stores it: minor units are text. */
export const recordedModifier = (modifier: PricedModifier) => ({
  ...modifier,
  priceDelta: modifier.priceDelta === null ? null : String(modifier.priceDelta),
  amount: modifier.amount === null ? null : String(modifier.amount)
})

/** A modifier of an order. What is stored in another shape is returned unchanged. */
export const recordedModifierView = (stored: unknown, currency: string): unknown => {
  if (typeof stored !== "object" || stored === null) return stored
  const { priceDelta, amount } = stored as { readonly priceDelta?: unknown; readonly amount?: unknown }
  const money = (minor: unknown) => (typeof minor === "string" ? formatMoney(BigInt(minor), currency) : null)
  return priceDelta === undefined && amount === undefined
    ? stored
    : { ...stored, priceDelta: money(priceDelta), amount: money(amount) }
}
