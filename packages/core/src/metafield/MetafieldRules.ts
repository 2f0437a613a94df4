/** The rules for a metafield definition before it is stored; the only place that turns a body into fields. */
import { Effect, Result } from "effect"
import { type FieldErrors, itemProblems, problemsOf } from "../kernel/FieldErrors.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { maxFreeForm } from "../kernel/JsonSize.ts"
import type { MetafieldDefinitionInput, MetafieldDefinitionPatch } from "./MetafieldDefinition.ts"
import {
  type DateAvailability,
  definitionBytes,
  type MetafieldChoice,
  type MetafieldFields,
  type MetafieldType
} from "./MetafieldFields.ts"
import {
  filterableTypes,
  foldedValue,
  isDay,
  isWebAddress,
  maxPictures,
  maxTextareaLength,
  maxTextLength,
  maxUrlLength,
  readValue
} from "./MetafieldValue.ts"

const choicesOf = (
  given: MetafieldDefinitionPatch["enumValues"],
  current: ReadonlyArray<MetafieldChoice>
): ReadonlyArray<MetafieldChoice> =>
  given?.map(({ value, label, swatchColor, swatchImageUrl }) => ({
    label: label ?? value,
    value,
    swatchColor: swatchColor?.toLowerCase() ?? null,
    swatchImageUrl: swatchImageUrl ?? null
  })) ?? current

const empty: Omit<MetafieldFields, "key" | "name" | "type"> = {
  description: null,
  required: false,
  isCustomerInput: false,
  appliesToAllProducts: true,
  filterable: false,
  minLength: null,
  maxLength: null,
  minValue: null,
  maxValue: null,
  dateAvailability: null,
  enumValues: [],
  defaultValue: null,
  position: 0,
  isActive: true,
  source: "INTERNAL",
  translations: {}
}

const withChanges = (
  current: MetafieldFields,
  { productIds, ...given }: MetafieldDefinitionPatch
): MetafieldFields => ({
  ...current,
  ...given,
  name: (given.name ?? current.name).trim(),
  appliesToAllProducts: given.appliesToAllProducts ?? (productIds === undefined ? current.appliesToAllProducts : false),
  enumValues: choicesOf(given.enumValues, current.enumValues),
  defaultValue: given.defaultValue === undefined ? current.defaultValue : given.defaultValue
})

/** Types whose values have a length, and the greatest length that they can have. */
const lengths: Partial<Record<MetafieldType, number>> = {
  TEXT: maxTextLength,
  TEXTAREA: maxTextareaLength,
  URL: maxUrlLength,
  MULTI_SELECT: Number.POSITIVE_INFINITY,
  GALLERY: maxPictures
}

const hasChoices = (type: MetafieldType): boolean => type === "SELECT" || type === "MULTI_SELECT"

/**
 * Problems of the two bounds of a value: given for a type that has none (`most` is undefined), beyond what the type can
 * hold, or excluding every value.
 */
const boundProblems = (
  bounds: Readonly<Record<string, number | null>>,
  most: number | undefined,
  types: string
): FieldErrors => {
  const given = Object.entries(bounds).filter((bound): bound is [string, number] => bound[1] !== null)
  if (most === undefined) return Object.fromEntries(given.map(([field]) => [field, `is for ${types} only`]))
  const beyond = given.find(([, bound]) => bound > most)
  if (beyond !== undefined) return { [beyond[0]]: `must be at most ${most} for this type` }
  const [least, greatest] = given
  return least !== undefined && greatest !== undefined && least[1] > greatest[1]
    ? { [least[0]]: "must not be above the greatest" }
    : {}
}

const boundsProblems = ({ type, minLength, maxLength, minValue, maxValue }: MetafieldFields): FieldErrors => ({
  ...boundProblems({ minLength, maxLength }, lengths[type], "TEXT, TEXTAREA, URL, MULTI_SELECT and GALLERY"),
  ...boundProblems({ minValue, maxValue }, type === "NUMBER" ? Number.POSITIVE_INFINITY : undefined, "NUMBER")
})

const dayProblem = (day: string | null | undefined): string | undefined =>
  typeof day !== "string" || isDay(day) ? undefined : "is no day of the calendar"

const availabilityProblems = ({ type, dateAvailability }: MetafieldFields): FieldErrors => {
  if (dateAvailability === null) return {}
  if (type !== "DATE") return { dateAvailability: "is for DATE only" }
  const { from, to, minDaysAhead, maxDaysAhead, weekdays, unavailableDates }: DateAvailability = dateAvailability
  const at = "dateAvailability"
  return {
    ...problemsOf({
      [`${at}.from`]: dayProblem(from),
      [`${at}.to`]:
        dayProblem(to) ??
        (typeof from === "string" && typeof to === "string" && to < from ? "must not be before from" : undefined),
      [`${at}.maxDaysAhead`]:
        typeof minDaysAhead === "number" && typeof maxDaysAhead === "number" && maxDaysAhead < minDaysAhead
          ? "must not be below minDaysAhead"
          : undefined,
      [`${at}.weekdays`]: weekdays?.length === 0 ? "must name one at least" : undefined
    }),
    ...itemProblems(`${at}.unavailableDates`, unavailableDates ?? [], dayProblem)
  }
}

const choiceProblem = ({ value, label, swatchColor, swatchImageUrl }: MetafieldChoice): string | undefined => {
  if (value.trim() === "" || value !== value.trim()) return "needs a value without spaces around it"
  if (value.includes(",")) return "must have a value without a comma"
  if (label.trim() === "") return "needs a label"
  if (swatchColor !== null && !/^#[0-9a-f]{6}$/.test(swatchColor)) return "must have a swatchColor as #rrggbb"
  return swatchImageUrl === null || isWebAddress(swatchImageUrl)
    ? undefined
    : "must have a swatchImageUrl that begins with http:// or https://"
}

/** Filters ignore upper and lower case, so two choices must differ in more than that. */
const choicesProblems = ({ type, enumValues }: MetafieldFields): FieldErrors => {
  if (!hasChoices(type)) return enumValues.length === 0 ? {} : { enumValues: "is for SELECT and MULTI_SELECT only" }
  if (enumValues.length === 0) return { enumValues: "must hold one choice at least" }
  const seen = new Set<string>()
  return itemProblems("enumValues", enumValues, (choice) => {
    const folded = foldedValue(choice.value)
    if (seen.has(folded)) return "has the value of another choice"
    seen.add(folded)
    return choiceProblem(choice)
  })
}

const purposeProblems = ({ type, isCustomerInput, filterable }: MetafieldFields): FieldErrors =>
  problemsOf({
    isCustomerInput: isCustomerInput && type === "JSON" ? "shoppers cannot fill in JSON" : undefined,
    filterable: !filterable
      ? undefined
      : isCustomerInput
        ? "products have no value of what shoppers fill in"
        : filterableTypes.has(type)
          ? undefined
          : `products cannot be filtered by ${type}`
  })

/** `current` with the changes of the body. */
export const changedDefinition = Effect.fnUntraced(function* (
  current: MetafieldFields,
  patch: MetafieldDefinitionPatch
) {
  const fields = withChanges(current, patch)
  yield* rejectFields({
    ...boundsProblems(fields),
    ...availabilityProblems(fields),
    ...choicesProblems(fields),
    ...purposeProblems(fields),
    ...(fields.appliesToAllProducts && (patch.productIds ?? []).length > 0
      ? { productIds: "is for definitions that do not apply to all products" }
      : {}),
    ...(definitionBytes(fields) > maxFreeForm
      ? { enumValues: `all texts, choices and translations together must be at most ${maxFreeForm} bytes as JSON` }
      : {})
  })
  if (fields.defaultValue === null) return fields
  const read = readValue(fields, fields.defaultValue)
  if (Result.isFailure(read)) return yield* FieldRejected.at("defaultValue", read.failure)
  return { ...fields, defaultValue: read.success }
})

/** The fields of a new definition. */
export const newDefinition = (input: MetafieldDefinitionInput) => {
  const { key, name, type } = input
  return changedDefinition({ ...empty, key, name, type }, input)
}

/** Choices that existed before and would be removed. */
export const removedChoices = (before: MetafieldFields, after: MetafieldFields): ReadonlyArray<string> =>
  before.enumValues
    .map(({ value }) => value)
    .filter((value) => !after.enumValues.some((choice) => choice.value === value))
