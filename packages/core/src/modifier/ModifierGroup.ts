/**
 * Modifier groups: what a shopper can add to a product, such as toppings or a gift wrap. A group belongs to the store
 * and is attached to products (`AttachedModifierGroup`).
 */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  clearable,
  Decimal,
  described,
  int4,
  integer,
  listedText,
  money,
  nullableFileUrl,
  nullableInteger,
  nullableString,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { translations, translationsView } from "../kernel/Translations.ts"
import { fileAddress } from "../kernel/FileAddress.ts"
import { freeAllocationPolicies, type ModifierGroupFields, selectionTypes, modifierStatuses } from "./ModifierFields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const modifierGroupBound: StoreBound = { field: "modifierGroups", most: 500, words: "modifier groups" }

export const maxModifiers = 100
/** The most selections that a group may require, allow or give for free. */
export const maxSelections = 1_000
/**
 * The largest size of a group with all its modifiers, in bytes of JSON: every response with a product that has the
 * group includes it.
 */
export const maxGroupBytes = 65_536

export interface ModifierGroupState extends ModifierGroupFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const count = (minimum: number) => Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum: maxSelections })))
const name = text(200)

/** One sentence for each rule of a group, for bodies and responses alike. */
export const groupSentences = {
  minSelections:
    "How many must be chosen at least. Where the group is not required, choosing nothing is fine too. Two units of " +
    "one modifier are two selections.",
  maxSelections: "How many can be chosen at most; null is any number. A SINGLE group has 1.",
  required: "Whether something must be chosen.",
  freeQuantity: "How many of the chosen ones cost nothing, for each unit of the product.",
  freeAllocationPolicy:
    "Which of the chosen ones are the free ones: the cheapest or the most expensive. Only what would add to the " +
    "price is counted."
} as const

const modifierFields = {
  description: clearable(text(2_000), "Text for the shopper."),
  translations: optional(translations(), "Translated texts by language code, each with `name` and `description`."),
  priceDelta: optional(
    Decimal,
    "What it adds to the price of one unit: a number or a decimal string, below zero for what makes it cheaper. No " +
      "unit becomes cheaper than 0. 0 by default.",
    "2.50"
  ),
  sku: clearable(text(100), "Stock keeping unit, kept on orders.", "WRAP"),
  image: clearable(fileAddress, "Address of its picture."),
  position: optional(int4, "Its place in the group, ascending. By default the order of the list."),
  isDefault: optional(Schema.Boolean, "Whether it is chosen until the shopper chooses otherwise. False by default."),
  available: optional(Schema.Boolean, "Whether it can be chosen now. True by default."),
  referencedProductId: clearable(
    text(200),
    "A product of the store that the modifier represents, for information only: the modifier has its own price and " +
      "takes no stock."
  ),
  status: optional(Schema.Literals(modifierStatuses), "`draft` ones are hidden from storefronts. `active` by default.")
}

const ModifierInput = Schema.Struct({
  name: described(name, "Name to show.", "Gift wrap"),
  ...modifierFields
}).annotate({ identifier: "CreateModifier", description: "A modifier to create." })
export type ModifierInput = typeof ModifierInput.Type

/** With `id` it is changed, or removed by `_delete`; without `id` it is new. */
export const ModifierChange = Schema.Struct({
  id: optional(Schema.String, "The modifier to change. Without it the modifier is new and needs a `name`."),
  _delete: optional(Schema.Boolean, "True deletes the modifier that `id` names."),
  name: optional(name, "Name to show.", "Gift wrap"),
  ...modifierFields
}).annotate({
  identifier: "ModifierChange",
  description: "A modifier to create, change or delete with its group."
})
export type ModifierChange = typeof ModifierChange.Type

const groupFields = {
  internalName: clearable(text(200), "Name for the merchant only.", "Wrapping, spring"),
  description: clearable(text(2_000), "Text for the shopper."),
  translations: optional(translations(), "Translated texts by language code, each with `name` and `description`."),
  minSelections: optional(count(0), `${groupSentences.minSelections} 0 by default.`, 0),
  maxSelections: clearable(count(1), groupSentences.maxSelections, 1),
  required: optional(Schema.Boolean, `${groupSentences.required} False by default.`),
  freeQuantity: optional(count(0), `${groupSentences.freeQuantity} 0 by default.`, 0),
  freeAllocationPolicy: optional(
    Schema.Literals(freeAllocationPolicies),
    `${groupSentences.freeAllocationPolicy} CHEAPEST_FREE by default.`
  ),
  status: optional(
    Schema.Literals(modifierStatuses),
    "`draft` groups are hidden from storefronts. `active` by default."
  )
}
const selectionType = described(Schema.Literals(selectionTypes), "Whether one modifier or several can be chosen.")

export const ModifierGroupInput = Schema.Struct({
  name: described(name, "Name to show.", "Wrapping"),
  selectionType,
  ...groupFields,
  modifiers: optional(
    Schema.Array(ModifierInput).pipe(Schema.check(Schema.isMaxLength(maxModifiers))),
    `What can be chosen: at most ${maxModifiers} modifiers.`
  )
}).annotate({ identifier: "CreateModifierGroup", description: "A modifier group to create." })
export type ModifierGroupInput = typeof ModifierGroupInput.Type

export const ModifierGroupPatch = Schema.Struct({
  name: optional(name, "Name to show.", "Wrapping"),
  selectionType: Schema.optionalKey(selectionType),
  ...groupFields,
  modifiers: optional(
    Schema.Array(ModifierChange).pipe(Schema.check(Schema.isMaxLength(maxModifiers))),
    "Modifiers to create, change or delete. Modifiers that are not named stay as they are."
  )
}).annotate({
  identifier: "UpdateModifierGroup",
  description: "Changes of a modifier group. What is left out stays as it is; null clears."
})
export type ModifierGroupPatch = typeof ModifierGroupPatch.Type

export const ModifierView = Schema.Struct({
  id: string("Id of the modifier: the `modifierId` of a cart item."),
  name: string("Name of the modifier.", "Gift wrap"),
  description: nullableString("Text for the shopper."),
  translations: translationsView("Translated texts by language code."),
  priceDelta: money("What it adds to the price of one unit, where it is not one of the free ones.", "2.50"),
  sku: nullableString("Stock keeping unit."),
  image: nullableFileUrl("Address of its picture."),
  position: integer("Its place in the group, ascending.", 0),
  isDefault: boolean("Whether it is chosen by default."),
  available: boolean("Whether it can be chosen now."),
  referencedProductId: nullableString("The product that the modifier represents; null without one."),
  status: listedText(modifierStatuses, "Whether it can be chosen: `draft` ones are hidden from storefronts.")
}).annotate({ identifier: "Modifier", description: "Something a shopper can add to a product." })

/** On the wire, for admin keys. */
export const ModifierGroup = Schema.Struct({
  id: string("Id of the modifier group."),
  accountId: string("The account that owns the store."),
  storeId: string("The store that the group belongs to."),
  name: string("Name to show.", "Wrapping"),
  internalName: nullableString("Name for the merchant only.", "Wrapping, spring"),
  description: nullableString("Text for the shopper."),
  translations: translationsView("Translated texts by language code, each with `name` and `description`."),
  selectionType: oneOf(selectionTypes, "Whether one modifier or several can be chosen."),
  minSelections: integer(groupSentences.minSelections, 0),
  maxSelections: nullableInteger(groupSentences.maxSelections, 1),
  required: boolean(groupSentences.required),
  freeQuantity: integer(groupSentences.freeQuantity, 0),
  freeAllocationPolicy: oneOf(freeAllocationPolicies, groupSentences.freeAllocationPolicy),
  status: oneOf(modifierStatuses, "`draft` groups are hidden from storefronts."),
  modifiers: arrayOf(ModifierView, "What can be chosen, in the order of their positions."),
  createdAt: timestamp("When the group was created."),
  updatedAt: timestamp("When it or one of its modifiers last changed. It is the version that If-Match names.")
}).annotate({ identifier: "AdminModifierGroup", description: "A modifier group, as the merchant sees it." })
export type ModifierGroup = typeof ModifierGroup.Type
