/**
 * How a cart is written: it is locked, read with its lines in one statement, changed in one statement, and returned
 * without another read. Where carts hold units (ON_CART) the held units follow the lines.
 */
import { Clock, Effect } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion, type ResourceChanged } from "../database/Precondition.ts"
import { lockThenRead } from "../database/Repository.ts"
import type { StockInsufficient } from "../inventory/InventoryErrors.ts"
import { shortLines } from "../inventory/SoldLines.ts"
import { type StockDemand, StockLedger } from "../inventory/StockLedger.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import { soldLines } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CurrencyChanged } from "../store/StoreErrors.ts"
import { Stores } from "../store/Stores.ts"
import { type CartLine, type CartState, checkCurrency, isWritable, statusAt } from "./Cart.ts"
import { type CartAccess, mayAccess } from "./CartAccess.ts"
import { CartNotFound, CartNotWritable, CartStockInsufficient } from "./CartErrors.ts"
import { type Accept, makeViewCart } from "./CartQuote.ts"
import { CartRepository, type CartTouch } from "./CartRepository.ts"
import type { CartView } from "./CartView.ts"
import { changed as changedHold } from "./internal/holdTime.ts"
import { holdLines, wantedBy } from "./internal/holdLines.ts"
import { lifetimeEnd } from "./NewCart.ts"
import { OpenCheckouts } from "./OpenCheckouts.ts"
import { makeReleasedOffers } from "./ReleasedOffers.ts"

export type WriteError = CartNotFound | CartNotWritable | CurrencyChanged | ResourceChanged

/** What one write does, in this order. */
export interface WriteSteps<B, E, E2 = never> {
  /** One more read that `change` needs; it is sent together with the read of the cart. */
  readonly beside?: (now: Date) => Effect.Effect<B>
  /** Writes, and returns the new cart. */
  readonly change: (cart: CartState, touch: CartWriting, beside: B) => Effect.Effect<CartState, E>
  /** Decides by the quote of the new cart whether it may stand: where it fails, nothing is written. */
  readonly accept?: Accept<E2>
}

/** A write of a cart, and the store settings that apply to it. */
export interface CartWriting extends CartTouch {
  readonly store: StoreContext
}

export const makeCartWrites = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* CartRepository
  const ledger = yield* StockLedger
  const checkouts = yield* OpenCheckouts
  const stores = yield* Stores
  const view = yield* makeViewCart
  const withoutBrokenOffers = yield* makeReleasedOffers

  /** Locks the cart and reads it, lets `steps.change` write and return the new cart, and returns that. */
  const write = <B, E, E2 = never>(
    store: StoreContext,
    access: CartAccess,
    id: string,
    steps: WriteSteps<B, E, E2>
  ): Effect.Effect<CartView, E | E2 | WriteError | CartStockInsufficient> =>
    database.write(store.id)(written(store, access, id, steps))

  const written = Effect.fnUntraced(function* <B, E, E2>(
    cachedStore: StoreContext,
    access: CartAccess,
    id: string,
    { beside, change, accept }: WriteSteps<B, E, E2>
  ) {
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now)
    // The cart is read last, together with the version of the store's settings. So the settings used are at least as
    // new as what was read beside it, and a price in a new currency fails the check of the currency below.
    const [locked, read, cart] = yield* lockThenRead(
      repository.lock(cachedStore.id, id),
      beside === undefined ? nothingBeside<B>() : beside(at),
      repository.find(cachedStore.id, { id }, at)
    )
    if (!locked || cart === undefined || !mayAccess(access, cart)) return yield* new CartNotFound({ id })
    yield* checkVersion(cart.updatedAt)
    const store = yield* stores.at(cachedStore, cart.rulesVersion)
    const status = statusAt(cart, now)
    if (!isWritable(status)) return yield* new CartNotWritable({ id, status })
    yield* checkCurrency(cart, store)
    const touch = { store, now: nextVersion(cart.updatedAt, now), expiresAt: lifetimeEnd(store, now) }
    const changed = yield* withoutBrokenOffers(store.id, cart, yield* change(cart, touch, read), now)
    const held = yield* holdUnits(store, changed, cart, now)
    const { now: updatedAt, expiresAt } = touch
    return yield* view(store, { ...held, status: "ACTIVE", updatedAt, expiresAt }, now, accept)
  })

  /**
   * ON_CART: the cart holds what its lines ask for, for the store's reservation time from now, without the units that
   * its checkouts hold during payment.
   */
  const holdUnits = Effect.fnUntraced(function* (store: StoreContext, cart: CartState, before: CartState, now: number) {
    if (store.reservationStrategy !== "ON_CART" || sameDemand(cart, before)) return cart
    const { expiresAt, holdsUntil } = changedHold(store, cart, now)
    const hold = (demands: ReadonlyArray<StockDemand>) =>
      ledger.hold(store.id, cart.id, demands, new Date(expiresAt), new Date(now))
    const wanted = wantedBy(cart)
    yield* holdLines(hold, wanted, wantedBy(before)).pipe(
      Effect.catchTag("StockInsufficient", ({ items }) => Effect.fail(refusalOf(items, cart, before)))
    )
    if (wanted.length === 0) return { ...cart, reservedUntil: null }
    if (holdsUntil !== cart.holdsUntil) yield* repository.setHoldsUntil(store.id, cart.id, holdsUntil)
    return { ...cart, reservedUntil: expiresAt, holdsUntil }
  })

  /** `write` for a change that asks for no more units than before, so that stock cannot reject it. */
  const writeWithoutMoreUnits = <E, E2 = never>(
    store: StoreContext,
    access: CartAccess,
    id: string,
    change: WriteSteps<void, E>["change"],
    accept?: Accept<E2>
  ): Effect.Effect<CartView, E | E2 | WriteError> =>
    Effect.catchIf(
      write<void, E, E2>(store, access, id, accept === undefined ? { change } : { change, accept }),
      isStockInsufficient,
      Effect.die
    )

  /** Removes lines: the checkouts made from the cart do not buy them any more either. */
  const removeLines = (cart: CartState, ids: ReadonlyArray<string>, touch: CartWriting) =>
    Effect.as(
      repository.removeLines(
        touch.store.id,
        cart.id,
        { ids, alsoIn: checkouts.dropping(touch.store.id, cart.id, ids, touch.now) },
        touch
      ),
      { ...cart, lines: cart.lines.filter(({ id }) => !ids.includes(id)) }
    )

  return { write, writeWithoutMoreUnits, removeLines }
})

const nothingBeside = <B>(): Effect.Effect<B> => Effect.void as Effect.Effect<never>

/** Whether a write failed for want of stock. */
const isStockInsufficient = (error: unknown): error is CartStockInsufficient => error instanceof CartStockInsufficient

/**
 * The stock error, reported for a line of the cart: of a line whose quantity was raised, because the other lines are
 * served first. Units that its checkouts have reserved count as available to it.
 */
const refusalOf = (items: StockInsufficient["items"], cart: CartState, before: CartState): CartStockInsufficient => {
  const asked = ({ lines }: CartState, key: string) =>
    lines.reduce((sum, line) => (stockKeyOf(line) === key ? sum + line.quantity : sum), 0)
  const asksForMore = (line: CartLine) => asked(cart, stockKeyOf(line)) > asked(before, stockKeyOf(line))
  const inOrder = cart.lines.toSorted((a, b) => Number(asksForMore(a)) - Number(asksForMore(b)))
  const there = new Map(items.map((item) => [stockKeyOf(item), item.available + (cart.paying[stockKeyOf(item)] ?? 0)]))
  const short = shortLines(soldLines(inOrder), (key) => there.get(key) ?? Number.POSITIVE_INFINITY).at(-1)
  return new CartStockInsufficient({ available: short?.available ?? 0, requested: short?.requested ?? 0 })
}

const sameDemand = (left: CartState, right: CartState): boolean =>
  JSON.stringify(wantedBy(left)) === JSON.stringify(wantedBy(right))
