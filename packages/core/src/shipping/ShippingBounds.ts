/**
 * How much of shipping a store may have. The zones of a store are compiled as a whole and read with each new version of
 * its rules, so each row and their sum have a bound. Source: completions.md, Bounds on what a caller stores; where it
 * is silent, ten times what a large shop needs.
 */
export const zoneBounds = {
  zones: 500,
  /** Positions of a zone's geometry, and of all zones together. */
  points: 5_000,
  pointsOfStore: 50_000,
  /** Characters of a geometry as JSON, with what it carries beside its positions. */
  geometry: 512 * 1_024,
  countries: 300,
  regions: 5_000,
  regionsOfStore: 50_000,
  region: 64,
  postalCodes: 10_000,
  postalCodesOfStore: 100_000,
  labels: 100,
  ids: 500,
  name: 200
} as const

export const rateBounds = {
  ratesOfZone: 100,
  ratesOfStore: 1_000,
  tiers: 200,
  /** Characters of a rateConfig as JSON. */
  config: 16 * 1_024,
  classCosts: 200,
  name: 200,
  description: 2_000
} as const
