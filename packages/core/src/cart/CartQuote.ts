/** What a cart asks of a quote, and the answer that every use case of a cart gives. */
import { Effect } from "effect"
import type { QuoteRequest } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CartLine, type CartState, statusAt } from "./Cart.ts"
import { type CartView, toCartView } from "./CartView.ts"

/** A cart knows neither address nor delivery: it has no shipping and no tax. */
export const requestOf = (cart: CartState): Omit<QuoteRequest<CartLine>, "codes"> => {
  const { currency, lines, customerId, salesChannelId, regionId, couponCode } = cart
  return {
    currency,
    lines,
    acceptedCodes: couponCode === null ? [] : [couponCode],
    buyer: { customerId, email: null, salesChannelId, regionId },
    delivery: { by: "unknown" }
  }
}

export type ViewCart = (store: StoreContext, cart: CartState, now: number) => Effect.Effect<CartView>

/** The cart as it is answered, priced by its own lines. */
export const makeViewCart = Effect.map(
  Quotes,
  (quotes): ViewCart =>
    (store, cart, now) =>
      Effect.map(quotes.requote(store, requestOf(cart)), (quote) =>
        toCartView({ ...cart, status: statusAt(cart, now) }, quote, store, now)
      )
)
