/** The rules for a modifier group and its modifiers: turns a body into checked fields. Pure. */
import { Effect } from "effect"
import { checkAll, checkEach, checkFilled, FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { problemsOf } from "../kernel/FieldErrors.ts"
import { makeId } from "../kernel/Ids.ts"
import { jsonBytes } from "../kernel/JsonSize.ts"
import { formatMoney, parseMoney } from "../kernel/Money.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ModifierGroupFields, ModifierState } from "./ModifierFields.ts"
import {
  maxGroupBytes,
  maxModifiers,
  type ModifierChange,
  type ModifierGroup,
  type ModifierGroupInput,
  type ModifierGroupPatch,
  type ModifierGroupState,
  type ModifierView
} from "./ModifierGroup.ts"

/** A group with only a name and a type. */
export const emptyGroup = ({
  name,
  selectionType
}: Pick<ModifierGroupInput, "name" | "selectionType">): ModifierGroupFields => ({
  name,
  internalName: null,
  description: null,
  translations: {},
  selectionType,
  minSelections: 0,
  maxSelections: null,
  required: false,
  freeQuantity: 0,
  freeAllocationPolicy: "CHEAPEST_FREE",
  status: "active",
  modifiers: []
})

const emptyModifier = (name: string, position: number, now: number): ModifierState => ({
  id: makeId("mod", now),
  name,
  description: null,
  translations: {},
  priceDelta: 0n,
  sku: null,
  image: null,
  position,
  isDefault: false,
  available: true,
  referencedProductId: null,
  status: "active"
})

interface Writing {
  readonly currency: string
  readonly now: number
}

const modifierFields = Effect.fnUntraced(function* (
  current: ModifierState,
  { id: _id, _delete, name, priceDelta, ...given }: ModifierChange,
  path: string,
  { currency }: Writing
) {
  const minor = priceDelta === undefined ? current.priceDelta : parseMoney(priceDelta, currency)
  const checked = yield* checkAll({
    name: checkFilled(`${path}name`, name),
    priceDelta: typeof minor === "bigint" ? Effect.succeed(minor) : FieldRejected.at(`${path}priceDelta`, minor.message)
  })
  const fields: ModifierState = {
    ...current,
    ...given,
    name: (name ?? current.name).trim(),
    priceDelta: checked.priceDelta
  }
  return fields
})

/**
 * The modifiers after a change: those with an `id` in the body are changed or removed, those without are new, and all
 * others stay. In the order of their positions.
 */
const modifiersOf = Effect.fnUntraced(function* (
  current: ReadonlyArray<ModifierState>,
  changes: ReadonlyArray<ModifierChange>,
  writing: Writing
) {
  const kept = new Map(current.map((modifier) => [modifier.id, modifier]))
  const named = new Set<string>()
  let place = current.reduce((highest, { position }) => Math.max(highest, position), -1)
  const apply = Effect.fnUntraced(function* (change: ModifierChange, i: number) {
    const path = `modifiers.${i}.`
    if (change.id === undefined) {
      if (change._delete === true) return yield* FieldRejected.at(`${path}id`, "says which modifier to delete")
      const blank = emptyModifier(change.name ?? "", ++place, writing.now)
      const { fields } = yield* checkAll({
        name: change.name === undefined ? FieldRejected.at(`${path}name`, "is needed for a new modifier") : Effect.void,
        fields: modifierFields(blank, change, path, writing)
      })
      kept.set(fields.id, fields)
      return
    }
    const before = kept.get(change.id)
    if (before === undefined || named.has(change.id))
      return yield* FieldRejected.at(`${path}id`, "is not a modifier of this group, or is named twice")
    named.add(change.id)
    if (change._delete === true) kept.delete(change.id)
    else kept.set(change.id, yield* modifierFields(before, change, path, writing))
  })
  yield* checkEach(changes, apply)
  return [...kept.values()].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
})

type Bounds = Pick<ModifierGroupFields, "selectionType" | "minSelections" | "maxSelections">

/** Rejects bounds that contradict each other. */
const checkBounds = ({ selectionType, minSelections, maxSelections }: Bounds): Effect.Effect<void, FieldRejected> => {
  const most = maxSelections ?? Infinity
  const isWide = selectionType === "SINGLE" && most > 1
  return rejectFields(
    problemsOf({
      minSelections: minSelections > most ? "must not be above maxSelections" : undefined,
      maxSelections: isWide ? "a SINGLE group has at most one selection: say 1, or use MULTIPLE" : undefined
    })
  )
}

/** Rejects too many modifiers, and defaults that a shopper could not choose together. */
const checkModifiers = (modifiers: ReadonlyArray<ModifierState>, { maxSelections }: Bounds) => {
  const most = maxSelections ?? Infinity
  if (modifiers.length > maxModifiers)
    return FieldRejected.at("modifiers", `a group has at most ${maxModifiers} modifiers`)
  return modifiers.filter(({ isDefault }) => isDefault).length > most
    ? FieldRejected.at("modifiers", `at most ${most} of them can be chosen, so no more can be defaults`)
    : Effect.void
}

/** `current` with the changes of the body, checked. */
export const groupFields = Effect.fnUntraced(function* (
  current: ModifierGroupFields,
  body: ModifierGroupInput | ModifierGroupPatch,
  writing: Writing
) {
  const { modifiers, name, ...given } = body
  const changed = { ...current, ...given, name: (name ?? current.name).trim() }
  const isSingle = changed.selectionType === "SINGLE"
  // A body that makes a group SINGLE need not contain the bound that follows from it.
  const maxSelections = changed.maxSelections ?? (isSingle ? 1 : null)
  const bounds = { ...changed, maxSelections }
  const made = yield* checkAll({
    name: checkFilled("name", name),
    bounds: checkBounds(bounds),
    modifiers: Effect.tap(modifiersOf(current.modifiers, modifiers ?? [], writing), (all) =>
      checkModifiers(all, bounds)
    )
  })
  const fields: ModifierGroupFields = { ...bounds, modifiers: made.modifiers }
  return fields
})

export const toModifierView = (modifier: ModifierState, currency: string): typeof ModifierView.Type => ({
  ...modifier,
  priceDelta: formatMoney(modifier.priceDelta, currency)
})

export const toModifierGroup = (
  store: StoreContext,
  { createdAt, updatedAt, modifiers, ...group }: ModifierGroupState
): ModifierGroup => ({
  ...group,
  accountId: store.accountId,
  storeId: store.id,
  modifiers: modifiers.map((modifier) => toModifierView(modifier, store.currency)),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

/** The size of a group in a response, in bytes. */
export const weightOf = (group: ModifierGroup): number => jsonBytes(group)

/** Rejects a group that is too large: every response with a product that has it includes it. */
export const checkWeight = (group: ModifierGroup): Effect.Effect<void, FieldRejected> =>
  weightOf(group) <= maxGroupBytes
    ? Effect.void
    : FieldRejected.at(
        "modifiers",
        `a group with all its modifiers is at most ${maxGroupBytes} bytes, as it is answered`
      )
