/** The request of a quote of taxes alone: amounts that a caller states, at an address. */
import type { TaxAddress } from "../tax/TaxMatcher.ts"
import type { QuoteBuyer } from "./Quote.ts"

/** An amount to be taxed; the caller has taken discounts off. */
export interface StatedLine {
  readonly id: string
  readonly productId: string | null
  /** Minor units, of all units together, gross where rates are inclusive. */
  readonly amount: bigint
  readonly quantity: number
  /** Null is the Standard class. */
  readonly taxClassId: string | null
  /** False for an exempt product. */
  readonly taxable: boolean
}

export interface TaxQuoteRequest {
  readonly currency: string
  readonly lines: ReadonlyArray<StatedLine>
  /** Null: nothing is shipped. */
  readonly shippingAmount: bigint | null
  readonly address: TaxAddress
  readonly buyer: QuoteBuyer
}
