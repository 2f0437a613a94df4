/**
 * The taxes of an order, one row per rate (interface.md, Order): amounts are decimal strings in major units, `rate` is
 * a percentage.
 */
import { Schema } from "effect"
import { formatMoney, parseMoney } from "../kernel/Money.ts"
import type { PricingResult } from "../pricing/PricingResult.ts"

export const TaxBreakdown = Schema.Struct({
  subtotal: Schema.String,
  shippingNet: Schema.String,
  totalTax: Schema.String,
  total: Schema.String,
  pricesIncludeTax: Schema.Boolean,
  breakdown: Schema.Array(Schema.Struct({ name: Schema.String, rate: Schema.Number, amount: Schema.String })),
  currency: Schema.String
})
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
