/**
 * Where a channel ships to, for the drop-downs of a storefront: the countries of every zone that is active, sold on the
 * channel and has an active rate. A country whose zones all name regions comes with just those regions; one that any
 * zone covers whole has no entry in `regions`. Postal codes and polygons narrow at checkout, not here: a zone that is
 * only a polygon names no country.
 */
import { Schema } from "effect"
import { arrayOf, boolean, described, string } from "../kernel/Fields.ts"
import { COUNTRY_CODES, countryName, isCountry, normaliseCountry } from "../kernel/Country.ts"
import { normaliseRegion, subdivisionName } from "../kernel/Subdivisions.ts"
import { coversEveryCountry, isOnChannel, type MatchableZone } from "./MatchableZone.ts"

const Destination = Schema.Struct({
  code: string("Code of the country (ISO 3166-1 alpha-2) or of the subdivision.", "US"),
  name: string("Name of it.", "United States")
}).annotate({ identifier: "Destination", description: "A country or a subdivision." })
type Destination = typeof Destination.Type

export const Destinations = Schema.Struct({
  worldwide: boolean("Whether the store ships to every country; countries then lists all of them."),
  countries: arrayOf(Destination, "Countries that the store ships to, by name."),
  regions: described(
    Schema.Record(Schema.String, Schema.Array(Destination)),
    "Country code to the only subdivisions served there. A country without an entry is served as a whole."
  )
}).annotate({ identifier: "ShippingDestinations", description: "Where a storefront ships to." })
export type Destinations = typeof Destinations.Type

export interface DestinationZone
  extends Pick<MatchableZone, "countries" | "regions" | "geometry" | "salesChannelIds" | "isActive"> {
  readonly rates: ReadonlyArray<{ readonly isActive: boolean }>
}

/** null = the whole country. */
type Reach = Map<string, Set<string> | null>

const byName = (a: Destination, b: Destination): number =>
  a.name.localeCompare(b.name, "en") || (a.code < b.code ? -1 : 1)

const widen = (reach: Reach, country: string, regions: ReadonlyArray<string>): void => {
  if (regions.length === 0) reach.set(country, null)
  const known = reach.get(country)
  if (known === null) return
  reach.set(country, new Set([...(known ?? []), ...regions.map((region) => normaliseRegion(country, region))]))
}

const reachOf = (zones: ReadonlyArray<DestinationZone>): Reach => {
  const reach: Reach = new Map()
  for (const zone of zones) {
    const regions = new Map(Object.entries(zone.regions).map(([country, list]) => [normaliseCountry(country), list]))
    const countries = coversEveryCountry(zone) ? COUNTRY_CODES : zone.countries.map(normaliseCountry)
    for (const country of countries) widen(reach, country, regions.get(country) ?? [])
  }
  return reach
}

/**
 * The destinations of one channel (`vc_…` or bare id), names in `locale` (BCP 47; region names as the country writes
 * them).
 */
export const destinationsOf = (
  zones: Iterable<DestinationZone>,
  salesChannelId: string,
  locale = "en"
): Destinations => {
  const served = [...zones].filter(
    (zone) => zone.isActive && isOnChannel(zone, salesChannelId) && zone.rates.some(({ isActive }) => isActive)
  )
  const reach = reachOf(served)
  const listed = [...reach].filter(([country]) => isCountry(country, { allowKosovo: true }))
  const regions = listed.flatMap(([country, codes]) =>
    codes === null
      ? []
      : [[country, [...codes].map((code) => ({ code, name: subdivisionName(country, code) })).sort(byName)] as const]
  )
  return {
    worldwide: served.some(coversEveryCountry),
    countries: listed.map(([code]) => ({ code, name: countryName(code, locale) })).sort(byName),
    regions: Object.fromEntries(regions)
  }
}
