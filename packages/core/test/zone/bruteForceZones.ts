/**
 * The zone rules once more, read straight from the contract and sharing nothing with the product code: no index, no
 * compilation, own normalisation, own range rule, own point-in-polygon in whole numbers. Slow on purpose.
 */
export interface OracleZone {
  readonly id: string
  readonly countries: ReadonlyArray<string>
  readonly regions: Readonly<Record<string, ReadonlyArray<string>>>
  readonly postalCodes: Readonly<Record<string, ReadonlyArray<string>>>
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null
  readonly regionIds: ReadonlyArray<string>
  readonly salesChannelIds: ReadonlyArray<string>
  readonly priority: number
  readonly createdAt: Date
  readonly isActive: boolean
}

export interface OracleAddress {
  readonly country: string
  readonly region?: string | null | undefined
  readonly postalCode?: string | null | undefined
  readonly lat?: number | null | undefined
  readonly lng?: number | null | undefined
}

const squeeze = (text: string): string => [...text.toUpperCase()].filter((c) => c !== " " && c !== "-").join("")
const isDigits = (text: string): boolean => text !== "" && [...text].every((c) => c >= "0" && c <= "9")

const oraclePattern = (country: string, pattern: string, rawCode: string): boolean => {
  const code = squeeze(rawCode)
  const wanted = squeeze(pattern)
  const stars = [...wanted].filter((c) => c === "*").length
  if (stars > 0) {
    if (stars > 1 || !wanted.endsWith("*")) return false
    return code.slice(0, wanted.length - 1) === wanted.slice(0, -1)
  }
  const halves = pattern.split("-").map(squeeze)
  const [low, high] = halves
  if (halves.length === 2 && low !== undefined && high !== undefined && country !== "IR") {
    if (isDigits(low) && isDigits(high) && low.length === high.length && Number(low) <= Number(high))
      return isDigits(code) && code.length === low.length && Number(code) >= Number(low) && Number(code) <= Number(high)
  }
  return wanted !== "" && code === wanted
}

const bareRegion = (country: string, region: string): string => {
  const upper = region.trim().toUpperCase()
  return upper.startsWith(`${country}-`) ? upper.slice(3) : upper
}

type Point = readonly [number, number]

/** Whole-number coordinates only, so that cross products are exact. */
const onSegment = ([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): boolean =>
  (bx - ax) * (py - ay) === (by - ay) * (px - ax) &&
  px >= Math.min(ax, bx) &&
  px <= Math.max(ax, bx) &&
  py >= Math.min(ay, by) &&
  py <= Math.max(ay, by)

const edgesOf = (ring: ReadonlyArray<Point>): ReadonlyArray<readonly [Point, Point]> =>
  ring.slice(1).map((to, i) => [ring[i] ?? to, to])

const rightOfPoint = ([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): boolean => {
  if (ay > py === by > py) return false
  const cross = (bx - ax) * (py - ay) - (px - ax) * (by - ay)
  return by > ay ? cross > 0 : cross < 0
}

type Side = "inside" | "edge" | "outside"

const sideOf = (point: Point, ring: ReadonlyArray<Point>): Side => {
  const edges = edgesOf(ring)
  if (edges.some(([a, b]) => onSegment(point, a, b))) return "edge"
  return edges.filter(([a, b]) => rightOfPoint(point, a, b)).length % 2 === 1 ? "inside" : "outside"
}

const inPolygon = (point: Point, rings: ReadonlyArray<ReadonlyArray<Point>>): boolean =>
  rings.every((ring, i) => (i === 0 ? sideOf(point, ring) !== "outside" : sideOf(point, ring) !== "inside"))

const inGeometry = (point: Point, geometry: OracleZone["geometry"]): boolean => {
  if (geometry === null) return false
  const polygons = (geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates) as ReadonlyArray<
    ReadonlyArray<ReadonlyArray<Point>>
  >
  return polygons.some((rings) => inPolygon(point, rings))
}

const inList = (zone: OracleZone, address: OracleAddress): boolean => {
  const country = address.country.trim().toUpperCase()
  const everywhere = zone.countries.length === 0 && zone.geometry === null
  if (!everywhere && !zone.countries.includes(country)) return false
  const regions = zone.regions[country] ?? []
  const region = bareRegion(country, address.region ?? "")
  if (regions.length > 0 && !regions.some((listed) => bareRegion(country, listed) === region)) return false
  const patterns = zone.postalCodes[country] ?? []
  return patterns.length === 0 || patterns.some((pattern) => oraclePattern(country, pattern, address.postalCode ?? ""))
}

const oracleCovers = (zone: OracleZone, address: OracleAddress): boolean =>
  inList(zone, address) ||
  (typeof address.lng === "number" &&
    typeof address.lat === "number" &&
    inGeometry([address.lng, address.lat], zone.geometry))

const sold = (list: ReadonlyArray<string>, id: string | null): boolean =>
  list.length === 0 || (id !== null && list.includes(id))

export const oracleMatch = (
  zones: ReadonlyArray<OracleZone>,
  address: OracleAddress,
  salesChannelId: string | null,
  regionId: string | null
): string | undefined => {
  let best: OracleZone | undefined
  for (const zone of zones) {
    if (!zone.isActive || !oracleCovers(zone, address)) continue
    if (!sold(zone.salesChannelIds, salesChannelId) || !sold(zone.regionIds, regionId)) continue
    const key = (z: OracleZone) => [z.priority, z.createdAt.getTime(), z.id] as const
    if (best === undefined) best = zone
    else {
      const [p, c, i] = key(zone)
      const [bp, bc, bi] = key(best)
      if (p < bp || (p === bp && (c < bc || (c === bc && i < bi)))) best = zone
    }
  }
  return best?.id
}
