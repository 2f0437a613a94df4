/** Reading a checkout with its quote, and the response of every use case of a checkout. */
import { Clock, Effect } from "effect"
import { type CartAccess, mayAccess } from "../cart/Carts.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { Quotes } from "../pricing/Quotes.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { type CheckoutState, statusAt } from "./Checkout.ts"
import { CheckoutNotFound } from "./CheckoutErrors.ts"
import { type CheckoutQuote, requestOf } from "./CheckoutQuote.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { type CheckoutView, freeMethod, toCheckoutView } from "./CheckoutView.ts"

export interface LoadedCheckout {
  /** The store's settings that the checkout was priced with. */
  readonly store: StoreContext
  readonly checkout: CheckoutState
  readonly quote: CheckoutQuote
}

export const makeCheckoutReading = Effect.gen(function* () {
  const repository = yield* CheckoutRepository
  const quotes = yield* Quotes
  const stores = yield* Stores
  const providers = yield* PaymentProviders

  const price = (store: StoreContext, checkout: CheckoutState): Effect.Effect<CheckoutQuote> =>
    quotes.requote(store, requestOf(checkout))

  /** A storefront finds the checkouts of its own channel; a customer's checkout only if that customer is signed in. */
  const load = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
    const checkout = yield* repository.find(cachedStore.id, id, new Date(yield* Clock.currentTimeMillis))
    if (checkout === undefined || !mayAccess(access, checkout)) return yield* new CheckoutNotFound({ id })
    const store = yield* stores.at(cachedStore, checkout.rulesVersion)
    const loaded: LoadedCheckout = { store, checkout, quote: yield* price(store, checkout) }
    return loaded
  })

  /** What the checkout may be paid by in its channel and region; nothing but `free` where nothing is due. */
  const methodsOf = ({ store, checkout, quote }: LoadedCheckout, { isTest }: CartAccess) =>
    quote.amountDue === 0n
      ? Effect.succeed([freeMethod])
      : providers.offered(store, { isTest, regionId: checkout.regionId })

  const answer = (loaded: LoadedCheckout, access: CartAccess, now: number): Effect.Effect<CheckoutView> => {
    const { store, checkout, quote } = loaded
    return Effect.map(methodsOf(loaded, access), (paymentMethods) => ({
      ...toCheckoutView({ ...checkout, status: statusAt(checkout, now) }, quote, store.reservationStrategy, now),
      paymentMethods
    }))
  }

  return { price, load, answer }
})
