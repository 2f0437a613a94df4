/**
 * How much a zone may cover, and all zones of a store together: they are compiled as a whole and read with each new
 * version of the store's rules.
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
