/**
 * Taxes and shipping of the demo store: statewide US rates, standard VAT of the European Union, GST, HST and provincial
 * taxes of Canada.
 */
import type { SeedDocument } from "./SeedDocument.ts"

const usStates: Readonly<Record<string, number>> = {
  AL: 4,
  AZ: 5.6,
  AR: 6.5,
  CA: 7.25,
  CO: 2.9,
  CT: 6.35,
  DC: 6,
  FL: 6,
  GA: 4,
  HI: 4,
  ID: 6,
  IL: 6.25,
  IN: 7,
  IA: 6,
  KS: 6.5,
  KY: 6,
  LA: 5,
  ME: 5.5,
  MD: 6,
  MA: 6.25,
  MI: 6,
  MN: 6.875,
  MS: 7,
  MO: 4.225,
  NE: 5.5,
  NV: 6.85,
  NJ: 6.625,
  NM: 4.875,
  NY: 4,
  NC: 4.75,
  ND: 5,
  OH: 5.75,
  OK: 4.5,
  PA: 6,
  RI: 7,
  SC: 6,
  SD: 4.2,
  TN: 7,
  TX: 6.25,
  UT: 6.1,
  VT: 6,
  VA: 5.3,
  WA: 6.5,
  WV: 6,
  WI: 5,
  WY: 4
}

/** Standard rates of the EU-27 (Taxes in Europe Database). */
const euVat: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 21,
  BG: 20,
  HR: 25,
  CY: 19,
  CZ: 21,
  DK: 25,
  EE: 24,
  FI: 25.5,
  FR: 20,
  DE: 19,
  GR: 24,
  HU: 27,
  IE: 23,
  IT: 22,
  LV: 21,
  LT: 21,
  LU: 17,
  MT: 18,
  NL: 21,
  PL: 23,
  PT: 23,
  RO: 21,
  SK: 23,
  SI: 22,
  ES: 21,
  SE: 25
}

export const euCountries: ReadonlyArray<string> = Object.keys(euVat)

/** Provinces with a harmonised tax of their own; there the country-wide GST does not apply. */
const hst: Readonly<Record<string, number>> = { ON: 13, NB: 15, NL: 15, NS: 14, PE: 15 }
/** Provincial taxes that come on top of GST. */
const pst: Readonly<Record<string, readonly [name: string, rate: number]>> = {
  BC: ["PST", 7],
  SK: ["PST", 6],
  MB: ["RST", 7],
  QC: ["QST", 9.975]
}

const everywhereElse = [
  "GB",
  "CH",
  "NO",
  "IS",
  "AU",
  "NZ",
  "JP",
  "KR",
  "SG",
  "HK",
  "AE",
  "IL",
  "MX",
  "BR",
  "CL",
  "AR",
  "ZA",
  "IN",
  "TH",
  "MY"
]

export const taxRates: NonNullable<SeedDocument["taxRates"]> = [
  ...Object.entries(usStates).map(([region, rate]) => ({
    externalId: `tax-us-${region.toLowerCase()}`,
    name: `${region} sales tax`,
    country: "US",
    region,
    rate,
    taxType: "sales",
    stackable: true
  })),
  {
    externalId: "tax-us-ny-nyc",
    name: "New York City",
    country: "US",
    region: "NY",
    postalCode: "10001",
    rate: 4.5,
    taxType: "sales",
    stackable: true,
    priority: 1
  },
  {
    externalId: "tax-us-ny-mctd",
    name: "Metropolitan Commuter District",
    country: "US",
    region: "NY",
    postalCode: "10001",
    rate: 0.375,
    taxType: "sales",
    stackable: true,
    priority: 2
  },
  {
    externalId: "tax-us-ca-sf",
    name: "San Francisco",
    country: "US",
    region: "CA",
    postalCode: "94105",
    rate: 1.375,
    taxType: "sales",
    stackable: true,
    priority: 1
  },
  ...Object.entries(euVat).map(([country, rate]) => ({
    externalId: `tax-eu-${country.toLowerCase()}`,
    name: `${country} VAT`,
    country,
    rate,
    taxType: "vat"
  })),
  { externalId: "tax-ca-gst", name: "GST", country: "CA", rate: 5, taxType: "gst", stackable: true },
  ...Object.entries(hst).map(([region, rate]) => ({
    externalId: `tax-ca-${region.toLowerCase()}`,
    name: `${region} HST`,
    country: "CA",
    region,
    rate,
    taxType: "gst"
  })),
  ...Object.entries(pst).map(([region, [name, rate]]) => ({
    externalId: `tax-ca-${region.toLowerCase()}`,
    name: `${region} ${name}`,
    country: "CA",
    region,
    rate,
    taxType: "pst",
    stackable: true,
    priority: 1
  }))
]

const flat = (externalId: string, name: string, amount: string, minDeliveryDays: number, maxDeliveryDays: number) => ({
  externalId,
  name,
  type: "FLAT",
  rateConfig: { amount },
  minDeliveryDays,
  maxDeliveryDays
})
const free = (
  externalId: string,
  name: string,
  minOrderAmount: string,
  minDeliveryDays: number,
  maxDeliveryDays: number
) => ({
  externalId,
  name,
  type: "FREE",
  rateConfig: {},
  minOrderAmount,
  minDeliveryDays,
  maxDeliveryDays
})

/** Rates are offered in the order in which they were created: the cheapest stands first. */
export const shippingZones: NonNullable<SeedDocument["shippingZones"]> = [
  {
    externalId: "zone-us-far",
    name: "Alaska and Hawaii",
    countries: ["US"],
    regions: { US: ["AK", "HI"] },
    priority: 0,
    rates: [flat("ship-us-far", "Standard", "18.00", 6, 10)]
  },
  {
    externalId: "zone-us",
    name: "United States",
    countries: ["US"],
    priority: 1,
    rates: [
      free("ship-us-free", "Free standard", "75.00", 3, 5),
      flat("ship-us-standard", "Standard", "6.90", 3, 5),
      flat("ship-us-express", "Express", "19.90", 1, 2)
    ]
  },
  {
    externalId: "zone-ca",
    name: "Canada",
    countries: ["CA"],
    priority: 1,
    rates: [free("ship-ca-free", "Free standard", "150.00", 5, 8), flat("ship-ca-standard", "Standard", "12.50", 5, 8)]
  },
  {
    externalId: "zone-eu",
    name: "European Union",
    countries: euCountries,
    priority: 1,
    rates: [
      free("ship-eu-free", "Free standard", "200.00", 5, 9),
      flat("ship-eu-standard", "Standard", "14.00", 5, 9),
      flat("ship-eu-express", "Express", "32.00", 2, 3)
    ]
  },
  {
    externalId: "zone-world",
    name: "Rest of the world",
    countries: everywhereElse,
    priority: 2,
    rates: [flat("ship-world", "International", "29.00", 8, 15)]
  }
]
