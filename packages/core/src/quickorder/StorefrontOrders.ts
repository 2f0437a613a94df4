/**
 * Orders that a storefront places in one call, without cart or checkout: with the catalogue's prices, the cheapest
 * shipping method, computed taxes, and stock taken. The prices sent by the storefront are compared, never trusted.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { CustomerUploads, settledCustomizations } from "../metafield/Customizations.ts"
import { Database } from "../database/Database.ts"
import { demandsOf, ofLines } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { normaliseEmail, toAddress } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import { jsonBytes } from "../kernel/JsonSize.ts"
import { formatMoney } from "../kernel/Money.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { checkAcceptedCodes, checkCodes } from "../pricing/CodeErrors.ts"
import { checkStorable } from "../order/StorableOrder.ts"
import type { QuoteRequest } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { chosenOf, modifierErrors, ModifiersInvalid } from "../modifier/LineModifiers.ts"
import { chooseVariant, isSold, lacksVariant, type Sellable, unitPriceAt } from "../pricing/Sellable.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import { soldLines } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import {
  OrderAddressUnserved,
  OrderNotFound,
  OrderPriceDrifted,
  OrderProductUnknown,
  soldOut
} from "../order/OrderErrors.ts"
import { OrderPlacement, type PlacedLine } from "../order/OrderPlacement.ts"
import { OrderRepository } from "../order/OrderRepository.ts"
import { formatOrderNumber } from "../order/OrderView.ts"
import { type ReadStorefrontOrder, readStorefrontOrder, type StorefrontOrderInput } from "./StorefrontOrderInput.ts"

type ReadItem = ReadStorefrontOrder["items"][number]

/** The sales channel of the order, and the signed-in customer. */
export interface StorefrontBuyer {
  readonly salesChannelId: string
  readonly isTest: boolean
  readonly customerId: string | null
  /** The language of the order; null for the store's own. */
  readonly locale: string | null
}

/** The most customizations of all items of an order, in bytes of JSON: the same as in a shopper's cart. */
const maxCustomizations = 64 * 1_024

export class StorefrontOrders extends Context.Service<StorefrontOrders>()(
  "@effect-commerce/core/quickorder/StorefrontOrders",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* OrderRepository
      const placements = yield* OrderPlacement
      const sellables = yield* SellableRepository
      const uploads = yield* CustomerUploads
      const quotes = yield* Quotes
      const ledger = yield* StockLedger
      const stores = yield* Stores
      const providers = yield* PaymentProviders

      const linesOf = Effect.fnUntraced(function* (
        { store, buyer }: { readonly store: StoreContext; readonly buyer: StorefrontBuyer },
        items: ReadonlyArray<ReadItem>,
        now: number
      ) {
        const refs = items.map(({ productId, variantId, modifiers }) => ({
          productId,
          variantId,
          modifiers: modifiers === undefined ? undefined : chosenOf(modifiers)
        }))
        const by = { storeId: store.id, channelId: buyer.salesChannelId, locale: buyer.locale }
        const found = yield* sellables.find(by, refs, new Date(now))
        const lineOf = Effect.fnUntraced(function* (
          { productId, variantId, quantity, customizations: given }: ReadItem,
          i: number
        ) {
          const sellable = found[i]
          if (sellable !== undefined && lacksVariant(sellable, variantId))
            return yield* FieldRejected.at(`items.${i}.variantId`, chooseVariant)
          if (sellable === undefined || !isSold(sellable, variantId))
            return yield* new OrderProductUnknown({ productId })
          const errors = sellable.modifiers === null ? [] : modifierErrors(sellable.modifiers)
          if (errors.length > 0) return yield* new ModifiersInvalid({ errors })
          const unitPrice = unitPriceAt(sellable, now)
          const customizations = yield* settledCustomizations(uploads, {
            store,
            inputs: sellable.customerInputs,
            given,
            path: `items.${i}.customizations`,
            now
          })
          const extras = { metadata: {}, customizations, modifiers: sellable.modifiers?.chosen ?? [] }
          const line: Line = { id: makeId("item", now), productId, variantId, quantity, unitPrice, ...extras, sellable }
          return line
        })
        const lines = yield* checkEach(items, lineOf)
        if (jsonBytes(lines.map(({ customizations }) => customizations)) > maxCustomizations)
          return yield* FieldRejected.at(
            "items",
            `customizations of all items are at most ${maxCustomizations} bytes as JSON`
          )
        const drifted = driftOf(items, lines, store.currency)
        return drifted.length > 0 ? yield* new OrderPriceDrifted({ items: drifted }) : lines
      })

      /** Rejects an unknown code, an address that is not shipped to, and a total above the maximum of an order. */
      const quoteOf = Effect.fnUntraced(function* (store: StoreContext, request: QuoteRequest<Line>, country: string) {
        const quote = yield* quotes.quote(store, request)
        yield* checkCodes(quote)
        yield* checkAcceptedCodes(quote)
        if (quote.needsMethod && quote.chosen === undefined) return yield* new OrderAddressUnserved({ country })
        yield* checkStorable(quote, "items")
        return quote
      })

      const place = Effect.fn("StorefrontOrders.place")(function* (
        cachedStore: StoreContext,
        buyer: StorefrontBuyer,
        body: StorefrontOrderInput
      ) {
        yield* providers.ready
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(cachedStore.id)(
          Effect.gen(function* () {
            const store = yield* stores.fresh(cachedStore)
            const input = yield* readStorefrontOrder(store, body)
            const id = makeId("ord", now)
            const lines = yield* linesOf({ store, buyer }, input.items, now)
            const request = requestOf(store, buyer, input, lines)
            const quote = yield* quoteOf(store, request, toAddress(input.shippingAddress).country)
            const paymentMethod = quote.total === 0n ? "free" : "manual"
            const { regionId } = quote.request.buyer
            if (paymentMethod === "manual")
              yield* providers.forMethod(store, paymentMethod, { isTest: buyer.isTest, regionId })
            const sold = soldLines(lines)
            yield* ledger
              .sell(store.id, demandsOf(sold), id, new Date(now))
              .pipe(Effect.mapError(ofLines(sold)), Effect.mapError(soldOut))
            const placement = {
              id,
              quote,
              customer: { name: input.customer.name, phone: input.customer.phone },
              sourceName: "storefront",
              isTestOrder: buyer.isTest,
              paymentMethod,
              notes: input.notes ?? null,
              locale: buyer.locale,
              isPaidWhenFree: true
            }
            return yield* Effect.catchTag(
              placements.placeOrder(store, placement, now),
              "OrderExternalIdTaken",
              Effect.die
            )
          })
        )
      })

      /** An unknown id and a wrong e-mail address get the same response. */
      const status = Effect.fnUntraced(function* (
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

      return { place, status }
    })
  }
) {
  static readonly layer = Layer.effect(StorefrontOrders, StorefrontOrders.make).pipe(
    Layer.provide([OrderRepository.layer, SellableRepository.layer])
  )
}

type Line = PlacedLine & { readonly productId: string; readonly sellable: Sellable }

/** The shipping address is also the billing address unless another is given. */
const requestOf = (
  store: StoreContext,
  { salesChannelId, customerId }: StorefrontBuyer,
  input: ReadStorefrontOrder,
  lines: ReadonlyArray<Line>
): QuoteRequest<Line> => {
  const { couponCode, billingAddress } = input
  const shippingAddress = toAddress(input.shippingAddress)
  return {
    currency: store.currency,
    lines,
    codes: typeof couponCode === "string" ? [couponCode] : [],
    buyer: { customerId, email: normaliseEmail(input.customer.email), salesChannelId, regionId: null },
    delivery: {
      by: "cheapest",
      shippingAddress,
      billingAddress:
        billingAddress === undefined || billingAddress === null ? shippingAddress : toAddress(billingAddress)
    }
  }
}

/** Items whose shown price is not today's: identified by variant, or by product. */
const driftOf = (items: ReadonlyArray<ReadItem>, lines: ReadonlyArray<Line>, currency: string) =>
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
