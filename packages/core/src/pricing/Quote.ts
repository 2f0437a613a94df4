/**
 * The request and the result of a quote. A cart, a checkout, an order of a storefront and an order of an admin key
 * differ in what is known when they are priced: the request states it as data, and the calculation is the same.
 */
import type { Address } from "../kernel/Address.ts"
import type { PickupLocation } from "../shipping/PickupLocation.ts"
import type { ZoneRate } from "../shipping/ServedZone.ts"
import type { RateOffer } from "../shipping/ShippingRateCalculator.ts"
import type { ChosenRegion } from "../store/RegionChoice.ts"
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
  /** The region that was given. In a quote, and as sources see it: the one that was chosen (`store/RegionChoice`). */
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

/** What a buyer has entered to pay with: a gift card, points. Its room decides how much of it is left. */
export interface EnteredTender {
  /** The id under which the checkout has it. */
  readonly id: string
  readonly kind: string
  readonly sourceId: string
  /** The most that it shall pay, as its kind counts: points of an account; null for all it has. */
  readonly amount: string | null
  /**
   * Minor units that it paid when the checkout was last edited, and that were left to pay then: what the shopper was
   * shown. A completion in which it would pay less, and more would be left to pay, is an error.
   */
  readonly shown?: string
  readonly shownDue?: string
}

export interface QuoteRequest<Line extends QuoteLine> {
  /** The currency of every amount; where it is not the store's, no shipping rate is offered. */
  readonly currency: string
  readonly lines: ReadonlyArray<Line>
  /** Codes that the buyer has entered. One that does not apply takes nothing off, and is in `notApplied`. */
  readonly codes: ReadonlyArray<string>
  /** What the buyer pays with before a provider is asked. None by default. */
  readonly tenders?: ReadonlyArray<EnteredTender>
  /** Values of checkout fields by key, which may bring surcharges. None by default. */
  readonly fieldValues?: Readonly<Record<string, unknown>>
  /** The checkout: what is held for it counts as available. Null or absent without one. */
  readonly holderId?: string | null
  readonly buyer: QuoteBuyer
  readonly delivery: QuoteDelivery
  /** A discount that the caller states, split over the lines in proportion. */
  readonly statedDiscount?: bigint | undefined
  /** A tax that the caller states: it is added to the amounts, and none is computed. */
  readonly statedTax?: bigint | undefined
}

export interface Quote<Line extends QuoteLine = QuoteLine> extends PricingResult {
  readonly request: QuoteRequest<Line>
  /** The region that was chosen: the one of `request.buyer`. */
  readonly region: ChosenRegion | null
  /** The codes of the request, as the store writes those that it knows. */
  readonly codes: ReadonlyArray<string>
  /** The code of the discount that applies, as the store writes it; null where none does. */
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

/** The sum of the lines, before any discount. */
export const subtotalOf = (lines: ReadonlyArray<Pick<QuoteLine, "quantity" | "unitPrice">>): bigint => {
  let sum = 0n
  for (const { quantity, unitPrice } of lines) sum += unitPrice * BigInt(quantity)
  return sum
}

/** Whether something is to be delivered. A line that the catalogue does not know is goods. */
export const hasGoods = (lines: ReadonlyArray<Pick<QuoteLine, "sellable">>): boolean =>
  lines.some(({ sellable }) => sellable === null || !isDownload(sellable))
