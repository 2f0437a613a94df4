/**
 * Decides which shipping zone serves an address. A store's zones are compiled once per version of its rules; so that a
 * match costs the zones that match, not the zones that exist. The first match by (priority, createdAt, id) wins and
 * supplies all rates. Inactive zones and zones of other channels or regions never match. A zone matches by its country
 * list OR by its polygon. Country list: the country must be listed; where `regions` names that country, the region must
 * be listed; where `postalCodes` names it, the postal code must satisfy a pattern. A zone with an empty country list
 * covers every country, unless it has a polygon: then only the polygon counts.
 */
import { Result } from "effect"
import { normaliseCountry } from "../kernel/Country.ts"
import { normalizePostalCode } from "../kernel/PostalCode.ts"
import { normaliseRegion } from "../kernel/Subdivisions.ts"
import { makeAreaIndex } from "./internal/areaIndex.ts"
import { makeCountryIndex, type CountryIndex } from "./internal/countryIndex.ts"
import { channelKey, type MatchableZone, type ZoneCoverage } from "./MatchableZone.ts"
import { type CheckedGeometry, checkGeometry } from "./Polygon.ts"

export type { MatchableZone, ZoneCoverage }

/** An address as far as zones care. Case, spaces and hyphens do not matter; `lat` and `lng` alone decide polygons. */
export interface ZoneAddress {
  readonly country: string
  readonly region?: string | null | undefined
  readonly postalCode?: string | null | undefined
  readonly lat?: number | null | undefined
  readonly lng?: number | null | undefined
}

export interface ZoneMatch<Zone> {
  readonly zone: Zone
  readonly coverage: ZoneCoverage
  /** One sentence for the merchant: "postal code 94105 of US matches 941*". */
  readonly explanation: string
}

export interface ZoneMatcher<Zone> {
  /**
   * The zone that serves the address on this channel, or undefined. `salesChannelId` null (an order without a channel)
   * and `regionId` null or absent (no market chosen) satisfy only zones without such a restriction.
   */
  readonly match: (
    address: ZoneAddress,
    salesChannelId: string | null,
    regionId?: string | null
  ) => ZoneMatch<Zone> | undefined
  /** How many zones can match at all. 0 = the store ships nowhere. */
  readonly activeZones: number
}

interface CompiledZone<Zone> {
  readonly zone: Zone
  readonly channels: ReadonlySet<string>
  readonly regionIds: ReadonlySet<string>
}

const before = (a: MatchableZone, b: MatchableZone): number =>
  a.priority - b.priority || a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const drawnBy = ({ geometry }: MatchableZone): CheckedGeometry | undefined => {
  if (geometry === null || geometry === undefined) return undefined
  return Result.getOrUndefined(checkGeometry(geometry))
}

interface Candidate {
  readonly rank: number
  readonly coverage: ZoneCoverage
  readonly explanation: string
}

/** Compiles the zones of one store. The order of `zones` does not matter. */
export const compileZones = <Zone extends MatchableZone>(zones: Iterable<Zone>): ZoneMatcher<Zone> => {
  const ranked: ReadonlyArray<CompiledZone<Zone>> = [...zones]
    .filter(({ isActive }) => isActive)
    .sort(before)
    .map((zone) => ({
      zone,
      channels: new Set(zone.salesChannelIds.map(channelKey)),
      regionIds: new Set(zone.regionIds)
    }))
  const countries: CountryIndex = makeCountryIndex(ranked.map(({ zone }) => zone))
  const areas = makeAreaIndex(
    ranked.flatMap(({ zone }, rank) => {
      const geometry = drawnBy(zone)
      return geometry === undefined ? [] : [[rank, geometry] as const]
    })
  )

  const serves = (rank: number, channel: string | null, regionId: string | null): boolean => {
    const compiled = ranked[rank]
    if (compiled === undefined) return false
    const { channels, regionIds } = compiled
    return (
      (channels.size === 0 || (channel !== null && channels.has(channel))) &&
      (regionIds.size === 0 || (regionId !== null && regionIds.has(regionId)))
    )
  }

  /** The best polygon that ranks before `limit`. */
  const byArea = (
    lng: number,
    lat: number,
    limit: number,
    allowed: (rank: number) => boolean
  ): Candidate | undefined => {
    const rank = areas.best(lng, lat, (each) => each < limit && allowed(each))
    return rank === undefined
      ? undefined
      : { rank, coverage: "polygon", explanation: `point [${lng}, ${lat}] lies in the polygon` }
  }

  const match: ZoneMatcher<Zone>["match"] = (address, salesChannelId, regionId = null) => {
    const channel = salesChannelId === null ? null : channelKey(salesChannelId)
    const allowed = (rank: number): boolean => serves(rank, channel, regionId)
    const country = normaliseCountry(address.country)
    const listed: Candidate | undefined = countries.best(
      {
        country,
        region: normaliseRegion(country, address.region ?? ""),
        postalCode: normalizePostalCode(address.postalCode ?? "")
      },
      allowed
    )
    const { lng, lat } = address
    const drawn =
      typeof lng === "number" && typeof lat === "number"
        ? byArea(lng, lat, listed?.rank ?? ranked.length, allowed)
        : undefined
    const winner = drawn ?? listed
    const zone = winner === undefined ? undefined : ranked[winner.rank]?.zone
    return winner === undefined || zone === undefined
      ? undefined
      : { zone, coverage: winner.coverage, explanation: winner.explanation }
  }

  return { match, activeZones: ranked.length }
}
