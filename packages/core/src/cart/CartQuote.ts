/** The quote request of a cart, and the response of every use case of a cart. */
import { Effect } from "effect"
import type { QuoteRequest } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CartLine, type CartState, statusAt } from "./Cart.ts"
import { type CartView, toCartView } from "./CartView.ts"

/** A cart has neither an address nor a delivery method, and so no shipping and no tax. */
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

/** The cart as it is returned, with a quote of its own lines. */
export const makeViewCart = Effect.map(
  Quotes,
  (quotes): ViewCart =>
    (store, cart, now) =>
      Effect.map(quotes.requote(store, requestOf(cart)), (quote) =>
        toCartView({ ...cart, status: statusAt(cart, now) }, quote, store, now)
      )
)
