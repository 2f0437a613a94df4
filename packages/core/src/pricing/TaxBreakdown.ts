/**
 * The taxes of a sale, one row per rate. This is the one shape whose amounts are numbers, in major units, on checkouts,
 * orders and events alike; `rate` is a percentage.
 */
import { Schema } from "effect"
import { arrayOf, boolean, number, string } from "../kernel/Fields.ts"
import { moneyToNumber } from "../kernel/Money.ts"
import type { PricingResult } from "./PricingResult.ts"

/** An applied rate, summed over lines and shipping; on checkouts and orders alike. */
const TaxRow = Schema.Struct({
  name: string("Name of the tax rate.", "Sales tax"),
  rate: number("The rate as a percentage: 8.875 is 8.875 %.", 8.875),
  amount: number("Tax by this rate, over all lines and shipping: a number in major units.", 3.55)
}).annotate({ identifier: "TaxRow", description: "Tax by one rate." })

/** The taxes of a checkout. */
export const CheckoutTaxBreakdown = Schema.Struct({
  subtotal: number("Lines after discounts, without tax: a number in major units.", 39.98),
  shippingNet: number("Shipping without tax: a number in major units.", 5),
  totalTax: number("All tax: a number in major units.", 3.55),
  total: number("The total: a number in major units.", 48.53),
  breakdown: arrayOf(TaxRow, "One row for each rate that applies, also for a rate of 0 %."),
  currency: string("ISO 4217 currency of the amounts.", "USD")
}).annotate({ identifier: "CheckoutTaxBreakdown", description: "The taxes of a checkout, rate by rate, in numbers." })

/** The taxes of an order. */
export const TaxBreakdown = CheckoutTaxBreakdown.mapFields(({ breakdown, currency, ...sums }) => ({
  ...sums,
  pricesIncludeTax: boolean("Whether a rate that applied was contained in the prices."),
  breakdown,
  currency
})).annotate({ identifier: "OrderTaxBreakdown", description: "The taxes of an order, rate by rate, in numbers." })
export type TaxBreakdown = typeof TaxBreakdown.Type

export const checkoutTaxBreakdown = (
  { taxBreakdown }: PricingResult,
  currency: string
): typeof CheckoutTaxBreakdown.Type => {
  const number = (minor: bigint) => moneyToNumber(minor, currency)
  const { subtotal, shippingNet, totalTax, total, breakdown } = taxBreakdown
  return {
    subtotal: number(subtotal),
    shippingNet: number(shippingNet),
    totalTax: number(totalTax),
    total: number(total),
    breakdown: breakdown.map(({ name, rate, amount }) => ({ name, rate: Number(rate), amount: number(amount) })),
    currency
  }
}

export const taxBreakdownOf = (totals: PricingResult, currency: string): TaxBreakdown => ({
  ...checkoutTaxBreakdown(totals, currency),
  pricesIncludeTax: totals.pricesIncludeTax
})
