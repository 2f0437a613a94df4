import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { checkGeometry, compilePolygons } from "../../src/zone/Polygon.ts"

const checked = (geometry: unknown) => Result.getOrThrow(checkGeometry(geometry))
const inside = (geometry: unknown, lng: number, lat: number): boolean =>
  compilePolygons(checked(geometry)).some(({ holds }) => holds(lng, lat))
const errors = (geometry: unknown): unknown =>
  Result.match(checkGeometry(geometry), { onFailure: (found) => found, onSuccess: () => "accepted" })

const OUTER = [
  [100, 0],
  [101, 0],
  [101, 1],
  [100, 1],
  [100, 0]
]
const HOLE = [
  [100.8, 0.8],
  [100.8, 0.2],
  [100.2, 0.2],
  [100.2, 0.8],
  [100.8, 0.8]
]
const HOLED = { type: "Polygon", coordinates: [OUTER, HOLE] }
const CUT = {
  type: "MultiPolygon",
  coordinates: [
    [
      [
        [170, 40],
        [180, 40],
        [180, 50],
        [170, 50],
        [170, 40]
      ]
    ],
    [
      [
        [-180, 40],
        [-170, 40],
        [-170, 50],
        [-180, 50],
        [-180, 40]
      ]
    ]
  ]
}
const UNCUT = {
  type: "Polygon",
  coordinates: [
    [
      [170, 40],
      [-170, 40],
      [-170, 50],
      [170, 50],
      [170, 40]
    ]
  ]
}

describe("Delivery polygons", () => {
  it.each([
    [100.1, 0.1, true, "in"],
    [100.5, 0.5, false, "in the hole"],
    [100.2, 0.5, true, "on the edge of the hole"],
    [101, 0.5, true, "on the edge"],
    [100, 0, true, "on a vertex"],
    [101.0001, 0.5, false, "beyond the edge"]
  ])("RFC 7946 A.3: (%d, %d) -> %s, %s", (lng, lat, expected) => {
    expect(inside(HOLED, lng, lat)).toBe(expected)
  })

  it.each([
    [175, 45, true],
    [-175, 45, true],
    [180, 45, true],
    [-180, 45, true],
    [0, 45, false],
    [175, 39.999, false],
    [169.999, 45, false]
  ])("RFC 7946 3.1.9, cut at the antimeridian: (%d, %d) -> %s", (lng, lat, expected) => {
    expect(inside(CUT, lng, lat)).toBe(expected)
    expect(checked(CUT).warnings).toEqual([])
  })

  it("takes the uncut rectangle as drawn, and warns", () => {
    expect(inside(UNCUT, 0, 45)).toBe(true)
    expect(inside(UNCUT, 175, 45)).toBe(false)
    expect(checked(UNCUT).warnings).toEqual([
      "geometry.coordinates.0: crosses the antimeridian? cut it into a MultiPolygon (RFC 7946, section 3.1.9)"
    ])
  })

  it("does not warn of the whole map", () => {
    const world = {
      type: "Polygon",
      coordinates: [
        [
          [-180, -90],
          [180, -90],
          [180, 90],
          [-180, 90],
          [-180, -90]
        ]
      ]
    }
    expect(checked(world).warnings).toEqual([])
    expect(inside(world, 151.2, -33.9)).toBe(true)
  })

  it("a hole only takes away, also where holes overlap or leave the polygon", () => {
    const box = (west: number, south: number, east: number, north: number) => [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south]
    ]
    const odd = {
      type: "Polygon",
      coordinates: [box(0, 0, 10, 10), box(2, 2, 6, 6), box(4, 4, 8, 8), box(9, 9, 12, 12)]
    }
    expect(inside(odd, 5, 5)).toBe(false)
    expect(inside(odd, 11, 11)).toBe(false)
    expect(inside(odd, 1, 1)).toBe(true)
  })

  it("accepts either winding, and ignores altitudes and foreign members", () => {
    const reversed = { type: "Polygon", coordinates: [[...OUTER].reverse(), [...HOLE].reverse()] }
    const high = { type: "Polygon", bbox: [1], coordinates: [OUTER.map((position) => [...position, 8848]), HOLE] }
    for (const geometry of [reversed, high]) {
      expect(inside(geometry, 100.1, 0.1)).toBe(true)
      expect(inside(geometry, 100.5, 0.5)).toBe(false)
    }
    expect(checked(high).polygons[0]?.[0]?.[0]).toEqual([100, 0])
  })

  it("finds Sydney, and refuses Sydney swapped", () => {
    const around = (lng: number, lat: number) => ({
      type: "Polygon",
      coordinates: [
        [
          [lng - 1, lat - 1],
          [lng + 1, lat - 1],
          [lng + 1, lat + 1],
          [lng - 1, lat + 1],
          [lng - 1, lat - 1]
        ]
      ]
    })
    expect(inside(around(151.2, -33.9), 151.2, -33.9)).toBe(true)
    expect(
      errors({
        type: "Polygon",
        coordinates: [
          [
            [-33.9, 151.2],
            [-33, 150],
            [-32, 150],
            [-33.9, 151.2]
          ]
        ]
      })
    ).toEqual({
      "geometry.coordinates.0.0": "latitude 151.2 is not between -90 and 90 (positions are [lng, lat])",
      "geometry.coordinates.0.1": "latitude 150 is not between -90 and 90 (positions are [lng, lat])",
      "geometry.coordinates.0.2": "latitude 150 is not between -90 and 90 (positions are [lng, lat])",
      "geometry.coordinates.0.3": "latitude 151.2 is not between -90 and 90 (positions are [lng, lat])"
    })
  })

  it.each([
    ["a Point", { type: "Point", coordinates: [1, 2] }, { "geometry.type": "must be Polygon or MultiPolygon" }],
    ["a Feature", { type: "Feature", geometry: HOLED }, { "geometry.type": "must be Polygon or MultiPolygon" }],
    [
      "a GeometryCollection",
      { type: "GeometryCollection", geometries: [] },
      { "geometry.type": "must be Polygon or MultiPolygon" }
    ],
    ["no type", { coordinates: [OUTER] }, { "geometry.type": "must be Polygon or MultiPolygon" }],
    ["a string", "POLYGON((0 0))", { geometry: "must be a GeoJSON Polygon or MultiPolygon" }],
    ["an array", [], { geometry: "must be a GeoJSON Polygon or MultiPolygon" }],
    ["null", null, { geometry: "must be a GeoJSON Polygon or MultiPolygon" }],
    [
      "empty coordinates",
      { type: "Polygon", coordinates: [] },
      { "geometry.coordinates": "must be a polygon: an array with at least one ring" }
    ],
    [
      "an empty MultiPolygon",
      { type: "MultiPolygon", coordinates: [] },
      { "geometry.coordinates": "must hold at least one polygon" }
    ],
    [
      "no coordinates",
      { type: "Polygon" },
      { "geometry.coordinates": "must be a polygon: an array with at least one ring" }
    ],
    [
      "an empty polygon inside",
      { type: "MultiPolygon", coordinates: [[OUTER], []] },
      { "geometry.coordinates.1": "must be a polygon: an array with at least one ring" }
    ],
    [
      "an empty ring",
      { type: "Polygon", coordinates: [[]] },
      { "geometry.coordinates.0": "a ring needs at least 4 positions, this one has 0" }
    ],
    [
      "three positions",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 0]
          ]
        ]
      },
      { "geometry.coordinates.0": "a ring needs at least 4 positions, this one has 3" }
    ],
    [
      "an open ring",
      {
        type: "Polygon",
        coordinates: [
          OUTER,
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1]
          ]
        ]
      },
      { "geometry.coordinates.1": "a ring must be closed: its last position repeats the first" }
    ],
    [
      "a ring that is not one",
      { type: "Polygon", coordinates: [7] },
      { "geometry.coordinates.0": "must be a ring: an array of positions" }
    ],
    [
      "a position that is not one",
      { type: "Polygon", coordinates: [[[0, 0], [1], [1, 1], [0, 0]]] },
      { "geometry.coordinates.0.1": "must be a position [lng, lat]" }
    ],
    [
      "NaN",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [Number.NaN, 0],
            [1, 1],
            [0, 0]
          ]
        ]
      },
      { "geometry.coordinates.0.1": "longitude must be a finite number" }
    ],
    [
      "Infinity",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, Infinity],
            [1, 1],
            [0, 0]
          ]
        ]
      },
      { "geometry.coordinates.0.1": "latitude must be a finite number" }
    ],
    [
      "a number as text",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            ["1", 0],
            [1, 1],
            [0, 0]
          ]
        ]
      },
      { "geometry.coordinates.0.1": "longitude must be a finite number" }
    ],
    [
      "a longitude off the globe",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [180.001, 0],
            [1, 1],
            [0, 0]
          ]
        ]
      },
      { "geometry.coordinates.0.1": "longitude 180.001 is not between -180 and 180 (positions are [lng, lat])" }
    ]
  ])("refuses %s and says where", (_, geometry, expected) => {
    expect(errors(geometry)).toEqual(expected)
  })

  it("names the field it was given, and at most ten places", () => {
    const wrong = Array.from({ length: 50 }, () => ["x", 0])
    const found = Result.match(checkGeometry({ type: "Polygon", coordinates: [wrong] }, "zone.geometry"), {
      onFailure: (map) => Object.keys(map),
      onSuccess: () => []
    })
    expect(found).toHaveLength(10)
    expect(found[0]).toBe("zone.geometry.coordinates.0.0")
  })
})
