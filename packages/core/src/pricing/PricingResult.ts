/**
 * The totals of a cart, checkout or order, and where each of their minor units comes from. Amounts are minor units.
 *
 * total = subtotal - discountAmount - ruleDiscountAmount + shippingAmount + surchargeAmount + exclusive tax. Inclusive
 * tax is contained in the gross amounts; `taxAmount` is all tax, contained or added.
 */
import { isStorableMoney } from "../kernel/Money.ts"
import type { TraceEntry } from "../kernel/Trace.ts"
import type { AdjustedBy, Adjustment, NotApplied, Tender } from "./Adjustment.ts"

/** A tax by one rate; `rate` is the percentage as a decimal string ("8.875"). */
export interface TaxShare {
  readonly rateId: string
  readonly name: string
  readonly rate: string
  readonly amount: bigint
}

export interface PricedLine {
  readonly id: string
  /** Quantity times unit price. */
  readonly subtotal: bigint
  /** All discounts on the line together, at most the subtotal: the sum of its adjustments. */
  readonly discount: bigint
  /** All tax of the line, contained or added. */
  readonly tax: bigint
  /** What the shopper pays for the line: subtotal - discount + exclusive tax. */
  readonly total: bigint
  /** One entry per applied rate, in the order priority, createdAt, id. */
  readonly taxes: ReadonlyArray<TaxShare>
}

export interface TaxBreakdown {
  /** Lines after discounts, without tax. */
  readonly subtotal: bigint
  /** Shipping, without tax. */
  readonly shippingNet: bigint
  readonly totalTax: bigint
  /** subtotal + shippingNet + totalTax + surcharges: the total of the order. */
  readonly total: bigint
  /** One row per applied rate, summed over lines and shipping; also for a rate of 0 %. */
  readonly breakdown: ReadonlyArray<TaxShare>
}

/** A set of discounts that could apply together, and the total with it. */
export interface Alternative {
  readonly sources: ReadonlyArray<AdjustedBy>
  readonly total: bigint
}

export interface PricingResult {
  /** Sum of quantity times unit price, gross. */
  readonly subtotal: bigint
  /** Coupons, and a discount that the caller stated; on lines. */
  readonly discountAmount: bigint
  /** Automatic rules, on lines. */
  readonly ruleDiscountAmount: bigint
  /** What shipping costs, after discounts on it. */
  readonly shippingAmount: bigint
  readonly surchargeAmount: bigint
  readonly taxAmount: bigint
  readonly total: bigint
  /** Whether any applied rate is inclusive. */
  readonly pricesIncludeTax: boolean
  readonly lines: ReadonlyArray<PricedLine>
  /** The part of taxAmount that lies on shipping. */
  readonly shippingTax: bigint
  readonly taxBreakdown: TaxBreakdown
  /** Where the discounts, surcharges and stated amounts come from, in the order in which they were applied. */
  readonly adjustments: ReadonlyArray<Adjustment>
  readonly notApplied: ReadonlyArray<NotApplied>
  /** The sets of discounts that were compared, where some do not combine; the one that applies comes first. */
  readonly alternatives: ReadonlyArray<Alternative>
  readonly tenders: ReadonlyArray<Tender>
  /** What is left to pay after the tenders. */
  readonly amountDue: bigint
  /** In the order of the steps; `explain` of kernel/Trace.ts makes a sentence of an entry. */
  readonly trace: ReadonlyArray<TraceEntry>
}

/** Whether every amount can be stored: none is more than the sum of the lines, or the total. */
export const isStorable = ({ subtotal, total }: Pick<PricingResult, "subtotal" | "total">): boolean =>
  isStorableMoney(subtotal) && isStorableMoney(total)
