/**
 * The taxes of an order, one row per rate (interface.md, Order): amounts are decimal strings in major units, `rate` is
 * a percentage.
 */
import { Schema } from "effect"
import { arrayOf, boolean, money, number, string } from "../kernel/Fields.ts"
import { formatMoney, parseMoney } from "../kernel/Money.ts"
import type { PricingResult } from "../pricing/PricingResult.ts"

/** One applied rate, summed over lines and shipping; on checkouts and orders alike. */
export const TaxRow = Schema.Struct({
  name: string("Name of the tax rate.", "Sales tax"),
  rate: number("The rate as a percentage: 8.875 is 8.875 %.", 8.875),
  amount: money("Tax by this rate, over all lines and shipping.", "3.55")
}).annotate({ identifier: "TaxRow", description: "Tax by one rate." })

export const TaxBreakdown = Schema.Struct({
  subtotal: money("Lines after discounts, without tax.", "39.98"),
  shippingNet: money("Shipping without tax.", "5.00"),
  totalTax: money("All tax.", "3.55"),
  total: money("Total of the order.", "48.53"),
  pricesIncludeTax: boolean("Whether a rate that applied was contained in the prices."),
  breakdown: arrayOf(TaxRow, "One row for each rate that applied, also for a rate of 0 %."),
  currency: string("ISO 4217 currency of the amounts.", "USD")
}).annotate({ identifier: "OrderTaxBreakdown", description: "The taxes of an order, rate by rate." })
export type TaxBreakdown = typeof TaxBreakdown.Type

/** The rows of a breakdown, on checkouts and orders alike. */
export const taxRowsOf = ({ taxBreakdown }: PricingResult, currency: string): TaxBreakdown["breakdown"] =>
  taxBreakdown.breakdown.map(({ name, rate, amount }) => ({
    name,
    rate: Number(rate),
    amount: formatMoney(amount, currency)
  }))

export const taxBreakdownOf = (totals: PricingResult, currency: string): TaxBreakdown => {
  const money = (minor: bigint) => formatMoney(minor, currency)
  const { subtotal, shippingNet, totalTax, total } = totals.taxBreakdown
  return {
    subtotal: money(subtotal),
    shippingNet: money(shippingNet),
    totalTax: money(totalTax),
    total: money(total),
    pricesIncludeTax: totals.pricesIncludeTax,
    breakdown: taxRowsOf(totals, currency),
    currency
  }
}

type Amount = string | number

/** As it is stored: the orders of earlier releases have numbers for amounts. */
export interface StoredTaxBreakdown {
  readonly subtotal: Amount
  readonly shippingNet: Amount
  readonly totalTax: Amount
  readonly total: Amount
  readonly pricesIncludeTax: boolean
  readonly breakdown: ReadonlyArray<{ readonly name: string; readonly rate: number; readonly amount: Amount }>
  readonly currency: string
}

export const readTaxBreakdown = (stored: StoredTaxBreakdown): TaxBreakdown => {
  const { subtotal, shippingNet, totalTax, total, breakdown, currency } = stored
  const money = (amount: Amount) => {
    const minor = parseMoney(amount, currency)
    return typeof minor === "bigint" ? formatMoney(minor, currency) : String(amount)
  }
  return {
    ...stored,
    subtotal: money(subtotal),
    shippingNet: money(shippingNet),
    totalTax: money(totalTax),
    total: money(total),
    breakdown: breakdown.map((row) => ({ ...row, amount: money(row.amount) }))
  }
}
