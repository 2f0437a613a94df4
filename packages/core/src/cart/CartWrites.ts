/**
 * How a cart is written: it is locked, read with its lines in one statement, changed in one statement, and answered
 * from what is known. Where carts hold units (ON_CART) the held units follow the lines.
 */
import { Clock, Effect } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion, type ResourceChanged } from "../database/Precondition.ts"
import { lockThenRead } from "../database/Repository.ts"
import { type StockDemand, StockLedger } from "../inventory/StockLedger.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CurrencyChanged } from "../store/StoreErrors.ts"
import { Stores } from "../store/Stores.ts"
import { type CartState, checkCurrency, isWritable, statusAt } from "./Cart.ts"
import { type CartAccess, mayAccess } from "./CartAccess.ts"
import { CartNotFound, CartNotWritable, CartStockInsufficient } from "./CartErrors.ts"
import { makeViewCart } from "./CartQuote.ts"
import { CartRepository, type CartTouch } from "./CartRepository.ts"
import type { CartView } from "./CartView.ts"
import { holdLines, wantedBy } from "./internal/holdLines.ts"
import { lifetimeEnd } from "./NewCart.ts"

export type WriteError = CartNotFound | CartNotWritable | CurrencyChanged | ResourceChanged

/** A write of a cart, and the store's settings that hold for it. */
export interface CartWriting extends CartTouch {
  readonly store: StoreContext
}

export const makeCartWrites = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* CartRepository
  const ledger = yield* StockLedger
  const stores = yield* Stores
  const view = yield* makeViewCart

  /**
   * Locks the cart and reads it, lets `change` write and return the cart as it then is, and answers that. `beside` is
   * one more reading that `change` needs; it is sent together with the reading of the cart.
   */
  const writeBeside = <B, E>(
    cachedStore: StoreContext,
    access: CartAccess,
    id: string,
    beside: (now: Date) => Effect.Effect<B>,
    change: (cart: CartState, touch: CartWriting, beside: B) => Effect.Effect<CartState, E>
  ): Effect.Effect<CartView, E | WriteError | CartStockInsufficient> =>
    database.write(cachedStore.id)(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        // The cart is read last, and the version of the store's settings with it. So settings at least as new as what
        // was read beside it decide, and a price in a new currency meets the check of the currency below.
        const [locked, read, cart] = yield* lockThenRead(
          repository.lock(cachedStore.id, id),
          beside(at),
          repository.find(cachedStore.id, { id }, at)
        )
        if (!locked || cart === undefined || !mayAccess(access, cart)) return yield* new CartNotFound({ id })
        yield* checkVersion(cart.updatedAt)
        const store = yield* stores.at(cachedStore, cart.rulesVersion)
        const status = statusAt(cart, now)
        if (!isWritable(status)) return yield* new CartNotWritable({ id, status })
        yield* checkCurrency(cart, store)
        const touch = { store, now: nextVersion(cart.updatedAt, now), expiresAt: lifetimeEnd(store, now) }
        const changed = yield* change(cart, touch, read)
        const held = yield* holdUnits(store, changed, cart, now)
        return yield* view(store, { ...held, status: "ACTIVE", updatedAt: touch.now, expiresAt: touch.expiresAt }, now)
      })
    )
  const write = <E>(
    store: StoreContext,
    access: CartAccess,
    id: string,
    change: (cart: CartState, touch: CartWriting) => Effect.Effect<CartState, E>
  ) => writeBeside(store, access, id, () => Effect.void, change)

  /**
   * ON_CART: the cart holds what its lines ask for, for the store's reservation time from now; not the units that a
   * checkout of it holds while it is being paid for.
   */
  const holdUnits = Effect.fnUntraced(function* (store: StoreContext, cart: CartState, before: CartState, now: number) {
    if (store.reservationStrategy !== "ON_CART" || sameDemand(cart, before)) return cart
    const expiresAt = now + store.reservationMinutes * 60_000
    const hold = (demands: ReadonlyArray<StockDemand>) =>
      ledger.hold(store.id, cart.id, demands, new Date(expiresAt), new Date(now))
    const wanted = wantedBy(cart)
    yield* holdLines(hold, wanted, wantedBy(before)).pipe(
      Effect.catchTag("StockInsufficient", ({ items }) => {
        const [first] = items
        const paying = first === undefined ? 0 : (cart.paying[stockKeyOf(first)] ?? 0)
        return Effect.fail(
          new CartStockInsufficient({
            available: Math.max(0, first?.available ?? 0) + paying,
            requested: (first?.requested ?? 0) + paying
          })
        )
      })
    )
    return { ...cart, reservedUntil: wanted.length === 0 ? null : expiresAt }
  })

  /** `write` for a change that asks for no more units than before, so that stock cannot refuse it. */
  const writeWithoutMoreUnits = <E>(
    store: StoreContext,
    access: CartAccess,
    id: string,
    change: (cart: CartState, touch: CartWriting) => Effect.Effect<CartState, E>
  ): Effect.Effect<CartView, E | WriteError> =>
    Effect.catchIf(write(store, access, id, change), isStockInsufficient, Effect.die)

  return { writeBeside, write, writeWithoutMoreUnits }
})

/** Whether an error of a write is the stock's refusal. */
const isStockInsufficient = (error: unknown): error is CartStockInsufficient => error instanceof CartStockInsufficient

const sameDemand = (left: CartState, right: CartState): boolean =>
  JSON.stringify(wantedBy(left)) === JSON.stringify(wantedBy(right))
