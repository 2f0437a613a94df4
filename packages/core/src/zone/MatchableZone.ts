/** A shipping zone as matching sees it (ZoneMatcher.ts). */

/**
 * What matching needs of a zone. `regions` and `postalCodes` are keyed by country; missing or empty = no restriction.
 */
export interface MatchableZone {
  readonly id: string
  readonly countries: ReadonlyArray<string>
  readonly regions: Readonly<Record<string, ReadonlyArray<string>>>
  readonly postalCodes: Readonly<Record<string, ReadonlyArray<string>>>
  /** GeoJSON as stored, or null. One that does not pass `checkGeometry` covers nothing. */
  readonly geometry: unknown
  /** Empty = any region (of the store's markets, not of the address). */
  readonly regionIds: ReadonlyArray<string>
  /** Empty = all channels. With or without the `vc_` prefix. */
  readonly salesChannelIds: ReadonlyArray<string>
  readonly priority: number
  readonly createdAt: Date
  readonly isActive: boolean
}

/** The narrowest condition that the address met. */
export type ZoneCoverage = "worldwide" | "country" | "region" | "postalCode" | "polygon"

/** Nothing listed and nothing drawn: the zone covers every country. */
export const coversEveryCountry = (zone: Pick<MatchableZone, "countries" | "geometry">): boolean =>
  zone.countries.length === 0 && (zone.geometry === null || zone.geometry === undefined)

/** Channel ids are compared without their `vc_` prefix, so both spellings name the same channel. */
export const channelKey = (id: string): string => (id.startsWith("vc_") ? id.slice(3) : id)

/** Whether a zone is sold on a channel; an empty list means all channels. */
export const isOnChannel = (zone: Pick<MatchableZone, "salesChannelIds">, salesChannelId: string): boolean =>
  zone.salesChannelIds.length === 0 || zone.salesChannelIds.some((id) => channelKey(id) === channelKey(salesChannelId))
