/** The quote request of a cart, and the response of every use case of a cart. */
import { Effect } from "effect"
import type { Quote, QuoteRequest } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CartLine, type CartState, statusAt } from "./Cart.ts"
import { type CartView, toCartView } from "./CartView.ts"

/** A cart has neither an address nor a delivery method, and so no shipping and no tax. */
export const requestOf = (cart: CartState): QuoteRequest<CartLine> => {
  const { currency, lines, customerId, salesChannelId, regionId, couponCode } = cart
  return {
    currency,
    lines,
    codes: couponCode === null ? [] : [couponCode],
    buyer: { customerId, email: null, salesChannelId, regionId },
    delivery: { by: "unknown" }
  }
}

/** Decides whether a cart with this quote may stand. */
export type Accept<E> = (quote: Quote<CartLine>, store: StoreContext) => Effect.Effect<void, E>

export type ViewCart = <E = never>(
  store: StoreContext,
  cart: CartState,
  now: number,
  accept?: Accept<E>
) => Effect.Effect<CartView, E>

/** The cart as it is returned, with a quote of its own lines, which `accept` may refuse. */
export const makeViewCart = Effect.map(
  Quotes,
  (quotes): ViewCart =>
    (store, cart, now, accept) =>
      Effect.gen(function* () {
        const quote = yield* quotes.quote(store, requestOf(cart))
        if (accept !== undefined) yield* accept(quote, store)
        return toCartView({ ...cart, status: statusAt(cart, now) }, quote, store, now)
      })
)
