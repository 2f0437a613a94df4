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
import { makeViewCart } from "./CartQuote.ts"
import { CartRepository, type CartTouch } from "./CartRepository.ts"
import type { CartView } from "./CartView.ts"
import { changed as changedHold } from "./internal/holdTime.ts"
import { holdLines, wantedBy } from "./internal/holdLines.ts"
import { lifetimeEnd } from "./NewCart.ts"

export type WriteError = CartNotFound | CartNotWritable | CurrencyChanged | ResourceChanged

/** A write of a cart, and the store settings that apply to it. */
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
   * Locks the cart and reads it, lets `change` write and return the new cart, and returns that. `beside` is one more
   * read that `change` needs; it is sent together with the read of the cart.
   */
  const writeBeside = <B, E>(
    store: StoreContext,
    ...write: [
      access: CartAccess,
      id: string,
      beside: (now: Date) => Effect.Effect<B>,
      change: (cart: CartState, touch: CartWriting, beside: B) => Effect.Effect<CartState, E>
    ]
  ): Effect.Effect<CartView, E | WriteError | CartStockInsufficient> =>
    database.write(store.id)(written<B, E>(store, ...write))

  const written = Effect.fnUntraced(function* <B, E>(
    cachedStore: StoreContext,
    access: CartAccess,
    id: string,
    beside: (now: Date) => Effect.Effect<B>,
    change: (cart: CartState, touch: CartWriting, beside: B) => Effect.Effect<CartState, E>
  ) {
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now)
    // The cart is read last, together with the version of the store's settings. So the settings used are at least as
    // new as what was read beside it, and a price in a new currency fails the check of the currency below.
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

  const write = <E>(
    store: StoreContext,
    access: CartAccess,
    id: string,
    change: (cart: CartState, touch: CartWriting) => Effect.Effect<CartState, E>
  ) => writeBeside(store, access, id, () => Effect.void, change)

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
  const writeWithoutMoreUnits = <E>(
    store: StoreContext,
    access: CartAccess,
    id: string,
    change: (cart: CartState, touch: CartWriting) => Effect.Effect<CartState, E>
  ): Effect.Effect<CartView, E | WriteError> =>
    Effect.catchIf(write(store, access, id, change), isStockInsufficient, Effect.die)

  return { writeBeside, write, writeWithoutMoreUnits }
})

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
