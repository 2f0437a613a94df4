/**
 * The use cases of a checkout up to its completion: created from a cart, edited (CheckoutEdits), and priced again for
 * every response.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type CartState, checkCurrency, isWritable, statusAt as cartStatusAt } from "../cart/Cart.ts"
import { CartHolds } from "../cart/CartHolds.ts"
import { CartNotFound, CartNotWritable } from "../cart/CartErrors.ts"
import { CartRepository } from "../cart/CartRepository.ts"
import { adminCarts } from "../cart/CartAccess.ts"
import { type CartAccess, Carts, mayAccess } from "../cart/Carts.ts"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { lockThenRead } from "../database/Repository.ts"
import { explainQuote } from "../explanation/explainQuote.ts"
import { checkAll } from "../kernel/FieldRejected.ts"
import { pricesNow } from "../offer/OfferTerms.ts"
import { Orders } from "../order/Orders.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Regions } from "../store/Regions.ts"
import { Stores } from "../store/Stores.ts"
import { makeCheckoutEdits } from "./CheckoutEdits.ts"
import { makeLoyaltyEdits } from "./LoyaltyEdits.ts"
import type { CheckoutInput } from "./CheckoutInput.ts"
import { makeCheckoutReading } from "./CheckoutReading.ts"
import { CartCheckoutRepository, type RefreshedCheckout } from "./CartCheckoutRepository.ts"
import { CheckoutPaymentRepository } from "./CheckoutPaymentRepository.ts"
import { shownTenders } from "./CheckoutEditing.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { toMethodView } from "./CheckoutView.ts"
import { checkModifiers, checkOffered } from "./offeredLines.ts"
import { productLines } from "./Checkout.ts"
import { checkStock, newCheckout, selectLines } from "./NewCheckout.ts"

export class Checkouts extends Context.Service<Checkouts>()("@effect-commerce/core/checkout/Checkouts", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CheckoutRepository
    const ofCarts = yield* CartCheckoutRepository
    const carts = yield* CartRepository
    const cartUseCases = yield* Carts
    const stores = yield* Stores
    const regions = yield* Regions
    const orders = yield* Orders
    const customers = yield* Customers
    const { find, load, price, answer, soldAs, presentedIn, fieldsOf } = yield* makeCheckoutReading
    const edits = yield* makeCheckoutEdits
    const loyaltyEdits = yield* makeLoyaltyEdits

    /** Takes today's prices for a checkout whose lines are not all in the cart as they are in it. */
    const refreshLines = Effect.fnUntraced(function* (store: StoreContext, id: string, now: number) {
      const checkout = yield* repository.find(store.id, id, new Date(now))
      // A draft order keeps the prices that it was drafted with.
      if (checkout === undefined || checkout.draft !== null) return
      const lines = productLines(checkout.lines)
      const prices = pricesNow(lines, now)
      const byLine = new Map(lines.map((line, i) => [line.id, prices[i] ?? line.unitPrice]))
      yield* ofCarts.savePrices(store.id, id, byLine)
    })

    /** What tenders pay of the new total is what the shopper is shown. */
    const refreshTenders = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      // As an admin: a guest may refresh the cart of a customer who has signed out since.
      const { checkout, quote } = yield* Effect.orDie(load(store, adminCarts, id))
      const tenders = shownTenders(checkout.tenders, quote)
      yield* repository.save(store.id, id, { tenders }, checkout.updatedAt)
    })

    const refreshOne = Effect.fnUntraced(function* (
      store: StoreContext,
      { id, isPricedHere, hasTenders }: RefreshedCheckout,
      now: number
    ) {
      if (isPricedHere) yield* refreshLines(store, id, now)
      if (hasTenders) yield* refreshTenders(store, id)
    })

    const get = Effect.fnUntraced(function* (store: StoreContext, access: CartAccess, id: string) {
      const now = yield* Clock.currentTimeMillis
      return yield* answer(yield* load(store, access, id), access, now)
    })

    const create = Effect.fn("Checkouts.create")(function* (
      cachedStore: StoreContext,
      access: CartAccess,
      input: CheckoutInput
    ) {
      const now = yield* Clock.currentTimeMillis
      const region = yield* Effect.result(regions.checkChosen(cachedStore.id, input.regionId))
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const [locked, cart] = yield* lockThenRead(
            carts.lock(cachedStore.id, input.cartId),
            carts.find(cachedStore.id, { id: input.cartId }, new Date(now))
          )
          if (!locked || cart === undefined || !isAccessible(access, cart, input.sessionToken))
            return yield* new CartNotFound({ id: input.cartId })
          const status = cartStatusAt(cart, now)
          if (!isWritable(status)) return yield* new CartNotWritable({ id: cart.id, status })
          const store = yield* stores.at(cachedStore, cart.rulesVersion)
          yield* checkCurrency(cart, store)
          const { lines } = yield* checkAll({
            lines: selectLines(cart, input.selectedItemIds),
            region: Effect.fromResult(region)
          })
          yield* checkModifiers(lines)
          yield* checkOffered(lines)
          yield* checkStock(cart, lines)
          const customerId = cart.customerId ?? access.customerId
          const customer = customerId === null ? undefined : yield* customers.find(store.id, customerId)
          const regionId = input.regionId ?? cart.regionId
          const made = newCheckout(store, access, { cart, lines, regionId, customer }, now)
          const quote = yield* price(store, made)
          const checkout = { ...made, presentedIn: yield* presentedIn(store, made, quote) }
          yield* repository.insert(store.id, checkout)
          return yield* answer({ store, checkout, fields: yield* fieldsOf(store), quote }, access, now)
        })
      )
    })

    return {
      ...edits,
      ...loyaltyEdits,
      create,
      get,
      /** Where each amount of the checkout comes from; of a completed one, as its order was explained. */
      explain: Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
        const subject = { type: "checkout", id } as const
        const { store, checkout, quote } = yield* load(cachedStore, access, id)
        const order = yield* soldAs({ ...checkout, storeId: store.id })
        if (order === undefined) return explainQuote(subject, quote)
        return { ...(yield* orders.explanationOf(order)), subject }
      }),
      shippingRates: (store: StoreContext, access: CartAccess, id: string) =>
        Effect.map(load(store, access, id), ({ checkout, quote }) =>
          quote.offers.map((offer) => toMethodView(offer, checkout.currency))
        ),
      /** Takes today's prices for the cart and for the PENDING checkouts made from it. */
      refreshSnapshots: Effect.fn("Checkouts.refreshSnapshots")(function* (
        store: StoreContext,
        access: CartAccess,
        cartId: string
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.tap(cartUseCases.refreshPrices(store, access, cartId), () =>
            Effect.flatMap(ofCarts.refreshPrices(store.id, cartId, new Date(now)), (refreshed) =>
              Effect.forEach(refreshed, (checkout) => refreshOne(store, checkout, now), { discard: true })
            )
          )
        )
      }),
      /** The checkout without its prices. */
      find,
      /** The checkout with its quote, inside the open transaction. */
      load
    }
  })
}) {
  static readonly layer = Layer.effect(Checkouts, Checkouts.make).pipe(
    Layer.provide([
      CheckoutRepository.layer,
      CartCheckoutRepository.layer,
      CheckoutPaymentRepository.layer,
      CartRepository.layer,
      CartHolds.layer
    ])
  )
}

const isAccessible = (access: CartAccess, cart: CartState, sessionToken: string | undefined): boolean =>
  (sessionToken === undefined || sessionToken === cart.sessionToken) && mayAccess(access, cart)
