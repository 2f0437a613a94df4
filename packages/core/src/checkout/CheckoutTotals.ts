/**
 * What a checkout costs as it stands: the offered shipping rates, the chosen one, and the totals by the one pricing
 * pipeline. Pure: the compiled taxes and zones come in, nothing is read.
 */
import { price } from "../pricing/PricingPipeline.ts"
import type { PricingResult } from "../pricing/PricingResult.ts"
import { pickedUpAt, taxedAt } from "../pricing/TaxedAt.ts"
import { type PickupLocation, pickupRatesOf, toPickupLocation } from "../shipping/PickupLocation.ts"
import type { CompiledZones, ServedZone, ZoneRate } from "../shipping/ServedZone.ts"
import { offeredRates, type Parcel, type RateOffer } from "../shipping/ShippingRateCalculator.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { TaxAddress, TaxMatcher } from "../tax/TaxMatcher.ts"
import { type CheckoutState, hasGoods } from "./Checkout.ts"

export type ShippingOffer = RateOffer<ZoneRate>

export interface Evaluators {
  readonly taxes: TaxMatcher
  readonly zones: CompiledZones
}

export interface CheckoutTotals extends PricingResult {
  /** The ways to have it sent; none for what is picked up. */
  readonly offers: ReadonlyArray<ShippingOffer>
  /** The chosen way: one of the offers, or the place where it is picked up. */
  readonly chosen: ShippingOffer | undefined
  readonly pickupLocation: PickupLocation | null
  /**
   * Goods are to be shipped and the store ships somewhere, or they are to be picked up: a method or a place must be
   * chosen.
   */
  readonly needsMethod: boolean
  /** An address is given and no zone serves it. */
  readonly unserved: boolean
}

const parcelOf = (checkout: CheckoutState): Parcel => ({
  subtotal: checkout.lines.reduce((sum, line) => sum + line.unitPrice * BigInt(line.quantity), 0n),
  lines: checkout.lines
    .filter((line) => !line.sellable.isDownloadable)
    .map(({ quantity, sellable }) => ({
      quantity,
      weightValue: sellable.weight,
      weightUnit: sellable.weightUnit,
      shippingClassId: sellable.shippingClassId
    }))
})

/**
 * What can be chosen: rates of the zone that serves the address, or the places where the channel lets pick up. Rates
 * are amounts in the store's currency: a checkout that began in another one is offered none.
 */
const offersOf = (
  store: StoreContext,
  checkout: CheckoutState,
  zone: ServedZone | undefined,
  zones: CompiledZones
): ReadonlyArray<ShippingOffer> => {
  if (checkout.currency !== store.currency) return []
  if (checkout.deliveryType === "pickup")
    return offeredRates(pickupRatesOf(zones.zones, checkout.salesChannelId), parcelOf(checkout))
  return zone === undefined
    ? []
    : offeredRates(zone.rates, parcelOf(checkout)).filter((offer) => offer.rate.config.type !== "PICKUP")
}

/** Where the sale happens, for the tax; not known before an address is given or a place is chosen. */
const taxAddressOf = (
  store: StoreContext,
  checkout: CheckoutState,
  goods: boolean,
  location: PickupLocation | null
): TaxAddress | null => {
  if (!goods || checkout.deliveryType === "shipping") return taxedAt(goods, checkout)
  return location === null ? null : pickedUpAt(location.address, store.country)
}

export const totalsOf = (
  store: StoreContext,
  checkout: CheckoutState,
  { taxes, zones }: Evaluators
): CheckoutTotals => {
  const goods = hasGoods(checkout)
  const { shippingAddress, deliveryType } = checkout
  const isSent = goods && deliveryType === "shipping"
  const zone =
    isSent && shippingAddress !== null
      ? zones.match(shippingAddress, checkout.salesChannelId, checkout.regionId)?.zone
      : undefined
  const offers = offersOf(store, checkout, zone, zones)
  const chosen = offers.find((offer) => offer.rate.id === checkout.shippingRateId)
  const pickupLocation =
    deliveryType === "pickup" && chosen !== undefined
      ? (toPickupLocation(chosen.rate, checkout.currency) ?? null)
      : null
  const result = price({
    currency: checkout.currency,
    policy: {
      taxRounding: store.taxRounding,
      taxRoundingMode: store.taxRoundingMode,
      stackRounding: store.stackRounding
    },
    lines: checkout.lines.map(({ id, quantity, unitPrice, sellable }) => ({
      id,
      quantity,
      unitPrice,
      taxClassId: sellable.taxClassId,
      taxable: !sellable.taxExempt
    })),
    shipping: chosen === undefined ? null : { amount: chosen.price, taxable: chosen.rate.taxStatus === "taxable" },
    address: taxAddressOf(store, checkout, goods, pickupLocation),
    taxes
  })
  const needsMethod = goods && (deliveryType === "pickup" || zones.activeZones > 0)
  const unserved = needsMethod && isSent && shippingAddress !== null && zone === undefined
  return { ...result, offers: deliveryType === "pickup" ? [] : offers, chosen, pickupLocation, needsMethod, unserved }
}
