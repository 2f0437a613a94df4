/** How large a shipping rate may be, and how many rates a store may have. */
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
