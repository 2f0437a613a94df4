/** Shipping zones of a store, and a plain evaluator that reads all of them for each address. */
import type { MatchableZone, ZoneAddress } from "@effect-commerce/core/zone/ZoneMatcher"
import type { Random } from "../proof/Random.ts"

const countries = ["US", "DE", "FR", "CA", "GB"]
const regionsOfEach = 20

type Ring = ReadonlyArray<readonly [lng: number, lat: number]>

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** A closed ring of `vertices` around a place, as a merchant draws a delivery area of some kilometres. */
const ringAround = (random: Random, lng: number, lat: number, vertices: number): Ring => {
  const ring = Array.from({ length: vertices - 1 }, (_, at): readonly [number, number] => {
    const angle = (2 * Math.PI * at) / (vertices - 1)
    const radius = 0.02 + 0.03 * random.next()
    return [round(lng + radius * Math.cos(angle)), round(lat + radius * Math.sin(angle))]
  })
  const [first] = ring
  return first === undefined ? ring : [...ring, first]
}

/** Codes of six digits: a table that grows covers more of them, as it draws more of the map. */
const codesOf = (zones: number): number => zones * 20
const codeAt = (code: number): string => String(100_000 + code)

const patternAt = (random: Random, code: number): string => {
  const kind = random.next()
  if (kind < 0.5) return codeAt(code)
  return kind < 0.75 ? `${codeAt(code).slice(0, -1)}*` : `${codeAt(code)}-${codeAt(code + 20)}`
}

/** Of three zones, one is drawn, one lists postal codes, and one a region; a drawn one has 30 vertices. */
const verticesOfEach = 30
const patternsOfEach = 12

export const zoneTable = (random: Random, count: number): ReadonlyArray<MatchableZone> =>
  Array.from({ length: count }, (_, at): MatchableZone => {
    const country = random.pick(countries)
    const kind = at % 3
    const [lng, lat] = [random.next() * 40 - 20, random.next() * 20 + 40]
    const patterns = Array.from({ length: patternsOfEach }, () => patternAt(random, random.between(0, codesOf(count))))
    const ring = ringAround(random, lng, lat, verticesOfEach)
    return {
      id: `zone_${at}`,
      countries: kind === 0 ? [] : [country],
      regions: kind === 2 ? { [country]: [`R${random.between(0, regionsOfEach - 1)}`] } : {},
      postalCodes: kind === 1 ? { [country]: patterns } : {},
      geometry: kind === 0 ? { type: "Polygon", coordinates: [ring] } : null,
      regionIds: [],
      salesChannelIds: [],
      // What is drawn comes first, then postal codes, then regions.
      priority: kind,
      createdAt: new Date(at),
      isActive: true
    }
  })

/** A third of the addresses lies in an area that is drawn; all are located. */
export const zoneAddresses = (
  random: Random,
  zones: ReadonlyArray<MatchableZone>,
  count: number
): ReadonlyArray<ZoneAddress> => {
  const drawn = zones.flatMap(({ geometry }) => {
    const [lng, lat] = ringsOf(geometry)[0]?.[0] ?? []
    return lng === undefined || lat === undefined ? [] : [{ lng, lat }]
  })
  return Array.from({ length: count }, (): ZoneAddress => {
    const point = random.chance(1 / 3)
      ? random.pick(drawn)
      : { lng: random.next() * 40 - 20, lat: random.next() * 20 + 40 }
    return {
      country: random.pick(countries),
      region: `R${random.between(0, regionsOfEach - 1)}`,
      postalCode: codeAt(random.between(0, codesOf(zones.length))),
      ...point
    }
  })
}

const ringsOf = (geometry: unknown): ReadonlyArray<Ring> =>
  geometry === null ? [] : (geometry as { readonly coordinates: ReadonlyArray<Ring> }).coordinates

const onSegment = (px: number, py: number, [ax, ay]: Ring[number], [bx, by]: Ring[number]): boolean =>
  (bx - ax) * (py - ay) === (by - ay) * (px - ax) &&
  px >= Math.min(ax, bx) &&
  px <= Math.max(ax, bx) &&
  py >= Math.min(ay, by) &&
  py <= Math.max(ay, by)

const isInside = (px: number, py: number, ring: Ring): boolean => {
  let inside = false
  for (let at = 1; at < ring.length; at++) {
    const [from, to] = [ring[at - 1], ring[at]]
    if (from === undefined || to === undefined) continue
    if (onSegment(px, py, from, to)) return true
    const crosses = from[1] > py !== to[1] > py
    if (crosses && px < ((to[0] - from[0]) * (py - from[1])) / (to[1] - from[1]) + from[0]) inside = !inside
  }
  return inside
}

const satisfies = (pattern: string, code: string): boolean => {
  if (pattern.endsWith("*")) return code.startsWith(pattern.slice(0, -1))
  const [low = "", high] = pattern.split("-")
  return high === undefined ? code === low : code >= low && code <= high
}

const covers = (zone: MatchableZone, { country, region, postalCode, lng, lat }: ZoneAddress): boolean => {
  if (typeof lng === "number" && typeof lat === "number" && ringsOf(zone.geometry).some((r) => isInside(lng, lat, r)))
    return true
  if (!zone.countries.includes(country)) return false
  const regions = zone.regions[country]
  if (regions !== undefined && !regions.includes(region ?? "")) return false
  const patterns = zone.postalCodes[country]
  return patterns === undefined || patterns.some((pattern) => satisfies(pattern, postalCode ?? ""))
}

const isBefore = (a: MatchableZone, b: MatchableZone): boolean =>
  a.priority < b.priority || (a.priority === b.priority && a.createdAt < b.createdAt)

/** The id of the zone that serves the address: the rules of ZoneMatcher, read for one zone after another. */
export const linearZone = (zones: ReadonlyArray<MatchableZone>, address: ZoneAddress): string | undefined => {
  let best: MatchableZone | undefined
  for (const zone of zones) if (covers(zone, address) && (best === undefined || isBefore(zone, best))) best = zone
  return best?.id
}
