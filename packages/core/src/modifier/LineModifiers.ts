/**
 * What a shopper adds to a product of a line: which choices fit the modifier groups that the product has, and what they
 * add to the price of one unit. Pure; `Sellable` reads it with the product.
 */
import { Schema } from "effect"
import type { FreeAllocationPolicy } from "./ModifierFields.ts"
import { described, optional, text } from "../kernel/Fields.ts"
import { MAX_MINOR } from "../kernel/Money.ts"
import { freeUnits } from "./internal/freeUnits.ts"

/** Units of one modifier for each unit of the product. */
const maxModifierQuantity = 100
/** Choices of one line. */
const maxChosenModifiers = 50

/** A fraction is rejected like any other wrong quantity, with MODIFIER_QUANTITY_INVALID: the body is not malformed. */
const ChoiceQuantity = Schema.Finite.annotate({ toJsonSchema: () => [{ type: "integer" }, true] } as never)

export const ModifierChoice = Schema.Struct({
  modifierGroupId: described(text(200), "The group it is chosen from."),
  modifierId: described(text(200), "The chosen modifier."),
  quantity: optional(ChoiceQuantity, `How many of it for each unit: 1, the default, to ${maxModifierQuantity}.`, 1)
}).annotate({ identifier: "ModifierChoice", description: "A modifier to add to a product." })
export type ModifierChoice = typeof ModifierChoice.Type

/** The modifiers of a line in a body. */
export const modifierChoices = (description: string) =>
  optional(Schema.Array(ModifierChoice).pipe(Schema.check(Schema.isMaxLength(maxChosenModifiers))), description)

export interface ChosenModifier {
  readonly modifierGroupId: string
  readonly modifierId: string
  /** For each unit of the product. */
  readonly quantity: number
}

/** A group as it holds for one product or variant: the product's overrides are applied. */
export interface OfferedGroup {
  readonly id: string
  readonly name: string
  readonly selectionType: "SINGLE" | "MULTIPLE"
  readonly minSelections: number
  readonly maxSelections: number | null
  readonly required: boolean
  readonly freeQuantity: number
  readonly freeAllocationPolicy: FreeAllocationPolicy
  /** The chosen modifiers or, if no choice was made, those that are chosen by default. In their order. */
  readonly modifiers: ReadonlyArray<OfferedModifier>
}

export interface OfferedModifier {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  /** Minor units as text. */
  readonly priceDelta: string
  readonly isAvailable: boolean
}

export interface LineModifiers {
  /** Null: no choice was made, and the defaults apply. */
  readonly chosen: ReadonlyArray<ChosenModifier> | null
  /** Every active group that the product has. */
  readonly groups: ReadonlyArray<OfferedGroup>
}

/** One choice with its price, as it is shown and as orders keep it. */
export interface PricedModifier extends ChosenModifier {
  /** The names are null if the store no longer has the modifier. */
  readonly groupName: string | null
  readonly name: string | null
  readonly sku: string | null
  /** The price of one unit in minor units; null if it is not known. */
  readonly priceDelta: bigint | null
  /** How many of `quantity` cost nothing. */
  readonly freeQuantity: number
  /** Minor units that it adds to the price of one unit of the product; null where it is not known. */
  readonly amount: bigint | null
}

export const modifierErrorCodes = [
  "MODIFIER_GROUP_UNKNOWN",
  "MODIFIER_UNKNOWN",
  "MODIFIER_UNAVAILABLE",
  "MODIFIER_REQUIRED",
  "MODIFIER_MIN_SELECTIONS",
  "MODIFIER_MAX_SELECTIONS",
  "MODIFIER_DUPLICATE",
  "MODIFIER_QUANTITY_INVALID"
] as const

export const ModifierError = Schema.Struct({
  code: Schema.Literals(modifierErrorCodes),
  message: Schema.String,
  modifierGroupId: Schema.NullOr(Schema.String),
  /** Null if the error is about the group as a whole. */
  modifierId: Schema.NullOr(Schema.String),
  /** The line, if several lines are checked together. */
  itemId: Schema.optionalKey(Schema.String)
})
export type ModifierError = typeof ModifierError.Type

/** The modifiers of a line do not fit the groups of its product, or no longer do. `errors` lists every problem. */
export class ModifiersInvalid extends Schema.TaggedError<ModifiersInvalid>()("ModifiersInvalid", {
  errors: Schema.Array(ModifierError)
}) {}

/** The choices with their quantities, as the caller lists them. */
export const chosenOf = (choices: ReadonlyArray<ModifierChoice>): ReadonlyArray<ChosenModifier> =>
  choices.map(({ modifierGroupId, modifierId, quantity = 1 }) => ({ modifierGroupId, modifierId, quantity }))

/** The choices as lines store them, whatever the order of the caller, so that equal choices are stored equal. */
export const inStoredOrder = (chosen: ReadonlyArray<ChosenModifier>): ReadonlyArray<ChosenModifier> =>
  chosen.toSorted((a, b) => compare(a.modifierGroupId, b.modifierGroupId) || compare(a.modifierId, b.modifierId))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const mostOf = ({ selectionType, maxSelections }: OfferedGroup): number =>
  selectionType === "SINGLE" ? 1 : (maxSelections ?? Infinity)

/**
 * Applies default modifiers if none were chosen: from each group those that are available now, as many as it allows.
 */
export const withDefaults = (modifiers: LineModifiers): LineModifiers => {
  if (modifiers.chosen !== null) return modifiers
  const choices = modifiers.groups.flatMap((group) =>
    group.modifiers
      .filter(({ isAvailable }) => isAvailable)
      .slice(0, mostOf(group))
      .map(({ id }) => ({ modifierGroupId: group.id, modifierId: id }))
  )
  return { ...modifiers, chosen: chosenOf(choices) }
}

const isQuantity = (quantity: number): boolean =>
  Number.isInteger(quantity) && quantity >= 1 && quantity <= maxModifierQuantity

type Problem = Pick<ModifierError, "code" | "message">

/** What is wrong with one choice by itself. */
const choiceProblem = (choice: ChosenModifier, group: OfferedGroup | undefined): Problem | undefined => {
  if (group === undefined) return { code: "MODIFIER_GROUP_UNKNOWN", message: "This product has no such modifier group" }
  const modifier = group.modifiers.find(({ id }) => id === choice.modifierId)
  if (modifier === undefined) return { code: "MODIFIER_UNKNOWN", message: `${group.name} has no such modifier` }
  if (!isQuantity(choice.quantity))
    return { code: "MODIFIER_QUANTITY_INVALID", message: `The quantity must be from 1 to ${maxModifierQuantity}` }
  return modifier.isAvailable
    ? undefined
    : { code: "MODIFIER_UNAVAILABLE", message: `${modifier.name} cannot be chosen now` }
}

/** The problem of selecting `units` units of a group. */
const countProblem = (group: OfferedGroup, units: number): Problem | undefined => {
  const most = mostOf(group)
  // A later change of the group may leave a product's minimum above the maximum: the maximum is enough then.
  const least = Math.min(group.minSelections, most)
  if (units === 0)
    return group.required ? { code: "MODIFIER_REQUIRED", message: `Choose something of ${group.name}` } : undefined
  if (units < least) return { code: "MODIFIER_MIN_SELECTIONS", message: `Choose at least ${least} of ${group.name}` }
  return units > most
    ? { code: "MODIFIER_MAX_SELECTIONS", message: `Choose at most ${most} of ${group.name}` }
    : undefined
}

/** All that is wrong with the choices, choice by choice and then group by group; empty where they fit. */
export const modifierErrors = ({ chosen, groups }: LineModifiers): ReadonlyArray<ModifierError> => {
  const known = new Map(groups.map((group) => [group.id, group]))
  const units = new Map<string, number>()
  const seen = new Set<string>()
  const errors: Array<ModifierError> = []
  for (const choice of chosen ?? []) {
    const { modifierGroupId, modifierId, quantity } = choice
    const key = JSON.stringify([modifierGroupId, modifierId])
    const problem: Problem | undefined = seen.has(key)
      ? { code: "MODIFIER_DUPLICATE", message: "The modifier is named twice: say its quantity" }
      : choiceProblem(choice, known.get(modifierGroupId))
    seen.add(key)
    if (problem !== undefined) errors.push({ ...problem, modifierGroupId, modifierId })
    if (isQuantity(quantity)) units.set(modifierGroupId, (units.get(modifierGroupId) ?? 0) + quantity)
    else units.set(modifierGroupId, Math.max(1, units.get(modifierGroupId) ?? 0))
  }
  for (const group of groups) {
    const problem = countProblem(group, units.get(group.id) ?? 0)
    if (problem !== undefined) errors.push({ ...problem, modifierGroupId: group.id, modifierId: null })
  }
  return errors
}

/** What each choice adds to the price of one unit, in the order of groups and modifiers. */
export const pricedModifiers = ({ chosen, groups }: LineModifiers): ReadonlyArray<PricedModifier> => {
  const left = new Map(
    (chosen ?? []).map((choice) => [JSON.stringify([choice.modifierGroupId, choice.modifierId]), choice])
  )
  const priced: Array<PricedModifier> = []
  for (const group of groups) {
    const rows = group.modifiers.flatMap((modifier) => {
      const key = JSON.stringify([group.id, modifier.id])
      const choice = left.get(key)
      left.delete(key)
      return choice === undefined ? [] : [{ choice, modifier, price: BigInt(modifier.priceDelta) }]
    })
    const units = rows.map(({ choice, price }) => ({ price, quantity: choice.quantity }))
    const free = freeUnits(units, group.freeQuantity, group.freeAllocationPolicy)
    for (const [i, { choice, modifier, price }] of rows.entries()) {
      const freeQuantity = free[i] ?? 0
      const { name, sku } = modifier
      const amount = price * BigInt(choice.quantity - freeQuantity)
      priced.push({ ...choice, groupName: group.name, name, sku, priceDelta: price, freeQuantity, amount })
    }
  }
  const gone = { groupName: null, name: null, sku: null, priceDelta: null, freeQuantity: 0, amount: null }
  return [...priced, ...[...left.values()].map((choice) => ({ ...choice, ...gone }))]
}

/** The price of one unit with its modifiers: never below zero, and never more than can be stored. */
export const priceWith = (price: bigint, modifiers: LineModifiers): bigint => {
  const sum = pricedModifiers(modifiers).reduce((total, { amount }) => total + (amount ?? 0n), price)
  if (sum < 0n) return 0n
  return sum > MAX_MINOR ? MAX_MINOR : sum
}
