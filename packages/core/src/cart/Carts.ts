/** The use cases of a cart: create, read, change fields and codes; those of its lines are in CartLines. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { explainQuote } from "../explanation/explainQuote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { checkCodes } from "../pricing/CodeErrors.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Regions } from "../store/Regions.ts"
import { Stores } from "../store/Stores.ts"
import { type CartAccess, mayAccess } from "./CartAccess.ts"
import { CartNotFound } from "./CartErrors.ts"
import { makeCartLines } from "./CartLines.ts"
import { CartOfferRepository } from "./CartOfferRepository.ts"
import { makeCartOffers } from "./CartOffers.ts"
import { makeViewCart, requestOf } from "./CartQuote.ts"
import type { CartChange } from "./CartInput.ts"
import { CartRepository } from "./CartRepository.ts"
import { makeCartWrites } from "./CartWrites.ts"
import { newCart } from "./NewCart.ts"

export { type CartAccess, mayAccess } from "./CartAccess.ts"

export class Carts extends Context.Service<Carts>()("@effect-commerce/core/cart/Carts", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CartRepository
    const stores = yield* Stores
    const regions = yield* Regions
    const view = yield* makeViewCart
    const quotes = yield* Quotes
    const lines = yield* makeCartLines
    const offers = yield* makeCartOffers
    const { writeWithoutMoreUnits } = yield* makeCartWrites

    type By = { readonly id: string } | { readonly sessionToken: string }

    const find = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, by: By, now: number) {
      const cart = yield* repository.find(cachedStore.id, by, new Date(now))
      if (cart === undefined || !mayAccess(access, cart))
        return yield* new CartNotFound({ id: "id" in by ? by.id : "session" })
      return { cart, store: yield* stores.at(cachedStore, cart.rulesVersion) }
    })

    const read = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, by: By) {
      const now = yield* Clock.currentTimeMillis
      const { store, cart } = yield* find(cachedStore, access, by, now)
      return yield* view(store, cart, now)
    })

    /** Where each amount of the cart comes from. */
    const explain = Effect.fn("Carts.explain")(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
      const { store, cart } = yield* find(cachedStore, access, { id }, yield* Clock.currentTimeMillis)
      return explainQuote({ type: "cart", id }, yield* quotes.quote(store, requestOf(cart)))
    })

    /** A signed-in customer's cart belongs to them from the start. `locale`: its language; null for the store's own. */
    const create = Effect.fn("Carts.create")(function* (
      cachedStore: StoreContext,
      access: CartAccess,
      locale: string | null
    ) {
      const now = yield* Clock.currentTimeMillis
      const cart = yield* database.write(cachedStore.id)(
        repository.insert(cachedStore.id, newCart(cachedStore, access, { locale, now }))
      )
      return yield* view(yield* stores.at(cachedStore, cart.rulesVersion), cart, now)
    })

    const update = Effect.fn("Carts.update")(function* (
      store: StoreContext,
      access: CartAccess,
      id: string,
      input: CartChange
    ) {
      const region = yield* Effect.result(regions.checkChosen(store.id, input.regionId))
      return yield* writeWithoutMoreUnits(store, access, id, (cart, touch) =>
        Effect.gen(function* () {
          const other = FieldRejected.at("currency", `this store sells in ${cart.currency}`)
          yield* checkAll({
            currency: (input.currency ?? cart.currency) === cart.currency ? Effect.void : Effect.fail(other),
            region: Effect.fromResult(region)
          })
          const { locale = cart.locale } = input
          const lines =
            locale === cart.locale ? cart.lines : yield* repository.linesIn(store.id, cart.id, locale, touch.now)
          yield* repository.saveFields(store.id, cart.id, input, touch)
          return {
            ...cart,
            locale,
            lines,
            notes: input.notes === undefined ? cart.notes : input.notes,
            regionId: input.regionId === undefined ? cart.regionId : input.regionId,
            analyticsClientId: input.analyticsClientId === undefined ? cart.analyticsClientId : input.analyticsClientId,
            analyticsSessionId:
              input.analyticsSessionId === undefined ? cart.analyticsSessionId : input.analyticsSessionId
          }
        })
      )
    })

    /** Replaces the cart's code. A code that the cart does not qualify for is rejected. */
    const applyCoupon = (store: StoreContext, access: CartAccess, id: string, code: string) =>
      writeWithoutMoreUnits(
        store,
        access,
        id,
        (cart, touch) =>
          Effect.as(repository.saveFields(store.id, cart.id, { couponCode: code }, touch), {
            ...cart,
            couponCode: code
          }),
        checkCodes
      )

    const removeCoupon = (store: StoreContext, access: CartAccess, id: string) =>
      writeWithoutMoreUnits(store, access, id, (cart, touch) =>
        Effect.as(repository.saveFields(store.id, cart.id, { couponCode: null }, touch), {
          ...cart,
          couponCode: null
        })
      )

    return {
      ...lines,
      ...offers,
      create,
      get: (store: StoreContext, access: CartAccess, id: string) => read(store, access, { id }),
      getBySession: (store: StoreContext, access: CartAccess, sessionToken: string) =>
        read(store, access, { sessionToken }),
      explain,
      update,
      applyCoupon,
      removeCoupon
    }
  })
}) {
  static readonly layer = Layer.effect(Carts, Carts.make).pipe(
    Layer.provide([CartRepository.layer, CartOfferRepository.layer, SellableRepository.layer])
  )
}
