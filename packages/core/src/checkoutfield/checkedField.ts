/** Makes a field from a body: reads the amounts of its surcharges, and reports every value that cannot be stored. */
import { Result } from "effect"
import { blankProblem, type FieldErrors, problemsOf } from "../kernel/FieldErrors.ts"
import { parseAmount } from "../kernel/Money.ts"
import { formatRate, parseRate } from "../kernel/Rate.ts"
import type { CheckoutFieldPatch, StoredField, StoredSurcharge, SurchargeInput } from "./CheckoutField.ts"

const keyPattern = /^[A-Za-z][A-Za-z0-9_-]*$/

/** A completion names these, beside the keys of fields, where something is missing. */
const namesOfCheckout = ["email", "shippingAddress", "billingAddress", "shippingRateId", "pickupLocationId"]

const keyProblem = (key: string): string | undefined => {
  if (!keyPattern.test(key)) return "must begin with a letter and have only letters, digits, _ and -"
  return namesOfCheckout.includes(key) ? "is a field that every checkout has" : undefined
}

/** Fraction digits of a percentage. */
const percentageDigits = 2

const readSurcharge = ({ type, amount }: SurchargeInput, currency: string): Result.Result<StoredSurcharge, string> => {
  if (type === "FIXED") {
    const minor = parseAmount(amount, currency)
    return typeof minor === "bigint" ? Result.succeed({ type, amount: String(minor) }) : Result.fail(minor.message)
  }
  const rate = parseRate(amount)
  if ("_tag" in rate) return Result.fail(rate.message)
  return rate.scale > percentageDigits
    ? Result.fail(`must have at most ${percentageDigits} fraction digits`)
    : Result.succeed({ type, amount: formatRate(rate) })
}

type Surcharged = { readonly surcharge?: SurchargeInput | null }

/** The surcharge as it is stored. Its mistakes are added to `errors`. */
const surchargeOf = (
  { surcharge = null }: Surcharged,
  field: string,
  currency: string,
  errors: Record<string, string>
): StoredSurcharge | null => {
  if (surcharge === null) return null
  const read = readSurcharge(surcharge, currency)
  if (Result.isSuccess(read)) return read.success
  errors[field] = read.failure
  return null
}

const optionErrors = (options: ReadonlyArray<{ readonly value: string; readonly label: string }>): FieldErrors => {
  const values = options.map(({ value }) => value)
  return problemsOf(
    Object.fromEntries(
      options.flatMap(({ value, label }, i) => [
        [
          `options.${i}.value`,
          blankProblem(value) ?? (values.indexOf(value) === i ? undefined : "repeats the value of an earlier option")
        ],
        [`options.${i}.label`, blankProblem(label)]
      ])
    )
  )
}

/** A new field before its body is read. */
export const blankField: StoredField = {
  key: "",
  name: "",
  type: "text",
  required: false,
  options: [],
  surcharge: null,
  position: 0
}

/**
 * The field with the changes, or what is wrong with each field of the body. `currency` is that of FIXED surcharges. The
 * options of a field that is no select any more are dropped, unless the body states some.
 */
export const changeField = (
  current: StoredField,
  changes: CheckoutFieldPatch,
  currency: string
): Result.Result<StoredField, FieldErrors> => {
  const { options: given, surcharge, name = current.name, ...rest } = changes
  const merged = { ...current, ...rest, name: name.trim() }
  const isSelect = merged.type === "select"
  const amounts: Record<string, string> = {}
  const stored =
    given === undefined
      ? isSelect
        ? current.options
        : []
      : (given ?? []).map(({ value, label, ...option }, i) => ({
          value,
          label: label.trim(),
          surcharge: surchargeOf(option, `options.${i}.surcharge.amount`, currency, amounts)
        }))
  const own =
    surcharge === undefined ? current.surcharge : surchargeOf({ surcharge }, "surcharge.amount", currency, amounts)
  const missing = isSelect && stored.length === 0 ? "are needed for a field of type select" : undefined
  const errors = {
    ...problemsOf({
      key: keyProblem(merged.key),
      name: blankProblem(merged.name),
      options: !isSelect && stored.length > 0 ? "go with the type select" : missing
    }),
    ...optionErrors(stored),
    ...amounts
  }
  return Object.keys(errors).length > 0
    ? Result.fail(errors)
    : Result.succeed({ ...merged, options: stored, surcharge: own })
}
