/**
 * The amounts of a checkout in the currency of its region. Each component is converted and rounded by itself; the total
 * follows from them by the formula of totals, so that what a shopper reads adds up. Pure; amounts are minor units.
 */
import type { PricingResult } from "../pricing/PricingResult.ts"
import { type BufferedRate, chargingRate, converter } from "./ExchangeRate.ts"

/** How a checkout is presented, kept from when it was created or its region changed. Stored as JSON. */
export interface PresentedIn {
  /** The region that was chosen then; null for none. */
  readonly regionId: string | null
  /** The currency of the region, or the checkout's own without one. */
  readonly currency: string
  /** Null where nothing is converted: the currency is the checkout's own, or there was no rate for it. */
  readonly rate: string | null
  readonly bufferPercent: string | null
  /** Converted amounts are rounded to a multiple of these minor units. */
  readonly rounding: string
}

/** One that converts. */
export type Converting = PresentedIn & BufferedRate

export const isConverting = (presentedIn: PresentedIn | null): presentedIn is Converting =>
  presentedIn !== null && presentedIn.rate !== null && presentedIn.bufferPercent !== null

/** Whether what was kept still stands for a checkout in this region. Without a rate, one is looked for again. */
export const stillStands = (
  kept: PresentedIn | null,
  currency: string,
  region: { readonly id: string; readonly currency: string } | null
): boolean =>
  kept !== null &&
  kept.regionId === (region?.id ?? null) &&
  kept.currency === (region?.currency ?? currency) &&
  (isConverting(kept) || kept.currency === currency)

type Totals = Pick<
  PricingResult,
  | "subtotal"
  | "discountAmount"
  | "ruleDiscountAmount"
  | "shippingAmount"
  | "surchargeAmount"
  | "taxAmount"
  | "total"
  | "amountDue"
> & { readonly tenders: ReadonlyArray<{ readonly amount: bigint }> }

export interface Presentment {
  readonly currency: string
  readonly subtotal: bigint
  /** Coupons and rules together. */
  readonly discountAmount: bigint
  readonly shippingAmount: bigint
  readonly taxAmount: bigint
  readonly surchargeAmount: bigint
  readonly total: bigint
  /** What a payment provider is asked for: the total less the converted tenders. */
  readonly due: bigint
  /** The rate with its buffer; null where nothing is converted. */
  readonly chargingRate: string | null
  readonly bufferPercent: string | null
}

/** The tax that is added to the amounts: what the total has beyond them. */
const exclusiveTax = (totals: Totals): bigint =>
  totals.total -
  (totals.subtotal - totals.discountAmount - totals.ruleDiscountAmount + totals.shippingAmount + totals.surchargeAmount)

/** Where something is due, a provider is asked for one minor unit at least. */
const dueOf = (amountDue: bigint, rest: bigint): bigint => (amountDue === 0n ? 0n : rest < 1n ? 1n : rest)

/** `currency` is that of the totals. */
export const presentmentOf = (totals: Totals, currency: string, presentedIn: PresentedIn | null): Presentment => {
  const isConverted = isConverting(presentedIn)
  const convert = isConverted
    ? converter({ from: currency, to: presentedIn.currency, step: BigInt(presentedIn.rounding) }, presentedIn)
    : (minor: bigint) => minor
  const subtotal = convert(totals.subtotal)
  const discountAmount = convert(totals.discountAmount + totals.ruleDiscountAmount)
  const shippingAmount = convert(totals.shippingAmount)
  const surchargeAmount = convert(totals.surchargeAmount)
  const total = subtotal - discountAmount + shippingAmount + surchargeAmount + convert(exclusiveTax(totals))
  const tendered = totals.tenders.reduce((sum, { amount }) => sum + convert(amount), 0n)
  return {
    currency: isConverted ? presentedIn.currency : currency,
    subtotal,
    discountAmount,
    shippingAmount,
    taxAmount: convert(totals.taxAmount),
    surchargeAmount,
    total,
    due: dueOf(totals.amountDue, total - tendered),
    chargingRate: isConverted ? chargingRate(presentedIn) : null,
    bufferPercent: isConverted ? presentedIn.bufferPercent : null
  }
}
