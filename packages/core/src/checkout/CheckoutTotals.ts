/**
 * What a checkout costs as it stands: the offered shipping rates, the chosen one, and the totals by the one pricing pipeline. Pure: the compiled
 * taxes and zones come in, nothing is read.
 */
import { price } from "../pricing/PricingPipeline.ts"
import type { PricingResult } from "../pricing/PricingResult.ts"
import type { ServedZone, ZoneRate } from "../shipping/ShippingZones.ts"
import { offeredRates, type Parcel, type RateOffer } from "../shipping/ShippingRateCalculator.ts"
import type { ZoneMatcher } from "../shipping/ZoneMatcher.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { TaxMatcher } from "../tax/TaxMatcher.ts"
import { type CheckoutState, hasGoods } from "./Checkout.ts"

export type ShippingOffer = RateOffer<ZoneRate>

export interface Evaluators {
  readonly taxes: TaxMatcher
  readonly zones: ZoneMatcher<ServedZone>
}

export interface CheckoutTotals extends PricingResult {
  readonly offers: ReadonlyArray<ShippingOffer>
  readonly chosen: ShippingOffer | undefined
  /** Goods are to be shipped and the store ships somewhere: a method must be chosen. */
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

export const totalsOf = (store: StoreContext, checkout: CheckoutState, { taxes, zones }: Evaluators): CheckoutTotals => {
  const goods = hasGoods(checkout)
  const { shippingAddress, billingAddress } = checkout
  const zone = goods && shippingAddress !== null ? zones.match(shippingAddress, checkout.salesChannelId, checkout.regionId)?.zone : undefined
  const offers = zone === undefined ? [] : offeredRates(zone.rates, parcelOf(checkout)).filter((offer) => offer.rate.config.type !== "PICKUP")
  const chosen = offers.find((offer) => offer.rate.id === checkout.shippingRateId)
  const result = price({
    currency: checkout.currency,
    policy: { taxRounding: store.taxRounding, taxRoundingMode: store.taxRoundingMode, stackRounding: store.stackRounding },
    lines: checkout.lines.map(({ id, quantity, unitPrice, sellable }) => ({
      id,
      quantity,
      unitPrice,
      taxClassId: sellable.taxClassId,
      taxable: !sellable.taxExempt
    })),
    shipping: chosen === undefined ? null : { amount: chosen.price, taxable: chosen.rate.taxStatus === "taxable" },
    // What is only downloaded is taxed where it is billed.
    address: goods ? shippingAddress : billingAddress,
    taxes
  })
  const needsMethod = goods && zones.activeZones > 0
  return { ...result, offers, chosen, needsMethod, unserved: needsMethod && shippingAddress !== null && zone === undefined }
}
