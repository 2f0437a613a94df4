/**
 * Where a sale is taxed, the same on every surface: one address for the whole order. Goods are taxed where they go or
 * are picked up, an order of downloads alone where it is billed; if only one of the two addresses is given, it stands
 * in for the other.
 */
import type { Address } from "../kernel/Address.ts"
import { normaliseRegion } from "../kernel/Subdivisions.ts"
import type { TaxAddress } from "../tax/TaxMatcher.ts"

interface Addresses {
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
}

/** `hasGoods`: at least one line is not a download. */
export const taxedAt = (hasGoods: boolean, { shippingAddress, billingAddress }: Addresses): TaxAddress | null =>
  hasGoods ? (shippingAddress ?? billingAddress) : (billingAddress ?? shippingAddress)

interface Place {
  readonly region: string | null
  readonly postalCode: string | null
  readonly country: string | null
  readonly city?: string | null
  readonly line1?: string | null
}

/** A place without a country is in the store's country. */
export const pickedUpAt = (
  { region, postalCode, country: named, city = null, line1 = null }: Place,
  storeCountry: string
): TaxAddress => {
  const country = (named ?? storeCountry).toUpperCase()
  return { country, region: region === null ? null : normaliseRegion(country, region), postalCode, city, line1 }
}
