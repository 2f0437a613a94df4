/**
 * Everything a total depends on, read once and never changed: the pipeline reads no data and no clock, so the same
 * snapshot gives the same total on every process and in a browser. Amounts are minor units of `currency`.
 */
import type { TaxCalculator } from "../tax/TaxCalculator.ts"
import type { TaxAddress, TaxMatcher } from "../tax/TaxMatcher.ts"
import type { TaxPolicy } from "../tax/TaxPolicy.ts"
import type { Discount, OfferedTender, Surcharge } from "./AdjustmentSource.ts"
import type { NotApplied } from "./Adjustment.ts"
import type { QuoteBuyer } from "./Quote.ts"
import type { ProductGroups } from "./Sellable.ts"

export interface PricingLine {
  readonly id: string
  /** Null for a line that the catalogue does not know. */
  readonly productId?: string | null
  /** Absent or null where no rule or coupon names categories, brands or tags. */
  readonly groups?: ProductGroups | null
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
    /** The chosen rate and its zone, for rules that name them. */
    readonly rateId?: string | null
    readonly zoneId?: string | null
    /** The name of the chosen rate, for the explanation. */
    readonly rateName?: string
  } | null
  /** Where the goods go (or are picked up); null = not known yet, and then there is no tax. */
  readonly address: TaxAddress | null
  /** null where no address is known. */
  readonly taxes: TaxMatcher | null
  /** What works the taxes out, and for whom; absent is the built-in arithmetic. */
  readonly taxedBy?: { readonly calculator: TaxCalculator; readonly storeId: string; readonly buyer: QuoteBuyer }
  /** A tax that the caller states, added to the amounts in place of a computed one. */
  readonly statedTax?: bigint | undefined
  /** A discount that the caller states, split over the lines in proportion; it adds up with all others. */
  readonly statedDiscount?: bigint | undefined
  /** In the order in which they are applied within one part. */
  readonly discounts?: ReadonlyArray<Discount>
  readonly surcharges?: ReadonlyArray<Surcharge>
  readonly tenders?: ReadonlyArray<OfferedTender>
  /** What is known not to apply before anything is evaluated. */
  readonly notApplied?: ReadonlyArray<NotApplied>
}
