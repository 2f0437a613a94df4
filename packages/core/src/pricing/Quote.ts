/**
 * The request and the result of a quote. A cart, a checkout, an order of a storefront and an order of an admin key
 * differ in what is known when they are priced: the request states it as data, and the calculation is the same.
 */
import { Schema } from "effect"
import type { Address } from "../kernel/Address.ts"
import type { PickupLocation } from "../shipping/PickupLocation.ts"
import type { ZoneRate } from "../shipping/ServedZone.ts"
import type { RateOffer } from "../shipping/ShippingRateCalculator.ts"
import type { PricingResult } from "./PricingResult.ts"
import { isDownload, type Sellable } from "./Sellable.ts"

export type ShippingOffer = RateOffer<ZoneRate>

/** Units of one line: far above any order, far below what would overflow a sum. */
export const maxLineQuantity = 999_999

export interface QuoteLine {
  readonly id: string
  /** A positive integer. */
  readonly quantity: number
  /** Minor units: the price the shopper was shown, gross where rates are inclusive. */
  readonly unitPrice: bigint
  /** What is sold; null for a line that the store's catalogue does not know. */
  readonly sellable: Sellable | null
}

export interface QuoteBuyer {
  readonly customerId: string | null
  readonly email: string | null
  /** null for an admin key that names no channel. */
  readonly salesChannelId: string | null
  readonly regionId: string | null
}

/** A buyer of whom nothing is known. */
export const unknownBuyer: QuoteBuyer = { customerId: null, email: null, salesChannelId: null, regionId: null }

export interface QuoteAddresses {
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
}

/**
 * How the goods reach the buyer.
 *
 * - `unknown`: nothing is known yet, as in a cart. No shipping and no tax.
 * - `chosen`: the shopper chooses among the offers, as in a checkout; `shippingRateId` is null until then.
 * - `cheapest`: the cheapest offer is taken, as in an order placed in one call.
 * - `stated`: the caller states the charge; null is none.
 */
export type QuoteDelivery =
  | { readonly by: "unknown" }
  | (QuoteAddresses & {
      readonly by: "chosen"
      readonly deliveryType: "shipping" | "pickup"
      readonly shippingRateId: string | null
    })
  | (QuoteAddresses & { readonly by: "cheapest" })
  | (QuoteAddresses & { readonly by: "stated"; readonly amount: bigint | null })

export interface QuoteRequest<Line extends QuoteLine> {
  /** The currency of every amount; where it is not the store's, no shipping rate is offered. */
  readonly currency: string
  readonly lines: ReadonlyArray<Line>
  /** Codes that the buyer enters with this request. A code that the store does not have makes the quote fail. */
  readonly codes: ReadonlyArray<string>
  /** Codes that were accepted before. A code that no longer applies stays, takes nothing off, and is explained. */
  readonly acceptedCodes: ReadonlyArray<string>
  readonly buyer: QuoteBuyer
  readonly delivery: QuoteDelivery
  /** A discount that the caller states, split over the lines in proportion. */
  readonly statedDiscount?: bigint | undefined
  /** A tax that the caller states: it is added to the amounts, and none is computed. */
  readonly statedTax?: bigint | undefined
}

export interface Quote<Line extends QuoteLine = QuoteLine> extends PricingResult {
  readonly request: QuoteRequest<Line>
  /** The code that the order is placed with; null without one that the store has. */
  readonly couponCode: string | null
  /** The available shipping rates with their prices; none for a pickup. */
  readonly offers: ReadonlyArray<ShippingOffer>
  /** The chosen offer: one of `offers`, or the pickup. */
  readonly chosen: ShippingOffer | undefined
  readonly pickupLocation: PickupLocation | null
  /** Something must be chosen: goods are picked up, or sent by a store that ships somewhere. */
  readonly needsMethod: boolean
  /** A shipping address is given and no zone serves it. */
  readonly unserved: boolean
}

/** A code was entered that the store does not have. Each surface returns its own error for it. */
export class QuoteRefused extends Schema.TaggedError<QuoteRefused>()("QuoteRefused", { code: Schema.String }) {}

/** The sum of the lines, before any discount. */
export const subtotalOf = (lines: ReadonlyArray<Pick<QuoteLine, "quantity" | "unitPrice">>): bigint => {
  let sum = 0n
  for (const { quantity, unitPrice } of lines) sum += unitPrice * BigInt(quantity)
  return sum
}

/** Whether something is to be delivered. A line that the catalogue does not know is goods. */
export const hasGoods = (lines: ReadonlyArray<Pick<QuoteLine, "sellable">>): boolean =>
  lines.some(({ sellable }) => sellable === null || !isDownload(sellable))
