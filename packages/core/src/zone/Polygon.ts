/**
 * The polygon a merchant draws around a delivery area: GeoJSON Polygon or MultiPolygon, positions as [lng, lat], edges
 * straight in longitude and latitude, the boundary inside, holes outside. Checking says which coordinate is wrong and
 * why; an accepted geometry is compiled once and tested many times. Source: RFC 7946.
 */
import { Result } from "effect"
import pointInPolygon from "point-in-polygon-hao"

/** A ring is closed: its last position repeats the first. Longitude first. */
export type Ring = ReadonlyArray<readonly [lng: number, lat: number]>

/** A checked geometry: outer ring first, then holes, in each polygon. Altitudes and foreign members are removed. */
export interface CheckedGeometry {
  readonly polygons: ReadonlyArray<ReadonlyArray<Ring>>
  /** Sentences for the merchant; the geometry is accepted all the same. */
  readonly warnings: ReadonlyArray<string>
}

/** How many positions a checked geometry has, the closing ones of rings included. */
export const pointsOf = ({ polygons }: CheckedGeometry): number =>
  polygons.flat().reduce((sum, ring) => sum + ring.length, 0)

/** Field path to sentence, e.g. `geometry.coordinates.0.3` -> "latitude 151.2 is not between -90 and 90". */
export type GeometryErrors = Readonly<Record<string, string>>

const MOST_ERRORS = 10
const LEAST_POSITIONS = 4

class Problems {
  readonly errors: Record<string, string> = {}
  readonly warnings: Array<string> = []
  add(path: string, sentence: string): void {
    if (Object.keys(this.errors).length < MOST_ERRORS) this.errors[path] ??= sentence
  }
  get found(): boolean {
    return Object.keys(this.errors).length > 0
  }
}

const checkNumber = (
  value: unknown,
  path: string,
  axis: { name: string; limit: number },
  problems: Problems
): number => {
  if (typeof value !== "number" || !Number.isFinite(value)) problems.add(path, `${axis.name} must be a finite number`)
  else if (Math.abs(value) > axis.limit)
    problems.add(
      path,
      `${axis.name} ${value} is not between -${axis.limit} and ${axis.limit} (positions are [lng, lat])`
    )
  else return value
  return 0
}

const LONGITUDE = { name: "longitude", limit: 180 }
const LATITUDE = { name: "latitude", limit: 90 }

const checkPosition = (input: unknown, path: string, problems: Problems): readonly [number, number] => {
  if (!Array.isArray(input) || input.length < 2) {
    problems.add(path, "must be a position [lng, lat]")
    return [0, 0]
  }
  return [checkNumber(input[0], path, LONGITUDE, problems), checkNumber(input[1], path, LATITUDE, problems)]
}

/** An edge over more than half the globe, unless it runs from one border of the map to the other. */
const looksUncut = (from: readonly [number, number], to: readonly [number, number]): boolean => {
  const width = Math.abs(from[0] - to[0])
  return width > 180 && width < 360
}

const checkRing = (input: unknown, path: string, problems: Problems): Ring => {
  if (!Array.isArray(input)) {
    problems.add(path, "must be a ring: an array of positions")
    return []
  }
  if (input.length < LEAST_POSITIONS)
    problems.add(path, `a ring needs at least ${LEAST_POSITIONS} positions, this one has ${input.length}`)
  const ring = input.map((position, i) => checkPosition(position, `${path}.${i}`, problems))
  const [first, last] = [ring[0], ring.at(-1)]
  if (first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1]))
    problems.add(path, "a ring must be closed: its last position repeats the first")
  if (ring.some((position, i) => i > 0 && looksUncut(ring[i - 1] ?? position, position)))
    problems.warnings.push(`${path}: crosses the antimeridian? cut it into a MultiPolygon (RFC 7946, section 3.1.9)`)
  return ring
}

const checkPolygon = (input: unknown, path: string, problems: Problems): ReadonlyArray<Ring> => {
  if (!Array.isArray(input) || input.length === 0) {
    problems.add(path, "must be a polygon: an array with at least one ring")
    return []
  }
  return input.map((ring, i) => checkRing(ring, `${path}.${i}`, problems))
}

const checkPolygons = (
  type: unknown,
  coordinates: unknown,
  path: string,
  problems: Problems
): ReadonlyArray<ReadonlyArray<Ring>> => {
  if (type === "Polygon") return [checkPolygon(coordinates, path, problems)]
  if (!Array.isArray(coordinates) || coordinates.length === 0) {
    problems.add(path, "must hold at least one polygon")
    return []
  }
  return coordinates.map((polygon, i) => checkPolygon(polygon, `${path}.${i}`, problems))
}

/**
 * Checks a GeoJSON geometry as a request carries it. `field` begins the paths of the errors. Rejects other types, empty
 * coordinates, open or short rings, and positions outside the globe; either winding is accepted (section 3.1.6).
 */
export const checkGeometry = (input: unknown, field = "geometry"): Result.Result<CheckedGeometry, GeometryErrors> => {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return Result.fail({ [field]: "must be a GeoJSON Polygon or MultiPolygon" })
  const { type, coordinates } = input as { readonly type?: unknown; readonly coordinates?: unknown }
  if (type !== "Polygon" && type !== "MultiPolygon")
    return Result.fail({ [`${field}.type`]: "must be Polygon or MultiPolygon" })
  const problems = new Problems()
  const polygons = checkPolygons(type, coordinates, `${field}.coordinates`, problems)
  return problems.found ? Result.fail(problems.errors) : Result.succeed({ polygons, warnings: problems.warnings })
}

/** One polygon of a geometry. Its box is the one around its outer ring: what lies outside cannot lie in the polygon. */
export interface CompiledPolygon {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** Whether a point lies in the polygon. Boundaries, also those of holes, count as inside. */
  readonly holds: (lng: number, lat: number) => boolean
}

const compilePolygon = (rings: ReadonlyArray<Ring>): CompiledPolygon => {
  let [west, east, south, north] = [180, -180, 90, -90]
  for (const [lng, lat] of rings[0] ?? []) {
    west = Math.min(west, lng)
    east = Math.max(east, lng)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  const [outer = [], ...holes] = rings.map((ring) => ring.map(([lng, lat]): [number, number] => [lng, lat]))
  const holds = (lng: number, lat: number): boolean =>
    pointInPolygon([lng, lat], [outer]) !== false && holes.every((hole) => pointInPolygon([lng, lat], [hole]) !== true)
  return { west, south, east, north, holds }
}

/**
 * Compiles a checked geometry; a point lies in it that lies in one of its polygons. A hole only ever subtracts, also
 * where holes overlap or leave the outer ring. The planar reading of RFC 7946 holds: an uncut antimeridian is taken as
 * drawn.
 */
export const compilePolygons = ({ polygons }: CheckedGeometry): ReadonlyArray<CompiledPolygon> =>
  polygons.map(compilePolygon)
