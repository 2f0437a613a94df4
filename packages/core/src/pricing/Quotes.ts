/**
 * The only entry point to a total. Carts, checkouts, orders of a storefront and orders of an admin key all call it, and
 * later draft orders and refunds; the store's rounding, tax rates, zones and adjustment sources are decided inside it
 * and nowhere else. The caller brings what it has read already, so a quote costs no statement on a process that has
 * compiled the store's rules (docs/decisions/0007).
 */
import { Context, Effect, Layer } from "effect"
import { ShippingZones } from "../shipping/ShippingZones.ts"
import { type ChosenRegion, RegionChoice } from "../store/RegionChoice.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { InstalledTaxCalculator } from "../tax/TaxCalculator.ts"
import { TaxRates } from "../tax/TaxRates.ts"
import type { NotApplied } from "./Adjustment.ts"
import { AdjustmentSources, FurtherAdjustmentSources, type LoadedSource, nothingLoaded } from "./AdjustmentSource.ts"
import {
  deliveryOf,
  noDelivery,
  offeredFor,
  type ParcelRequest,
  type QuotedDelivery,
  statedDelivery
} from "./internal/deliveryOf.ts"
import { taxesAlone } from "./internal/taxesAlone.ts"
import { price } from "./PricingPipeline.ts"
import type { PricingLine, PricingSnapshot } from "./PricingSnapshot.ts"
import type { TaxQuoteRequest } from "./TaxQuote.ts"
import type { Quote, QuoteBuyer, QuoteLine, QuoteRequest } from "./Quote.ts"

export class Quotes extends Context.Service<Quotes>()("@effect-commerce/core/pricing/Quotes", {
  make: Effect.gen(function* () {
    const taxRates = yield* TaxRates
    const shippingZones = yield* ShippingZones
    const regions = yield* RegionChoice
    const calculator = yield* InstalledTaxCalculator
    const sources = [...(yield* AdjustmentSources), ...(yield* Effect.all(yield* FurtherAdjustmentSources))]

    const regionOf = (
      store: StoreContext,
      { regionId }: QuoteBuyer,
      shippingAddress: { readonly country: string } | null
    ) =>
      Effect.map(regions.compiled(store.id, store.rulesVersion), ({ choose }) =>
        choose(regionId, shippingAddress?.country ?? null)
      )

    const taxedBy = (store: StoreContext, buyer: QuoteBuyer) => ({ calculator, storeId: store.id, buyer })

    /** None needs what another has read, so that their statements travel together. */
    const loadSources = (store: StoreContext, request: QuoteRequest<QuoteLine>) => {
      const loading = sources.map((source) => source.load(store, request)).filter((load) => load !== nothingLoaded)
      const concurrency = loading.length > 1 ? "unbounded" : 1
      return Effect.map(Effect.all(loading, { concurrency }), (loaded) =>
        loaded.filter((each): each is LoadedSource => each !== undefined)
      )
    }

    const loadDelivery = (store: StoreContext, request: QuoteRequest<QuoteLine>) => {
      const { by } = request.delivery
      if (by === "unknown") return Effect.succeed(noDelivery)
      return by === "stated"
        ? Effect.succeed(statedDelivery(request))
        : Effect.map(shippingZones.compiled(store.id, store.rulesVersion), (zones) => deliveryOf(store, request, zones))
    }

    /**
     * `store` is the state of its settings that goes with the lines: see Stores.at and Stores.fresh. A cart needs no
     * tax rates and no zones.
     */
    const quote = Effect.fnUntraced(function* <Line extends QuoteLine>(store: StoreContext, asked: QuoteRequest<Line>) {
      const { buyer, delivery: to } = asked
      const region = yield* regionOf(store, buyer, to.by === "unknown" ? null : to.shippingAddress)
      const request = { ...asked, buyer: { ...buyer, regionId: region?.id ?? null } }
      const loaded = yield* loadSources(store, request)
      const delivery = yield* loadDelivery(store, request)
      const needsTaxes = delivery.address !== null && request.statedTax === undefined
      const taxes = needsTaxes ? yield* taxRates.matcher(store.id, store.rulesVersion) : null
      return quoteOf(store, request, { delivery, taxes, taxedBy: taxedBy(store, request.buyer), loaded, region })
    })

    /** The taxes of amounts that the caller states. */
    const taxes = (store: StoreContext, request: TaxQuoteRequest) =>
      Effect.map(taxRates.matcher(store.id, store.rulesVersion), (rates) =>
        taxesAlone(request, { policy: store, taxes: rates, taxedBy: taxedBy(store, request.buyer) })
      )

    /** The ways in which a parcel can be sent. */
    const shipping = Effect.fnUntraced(function* (store: StoreContext, request: ParcelRequest) {
      const region = yield* regionOf(store, request.buyer, request.shippingAddress)
      const zones = yield* shippingZones.compiled(store.id, store.rulesVersion)
      return offeredFor(store, { ...request, buyer: { ...request.buyer, regionId: region?.id ?? null } }, zones)
    })

    return { quote, taxes, shipping }
  })
}) {
  static readonly layer = Layer.effect(Quotes, Quotes.make)
}

interface Known {
  readonly delivery: QuotedDelivery
  readonly taxes: PricingSnapshot["taxes"]
  readonly taxedBy: NonNullable<PricingSnapshot["taxedBy"]>
  readonly loaded: ReadonlyArray<LoadedSource>
  readonly region: ChosenRegion | null
}

const pricingLine = ({ id, quantity, unitPrice, sellable }: QuoteLine): PricingLine => ({
  id,
  productId: sellable?.productId ?? null,
  groups: sellable?.groups ?? null,
  quantity,
  unitPrice,
  taxClassId: sellable?.taxClassId ?? null,
  taxable: sellable?.taxExempt !== true
})

/** What the sources bring, in their order. */
const sourcesOf = ({ codes }: Pick<QuoteRequest<QuoteLine>, "codes">, loaded: ReadonlyArray<LoadedSource>) => {
  if (loaded.length === 0 && codes.length === 0) return { discounts: [] }
  const known = new Set(loaded.flatMap((source) => source.codes ?? []))
  const notApplied = loaded.flatMap((source) => source.notApplied ?? [])
  const explained = new Set(notApplied.map(({ code }) => code))
  const unknown = codes.filter((code) => !known.has(code) && !explained.has(code)).map(unknownCode)
  return {
    discounts: loaded.flatMap((source) => source.discounts ?? []),
    surcharges: loaded.flatMap((source) => source.surcharges ?? []),
    tenders: loaded.flatMap((source) => source.tenders ?? []),
    notApplied: unknown.length === 0 ? notApplied : [...unknown, ...notApplied]
  }
}

const quoteOf = <Line extends QuoteLine>(
  store: StoreContext,
  request: QuoteRequest<Line>,
  { delivery, taxes, taxedBy, loaded, region }: Known
): Quote<Line> => {
  const sources = sourcesOf(request, loaded)
  const priced = price({
    currency: request.currency,
    policy: store,
    lines: request.lines.map(pricingLine),
    shipping: delivery.shipping,
    address: delivery.address,
    taxes,
    taxedBy,
    statedTax: request.statedTax,
    statedDiscount: request.statedDiscount,
    ...sources
  })
  const applied = sources.discounts.find(
    ({ code, kind, sourceId }) =>
      code !== null && priced.adjustments.some((each) => each.kind === kind && each.sourceId === sourceId)
  )
  const spellings = new Map(loaded.flatMap((source) => [...(source.spellings ?? [])]))
  const spelled = (code: string) => spellings.get(code) ?? code
  const { offers, chosen, pickupLocation, needsMethod, unserved } = delivery
  return {
    ...priced,
    request,
    region,
    codes: request.codes.map(spelled),
    couponCode: typeof applied?.code === "string" ? spelled(applied.code) : null,
    offers,
    chosen,
    pickupLocation,
    needsMethod,
    unserved
  }
}

const unknownCode = (code: string): NotApplied => ({
  kind: "coupon",
  sourceId: null,
  name: null,
  code,
  reason: "unknown",
  lostTo: []
})
