/**
 * Updates a cart's lines and held units after a checkout of it was paid for, or its payment ended without a sale. Runs
 * inside the same transaction, under the cart's lock.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { ReservationExpired } from "../inventory/InventoryErrors.ts"
import { Reservations } from "../inventory/Reservations.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { isWritable, statusAt } from "./Cart.ts"
import { CartRepository } from "./CartRepository.ts"
import { CustomerCartRepository } from "./CustomerCartRepository.ts"
import { goingOn } from "./internal/holdTime.ts"
import { holdLines, wantedBy } from "./internal/holdLines.ts"
import { OpenCheckouts } from "./OpenCheckouts.ts"

export class CartHolds extends Context.Service<CartHolds>()("@effect-commerce/core/cart/CartHolds", {
  make: Effect.gen(function* () {
    const repository = yield* CartRepository
    const merged = yield* CustomerCartRepository
    const ledger = yield* StockLedger
    const reservations = yield* Reservations
    const checkouts = yield* OpenCheckouts

    const findOpen = Effect.fnUntraced(function* (store: StoreContext, cartId: string, now: number) {
      const cart = yield* repository.find(store.id, { id: cartId }, new Date(now))
      return cart !== undefined && isWritable(statusAt(cart, now)) ? cart : undefined
    })

    /** The cart at the end of a chain of merges. Locks every cart of the chain. */
    const followed = (store: StoreContext, id: string): Effect.Effect<string> =>
      Effect.flatMap(merged.lockMerged(store.id, id), (into) =>
        typeof into === "string" ? followed(store, into) : Effect.succeed(id)
      )

    /**
     * Reduces what the cart holds to what its remaining lines ask for, with the same expiry; releases everything if no
     * line is left.
     */
    const trim = Effect.fn("CartHolds.trim")(function* (store: StoreContext, cartId: string, now: number) {
      const cart = yield* findOpen(store, cartId, now)
      if (cart === undefined || cart.reservedUntil === null || cart.reservedUntil <= now)
        return yield* ledger.release(store.id, cartId)
      const until = new Date(cart.reservedUntil)
      const wanted = wantedBy(cart)
      yield* Effect.orDie(
        holdLines((demands) => ledger.hold(store.id, cartId, demands, until, new Date(now)), wanted, wanted)
      )
    })

    return {
      /**
       * Extends what the cart, and its checkouts in payment, hold to the store's reservation time from now, but not
       * beyond the cart's maximum hold time. Returns the new end in epoch milliseconds; null where nothing is held.
       */
      extend: Effect.fn("CartHolds.extend")(function* (
        store: StoreContext,
        cartId: string,
        checkoutIds: ReadonlyArray<string>
      ) {
        const now = yield* Clock.currentTimeMillis
        const holdsUntil = (yield* repository.holdsUntil(store.id, cartId)) ?? null
        const { expiresAt } = goingOn(store, { holdsUntil }, now)
        if (expiresAt <= now) return yield* new ReservationExpired({ id: cartId })
        return yield* reservations.extend(store, [cartId, ...checkoutIds], expiresAt)
      }),
      /**
       * Gives units that a checkout held back to its cart, as far as its lines ask for them and its hold time allows;
       * the others become free stock.
       */
      takeBack: Effect.fn("CartHolds.takeBack")(function* (
        store: StoreContext,
        cartId: string,
        checkoutId: string,
        now: number
      ) {
        const cart = yield* findOpen(store, cartId, now)
        const time = cart === undefined ? undefined : goingOn(store, cart, now)
        if (cart !== undefined && time !== undefined && time.expiresAt > now) {
          const until = new Date(time.expiresAt)
          const wanted = wantedBy(cart)
          if (cart.holdsUntil === null) yield* repository.setHoldsUntil(store.id, cartId, time.holdsUntil)
          yield* Effect.orDie(
            holdLines(
              (demands) => ledger.holdFrom(checkoutId, store.id, cartId, demands, until, new Date(now)),
              wanted,
              wanted
            )
          )
        }
        yield* ledger.release(store.id, checkoutId)
      }),
      trim,
      /**
       * A checkout of a merged cart was paid late. Removes what it bought from the cart that has its lines now (at the
       * end of the merges that begin with `into`), and cancels PENDING checkouts of these lines. A cart that was bought
       * or has expired by now stays as it is.
       */
      removeBought: Effect.fn("CartHolds.removeBought")(function* (
        store: StoreContext,
        into: string,
        checkoutId: string,
        now: number
      ) {
        const cartId = yield* followed(store, into)
        const cart = yield* findOpen(store, cartId, now)
        if (cart === undefined) return
        const itemIds = yield* merged.removeBought(store.id, cartId, checkoutId, new Date(now))
        if (itemIds.length > 0) yield* checkouts.cancel(store.id, { cartId, itemIds }, new Date(now))
        if (cart.reservedUntil !== null) yield* trim(store, cartId, now)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(CartHolds, CartHolds.make).pipe(
    Layer.provide([CartRepository.layer, CustomerCartRepository.layer])
  )
}
