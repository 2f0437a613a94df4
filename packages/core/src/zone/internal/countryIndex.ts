/**
 * The country-list side of zone matching. Zones arrive in rank order and are known here by their rank (0 is first). Per
 * country they fall into three heaps: without further restriction, by region, by postal pattern (with or without a
 * region), so that a look-up touches only zones that cover the address. Zones that cover every country are kept apart
 * and narrowed by the same maps; they hold real countries only, so no zone serves an address in ZZ.
 */
import { isCountry, normaliseCountry } from "../../kernel/Country.ts"
import { normaliseRegion } from "../../kernel/Subdivisions.ts"
import { readPostalPattern } from "../PostalPattern.ts"
import { coversEveryCountry, type MatchableZone, type ZoneCoverage } from "../MatchableZone.ts"
import { makePostalIndex, type PostalIndex } from "./postalIndex.ts"

/** All three normalised; "" where the address lacks the part. */
interface Place {
  readonly country: string
  readonly region: string
  readonly postalCode: string
}

interface PostalRow {
  readonly rank: number
  /** undefined = any region. */
  readonly regions: ReadonlySet<string> | undefined
  readonly pattern: string
}

interface CountryEntry {
  readonly open: ReadonlyArray<number>
  readonly byRegion: ReadonlyMap<string, ReadonlyArray<number>>
  readonly byPostalCode: PostalIndex<PostalRow>
}

export interface CountryCandidate {
  readonly rank: number
  readonly coverage: ZoneCoverage
  readonly explanation: string
}

export interface CountryIndex {
  /** The lowest allowed rank whose country list holds the place. */
  readonly best: (place: Place, allowed: (rank: number) => boolean) => CountryCandidate | undefined
}

/** One zone as seen from one country. */
interface Slice {
  readonly rank: number
  readonly regions: ReadonlySet<string> | undefined
  readonly patterns: ReadonlyArray<string> | undefined
}

/** The list a map holds for a country, whatever the case of its keys; undefined = no restriction. */
const listOf = (
  map: Readonly<Record<string, ReadonlyArray<string>>>,
  country: string
): ReadonlyArray<string> | undefined => {
  const lists = Object.entries(map).flatMap(([key, list]) => (normaliseCountry(key) === country ? list : []))
  return lists.length === 0 ? undefined : lists
}

const append = <K, T>(map: Map<K, Array<T>>, key: K, value: T): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

const sliceOf = (zone: MatchableZone, rank: number, country: string): Slice => {
  const regions = listOf(zone.regions, country)
  return {
    rank,
    regions:
      regions === undefined
        ? undefined
        : new Set(regions.map((region) => normaliseRegion(country, region)).filter((region) => region !== "")),
    patterns: listOf(zone.postalCodes, country)
  }
}

const entryOf = (country: string, slices: ReadonlyArray<Slice>): CountryEntry => {
  const open: Array<number> = []
  const byRegion = new Map<string, Array<number>>()
  const postal: Array<readonly [ReturnType<typeof readPostalPattern>, PostalRow]> = []
  for (const { rank, regions, patterns } of slices) {
    if (patterns !== undefined) {
      for (const pattern of patterns) postal.push([readPostalPattern(country, pattern), { rank, regions, pattern }])
    } else if (regions === undefined) open.push(rank)
    else {
      for (const region of regions) append(byRegion, region, rank)
    }
  }
  return { open, byRegion, byPostalCode: makePostalIndex(postal) }
}

const bestOf = (
  entry: CountryEntry,
  place: Place,
  allowed: (rank: number) => boolean
): CountryCandidate | undefined => {
  const { country, region, postalCode } = place
  let lowest = Infinity
  let explain: (() => Omit<CountryCandidate, "rank">) | undefined
  /** Only the winner is explained. */
  const offer = (rank: number | undefined, coverage: ZoneCoverage, explanation: () => string): void => {
    if (rank === undefined || rank >= lowest) return
    lowest = rank
    explain = () => ({ coverage, explanation: explanation() })
  }
  offer(entry.open.find(allowed), "country", () => `country ${country} is listed`)
  offer(entry.byRegion.get(region)?.find(allowed), "region", () => `region ${region} of ${country} is listed`)
  entry.byPostalCode.each(postalCode, ({ rank, regions, pattern }) => {
    if (rank < lowest && (regions === undefined || regions.has(region)) && allowed(rank))
      offer(rank, "postalCode", () => `postal code ${postalCode || "(none)"} of ${country} matches ${pattern.trim()}`)
  })
  return explain === undefined ? undefined : { rank: lowest, ...explain() }
}

const namedCountries = (zone: MatchableZone): ReadonlyArray<string> =>
  (coversEveryCountry(zone) ? [...Object.keys(zone.regions), ...Object.keys(zone.postalCodes)] : zone.countries).map(
    normaliseCountry
  )

/** Builds the index over zones in rank order. */
export const makeCountryIndex = (zones: ReadonlyArray<MatchableZone>): CountryIndex => {
  const slices = new Map<string, Array<Slice>>()
  const worldwide: Array<number> = []
  zones.forEach((zone, rank) => {
    if (coversEveryCountry(zone)) worldwide.push(rank)
    for (const country of new Set(namedCountries(zone))) append(slices, country, sliceOf(zone, rank, country))
  })
  const entries = new Map([...slices].map(([country, list]) => [country, entryOf(country, list)]))
  const narrowed = new Map([...slices].map(([country, list]) => [country, new Set(list.map(({ rank }) => rank))]))

  const best: CountryIndex["best"] = (place, allowed) => {
    const entry = entries.get(place.country)
    const listed = entry === undefined ? undefined : bestOf(entry, place, allowed)
    const held = narrowed.get(place.country)
    const open = isCountry(place.country, { allowKosovo: true })
      ? worldwide.find((rank) => held?.has(rank) !== true && allowed(rank))
      : undefined
    if (open === undefined || (listed !== undefined && listed.rank < open)) return listed
    return {
      rank: open,
      coverage: "worldwide",
      explanation: `the zone covers every country, ${place.country} included`
    }
  }
  return { best }
}
