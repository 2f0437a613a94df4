/**
 * Taxes of a host's own: business customers whose number is known pay none in other countries of the EU, and everybody
 * else pays what the store's rates say.
 */
import { builtInTaxes, type ItemTaxes, type TaxCalculator } from "@effect-commerce/core/tax/TaxCalculator"

export interface ReverseChargeOptions {
  /** Where the seller is. */
  readonly country: string
  readonly euCountries: ReadonlySet<string>
  /** The customers whose tax number has been checked, kept up to date by the host. */
  readonly businesses: ReadonlySet<string>
}

const reversed: ItemTaxes = {
  rates: [{ id: "reverse-charge", name: "Reverse charge", text: "0", isInclusive: false }],
  amounts: [0n]
}

export const reverseCharge = ({ country, euCountries, businesses }: ReverseChargeOptions): TaxCalculator => ({
  name: "reverse-charge",
  calculate: (sale, trace) => {
    const { address, buyer, items } = sale
    const isAbroad = euCountries.has(address.country) && address.country !== country
    const isBusiness = buyer.customerId !== null && businesses.has(buyer.customerId)
    return isAbroad && isBusiness ? items.map(() => reversed) : builtInTaxes.calculate(sale, trace)
  }
})
