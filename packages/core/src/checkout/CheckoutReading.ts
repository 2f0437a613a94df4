/** Reading a checkout with its quote, and the response of every use case of a checkout. */
import { Clock, Effect } from "effect"
import { type CartAccess, mayAccess } from "../cart/Carts.ts"
import { toShownField } from "../checkoutfield/CheckoutField.ts"
import { CheckoutFields } from "../checkoutfield/CheckoutFields.ts"
import { currentValues, type FieldsByKey } from "../checkoutfield/FieldValues.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { FxRates } from "../fx/FxRates.ts"
import { type PresentedIn, stillStands } from "../fx/Presentment.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { Quotes } from "../pricing/Quotes.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { type CheckoutState, statusAt } from "./Checkout.ts"
import { CheckoutNotFound } from "./CheckoutErrors.ts"
import { type CheckoutQuote, requestOf } from "./CheckoutQuote.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { type CheckoutView, freeMethod, toCheckoutView } from "./CheckoutView.ts"
import { asSold, soldDue } from "./SoldCheckout.ts"

export interface FoundCheckout {
  /** The store's settings that the checkout is priced with. */
  readonly store: StoreContext
  /** Without the values of fields that the store does not have any more. */
  readonly checkout: CheckoutState
  /** The store's fields for checkouts. */
  readonly fields: FieldsByKey
}

export interface LoadedCheckout extends FoundCheckout {
  readonly quote: CheckoutQuote
}

export const makeCheckoutReading = Effect.gen(function* () {
  const repository = yield* CheckoutRepository
  const quotes = yield* Quotes
  const stores = yield* Stores
  const providers = yield* PaymentProviders
  const fxRates = yield* FxRates
  const checkoutFields = yield* CheckoutFields
  const placement = yield* OrderPlacement

  const price = (store: StoreContext, checkout: CheckoutState): Effect.Effect<CheckoutQuote> =>
    quotes.quote(store, requestOf(checkout))

  /** A storefront finds the checkouts of its own channel; a customer's checkout only if that customer is signed in. */
  const find = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
    const checkout = yield* repository.find(cachedStore.id, id, new Date(yield* Clock.currentTimeMillis))
    if (checkout === undefined || !mayAccess(access, checkout)) return yield* new CheckoutNotFound({ id })
    const store = yield* stores.at(cachedStore, checkout.rulesVersion)
    const fields = yield* checkoutFields.of(store)
    const customFieldValues = currentValues(fields, checkout.customFieldValues)
    const found: FoundCheckout = { store, checkout: { ...checkout, customFieldValues }, fields }
    return found
  })

  /** `find`, with its quote. */
  const load = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
    const found = yield* find(cachedStore, access, id)
    const loaded: LoadedCheckout = { ...found, quote: yield* price(found.store, found.checkout) }
    return loaded
  })

  /** How it is presented after an edit: as before, unless it is in another region now. */
  const presentedIn = (
    store: StoreContext,
    checkout: CheckoutState,
    { region }: CheckoutQuote
  ): Effect.Effect<PresentedIn> =>
    checkout.presentedIn !== null && stillStands(checkout.presentedIn, checkout.currency, region)
      ? Effect.succeed(checkout.presentedIn)
      : fxRates.presentedIn(store, checkout.currency, region)

  /** What the checkout may be paid by in its channel and region; nothing but `free` where nothing is due. */
  const methodsOf = ({ store, quote }: LoadedCheckout, { isTest }: CartAccess, due: bigint) =>
    due === 0n ? Effect.succeed([freeMethod]) : providers.offered(store, { isTest, regionId: quote.region?.id ?? null })

  /** The order that a completed checkout has become. */
  const soldAs = ({ storeId, id, status }: Pick<CheckoutState, "id" | "status"> & { readonly storeId: string }) =>
    status === "COMPLETED" ? placement.findByCheckout(storeId, id) : Effect.undefined

  const answer = Effect.fnUntraced(function* (loaded: LoadedCheckout, access: CartAccess, now: number) {
    const { store, checkout, quote, fields } = loaded
    const order = yield* soldAs({ ...checkout, storeId: store.id })
    const current = { ...checkout, status: statusAt(checkout, now) }
    const priced = toCheckoutView(current, quote, store.reservationStrategy, now)
    const due = order === undefined ? quote.amountDue : soldDue(order, checkout)
    const view: CheckoutView = {
      ...(order === undefined ? priced : asSold(priced, order, checkout)),
      customFields: [...fields.values()].map((field) => toShownField(field, store.currency)),
      paymentMethods: yield* methodsOf(loaded, access, due)
    }
    return view
  })

  return { price, find, load, answer, soldAs, presentedIn, fieldsOf: checkoutFields.of }
})
