/**
 * Orders that a storefront places in one call, without cart or checkout (interface.md, Orders): the catalogue's prices,
 * the cheapest way of shipping, taxes computed, stock taken. The prices the shopper was shown are compared, never
 * trusted.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { type Address, type AddressInput, normaliseEmail, toAddress } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import { formatMoney } from "../kernel/Money.ts"
import { price } from "../pricing/PricingPipeline.ts"
import { isStorable } from "../pricing/PricingResult.ts"
import { isBuyable, type Sellable, unitPriceAt } from "../pricing/Sellable.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import { taxedAt } from "../pricing/TaxedAt.ts"
import type { ZoneRate } from "../shipping/ServedZone.ts"
import { offeredRates, type RateOffer } from "../shipping/ShippingRateCalculator.ts"
import { ShippingZones } from "../shipping/ShippingZones.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { type AsRead, readBy } from "../store/StoreReading.ts"
import { Stores } from "../store/Stores.ts"
import { TaxRates } from "../tax/TaxRates.ts"
import {
  OrderAddressUnserved,
  OrderCouponUnknown,
  OrderNotFound,
  OrderPriceDrifted,
  OrderProductUnknown,
  soldOut
} from "./OrderErrors.ts"
import type { OrderOutOfStock, OrderStockInsufficient } from "./OrderErrors.ts"
import { OrderPlacement, type PlacedLine } from "./OrderPlacement.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { formatOrderNumber, type OrderView } from "./OrderView.ts"

/** `price`, minor units of the store's currency, is what the shopper was shown for one unit. */
export interface StorefrontLineInput {
  readonly productId: string
  readonly variantId: string | null
  readonly quantity: number
  readonly price: bigint
}

export interface StorefrontOrderInput {
  readonly items: ReadonlyArray<StorefrontLineInput>
  readonly customer: { readonly email: string; readonly name: string | null; readonly phone: string | null }
  readonly shippingAddress: AddressInput
  readonly billingAddress?: AddressInput | null | undefined
  readonly couponCode?: string | null | undefined
  readonly notes?: string | null | undefined
}

/** Where the order comes from; `customerId` of whoever is signed in. */
export interface StorefrontBuyer {
  readonly salesChannelId: string
  readonly isTest: boolean
  readonly customerId: string | null
}

/** What anyone who knows an order's id and its buyer's address may read of it. */
export interface PublicOrderStatus {
  readonly orderNumber: string
  readonly status: string
  readonly financialStatus: string
  readonly fulfillmentStatus: string
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
  readonly carrier: string | null
  readonly createdAt: string
}

type PlaceError =
  | FieldRejected
  | OrderAddressUnserved
  | OrderCouponUnknown
  | OrderOutOfStock
  | OrderPriceDrifted
  | OrderProductUnknown
  | OrderStockInsufficient

export interface StorefrontOrdersMethods {
  readonly place: (
    store: StoreContext,
    buyer: StorefrontBuyer,
    input: AsRead<StorefrontOrderInput>
  ) => Effect.Effect<OrderView, PlaceError>
  /** An unknown id and another e-mail address are told apart by nothing. */
  readonly status: (
    store: StoreContext,
    salesChannelId: string,
    id: string,
    email: string
  ) => Effect.Effect<PublicOrderStatus, OrderNotFound>
}

export class StorefrontOrders extends Context.Service<StorefrontOrders, StorefrontOrdersMethods>()(
  "@effect-commerce/core/order/StorefrontOrders"
) {
  static readonly layer = Layer.effect(
    StorefrontOrders,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* OrderRepository
      const placement = yield* OrderPlacement
      const sellables = yield* SellableRepository
      const taxRates = yield* TaxRates
      const shippingZones = yield* ShippingZones
      const ledger = yield* StockLedger
      const stores = yield* Stores

      const linesOf = Effect.fnUntraced(function* (
        store: StoreContext,
        items: ReadonlyArray<StorefrontLineInput>,
        now: number
      ) {
        const refs = items.map(({ productId, variantId }) => ({ productId, variantId }))
        const found = yield* sellables.find(store.id, refs, new Date(now))
        const lines: Array<Line> = []
        for (const [i, { productId, variantId, quantity }] of items.entries()) {
          const sellable = found[i]
          if (sellable === undefined || !isBuyable(sellable, variantId))
            return yield* new OrderProductUnknown({ productId })
          const unitPrice = unitPriceAt(sellable, now)
          const extras = { metadata: {}, customizations: {}, modifiers: [] }
          lines.push({
            id: makeId("item", now),
            productId,
            variantId,
            quantity,
            unitPrice,
            name: null,
            ...extras,
            sellable
          })
        }
        const drifted = driftOf(items, lines, store.currency)
        return drifted.length > 0 ? yield* new OrderPriceDrifted({ items: drifted }) : lines
      })

      /** The cheapest rate offered; none where there is nothing to ship, or the store ships nowhere. */
      const shippingOf = Effect.fnUntraced(function* (
        store: StoreContext,
        buyer: StorefrontBuyer,
        lines: ReadonlyArray<Line>,
        address: Address
      ) {
        const goods = lines.filter((line) => !line.sellable.isDownloadable)
        const zones = yield* shippingZones.compiled(store.id, store.rulesVersion)
        if (goods.length === 0 || zones.activeZones === 0) return undefined
        const zone = zones.match(address, buyer.salesChannelId, null)?.zone
        const subtotal = lines.reduce((sum, line) => sum + line.unitPrice * BigInt(line.quantity), 0n)
        const parcel = { subtotal, lines: goods.map(({ quantity, sellable }) => ({ ...weighed(sellable), quantity })) }
        const offers = offeredRates(zone?.rates ?? [], parcel).filter((offer) => offer.rate.config.type !== "PICKUP")
        const cheapest = offers.reduce<RateOffer<ZoneRate> | undefined>(
          (best, offer) => (best === undefined || offer.price < best.price ? offer : best),
          undefined
        )
        return cheapest ?? (yield* new OrderAddressUnserved({ country: address.country }))
      })

      const place = Effect.fn("StorefrontOrders.place")(function* (
        known: StoreContext,
        buyer: StorefrontBuyer,
        asked: AsRead<StorefrontOrderInput>
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(known.id)(
          Effect.gen(function* () {
            const store = yield* stores.fresh(known)
            const input = yield* readBy(store, asked)
            // No room keeps coupons yet, so every code is one the store does not have.
            if (typeof input.couponCode === "string")
              return yield* new OrderCouponUnknown({ couponCode: input.couponCode })
            const id = makeId("ord", now)
            const lines = yield* linesOf(store, input.items, now)
            const shippingAddress = toAddress(input.shippingAddress)
            const billingAddress =
              input.billingAddress === undefined || input.billingAddress === null
                ? shippingAddress
                : toAddress(input.billingAddress)
            const shipping = yield* shippingOf(store, buyer, lines, shippingAddress)
            const totals = price({
              currency: store.currency,
              policy: {
                taxRounding: store.taxRounding,
                taxRoundingMode: store.taxRoundingMode,
                stackRounding: store.stackRounding
              },
              lines: lines.map((line) => ({
                ...line,
                taxClassId: line.sellable.taxClassId,
                taxable: !line.sellable.taxExempt
              })),
              shipping:
                shipping === undefined
                  ? null
                  : { amount: shipping.price, taxable: shipping.rate.taxStatus === "taxable" },
              address: taxedAt(
                lines.some((line) => !line.sellable.isDownloadable),
                { shippingAddress, billingAddress }
              ),
              taxes: yield* taxRates.matcher(store.id, store.rulesVersion)
            })
            if (!isStorable(totals))
              return yield* new FieldRejected({ field: "items", reason: "cost more than an order can come to" })
            const demands = lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }))
            yield* Effect.mapError(ledger.sell(store.id, demands, id, new Date(now)), soldOut)
            const { email, name, phone } = input.customer
            const order = {
              id,
              checkoutId: null,
              externalId: null,
              salesChannelId: buyer.salesChannelId,
              customerId: buyer.customerId,
              sourceName: "storefront",
              isTestOrder: buyer.isTest,
              currency: store.currency,
              email: normaliseEmail(email),
              customer: { name, phone },
              shippingAddress,
              billingAddress,
              shippingSelection:
                shipping === undefined
                  ? null
                  : {
                      carrier: null,
                      service: null,
                      methodName: shipping.rate.name,
                      amount: formatMoney(shipping.price, store.currency),
                      shippingRateId: shipping.rate.id
                    },
              paymentMethod: totals.total === 0n ? "free" : "manual",
              notes: input.notes ?? null,
              customFieldValues: {},
              lines,
              totals,
              settled: totals.total === 0n
            }
            return yield* Effect.catchTag(placement.place(store, order, now), "OrderExternalIdTaken", Effect.die)
          })
        )
      })

      const status = Effect.fn("StorefrontOrders.status")(function* (
        store: StoreContext,
        salesChannelId: string,
        id: string,
        email: string
      ) {
        const order = yield* repository.find(store.id, id)
        const isTheirs =
          order !== undefined &&
          order.salesChannelId === salesChannelId &&
          order.email !== null &&
          order.email === normaliseEmail(email)
        if (!isTheirs) return yield* new OrderNotFound({ id })
        const { financialStatus, fulfillmentStatus, trackingNumber, trackingUrl, carrier } = order
        const orderNumber = formatOrderNumber(order.orderNumber)
        return {
          orderNumber,
          status: order.status,
          financialStatus,
          fulfillmentStatus,
          trackingNumber,
          trackingUrl,
          carrier,
          createdAt: order.createdAt.toISOString()
        }
      })

      return StorefrontOrders.of({ place, status })
    })
  ).pipe(Layer.provide([OrderRepository.layer, SellableRepository.layer]))
}

type Line = PlacedLine & { readonly productId: string; readonly sellable: Sellable }

const weighed = ({ weight, weightUnit, shippingClassId }: Sellable) => ({
  weightValue: weight,
  weightUnit,
  shippingClassId
})

/** Where the price shown is not the price: the item is named by its variant, or by its product. */
const driftOf = (items: ReadonlyArray<StorefrontLineInput>, lines: ReadonlyArray<Line>, currency: string) =>
  lines.flatMap(({ productId, variantId, unitPrice }, i) => {
    const shown = items[i]?.price ?? unitPrice
    if (shown === unitPrice) return []
    const money = (minor: bigint) => formatMoney(minor, currency)
    const direction = unitPrice > shown ? ("up" as const) : ("down" as const)
    return [
      {
        itemId: variantId ?? productId,
        oldUnitPrice: money(shown),
        newUnitPrice: money(unitPrice),
        delta: money(unitPrice - shown),
        direction
      }
    ]
  })
