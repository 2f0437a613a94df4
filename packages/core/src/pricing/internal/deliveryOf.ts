/** What a quote knows of the delivery: the offered ways, the chosen one, and where the sale is taxed. Pure. */
import { type PickupLocation, pickupRatesOf, toPickupLocation } from "../../shipping/PickupLocation.ts"
import type { CompiledZones } from "../../shipping/ServedZone.ts"
import { offeredRates, type Parcel, type ParcelLine, sortedOffers } from "../../shipping/ShippingRateCalculator.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { TaxAddress } from "../../tax/TaxMatcher.ts"
import type { ZoneAddress } from "../../zone/ZoneMatcher.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import {
  hasGoods,
  type QuoteDelivery,
  type QuoteLine,
  type QuoteRequest,
  type ShippingOffer,
  subtotalOf
} from "../Quote.ts"
import { isDownload, type Sellable } from "../Sellable.ts"
import { pickedUpAt, taxedAt } from "../TaxedAt.ts"

export interface QuotedDelivery {
  readonly offers: ReadonlyArray<ShippingOffer>
  readonly chosen: ShippingOffer | undefined
  readonly pickupLocation: PickupLocation | null
  readonly needsMethod: boolean
  readonly unserved: boolean
  readonly shipping: PricingSnapshot["shipping"]
  readonly address: TaxAddress | null
}

/** Nothing is known of the delivery, or nothing is to be chosen. */
export const noDelivery: QuotedDelivery = {
  offers: [],
  chosen: undefined,
  pickupLocation: null,
  needsMethod: false,
  unserved: false,
  shipping: null,
  address: null
}

/** A kit without a weight of its own weighs what its components weigh. */
const contentsOf = ({ kit, weight }: Sellable): Pick<ParcelLine, "contents"> => {
  if (kit === null || weight !== null) return {}
  return {
    contents: kit.flatMap((part) =>
      part.isDownloadable ? [] : [{ quantity: part.quantity, weightValue: part.weight, weightUnit: part.weightUnit }]
    )
  }
}

const parcelOf = (lines: ReadonlyArray<QuoteLine>): Parcel => ({
  subtotal: subtotalOf(lines),
  lines: lines.flatMap(({ quantity, sellable }) =>
    sellable === null || isDownload(sellable)
      ? []
      : [
          {
            quantity,
            weightValue: sellable.weight,
            weightUnit: sellable.weightUnit,
            shippingClassId: sellable.shippingClassId,
            ...contentsOf(sellable)
          }
        ]
  )
})

/** `zoneId` is null for a pickup. */
const chargeOf = (chosen: ShippingOffer | undefined, zoneId: string | null = null): PricingSnapshot["shipping"] =>
  chosen === undefined
    ? null
    : {
        amount: chosen.price,
        taxable: chosen.rate.taxStatus === "taxable",
        rateId: chosen.rate.id,
        rateName: chosen.rate.name,
        zoneId
      }

type Request = QuoteRequest<QuoteLine>

type Chosen = Extract<QuoteDelivery, { readonly by: "chosen" }>

/** Rates are amounts in the store's currency: lines in another currency are offered none. */
const pickedUp = (
  store: StoreContext,
  { currency, lines, buyer }: Request,
  delivery: Chosen,
  zones: CompiledZones
): QuotedDelivery => {
  const goods = hasGoods(lines)
  const rates = currency === store.currency ? pickupRatesOf(zones.zones, buyer.salesChannelId, buyer.regionId) : []
  const chosen = offeredRates(rates, parcelOf(lines)).find((offer) => offer.rate.id === delivery.shippingRateId)
  const pickupLocation = chosen === undefined ? null : (toPickupLocation(chosen.rate, currency) ?? null)
  const place = pickupLocation === null ? null : pickedUpAt(pickupLocation.address, store.country)
  const address = goods ? place : taxedAt(goods, delivery)
  return { ...noDelivery, chosen, pickupLocation, needsMethod: goods, shipping: chargeOf(chosen), address }
}

type Sent = Extract<QuoteDelivery, { readonly by: "chosen" | "cheapest" }>

/** What is asked of the zones of a store. */
export interface ParcelRequest extends Pick<Request, "currency" | "lines" | "buyer"> {
  /** Where the parcel goes; null while it is not known. */
  readonly shippingAddress: ZoneAddress | null
  /** What rates compare with their minimum; absent is the sum of the lines. */
  readonly subtotal?: bigint | undefined
}

/** The zone that serves an address, and its rates for the parcel: the cheapest first. */
export const offeredFor = (
  store: StoreContext,
  { currency, lines, buyer, shippingAddress, subtotal }: ParcelRequest,
  zones: CompiledZones
) => {
  const goods = hasGoods(lines)
  const zone =
    goods && shippingAddress !== null
      ? zones.match(shippingAddress, buyer.salesChannelId, buyer.regionId)?.zone
      : undefined
  const parcel = parcelOf(lines)
  const offers =
    zone === undefined || currency !== store.currency
      ? []
      : offeredRates(zone.rates, subtotal === undefined ? parcel : { ...parcel, subtotal }).filter(
          (offer) => offer.rate.config.type !== "PICKUP"
        )
  const needsMethod = goods && zones.activeZones > 0
  const unserved = needsMethod && shippingAddress !== null && zone === undefined
  return { goods, zone, offers: sortedOffers(offers), needsMethod, unserved }
}

const sent = (store: StoreContext, request: Request, delivery: Sent, zones: CompiledZones): QuotedDelivery => {
  const { shippingAddress } = delivery
  const { goods, zone, offers, needsMethod, unserved } = offeredFor(store, { ...request, shippingAddress }, zones)
  const chosen =
    delivery.by === "cheapest" ? offers[0] : offers.find((offer) => offer.rate.id === delivery.shippingRateId)
  const address = taxedAt(goods, delivery)
  const shipping = chargeOf(chosen, zone?.id)
  return { offers, chosen, pickupLocation: null, needsMethod, unserved, shipping, address }
}

/** `zones` are those of the store; a stated or unknown delivery does not use them. */
export const deliveryOf = (store: StoreContext, request: Request, zones: CompiledZones): QuotedDelivery => {
  const { delivery } = request
  return delivery.by === "unknown" || delivery.by === "stated"
    ? statedDelivery(request)
    : delivery.by === "chosen" && delivery.deliveryType === "pickup"
      ? pickedUp(store, request, delivery, zones)
      : sent(store, request, delivery, zones)
}

/** The delivery if it is stated or unknown, for which no rule of the store is needed. */
export const statedDelivery = ({ delivery, lines }: Request): QuotedDelivery =>
  delivery.by === "stated"
    ? {
        ...noDelivery,
        shipping: delivery.amount === null ? null : { amount: delivery.amount, taxable: true, isStated: true },
        address: taxedAt(hasGoods(lines), delivery)
      }
    : noDelivery
