/** Applies a body to the options of an attribute. */
import { Effect } from "effect"
import { nextVersion } from "../../database/Precondition.ts"
import { checkEach, FieldRejected } from "../../kernel/FieldRejected.ts"
import { makeId } from "../../kernel/Ids.ts"
import { freeSlug, slugOf } from "../../kernel/Slug.ts"
import {
  type AttributeOptionChange,
  type AttributeOptionFields,
  type AttributeOptionState,
  maxAttributeOptions
} from "../Attribute.ts"
import { AttributeTaken } from "../TaxonomyErrors.ts"

export interface OptionChanges {
  /** New and changed options. */
  readonly written: ReadonlyArray<AttributeOptionState>
  readonly removed: ReadonlyArray<string>
}

const emptyOption: Omit<AttributeOptionFields, "name" | "position"> = {
  value: "",
  swatchColor: null,
  swatchColor2: null,
  swatchImageUrl: null,
  source: "INTERNAL",
  platform: null,
  externalId: null,
  platformMetadata: {},
  translations: {},
  isActive: true
}

/** No two options may share a name (ignoring case), a value or an external id. */
const checkDistinct = (options: ReadonlyArray<AttributeOptionState>): Effect.Effect<void, AttributeTaken> => {
  const seen = new Set<string>()
  for (const option of options)
    for (const field of ["name", "value", "externalId"] as const) {
      const value = option[field]
      if (value === null) continue
      const key = `${field} ${field === "name" ? value.toLowerCase() : value}`
      if (seen.has(key)) return Effect.fail(new AttributeTaken({ thing: "option", field, value }))
      seen.add(key)
    }
  return Effect.void
}

interface Place {
  readonly attributeId: string
  readonly position: number
  readonly now: number
  /** Values that are already taken. */
  readonly values: Set<string>
}

const withValue = (option: AttributeOptionState, given: string | null | undefined, values: Set<string>) => {
  const value = given ?? (given === undefined && option.value !== "" ? option.value : undefined)
  const kept = value ?? freeSlug(slugOf(option.name, option.id.replaceAll("_", "-")), values)
  values.add(kept)
  return { ...option, value: kept }
}

const newOption = (
  { id: _id, _delete, value, ...fields }: AttributeOptionChange,
  path: string,
  { attributeId, position, now, values }: Place
): Effect.Effect<AttributeOptionState, FieldRejected> => {
  if (_delete === true) return FieldRejected.at(`${path}id`, "says which option to delete")
  if (fields.name === undefined) return FieldRejected.at(`${path}name`, "is required")
  const at = new Date(now)
  const option: AttributeOptionState = {
    ...emptyOption,
    position,
    ...fields,
    name: fields.name.trim(),
    id: makeId("opt", now),
    attributeId,
    createdAt: at,
    updatedAt: at
  }
  return Effect.succeed(withValue(option, value, values))
}

const changedOption = (
  option: AttributeOptionState,
  { id: _id, _delete, value, ...fields }: AttributeOptionChange,
  now: number,
  values: Set<string>
): AttributeOptionState => {
  values.delete(option.value)
  const changed = {
    ...option,
    ...fields,
    name: (fields.name ?? option.name).trim(),
    updatedAt: nextVersion(option.updatedAt, now)
  }
  return withValue(changed, value, values)
}

/**
 * Options are changed by `id`, deleted with `_delete`, and created without an `id`; the others stay. `path` is the
 * prefix of the field names in an error.
 */
export const optionChanges = Effect.fnUntraced(function* (
  attribute: { readonly id: string; readonly options: ReadonlyArray<AttributeOptionState> },
  changes: ReadonlyArray<AttributeOptionChange>,
  now: number,
  pathOf: (index: number) => string = (index) => `options.${index}.`
) {
  const left = new Map(attribute.options.map((option) => [option.id, option]))
  const after = new Map(left)
  const values = new Set(attribute.options.map(({ value }) => value))
  const written: Array<AttributeOptionState> = []
  const removed: Array<string> = []
  let position = Math.max(-1, ...attribute.options.map((option) => option.position))
  const apply = Effect.fnUntraced(function* (change: AttributeOptionChange, path: string) {
    if (change.id === undefined) {
      position = Math.min(position + 1, 2_147_483_647)
      const option = yield* newOption(change, path, { attributeId: attribute.id, position, now, values })
      after.set(option.id, option)
      written.push(option)
      return
    }
    const option = left.get(change.id)
    if (option === undefined)
      return yield* FieldRejected.at(`${path}id`, "is not an option of this attribute, or is named twice")
    left.delete(change.id)
    if (change._delete === true) {
      after.delete(change.id)
      values.delete(option.value)
      removed.push(change.id)
      return
    }
    const changed = changedOption(option, change, now, values)
    after.set(changed.id, changed)
    written.push(changed)
  })
  yield* checkEach(changes, (change, i) => apply(change, pathOf(i)))
  if (after.size > maxAttributeOptions)
    return yield* FieldRejected.at("options", `an attribute has at most ${maxAttributeOptions} options`)
  yield* checkDistinct([...after.values()])
  return { written, removed } satisfies OptionChanges
})
