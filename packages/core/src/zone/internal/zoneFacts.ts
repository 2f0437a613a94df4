/** Two facts about a zone that matching and destinations must read alike. */
import type { MatchableZone } from "../MatchableZone.ts"

/** Nothing listed and nothing drawn: the zone covers every country. */
export const coversEveryCountry = (zone: Pick<MatchableZone, "countries" | "geometry">): boolean =>
  zone.countries.length === 0 && (zone.geometry === null || zone.geometry === undefined)

/** Channel ids are compared without their `vc_` prefix, so both spellings name the same channel. */
export const channelKey = (id: string): string => (id.startsWith("vc_") ? id.slice(3) : id)

/** Whether a zone is sold on a channel; an empty list means all channels. */
export const isOnChannel = (zone: Pick<MatchableZone, "salesChannelIds">, salesChannelId: string): boolean =>
  zone.salesChannelIds.length === 0 || zone.salesChannelIds.some((id) => channelKey(id) === channelKey(salesChannelId))
