/**
 * Checks the coverage that a merchant enters for a zone, before it is stored: country codes, regions, postal patterns
 * and polygon. Every wrong field is reported by its path; what would silently match nothing is at least a warning.
 * Region codes come out without their country prefix, patterns trimmed, duplicates removed.
 */
import { Result } from "effect"
import { isCountry } from "../kernel/Country.ts"
import { longProblem, manyProblem, problemsOf } from "../kernel/FieldErrors.ts"
import { normaliseRegion } from "../kernel/Subdivisions.ts"
import type { MatchableZone } from "./MatchableZone.ts"
import { type CheckedGeometry, checkGeometry, type GeometryErrors, pointsOf } from "./Polygon.ts"
import { readPostalPattern } from "./PostalPattern.ts"
import { zoneBounds } from "./ZoneBounds.ts"

type ListsByCountry = Readonly<Record<string, ReadonlyArray<string>>>

/** The coverage fields of a zone. `geometry` is GeoJSON or null, and stored unchanged. */
export type ZoneCoverageInput = Pick<MatchableZone, "countries" | "regions" | "postalCodes" | "geometry">

export interface CheckedZoneCoverage extends ZoneCoverageInput {
  /** For `warnings` of the response; usually empty. */
  readonly warnings: ReadonlyArray<string>
}

/** The sizes that are bounded for a store as a whole too. */
export interface CoverageSize {
  readonly points: number
  readonly regions: number
  readonly postalCodes: number
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
  if (code === "") return Result.fail("must not be empty")
  const problem = longProblem(code, zoneBounds.region)
  return problem === undefined ? Result.succeed(code) : Result.fail(problem)
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

const countOf = (lists: ListsByCountry): number => Object.values(lists).reduce((sum, items) => sum + items.length, 0)

/** Checked before the entries, so that an endless list is not reported entry by entry. */
const sizeProblems = ({ countries, regions, postalCodes, geometry }: ZoneCoverageInput): ZoneCoverageErrors =>
  problemsOf({
    countries: manyProblem(countries.length, zoneBounds.countries),
    regions: manyProblem(countOf(regions), zoneBounds.regions),
    postalCodes: manyProblem(countOf(postalCodes), zoneBounds.postalCodes),
    geometry: longProblem(JSON.stringify(geometry ?? null), zoneBounds.geometry)?.replace(/$/, " as JSON")
  })

/** Rejects too many points only when a geometry is written: stored geometries keep working. */
const boundedGeometry = (input: unknown): Result.Result<CheckedGeometry, GeometryErrors> =>
  Result.flatMap(checkGeometry(input), (geometry) => {
    const points = pointsOf(geometry)
    return points > zoneBounds.points
      ? Result.fail({ geometry: `has ${points} points, more than the ${zoneBounds.points} of a zone` })
      : Result.succeed(geometry)
  })

const undrawn: CheckedGeometry = { polygons: [], warnings: [] }

/** The size of a zone that passed the checks. */
export const coverageSizeOf = ({
  regions,
  postalCodes,
  geometry
}: Omit<ZoneCoverageInput, "countries">): CoverageSize => ({
  points: Result.match(checkGeometry(geometry), { onFailure: () => 0, onSuccess: pointsOf }),
  regions: countOf(regions),
  postalCodes: countOf(postalCodes)
})

/** Checks and normalises the coverage of one zone. The errors carry every wrong field, not only the first. */
export const checkZoneCoverage = (
  input: ZoneCoverageInput,
  options?: ZoneCoverageOptions
): Result.Result<CheckedZoneCoverage, ZoneCoverageErrors> => {
  const tooLarge = sizeProblems(input)
  if (Object.keys(tooLarge).length > 0) return Result.fail(tooLarge)
  const isKnown = (code: string): boolean => isCountry(code, options)
  const countryErrors = Object.fromEntries(
    input.countries.flatMap((code, i) => (isKnown(code) ? [] : [[`countries.${i}`, NOT_A_COUNTRY]]))
  )
  const regions = checkLists("regions", input.regions, isKnown, readRegion)
  const postalCodes = checkLists("postalCodes", input.postalCodes, isKnown, readPattern)
  const drawn = input.geometry !== null && input.geometry !== undefined
  const geometry = drawn ? boundedGeometry(input.geometry) : Result.succeed(undrawn)
  const errors: ZoneCoverageErrors = {
    ...countryErrors,
    ...regions.errors,
    ...postalCodes.errors,
    ...(Result.isFailure(geometry) ? geometry.failure : {})
  }
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  const area = Result.getOrElse(geometry, () => undrawn)
  const countries = [...new Set(input.countries)]
  return Result.succeed({
    countries,
    regions: regions.lists,
    postalCodes: postalCodes.lists,
    geometry: drawn ? input.geometry : null,
    warnings: [
      ...unlisted("regions", regions.lists, countries),
      ...unlisted("postalCodes", postalCodes.lists, countries),
      ...area.warnings
    ]
  })
}
