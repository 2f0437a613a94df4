/**
 * Values of metafields: the valid values of each type, and the filter keys that a product gets from them. Values are
 * JSON: text, a number, a truth value, `YYYY-MM-DD`, `#rrggbb`, a choice's `value`, or a list of those.
 */
import { Result, Schema } from "effect"
import { cutText } from "../kernel/CutText.ts"
import { manyProblem } from "../kernel/FieldErrors.ts"
import { jsonBytes, maxFreeForm } from "../kernel/JsonSize.ts"
import { isWebAddress as isAddress } from "../kernel/FileAddress.ts"
import {
  type DateAvailability,
  metafieldDefinitionBound,
  type MetafieldFields,
  type MetafieldType,
  weekdays
} from "./MetafieldFields.ts"

/** The rules that a value is checked against. */
export type ValueRules = Pick<
  MetafieldFields,
  "type" | "minLength" | "maxLength" | "minValue" | "maxValue" | "dateAvailability" | "enumValues"
>

/** A product, and a definition that it has or is to have a value of. */
export interface ValueKey {
  readonly productId: string
  readonly definitionId: string
}

export interface StoredValue extends ValueKey {
  readonly value: unknown
  /** The platform that wrote it last; null for the merchant. */
  readonly source: string | null
}

/** Values of one product in a body: at most as many as there can be definitions. Null removes a value. */
export const MetafieldValuesByKey = Schema.Record(Schema.String, Schema.Unknown).pipe(
  Schema.check(
    Schema.makeFilter(
      (values: Readonly<Record<string, unknown>>) =>
        manyProblem(Object.keys(values).length, metafieldDefinitionBound.most) ?? true,
      { toJsonSchema: () => ({}) }
    )
  )
)

/** The value as it is stored, or a sentence about why it is not accepted. */
type Read = Result.Result<unknown, string>

export const maxTextLength = 5_000
export const maxTextareaLength = 20_000
export const maxUrlLength = 2_000
/** The most pictures of a GALLERY. */
export const maxPictures = 50
const maxNumber = 1e15

/** The most values in one call. */
export const maxBulkValues = 1_000

const refuse = (reason: string): Read => Result.fail(reason)

const lengthProblem = (length: number, unit: string, { minLength, maxLength }: ValueRules): string | undefined => {
  if (minLength !== null && length < minLength) return `must have at least ${minLength} ${unit}`
  return maxLength !== null && length > maxLength ? `must have at most ${maxLength} ${unit}` : undefined
}

const textOf =
  (most: number) =>
  (given: unknown, rules: ValueRules): Read => {
    if (typeof given !== "string") return refuse("must be text")
    if (given.length > most) return refuse(`must have at most ${most} characters`)
    const problem = lengthProblem(given.length, "characters", rules)
    return problem === undefined ? Result.succeed(given) : refuse(problem)
  }

const numberOf = (given: unknown, { minValue, maxValue }: ValueRules): Read => {
  if (typeof given !== "number" || !Number.isFinite(given)) return refuse("must be a number")
  if (Math.abs(given) > maxNumber) return refuse(`must be from ${-maxNumber} to ${maxNumber}`)
  if (minValue !== null && given < minValue) return refuse(`must be at least ${minValue}`)
  if (maxValue !== null && given > maxValue) return refuse(`must be at most ${maxValue}`)
  return Result.succeed(given === 0 ? 0 : given)
}

/** Whether the text is a day of the calendar, as YYYY-MM-DD. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const midnight = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

const weekdayOf = (date: string) => weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]

/** Why a day cannot be chosen, apart from the rules that count from today. */
const dayProblem = (date: string, availability: DateAvailability | null): string | undefined => {
  const { from, to, weekdays: chosen, unavailableDates } = availability ?? {}
  const weekday = weekdayOf(date)
  if (typeof from === "string" && date < from) return `must not be before ${from}`
  if (typeof to === "string" && date > to) return `must not be after ${to}`
  if (Array.isArray(chosen) && !chosen.includes(weekday)) return `must be one of ${chosen.join(", ")}`
  return unavailableDates?.includes(date) === true ? "is not available" : undefined
}

const dateOf = (given: unknown, { dateAvailability }: ValueRules): Read => {
  if (typeof given !== "string" || !isDay(given)) return refuse("must be a day as YYYY-MM-DD")
  const problem = dayProblem(given, dateAvailability)
  return problem === undefined ? Result.succeed(given) : refuse(problem)
}

const isChoice = (given: unknown, { enumValues }: ValueRules): given is string =>
  enumValues.some(({ value }) => value === given)

const choiceOf = (given: unknown, rules: ValueRules): Read =>
  isChoice(given, rules) ? Result.succeed(given) : refuse("must be the value of one of the choices")

/** A list without repetitions. */
const listOf =
  (isEntry: (entry: unknown, rules: ValueRules) => boolean, words: { readonly unit: string; readonly entry: string }) =>
  (given: unknown, rules: ValueRules): Read => {
    if (!Array.isArray(given)) return refuse("must be a list")
    const problem = lengthProblem(given.length, words.unit, rules)
    if (problem !== undefined) return refuse(problem)
    if (!given.every((entry) => isEntry(entry, rules))) return refuse(`must hold ${words.entry}`)
    return new Set(given).size === given.length ? Result.succeed(given) : refuse("must hold each of them once")
  }

const colorOf = (given: unknown): Read =>
  typeof given === "string" && /^#[0-9a-f]{6}$/i.test(given)
    ? Result.succeed(given.toLowerCase())
    : refuse("must be a colour as #rrggbb")

/** Whether the text is an address that a browser may open, and short enough to be stored. */
export const isWebAddress = (text: string): boolean => text.length <= maxUrlLength && isAddress(text)

const urlOf = (given: unknown, rules: ValueRules): Read => {
  if (typeof given !== "string" || !isWebAddress(given))
    return refuse(`must be an address that begins with http:// or https://, of at most ${maxUrlLength} characters`)
  const problem = lengthProblem(given.length, "characters", rules)
  return problem === undefined ? Result.succeed(given) : refuse(problem)
}

const storageKey = /^[\w!.*'()/-]{1,500}$/

/** The address of a picture, or its key in the store's object storage. */
const isPicture = (given: unknown): given is string =>
  typeof given === "string" && (isWebAddress(given) || storageKey.test(given))

const readers: Readonly<Record<MetafieldType, (given: unknown, rules: ValueRules) => Read>> = {
  TEXT: textOf(maxTextLength),
  TEXTAREA: textOf(maxTextareaLength),
  NUMBER: numberOf,
  BOOLEAN: (given) => (typeof given === "boolean" ? Result.succeed(given) : refuse("must be true or false")),
  DATE: dateOf,
  SELECT: choiceOf,
  MULTI_SELECT: listOf(isChoice, { unit: "entries", entry: "values of the choices" }),
  COLOR: colorOf,
  URL: urlOf,
  IMAGE: (given) => (isPicture(given) ? Result.succeed(given) : refuse("must be the address or the key of a picture")),
  GALLERY: (given, rules) =>
    Array.isArray(given) && given.length > maxPictures
      ? refuse(`must have at most ${maxPictures} entries`)
      : listOf(isPicture, { unit: "entries", entry: "addresses or keys of pictures" })(given, rules),
  JSON: (given) => Result.succeed(given)
}

/** The value as it is stored, or why it is invalid for this definition. `given` is not null. */
export const readValue = (rules: ValueRules, given: unknown): Read => {
  const read = readers[rules.type](given, rules)
  return Result.isSuccess(read) && jsonBytes(read.success) > maxFreeForm
    ? refuse(`must be at most ${maxFreeForm} bytes as JSON`)
    : read
}

/** Whether a value is empty, where one is required. */
export const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)

/** Why a shopper cannot choose a day: the rules that count from today, which is a day of the store's time zone. */
export const daysAheadProblem = (
  date: string,
  availability: DateAvailability | null,
  today: string
): string | undefined => {
  const ahead = Math.round((Date.parse(`${date}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / 86_400_000)
  const { minDaysAhead, maxDaysAhead } = availability ?? {}
  if (typeof minDaysAhead === "number" && ahead < minDaysAhead) return `must be at least ${minDaysAhead} days ahead`
  if (typeof maxDaysAhead === "number" && ahead > maxDaysAhead) return `must be at most ${maxDaysAhead} days ahead`
  return undefined
}

/** Types whose values products can be filtered by. */
export const filterableTypes: ReadonlySet<MetafieldType> = new Set([
  "TEXT",
  "NUMBER",
  "BOOLEAN",
  "DATE",
  "SELECT",
  "MULTI_SELECT",
  "COLOR"
])

/** Characters of a text that filters compare. */
const comparedLength = 200

/**
 * Lower case may again be written in several ways, so it is normalised too; and the sigma at the end of a word, which
 * has no upper case of its own, becomes a sigma.
 */
const lowered = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFKC").replaceAll("\u03c2", "\u03c3")

/**
 * A value as filters compare it, also one in a shopper's URL: upper and lower case are equal, and so are characters
 * that can be written in several ways; spaces at the ends are ignored, and only the first 200 characters of a text
 * count.
 */
export const foldedValue = (value: string | number | boolean): string =>
  cutText(lowered(String(value)).trim(), comparedLength)

/** The filter key of products with this value of this definition: `<definition id>=<folded value>`. */
const metafieldFilterKey = (definitionId: string, value: string | number | boolean): string =>
  `${definitionId}=${foldedValue(value)}`

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/**
 * The filter keys of a value; a list has one for each entry. Values of a field that is not filterable have none,
 * because facets count every key that products have. When a field becomes filterable, a trigger marks the products with
 * values of it stale, and filters find them as soon as they are composed.
 */
export const metafieldFilterKeys = (
  { id, type, filterable }: { readonly id: string; readonly type: MetafieldType; readonly filterable: boolean },
  value: unknown
): ReadonlyArray<string> =>
  filterable && filterableTypes.has(type)
    ? (Array.isArray(value) ? value : [value]).filter(isScalar).map((entry) => metafieldFilterKey(id, entry))
    : []
