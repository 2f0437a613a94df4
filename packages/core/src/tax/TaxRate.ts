/**
 * A tax rate as it is stored, as it is answered, and the rules by which a create or an update becomes one. Every wrong
 * field is reported, not only the first. Source: interface.md, Tax rate.
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
import { arrayOf, boolean, integer, nullableString, string, timestamp } from "../kernel/Fields.ts"
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

export const toTaxRate = (store: StoreContext, state: TaxRateState): TaxRate => ({
  id: state.id,
  accountId: store.accountId,
  storeId: store.id,
  name: state.name,
  country: state.country,
  region: state.region,
  postalCode: state.postalCode,
  rate: state.rate,
  taxType: state.taxType,
  isInclusive: state.isInclusive,
  priority: state.priority,
  stackable: state.stackable,
  exceptionCountries: state.exceptionCountries,
  isActive: state.isActive,
  taxClassId: state.taxClassId,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString()
})

/**
 * What may be written: absent leaves a field as it is (or at its default), null clears it. `rate` is a number or a
 * decimal string, 0 to 100.
 */
export interface TaxRateChanges {
  readonly name?: string | undefined
  readonly country?: string | undefined
  readonly rate?: number | string | undefined
  readonly region?: string | null | undefined
  readonly postalCode?: string | null | undefined
  readonly taxType?: string | null | undefined
  readonly isInclusive?: boolean | undefined
  readonly priority?: number | undefined
  readonly stackable?: boolean | undefined
  readonly exceptionCountries?: ReadonlyArray<string> | null | undefined
  readonly isActive?: boolean | undefined
  readonly taxClassId?: string | null | undefined
}

export type NewTaxRate = TaxRateChanges & {
  readonly name: string
  readonly country: string
  readonly rate: number | string
}

/**
 * A rate before anything was said about it: applies to the whole country, to prices that are entered as the store
 * enters them.
 */
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

const given = <A>(value: A | undefined, current: A): A => (value === undefined ? current : value)

/** The rate after the changes, or what is wrong with each field. A region is kept without the prefix of its country. */
export const changeTaxRate = (
  current: TaxRateState,
  changes: TaxRateChanges,
  at: Date
): Result.Result<TaxRateState, FieldErrors> => {
  const errors = errorsOf(changes)
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  const country = given(changes.country, current.country)
  const region = trimmedText(given(changes.region, current.region))
  return Result.succeed({
    ...current,
    name: changes.name?.trim() ?? current.name,
    country,
    region: region === null ? null : normaliseRegion(country, region),
    postalCode: trimmedText(given(changes.postalCode, current.postalCode)),
    rate: changes.rate === undefined ? current.rate : rateText(changes.rate),
    taxType: trimmedText(given(changes.taxType, current.taxType)),
    isInclusive: given(changes.isInclusive, current.isInclusive),
    priority: given(changes.priority, current.priority),
    stackable: given(changes.stackable, current.stackable),
    exceptionCountries:
      changes.exceptionCountries === undefined
        ? current.exceptionCountries
        : [...new Set(changes.exceptionCountries ?? [])],
    isActive: given(changes.isActive, current.isActive),
    taxClassId: given(changes.taxClassId, current.taxClassId),
    updatedAt: at
  })
}
