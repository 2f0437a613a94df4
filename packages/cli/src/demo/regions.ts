/** The demo store's regions: its own country, and the European Union. */
import type { SeedRow } from "./SeedDocument.ts"
import { euCountries } from "./taxesAndZones.ts"

export const regions: ReadonlyArray<SeedRow & { readonly name: string }> = [
  { externalId: "us", name: "United States", currency: "USD", countries: ["US"], isDefault: true },
  { externalId: "eu", name: "European Union", currency: "EUR", countries: euCountries }
]
