/**
 * Tax rates for tests: a country-wide, exclusive, active DE rate of the Standard class, changed where a test says so.
 */
import type { MatchableRate } from "@effect-commerce/core/tax/TaxMatcher"

export const taxRate = (id: string, rate: string, changes: Partial<MatchableRate> = {}): MatchableRate => ({
  id,
  name: `Tax ${id}`,
  country: "DE",
  region: null,
  postalCode: null,
  rate,
  isInclusive: false,
  priority: 0,
  stackable: false,
  exceptionCountries: [],
  isActive: true,
  taxClassId: null,
  createdAt: 0,
  ...changes
})
