/**
 * The only entry point to a total. Carts, checkouts, orders of a storefront and orders of an admin key all call it, and
 * later draft orders and refunds; the store's rounding, tax rates, zones and adjustment sources are decided inside it
 * and nowhere else. The caller brings what it has read already, so a quote costs no statement on a process that has
 * compiled the store's rules (docs/decisions/0007).
 */
import { Context, Effect, Layer } from "effect"
import { ShippingZones } from "../shipping/ShippingZones.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { TaxRates } from "../tax/TaxRates.ts"
import type { NotApplied } from "./Adjustment.ts"
import type { AdjustmentEvaluator, LoadedSource } from "./AdjustmentSource.ts"
import { AdjustmentSources } from "./AdjustmentSources.ts"
import { deliveryOf, noDelivery, type QuotedDelivery, statedDelivery } from "./internal/deliveryOf.ts"
import { statedDiscount } from "./internal/statedDiscount.ts"
import { price } from "./PricingPipeline.ts"
import type { PricingLine, PricingSnapshot } from "./PricingSnapshot.ts"
import { type Quote, type QuoteLine, QuoteRefused, type QuoteRequest } from "./Quote.ts"

export class Quotes extends Context.Service<Quotes>()("@effect-commerce/core/pricing/Quotes", {
  make: Effect.gen(function* () {
    const taxRates = yield* TaxRates
    const shippingZones = yield* ShippingZones
    const sources = yield* Effect.all(yield* AdjustmentSources)

    const loadSources = (store: StoreContext, request: QuoteRequest<QuoteLine>) =>
      Effect.map(
        Effect.forEach(sources, (source) => source.load(store, request)),
        (loaded) => loaded.filter((each): each is LoadedSource => each !== undefined)
      )

    const loadDelivery = (store: StoreContext, request: QuoteRequest<QuoteLine>) => {
      const { by } = request.delivery
      return by === "unknown" || by === "stated"
        ? Effect.succeed(statedDelivery(request))
        : Effect.map(shippingZones.compiled(store.id, store.rulesVersion), (zones) => deliveryOf(store, request, zones))
    }

    const quoteFully = Effect.fnUntraced(function* <Line extends QuoteLine>(
      store: StoreContext,
      request: QuoteRequest<Line>
    ) {
      const loaded = sources.length === 0 ? [] : yield* loadSources(store, request)
      const isKnown = (code: string) => loaded.some(({ codes }) => codes.includes(code))
      const unknown = request.codes.find((code) => !isKnown(code))
      if (unknown !== undefined) return yield* new QuoteRefused({ code: unknown })
      const delivery = yield* loadDelivery(store, request)
      const needsTaxes = delivery.address !== null && request.statedTax === undefined
      const taxes = needsTaxes ? yield* taxRates.matcher(store.id, store.rulesVersion) : null
      return quoteOf(store, request, {
        delivery,
        taxes,
        evaluators: loaded.map(({ evaluator }) => evaluator),
        isKnown
      })
    })

    /**
     * `store` is the state of its settings that goes with the lines: see Stores.at and Stores.fresh. A cart in a store
     * without adjustment sources needs neither rules nor rates.
     */
    const quote = <Line extends QuoteLine>(store: StoreContext, request: QuoteRequest<Line>) =>
      sources.length === 0 &&
      request.delivery.by === "unknown" &&
      request.codes.length === 0 &&
      request.statedDiscount === undefined
        ? Effect.sync(() => quoteOf(store, request, nothingKnown))
        : quoteFully(store, request)

    return {
      quote,
      /** A quote of a request that enters no code, so it cannot fail. */
      requote: <Line extends QuoteLine>(store: StoreContext, request: Omit<QuoteRequest<Line>, "codes">) =>
        Effect.catchTag(quote(store, { ...request, codes: [] }), "QuoteRefused", Effect.die)
    }
  })
}) {
  static readonly layer = Layer.effect(Quotes, Quotes.make)
}

interface Known {
  readonly delivery: QuotedDelivery
  readonly taxes: PricingSnapshot["taxes"]
  readonly evaluators: ReadonlyArray<AdjustmentEvaluator>
  readonly isKnown: (code: string) => boolean
}

const nothingKnown: Known = { delivery: noDelivery, taxes: null, evaluators: [], isKnown: () => false }

const pricingLine = ({ id, quantity, unitPrice, sellable }: QuoteLine): PricingLine => ({
  id,
  quantity,
  unitPrice,
  taxClassId: sellable?.taxClassId ?? null,
  taxable: sellable?.taxExempt !== true
})

const quoteOf = <Line extends QuoteLine>(
  store: StoreContext,
  request: QuoteRequest<Line>,
  { delivery, taxes, evaluators, isKnown }: Known
): Quote<Line> => {
  const { statedDiscount: stated } = request
  const priced = price({
    currency: request.currency,
    policy: store,
    lines: request.lines.map(pricingLine),
    shipping: delivery.shipping,
    address: delivery.address,
    taxes,
    statedTax: request.statedTax,
    evaluators: stated === undefined || stated === 0n ? evaluators : [...evaluators, statedDiscount(stated)]
  })
  const lost = request.acceptedCodes.length === 0 ? [] : request.acceptedCodes.filter((code) => !isKnown(code))
  const { offers, chosen, pickupLocation, needsMethod, unserved } = delivery
  return {
    ...priced,
    notApplied: lost.length === 0 ? priced.notApplied : [...priced.notApplied, ...lost.map(unknownCode)],
    request,
    couponCode: request.codes[0] ?? request.acceptedCodes.find(isKnown) ?? null,
    offers,
    chosen,
    pickupLocation,
    needsMethod,
    unserved
  }
}

const unknownCode = (code: string): NotApplied => ({ kind: "coupon", sourceId: null, code, reason: "unknown" })
