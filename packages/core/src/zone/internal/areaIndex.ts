/**
 * The drawn side of zone matching: an index of the boxes around all polygons (an R-tree), so that a point costs the
 * polygons whose box it lies in, not the polygons that exist. Zones are known by their rank, as in countryIndex.
 */
import Flatbush from "flatbush"
import { type CheckedGeometry, compilePolygons } from "../Polygon.ts"

export interface AreaIndex {
  /** The lowest allowed rank with a polygon that holds the point; undefined where no polygon does. */
  readonly best: (lng: number, lat: number, allowed: (rank: number) => boolean) => number | undefined
}

export const makeAreaIndex = (areas: ReadonlyArray<readonly [rank: number, geometry: CheckedGeometry]>): AreaIndex => {
  const polygons = areas.flatMap(([rank, geometry]) =>
    compilePolygons(geometry).map((polygon) => ({ rank, ...polygon }))
  )
  if (polygons.length === 0) return { best: () => undefined }
  const boxes = new Flatbush(polygons.length)
  for (const { west, south, east, north } of polygons) boxes.add(west, south, east, north)
  boxes.finish()
  const best: AreaIndex["best"] = (lng, lat, allowed) => {
    let found: number | undefined
    // A search with a filter visits each box around the point; a box touched at its border counts.
    boxes.search(lng, lat, lng, lat, (at) => {
      const polygon = polygons[at]
      if (polygon === undefined || (found !== undefined && polygon.rank >= found)) return false
      if (allowed(polygon.rank) && polygon.holds(lng, lat)) found = polygon.rank
      return false
    })
    return found
  }
  return { best }
}
