/**
 * A tax rate as it is stored and as the API returns it, the bodies of a create and an update, and their checks. Every
 * wrong field is reported, not only the first.
 */
import { Result, Schema } from "effect"
import { isCountry } from "../kernel/Country.ts"
import {
  blankProblem,
  type FieldErrors,
  itemProblems,
  longProblem,
  manyProblem,
  maxInt4,
  problemsOf,
  wholeProblem
} from "../kernel/FieldErrors.ts"
import {
  arrayOf,
  boolean,
  clearable,
  Decimal,
  described,
  integer,
  nullableString,
  optional,
  string,
  timestamp
} from "../kernel/Fields.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { formatRate, parseRate } from "../kernel/Rate.ts"
import { normaliseRegion } from "../kernel/Subdivisions.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { MatchableRate } from "./TaxMatcher.ts"

/** `rate` is a percentage as a decimal string in lowest terms ("8.875"). `taxClassId` null is the Standard class. */
export interface TaxRateState extends MatchableRate {
  readonly taxType: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** On the wire. */
export const TaxRate = Schema.Struct({
  id: string("Id of the tax rate."),
  accountId: string("The account that owns the store."),
  storeId: string("The store that the rate belongs to."),
  name: string("Name of the rate, as tax breakdowns show it.", "CA sales tax"),
  country: string("Country that the rate applies to: ISO 3166-1 alpha-2.", "US"),
  region: nullableString("Subdivision that the rate is narrowed to; null: the whole country.", "CA"),
  postalCode: nullableString("Postal code that the rate is narrowed to, compared exactly; null: every one.", "94105"),
  rate: string("Percentage as a decimal string, from 0 to 100.", "7.25"),
  taxType: nullableString("A label for reports, such as sales, vat or gst; it changes nothing.", "sales"),
  isInclusive: boolean("Whether prices already contain this tax."),
  priority: integer("Among equally specific rates the lowest number wins.", 0),
  stackable: boolean("Whether the rate adds up with other stackable rates that match."),
  exceptionCountries: arrayOf(Schema.String, "Countries that the rate does not apply to; empty without exceptions."),
  isActive: boolean("Whether the rate is applied."),
  taxClassId: nullableString("The tax class whose goods are taxed so; null: the Standard class."),
  createdAt: timestamp("When the rate was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "TaxRate", description: "A percentage of tax, and where it applies." })
export type TaxRate = typeof TaxRate.Type

export const toTaxRate = (store: StoreContext, { createdAt, updatedAt, ...state }: TaxRateState): TaxRate => ({
  ...state,
  accountId: store.accountId,
  storeId: store.id,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

const name = described(Schema.String, "Name of the rate, as tax breakdowns show it.", "CA sales tax")
const country = described(Schema.String, "Country that the rate applies to: ISO 3166-1 alpha-2.", "US")
const rate = described(Decimal, "Percentage from 0 to 100: a number or a decimal string.", "7.25")
const fields = {
  region: clearable(Schema.String, "Subdivision to narrow the rate to, such as CA of US-CA.", "CA"),
  postalCode: clearable(
    Schema.String,
    "Postal code to narrow the rate to. It is compared exactly, but for case, spaces and hyphens; no wildcards.",
    "94105"
  ),
  taxType: clearable(Schema.String, "A label for reports; it changes nothing.", "sales"),
  isInclusive: optional(
    Schema.Boolean,
    "Whether prices already contain this tax. Default: as the store's settings say."
  ),
  priority: optional(Schema.Int, "Among equally specific rates the lowest number wins. Default: 0.", 0),
  stackable: optional(
    Schema.Boolean,
    "Whether the rate adds up with other stackable rates that match; otherwise the most specific one stands alone. " +
      "Default: false."
  ),
  exceptionCountries: clearable(Schema.Array(Schema.String), "Countries that the rate does not apply to."),
  isActive: optional(Schema.Boolean, "Whether the rate is applied. Default: true."),
  taxClassId: clearable(Schema.String, "The tax class whose goods are taxed so. Default and null: the Standard class.")
}

export const NewTaxRate = Schema.Struct({ name, country, rate, ...fields }).annotate({
  identifier: "NewTaxRate",
  description: "A tax rate to create."
})
export type NewTaxRate = typeof NewTaxRate.Type

export const TaxRateChanges = Schema.Struct({
  name: Schema.optionalKey(name),
  country: Schema.optionalKey(country),
  rate: Schema.optionalKey(rate),
  ...fields
}).annotate({
  identifier: "ChangeTaxRate",
  description: "What to change. An absent field stays as it is, null clears it; country cannot be cleared."
})
export type TaxRateChanges = typeof TaxRateChanges.Type

/** A new rate with its default values: for the whole country, and inclusive where the store's prices include tax. */
export const blankTaxRate = (id: string, at: Date, pricesIncludeTax: boolean): TaxRateState => ({
  id,
  name: "",
  country: "",
  region: null,
  postalCode: null,
  rate: "0",
  taxType: null,
  isInclusive: pricesIncludeTax,
  priority: 0,
  stackable: false,
  exceptionCountries: [],
  isActive: true,
  taxClassId: null,
  createdAt: at,
  updatedAt: at
})

const NOT_A_COUNTRY = "must be an ISO 3166-1 alpha-2 code such as US"

const countryProblem = (code: string | undefined): string | undefined =>
  code === undefined || isCountry(code) ? undefined : NOT_A_COUNTRY

const rateProblem = (input: number | string | undefined): string | undefined => {
  const rate = input === undefined ? undefined : parseRate(input)
  return rate !== undefined && "_tag" in rate ? rate.message : undefined
}

const longestName = 200
/** Characters of a region, a postal code, a type of tax. */
const longestCode = 64
const mostExceptions = 300

const exceptionProblems = (exceptions: ReadonlyArray<string>): FieldErrors => {
  const tooMany = manyProblem(exceptions.length, mostExceptions)
  return tooMany === undefined
    ? itemProblems("exceptionCountries", exceptions, countryProblem)
    : { exceptionCountries: tooMany }
}

const errorsOf = (changes: TaxRateChanges): FieldErrors => ({
  ...problemsOf({
    name: blankProblem(changes.name) ?? longProblem(changes.name, longestName),
    region: longProblem(changes.region, longestCode),
    postalCode: longProblem(changes.postalCode, longestCode),
    taxType: longProblem(changes.taxType, longestCode),
    country: countryProblem(changes.country),
    rate: rateProblem(changes.rate),
    priority: wholeProblem(changes.priority, -maxInt4, maxInt4)
  }),
  ...exceptionProblems(changes.exceptionCountries ?? [])
})

const rateText = (input: number | string): string => {
  const rate = parseRate(input)
  return "_tag" in rate ? String(input) : formatRate(rate)
}

/**
 * The rate after the changes, or what is wrong with each field. A region is stored without the prefix of its country.
 */
export const changeTaxRate = (
  current: TaxRateState,
  changes: TaxRateChanges,
  at: Date
): Result.Result<TaxRateState, FieldErrors> => {
  const errors = errorsOf(changes)
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  const merged = { ...current, ...changes }
  const region = trimmedText(merged.region)
  return Result.succeed({
    ...merged,
    name: merged.name.trim(),
    region: region === null ? null : normaliseRegion(merged.country, region),
    postalCode: trimmedText(merged.postalCode),
    rate: changes.rate === undefined ? current.rate : rateText(changes.rate),
    taxType: trimmedText(merged.taxType),
    exceptionCountries: [...new Set(merged.exceptionCountries ?? [])],
    updatedAt: at
  })
}
