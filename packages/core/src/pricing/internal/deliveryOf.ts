/** What a quote knows of the delivery: the offered ways, the chosen one, and where the sale is taxed. Pure. */
import { type PickupLocation, pickupRatesOf, toPickupLocation } from "../../shipping/PickupLocation.ts"
import type { CompiledZones } from "../../shipping/ServedZone.ts"
import { offeredRates, type Parcel, type ParcelLine } from "../../shipping/ShippingRateCalculator.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { TaxAddress } from "../../tax/TaxMatcher.ts"
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

const chargeOf = (chosen: ShippingOffer | undefined): PricingSnapshot["shipping"] =>
  chosen === undefined ? null : { amount: chosen.price, taxable: chosen.rate.taxStatus === "taxable" }

const cheapestOf = (offers: ReadonlyArray<ShippingOffer>): ShippingOffer | undefined =>
  offers.reduce<ShippingOffer | undefined>(
    (best, offer) => (best === undefined || offer.price < best.price ? offer : best),
    undefined
  )

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
  const rates = currency === store.currency ? pickupRatesOf(zones.zones, buyer.salesChannelId) : []
  const chosen = offeredRates(rates, parcelOf(lines)).find((offer) => offer.rate.id === delivery.shippingRateId)
  const pickupLocation = chosen === undefined ? null : (toPickupLocation(chosen.rate, currency) ?? null)
  const place = pickupLocation === null ? null : pickedUpAt(pickupLocation.address, store.country)
  const address = goods ? place : taxedAt(goods, delivery)
  return { ...noDelivery, chosen, pickupLocation, needsMethod: goods, shipping: chargeOf(chosen), address }
}

type Sent = Extract<QuoteDelivery, { readonly by: "chosen" | "cheapest" }>

const sent = (store: StoreContext, request: Request, delivery: Sent, zones: CompiledZones): QuotedDelivery => {
  const { currency, lines, buyer } = request
  const { shippingAddress } = delivery
  const goods = hasGoods(lines)
  const zone =
    goods && shippingAddress !== null
      ? zones.match(shippingAddress, buyer.salesChannelId, buyer.regionId)?.zone
      : undefined
  const offers =
    zone === undefined || currency !== store.currency
      ? []
      : offeredRates(zone.rates, parcelOf(lines)).filter((offer) => offer.rate.config.type !== "PICKUP")
  const chosen =
    delivery.by === "cheapest" ? cheapestOf(offers) : offers.find((offer) => offer.rate.id === delivery.shippingRateId)
  const needsMethod = goods && zones.activeZones > 0
  const unserved = needsMethod && shippingAddress !== null && zone === undefined
  const address = taxedAt(goods, delivery)
  return { offers, chosen, pickupLocation: null, needsMethod, unserved, shipping: chargeOf(chosen), address }
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
