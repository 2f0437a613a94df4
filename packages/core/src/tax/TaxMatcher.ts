/**
 * Decides which tax rates apply to a line: called once per tax class of an order, with the address where the goods go.
 * It knows nothing of amounts (TaxArithmetic does). A store's rates are compiled once per version of its rules into an
 * index by class, country, region and postal code, so that a match costs the rates that match, not the rates that
 * exist.
 *
 * The rules. Only active rates of the line's own class whose country matches and whose region and postal code, where
 * set, match exactly; a rate never applies in its exceptionCountries. The winner is the most specific one (postal code,
 * then region, then country), among equals the lower priority, then the earlier createdAt, then the id. A winner that
 * does not stack is charged alone; a winner that stacks is charged together with every matching rate that stacks,
 * however specific. Without a match there is no tax.
 */
import { normaliseCountry } from "../kernel/Country.ts"
import { isExactPostalCode, normalizePostalCode } from "../kernel/PostalCode.ts"
import { parseRate, type Rate } from "../kernel/Rate.ts"
import { normaliseRegion } from "../kernel/Subdivisions.ts"
import { type AppliedRate, makeAppliedRate, makeTaxMatch, NO_MATCH, type TaxMatch } from "./TaxMatch.ts"

/** The fields of a tax rate that matching needs, as a stored row has them. Upper and lower case do not matter. */
export interface MatchableRate {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly region: string | null
  readonly postalCode: string | null
  /** Percentage as a decimal string ("8.875"), 0 to 100. */
  readonly rate: string
  readonly isInclusive: boolean
  readonly priority: number
  readonly stackable: boolean
  readonly exceptionCountries: ReadonlyArray<string>
  readonly isActive: boolean
  /** null = the Standard class. */
  readonly taxClassId: string | null
  readonly createdAt: Date | number
}

/**
 * An address as far as taxes care: country alpha-2, region as `BY` or `DE-BY`; case, spaces and hyphens do not matter.
 */
export interface TaxAddress {
  readonly country: string
  readonly region?: string | null | undefined
  readonly postalCode?: string | null | undefined
  /** Of no matter to the store's own rates; for a calculator of a host's. */
  readonly city?: string | null | undefined
  readonly line1?: string | null | undefined
}

export interface TaxMatcher {
  /** The rates that apply to goods of the class (null = Standard) at the address; no rates where nothing matches. */
  readonly match: (address: TaxAddress, taxClassId: string | null) => TaxMatch
  /** How many rates can ever match. 0 = the store charges no tax. */
  readonly size: number
}

interface CompiledRate {
  readonly id: string
  readonly priority: number
  readonly createdAt: number
  readonly stackable: boolean
  readonly applied: AppliedRate
  /** The match in which this rate is the only one. */
  readonly alone: TaxMatch
}

/** Rates of the same class, country, region and postal code, best first. */
interface Bucket {
  readonly all: Array<CompiledRate>
  readonly stackable: Array<CompiledRate>
}

interface CountryIndex {
  country: Bucket | undefined
  readonly regions: Map<string, Bucket>
  /** Keyed by postal code, a space and the region, which is empty for a rate without one. */
  readonly postalCodes: Map<string, Bucket>
}

/** Class (null = Standard) -> country -> rates. */
type Index = Map<string | null, Map<string, CountryIndex>>

const precedence = (a: CompiledRate, b: CompiledRate): number =>
  a.priority - b.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const exactRate = (row: MatchableRate): Rate => {
  const rate = parseRate(row.rate)
  if ("_tag" in rate) throw new RangeError(`tax rate ${row.id} ${rate.message}`)
  return rate
}

const compileRate = (row: MatchableRate): CompiledRate => {
  const applied = makeAppliedRate(row.id, row.name, exactRate(row), row.isInclusive)
  const place = present(row.postalCode) ? "postal code" : present(row.region) ? "region" : "country"
  const reason = row.stackable
    ? `the most specific match is a stackable ${place} rate and no other stackable rate matches`
    : `the most specific match is a ${place} rate that does not stack: it stands alone`
  return {
    id: row.id,
    priority: row.priority,
    createdAt: Number(row.createdAt),
    stackable: row.stackable,
    applied,
    alone: makeTaxMatch([applied], reason)
  }
}

const present = (text: string | null | undefined): text is string =>
  text !== null && text !== undefined && text.trim() !== ""

const bucketIn = (buckets: Map<string, Bucket>, key: string): Bucket => {
  const known = buckets.get(key)
  if (known !== undefined) return known
  const made: Bucket = { all: [], stackable: [] }
  buckets.set(key, made)
  return made
}

const countryIn = (index: Index, taxClassId: string | null, country: string): CountryIndex => {
  const countries = index.get(taxClassId) ?? new Map<string, CountryIndex>()
  index.set(taxClassId, countries)
  const known = countries.get(country)
  if (known !== undefined) return known
  const made: CountryIndex = { country: undefined, regions: new Map(), postalCodes: new Map() }
  countries.set(country, made)
  return made
}

/**
 * The bucket of a row, or undefined where the row can match nothing: inactive, excepted, or a pattern for a postal
 * code.
 */
const bucketOf = (index: Index, row: MatchableRate): Bucket | undefined => {
  const country = normaliseCountry(row.country)
  if (!row.isActive || country === "") return undefined
  if (row.exceptionCountries.some((code) => normaliseCountry(code) === country)) return undefined
  const region = present(row.region) ? normaliseRegion(country, row.region) : ""
  if (present(row.postalCode)) {
    const postalCode = normalizePostalCode(row.postalCode)
    if (!isExactPostalCode(postalCode)) return undefined
    return bucketIn(countryIn(index, row.taxClassId, country).postalCodes, `${postalCode} ${region}`)
  }
  const place = countryIn(index, row.taxClassId, country)
  if (region !== "") return bucketIn(place.regions, region)
  place.country ??= { all: [], stackable: [] }
  return place.country
}

/** Compiles the rates of one store. Throws a RangeError on a percentage that no validated row can have. */
export const compileTaxRates = (rows: Iterable<MatchableRate>): TaxMatcher => {
  const index: Index = new Map()
  const buckets = new Set<Bucket>()
  let size = 0
  for (const row of rows) {
    const bucket = bucketOf(index, row)
    if (bucket === undefined) continue
    bucket.all.push(compileRate(row))
    buckets.add(bucket)
    size++
  }
  for (const bucket of buckets) {
    bucket.all.sort(precedence)
    bucket.stackable.push(...bucket.all.filter((rate) => rate.stackable))
  }
  return { match: (address, taxClassId) => matchIn(index, address, taxClassId), size }
}

const matchIn = (index: Index, address: TaxAddress, taxClassId: string | null): TaxMatch => {
  const country = normaliseCountry(address.country)
  const place = index.get(taxClassId)?.get(country)
  if (place === undefined) return NO_MATCH
  const region = present(address.region) ? normaliseRegion(country, address.region) : ""
  const postalCode = present(address.postalCode) ? normalizePostalCode(address.postalCode) : ""
  const anyRegion = postalCode === "" ? undefined : place.postalCodes.get(`${postalCode} `)
  const sameRegion = postalCode === "" || region === "" ? undefined : place.postalCodes.get(`${postalCode} ${region}`)
  return resolve(best(anyRegion, sameRegion), [anyRegion, sameRegion, place.regions.get(region), place.country])
}

/** The better first rate of two buckets of the same specificity. */
const best = (a: Bucket | undefined, b: Bucket | undefined): CompiledRate | undefined => {
  const first = a?.all[0]
  const second = b?.all[0]
  if (first === undefined || second === undefined) return first ?? second
  return precedence(first, second) <= 0 ? first : second
}

/** `buckets` from the most to the least specific; `inPostalCode` is the winner there, if there is one. */
const resolve = (inPostalCode: CompiledRate | undefined, buckets: ReadonlyArray<Bucket | undefined>): TaxMatch => {
  const winner = inPostalCode ?? buckets.find((bucket) => bucket !== undefined)?.all[0]
  if (winner === undefined) return NO_MATCH
  return winner.stackable ? stack(buckets, winner) : winner.alone
}

const stack = (buckets: ReadonlyArray<Bucket | undefined>, winner: CompiledRate): TaxMatch => {
  const rates = buckets.flatMap((bucket) => bucket?.stackable ?? [])
  if (rates.length === 1) return winner.alone
  rates.sort(precedence)
  return makeTaxMatch(
    rates.map((rate) => rate.applied),
    "the most specific match is stackable: all matching stackable rates add up on the same base"
  )
}
