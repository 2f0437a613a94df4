/**
 * Everything a total depends on, read once and never changed: the pipeline asks nobody and reads no clock, so the same
 * snapshot gives the same total on every process and in a browser. Amounts are minor units of `currency`.
 */
import type { TaxAddress, TaxMatcher } from "../tax/TaxMatcher.ts"
import type { TaxPolicy } from "../tax/TaxPolicy.ts"

export interface PricingLine {
  readonly id: string
  /** A positive integer. */
  readonly quantity: number
  /**
   * The price that holds for this shopper now (sale windows and modifiers applied), gross where rates are inclusive.
   */
  readonly unitPrice: bigint
  /** null = the Standard class. */
  readonly taxClassId: string | null
  /** false for an exempt product: no rate is looked for. */
  readonly taxable: boolean
}

/**
 * A discount that has been evaluated and split over lines. More than its line has left is cut to what is left; `rule`
 * discounts come before `coupon` ones, whatever their order here.
 */
export interface LineDiscount {
  readonly lineId: string
  readonly kind: "rule" | "coupon"
  /** The automatic rule or the coupon. */
  readonly sourceId: string
  /** Not negative. */
  readonly amount: bigint
}

export interface PricingSnapshot {
  readonly currency: string
  readonly policy: TaxPolicy
  readonly lines: ReadonlyArray<PricingLine>
  /** The chosen rate's price, or null while none is chosen. Taxable shipping is one more line of the Standard class. */
  readonly shipping: { readonly amount: bigint; readonly taxable: boolean } | null
  /** Where the goods go (or are picked up); null = not known yet, and then there is no tax. */
  readonly address: TaxAddress | null
  readonly taxes: TaxMatcher
  readonly lineDiscounts?: ReadonlyArray<LineDiscount>
}
