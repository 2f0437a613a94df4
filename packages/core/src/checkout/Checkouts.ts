/**
 * The use cases of a checkout up to its completion: created from a cart, edited (CheckoutEdits), and priced again for
 * every response.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type CartState, checkCurrency, isWritable, statusAt as cartStatusAt } from "../cart/Cart.ts"
import { CartHolds } from "../cart/CartHolds.ts"
import { CartNotFound, CartNotWritable } from "../cart/CartErrors.ts"
import { CartRepository } from "../cart/CartRepository.ts"
import { type CartAccess, Carts, mayAccess } from "../cart/Carts.ts"
import { Database } from "../database/Database.ts"
import { lockThenRead } from "../database/Repository.ts"
import { checkAll } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Regions } from "../store/Regions.ts"
import { Stores } from "../store/Stores.ts"
import { makeCheckoutEdits } from "./CheckoutEdits.ts"
import type { CheckoutInput } from "./CheckoutInput.ts"
import { makeCheckoutReading } from "./CheckoutReading.ts"
import { CheckoutPaymentRepository } from "./CheckoutPaymentRepository.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { toMethodView } from "./CheckoutView.ts"
import { checkModifiers, checkOffered } from "./offeredLines.ts"
import { checkStock, newCheckout, selectLines } from "./NewCheckout.ts"

export class Checkouts extends Context.Service<Checkouts>()("@effect-commerce/core/checkout/Checkouts", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CheckoutRepository
    const carts = yield* CartRepository
    const cartUseCases = yield* Carts
    const stores = yield* Stores
    const regions = yield* Regions
    const { load, price, answer } = yield* makeCheckoutReading
    const edits = yield* makeCheckoutEdits

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
          const checkout = newCheckout(store, access, { cart, lines, regionId: input.regionId ?? cart.regionId }, now)
          yield* repository.insert(store.id, checkout)
          return yield* answer({ store, checkout, quote: yield* price(store, checkout) }, access, now)
        })
      )
    })

    return {
      ...edits,
      create,
      get,
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
            repository.refreshPrices(store.id, cartId, new Date(now))
          )
        )
      }),
      /** The checkout with its quote, inside the open transaction. */
      load
    }
  })
}) {
  static readonly layer = Layer.effect(Checkouts, Checkouts.make).pipe(
    Layer.provide([CheckoutRepository.layer, CheckoutPaymentRepository.layer, CartRepository.layer, CartHolds.layer])
  )
}

const isAccessible = (access: CartAccess, cart: CartState, sessionToken: string | undefined): boolean =>
  (sessionToken === undefined || sessionToken === cart.sessionToken) && mayAccess(access, cart)
