/**
 * Everything a total depends on, read once and never changed: the pipeline reads no data and no clock, so the same
 * snapshot gives the same total on every process and in a browser. Amounts are minor units of `currency`.
 */
import type { TaxAddress, TaxMatcher } from "../tax/TaxMatcher.ts"
import type { TaxPolicy } from "../tax/TaxPolicy.ts"
import type { AdjustmentEvaluator } from "./AdjustmentSource.ts"

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
  /** false for an exempt product: no rate is applied. */
  readonly taxable: boolean
}

export interface PricingSnapshot {
  readonly currency: string
  readonly policy: TaxPolicy
  readonly lines: ReadonlyArray<PricingLine>
  /** The chosen rate's price, or null while none is chosen. Taxable shipping is one more line of the Standard class. */
  readonly shipping: {
    readonly amount: bigint
    readonly taxable: boolean
    /** The caller states the charge: it is recorded as an adjustment. */
    readonly isStated?: boolean
  } | null
  /** Where the goods go (or are picked up); null = not known yet, and then there is no tax. */
  readonly address: TaxAddress | null
  /** null where no address is known. */
  readonly taxes: TaxMatcher | null
  /** A tax that the caller states, added to the amounts in place of a computed one. */
  readonly statedTax?: bigint | undefined
  /** In the order in which they are evaluated within one part. */
  readonly evaluators?: ReadonlyArray<AdjustmentEvaluator>
}
