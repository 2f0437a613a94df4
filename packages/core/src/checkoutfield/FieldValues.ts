/**
 * What shoppers fill in: which values a field takes, which required ones are missing, and the surcharges that values
 * bring. Pure.
 */
import { Result } from "effect"
import type { FieldErrors } from "../kernel/FieldErrors.ts"
import { jsonBytes, maxFreeForm } from "../kernel/JsonSize.ts"
import { parseRate, percentOf } from "../kernel/Rate.ts"
import { isDay } from "../metafield/MetafieldValue.ts"
import type { Surcharge } from "../pricing/AdjustmentSource.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { CheckoutFieldType, StoredField, StoredSurcharge } from "./CheckoutField.ts"

/** The fields of a store, by key, in their order. */
export type FieldsByKey = ReadonlyMap<string, StoredField>

export const fieldsByKey = (fields: ReadonlyArray<StoredField>): FieldsByKey =>
  new Map(fields.map((field) => [field.key, field]))

/** Values by the key of their field, as checkouts and orders keep them. */
export type FieldValues = Readonly<Record<string, unknown>>

/** The kind of the surcharges; their source is the key of the field. */
const checkoutFieldKind = "checkout_field"

const longestText = 500
const longestTextarea = 5_000
const greatestNumber = 1e15

type Read = Result.Result<string | number | boolean, string>

const textOf =
  (most: number) =>
  (given: unknown): Read => {
    if (typeof given !== "string") return Result.fail("must be text")
    return given.length > most ? Result.fail(`must have at most ${most} characters`) : Result.succeed(given)
  }

const numberOf = (given: unknown): Read => {
  if (typeof given !== "number" || !Number.isFinite(given)) return Result.fail("must be a number")
  return Math.abs(given) > greatestNumber
    ? Result.fail(`must be from ${-greatestNumber} to ${greatestNumber}`)
    : Result.succeed(given === 0 ? 0 : given)
}

const readers: Readonly<Record<CheckoutFieldType, (given: unknown, field: StoredField) => Read>> = {
  text: textOf(longestText),
  textarea: textOf(longestTextarea),
  select: (given, { options }) =>
    typeof given === "string" && options.some(({ value }) => value === given)
      ? Result.succeed(given)
      : Result.fail("must be the value of one of the options"),
  checkbox: (given) => (typeof given === "boolean" ? Result.succeed(given) : Result.fail("must be true or false")),
  date: (given) =>
    typeof given === "string" && isDay(given) ? Result.succeed(given) : Result.fail("must be a day as YYYY-MM-DD"),
  number: numberOf
}

/** The value as it is stored, or why the field does not take it. `given` is not null. */
export const readValue = (field: StoredField, given: unknown): Read => readers[field.type](given, field)

/** Whether a value that the field takes counts as filled in: text that is not blank, a tick, anything else. */
const isFilled = (value: unknown): boolean =>
  typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== false

/**
 * The values that the fields of today take, in the order of the fields. What was filled in for a field that is gone,
 * or that takes other values now, is no longer there.
 */
export const currentValues = (fields: FieldsByKey, stored: FieldValues): FieldValues => {
  const given = new Map(Object.entries(stored))
  if (given.size === 0) return stored
  return Object.fromEntries(
    [...fields.values()].flatMap((field) => {
      const value = given.get(field.key)
      return value !== undefined && Result.isSuccess(readValue(field, value)) ? [[field.key, value]] : []
    })
  )
}

/** `current` with the changes, in which null clears; or what is wrong with each of them, by its path in the body. */
export const changedValues = (
  fields: FieldsByKey,
  current: FieldValues,
  changes: FieldValues
): Result.Result<FieldValues, FieldErrors> => {
  const errors: Record<string, string> = {}
  const values = new Map(Object.entries(current))
  for (const [key, given] of Object.entries(changes)) {
    const field = fields.get(key)
    if (field === undefined) errors[`values.${key}`] = "this store has no such checkout field"
    else if (given === null) values.delete(key)
    else {
      const read = readValue(field, given)
      if (Result.isSuccess(read)) values.set(key, read.success)
      else errors[`values.${key}`] = read.failure
    }
  }
  const changed = Object.fromEntries(values)
  if (Object.keys(errors).length === 0 && jsonBytes(changed) > maxFreeForm)
    errors["values"] = `come to more than ${maxFreeForm} bytes as JSON together with those of before`
  return Object.keys(errors).length > 0 ? Result.fail(errors) : Result.succeed(currentValues(fields, changed))
}

/** The keys of the required fields that are not filled in, in the order of the fields. */
export const missingFields = (fields: FieldsByKey, values: FieldValues): ReadonlyArray<string> => {
  if (fields.size === 0) return []
  const given = new Map(Object.entries(values))
  return [...fields.values()].flatMap(({ key, required }) => (required && !isFilled(given.get(key)) ? [key] : []))
}

const evaluateOf = ({ type, amount }: StoredSurcharge, currency: string): Surcharge["evaluate"] => {
  if (type === "FIXED") {
    const minor = BigInt(amount)
    return () => ({ amount: minor, formula: "fixed amount" })
  }
  const rate = parseRate(amount)
  if ("_tag" in rate) throw new RangeError(`a surcharge of ${amount} % ${rate.message}`)
  return (due) => ({
    amount: percentOf(rate, due),
    formula: `${amount} % of ${formatMoney(due, currency)}, half up`
  })
}

const surchargeOf = ({ key, name }: StoredField, stored: StoredSurcharge, currency: string): Surcharge => ({
  kind: checkoutFieldKind,
  sourceId: key,
  name,
  type: stored.type,
  value: stored.type === "FIXED" ? formatMoney(BigInt(stored.amount), currency) : stored.amount,
  evaluate: evaluateOf(stored, currency)
})

/** The surcharges of the fields that are filled in, and of the options that are chosen. `currency` is the store's. */
export const surchargesOf = (fields: FieldsByKey, values: FieldValues, currency: string): ReadonlyArray<Surcharge> => {
  const given = new Map(Object.entries(values))
  return [...fields.values()].flatMap((field) => {
    const value = given.get(field.key)
    if (!isFilled(value) || Result.isFailure(readValue(field, value))) return []
    const chosen = field.type === "select" ? field.options.find((option) => option.value === value) : undefined
    return [field.surcharge, chosen?.surcharge ?? null].flatMap((surcharge) =>
      surcharge === null ? [] : [surchargeOf(field, surcharge, currency)]
    )
  })
}
