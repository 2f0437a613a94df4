/**
 * Checks what a merchant says a zone covers, before it is stored: country codes, regions, postal patterns and polygon.
 * Every wrong field is reported by its path; what would silently match nothing is at least a warning. Region codes come
 * out without their country prefix, patterns trimmed, duplicates gone. Source: interface.md, Shipping zone and rate.
 */
import { Result } from "effect"
import { isCountry } from "../kernel/Country.ts"
import { normaliseRegion } from "../kernel/Subdivisions.ts"
import { checkGeometry } from "./Polygon.ts"
import { readPostalPattern } from "./PostalPattern.ts"

type ListsByCountry = Readonly<Record<string, ReadonlyArray<string>>>

/** The coverage fields of a zone. `geometry` is GeoJSON or null. */
export interface ZoneCoverageInput {
  readonly countries: ReadonlyArray<string>
  readonly regions: ListsByCountry
  readonly postalCodes: ListsByCountry
  readonly geometry: unknown
}

export interface CheckedZoneCoverage {
  readonly countries: ReadonlyArray<string>
  readonly regions: ListsByCountry
  readonly postalCodes: ListsByCountry
  /** As it came in: GeoJSON is stored unchanged. */
  readonly geometry: unknown
  /** For `warnings` of the answer; empty as a rule. */
  readonly warnings: ReadonlyArray<string>
}

/** Field path to sentence, for `details.errors`. */
export type ZoneCoverageErrors = Readonly<Record<string, string>>

export interface ZoneCoverageOptions {
  /** Also accept XK as a country. Default false. */
  readonly allowKosovo?: boolean
}

const NOT_A_COUNTRY = "must be an ISO 3166-1 alpha-2 code such as US"

/** Checks a map of lists keyed by country; `read` gives the stored form of one item or a problem. */
const checkLists = (
  field: string,
  lists: ListsByCountry,
  isKnown: (code: string) => boolean,
  read: (country: string, item: string) => Result.Result<string, string>
): { readonly lists: ListsByCountry; readonly errors: ZoneCoverageErrors } => {
  const errors: Record<string, string> = {}
  const checked = Object.entries(lists).map(([country, items]): readonly [string, ReadonlyArray<string>] => {
    if (!isKnown(country)) errors[`${field}.${country}`] = NOT_A_COUNTRY
    const stored = items.map((item, i) => {
      const outcome = read(country, item)
      if (Result.isSuccess(outcome)) return outcome.success
      errors[`${field}.${country}.${i}`] = outcome.failure
      return item
    })
    return [country, [...new Set(stored)]]
  })
  return { lists: Object.fromEntries(checked), errors }
}

const readRegion = (country: string, region: string): Result.Result<string, string> => {
  const code = normaliseRegion(country, region)
  return code === "" ? Result.fail("must not be empty") : Result.succeed(code)
}

const readPattern = (country: string, text: string): Result.Result<string, string> => {
  const pattern = readPostalPattern(country, text)
  return pattern.kind === "none" ? Result.fail(pattern.problem) : Result.succeed(text.trim())
}

const unlisted = (field: string, lists: ListsByCountry, countries: ReadonlyArray<string>): ReadonlyArray<string> =>
  countries.length === 0
    ? []
    : Object.keys(lists)
        .filter((country) => !countries.includes(country))
        .map((country) => `${field}.${country} has no effect: ${country} is not among the countries`)

/** Checks and normalises the coverage of one zone. The errors carry every wrong field, not only the first. */
export const checkZoneCoverage = (input: ZoneCoverageInput, options?: ZoneCoverageOptions): Result.Result<CheckedZoneCoverage, ZoneCoverageErrors> => {
  const isKnown = (code: string): boolean => isCountry(code, options)
  const countryErrors = Object.fromEntries(input.countries.flatMap((code, i) => (isKnown(code) ? [] : [[`countries.${i}`, NOT_A_COUNTRY]])))
  const regions = checkLists("regions", input.regions, isKnown, readRegion)
  const postalCodes = checkLists("postalCodes", input.postalCodes, isKnown, readPattern)
  const drawn = input.geometry !== null && input.geometry !== undefined
  const geometry = drawn ? checkGeometry(input.geometry) : undefined
  const errors: ZoneCoverageErrors = {
    ...countryErrors,
    ...regions.errors,
    ...postalCodes.errors,
    ...(geometry !== undefined && Result.isFailure(geometry) ? geometry.failure : {})
  }
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  const countries = [...new Set(input.countries)]
  return Result.succeed({
    countries,
    regions: regions.lists,
    postalCodes: postalCodes.lists,
    geometry: drawn ? input.geometry : null,
    warnings: [
      ...unlisted("regions", regions.lists, countries),
      ...unlisted("postalCodes", postalCodes.lists, countries),
      ...(geometry !== undefined && Result.isSuccess(geometry) ? geometry.success.warnings : [])
    ]
  })
}
