import { expect, it } from "vitest"
import { addressLines } from "../../src/kernel/AddressLines.ts"

const address = {
  name: "Ada Byron",
  firstName: "Ada",
  lastName: "Byron",
  company: "Engines",
  line1: "1 Main St",
  line2: "Flat 2",
  city: "Town",
  state: null as string | null,
  postalCode: null as string | null,
  country: "US",
  phone: null
}

it.each([
  ["US", "San Francisco", "CA", "94105", ["San Francisco, CA 94105", "US"]],
  ["US", "San Francisco", "CA", null, ["San Francisco, CA", "US"]],
  ["US", "San Francisco", null, "94105", ["San Francisco 94105", "US"]],
  ["US", "San Francisco", null, null, ["San Francisco", "US"]],
  ["PR", "San Juan", null, "00901", ["San Juan 00901", "PR"]],
  ["CA", "Toronto", "ON", "M5V 2T6", ["Toronto ON M5V 2T6", "CA"]],
  ["AU", "Sydney", "NSW", "2000", ["Sydney NSW 2000", "AU"]],
  ["GB", "London", null, "SW1A 1AA", ["London", "SW1A 1AA", "GB"]],
  ["GB", "Bath", "SOM", "BA1 1AA", ["Bath", "SOM", "BA1 1AA", "GB"]],
  ["DE", "München", null, "80331", ["80331 München", "DE"]],
  ["DE", "München", "BY", "80331", ["80331 München", "BY", "DE"]],
  ["FR", "Paris", null, "75001", ["75001 Paris", "FR"]],
  ["IT", "Milano", "MI", "20121", ["20121 Milano MI", "IT"]],
  ["NZ", "Auckland", null, "1010", ["Auckland 1010", "NZ"]],
  ["IN", "Mumbai", "MH", "400001", ["Mumbai 400001", "MH", "IN"]],
  ["HK", "Central", null, null, ["Central", "HK"]]
] as const)(
  "an address in %s (%s, %s, %s) is printed as it is written there",
  (country, city, state, postalCode, lines) => {
    expect(addressLines({ ...address, country, city, state, postalCode })).toEqual([
      "Ada Byron",
      "Engines",
      "1 Main St",
      "Flat 2",
      ...lines
    ])
  }
)
