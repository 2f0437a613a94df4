/** The use cases of a cart: create, read, change fields and codes; those of its lines are in CartLines. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Regions } from "../store/Regions.ts"
import { Stores } from "../store/Stores.ts"
import { type CartAccess, mayAccess } from "./CartAccess.ts"
import { CartCouponUnknown, CartItemNotFound, CartNotFound } from "./CartErrors.ts"
import { makeCartLines } from "./CartLines.ts"
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
    const quotes = yield* Quotes
    const stores = yield* Stores
    const regions = yield* Regions
    const view = yield* makeViewCart
    const lines = yield* makeCartLines
    const { writeWithoutMoreUnits } = yield* makeCartWrites

    const read = Effect.fnUntraced(function* (
      cachedStore: StoreContext,
      access: CartAccess,
      by: { readonly id: string } | { readonly sessionToken: string }
    ) {
      const now = yield* Clock.currentTimeMillis
      const cart = yield* repository.find(cachedStore.id, by, new Date(now))
      if (cart === undefined || !mayAccess(access, cart))
        return yield* new CartNotFound({ id: "id" in by ? by.id : "session" })
      return yield* view(yield* stores.at(cachedStore, cart.rulesVersion), cart, now)
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

    /** Replaces the cart's code. A code that no source of pricing knows is rejected. */
    const applyCoupon = (store: StoreContext, access: CartAccess, id: string, code: string) =>
      writeWithoutMoreUnits(store, access, id, (cart, touch) =>
        quotes.quote(touch.store, { ...requestOf(cart), acceptedCodes: [], codes: [code] }).pipe(
          Effect.mapError((refused) => new CartCouponUnknown({ code: refused.code })),
          Effect.andThen(repository.saveFields(store.id, cart.id, { couponCode: code }, touch)),
          Effect.as({ ...cart, couponCode: code })
        )
      )

    const removeCoupon = (store: StoreContext, access: CartAccess, id: string) =>
      writeWithoutMoreUnits(store, access, id, (cart, touch) =>
        Effect.as(repository.saveFields(store.id, cart.id, { couponCode: null }, touch), {
          ...cart,
          couponCode: null
        })
      )

    /** Fails with `error`, after the checks that every write of a cart passes. */
    const refuse = <E>(store: StoreContext, access: CartAccess, id: string, error: E) =>
      writeWithoutMoreUnits(store, access, id, () => Effect.fail(error))

    return {
      ...lines,
      create,
      get: (store: StoreContext, access: CartAccess, id: string) => read(store, access, { id }),
      getBySession: (store: StoreContext, access: CartAccess, sessionToken: string) =>
        read(store, access, { sessionToken }),
      update,
      applyCoupon,
      removeCoupon,
      /** No store has offers yet: every request is rejected at its `field`. */
      addOffer: (store: StoreContext, access: CartAccess, id: string, field: "bundleOfferId" | "offerId") =>
        refuse(store, access, id, FieldRejected.at(field, "is not an offer of this store")),
      removeBundle: (store: StoreContext, access: CartAccess, id: string, bundleItemId: string) =>
        refuse(store, access, id, new CartItemNotFound({ id: bundleItemId }))
    }
  })
}) {
  static readonly layer = Layer.effect(Carts, Carts.make).pipe(
    Layer.provide([CartRepository.layer, SellableRepository.layer])
  )
}
