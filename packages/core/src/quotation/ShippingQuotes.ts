/** The ways to ship products to an address, and what each costs: what a checkout of them would offer. */
import { Clock, Context, Effect, Layer } from "effect"
import { amounts } from "../kernel/Amount.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { type QuoteLine, unknownBuyer } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { chooseVariant, type Sellable, unitPriceAt } from "../pricing/Sellable.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { toMethodView } from "../checkout/CheckoutView.ts"
import { quotedAddress, type ShippingQuoteInput, type ShippingQuoteView } from "./QuoteInput.ts"

type Item = ShippingQuoteInput["items"][number]

export class ShippingQuotes extends Context.Service<ShippingQuotes>()(
  "@effect-commerce/core/quotation/ShippingQuotes",
  {
    make: Effect.gen(function* () {
      const quotes = yield* Quotes
      const stores = yield* Stores
      const sellables = yield* SellableRepository

      return {
        quote: Effect.fnUntraced(function* (known: StoreContext, { items, address, ...input }: ShippingQuoteInput) {
          const store = yield* stores.fresh(known)
          const { currency } = store
          const now = yield* Clock.currentTimeMillis
          const refs = items.map(({ productId, variantId = null }) => ({ productId, variantId }))
          const found = yield* sellables.find({ storeId: store.id, channelId: null, locale: null }, refs, new Date(now))
          const { lines, subtotal } = yield* checkAll({
            lines: checkEach(items, (item, i) => lineOf(item, i, found[i], now)),
            subtotal: amounts(currency)("subtotal", input.subtotal)
          })
          const shippingAddress = quotedAddress(address)
          const request = { currency, lines, buyer: unknownBuyer, shippingAddress, subtotal }
          const { zone, offers, unserved } = yield* quotes.shipping(store, request)
          const view: ShippingQuoteView = {
            zone: zone === undefined ? null : { id: zone.id, name: zone.name },
            unserved,
            rates: offers.map((offer) => toMethodView(offer, currency))
          }
          return view
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(ShippingQuotes, ShippingQuotes.make).pipe(
    Layer.provide(SellableRepository.layer)
  )
}

const lineOf = (
  { variantId = null, quantity }: Item,
  i: number,
  sellable: Sellable | undefined,
  now: number
): Effect.Effect<QuoteLine, FieldRejected> => {
  if (sellable === undefined || sellable.deleted)
    return FieldRejected.at(`items.${i}.productId`, "is not a product of this store")
  if (sellable.variantId !== variantId)
    return FieldRejected.at(`items.${i}.variantId`, "is not a variant of this product")
  if (sellable.type === "VARIABLE" && variantId === null) return FieldRejected.at(`items.${i}.variantId`, chooseVariant)
  return Effect.succeed({ id: String(i), quantity, unitPrice: unitPriceAt(sellable, now), sellable })
}
