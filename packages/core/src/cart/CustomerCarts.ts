/**
 * The cart of a signed-in customer. `active` finds it on every device, or creates it; `merge` moves into it the lines
 * of the cart that they filled before they signed in. Both lock the customer's row first, so that concurrent calls of
 * one customer create one cart.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Customers } from "../customer/Customers.ts"
import { CustomerNotFound } from "../customer/CustomerErrors.ts"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { pricesNow } from "../offer/OfferTerms.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { type CartState, isWritable, statusAt } from "./Cart.ts"
import { CartBeingPaid, CartNotFound, CartNotWritable } from "./CartErrors.ts"
import { fitting } from "./CartBounds.ts"
import type { MergeableCart } from "./CartMerge.ts"
import { CartRepository } from "./CartRepository.ts"
import { CustomerCartRepository } from "./CustomerCartRepository.ts"
import type { CartAccess } from "./CartAccess.ts"
import { makeViewCart } from "./CartQuote.ts"
import { changed as changedHold, ofBoth } from "./internal/holdTime.ts"
import { holdLines, wantedBy } from "./internal/holdLines.ts"
import { heldTogether, mergeLines } from "./internal/mergeLines.ts"
import { lifetimeEnd, newCart } from "./NewCart.ts"
import { OpenCheckouts } from "./OpenCheckouts.ts"

/** The access of a customer who is signed in at a storefront. */
export type CustomerCartAccess = CartAccess & { readonly customerId: string }

interface CartsToMerge {
  readonly store: StoreContext
  readonly source: MergeableCart
  readonly active: CartState | undefined
  /** Where the source is MERGED already: the cart it was merged into. */
  readonly into: CartState | undefined
}

export class CustomerCarts extends Context.Service<CustomerCarts>()("@effect-commerce/core/cart/CustomerCarts", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CartRepository
    const merging = yield* CustomerCartRepository
    const customers = yield* Customers
    const ledger = yield* StockLedger
    const stores = yield* Stores
    const checkouts = yield* OpenCheckouts
    const viewCart = yield* makeViewCart

    const lockCustomer = (store: StoreContext, { customerId }: CustomerCartAccess) =>
      Effect.flatMap(customers.lock(store.id, customerId), (there) =>
        there ? Effect.void : Effect.fail(new CustomerNotFound({ id: customerId }))
      )

    const make = (
      store: StoreContext,
      access: CustomerCartAccess,
      begun: { readonly locale: string | null; readonly now: number }
    ) => repository.insert(store.id, newCart(store, access, begun))

    const view = (cachedStore: StoreContext, cart: CartState, now: number) =>
      Effect.flatMap(stores.at(cachedStore, cart.rulesVersion), (store) => viewCart(store, cart, now))

    /**
     * The customer's newest cart on this channel, in the store's currency, that can be written to; if there is none, it
     * is created in the language `locale`.
     */
    const active = Effect.fn("CustomerCarts.active")(function* (
      store: StoreContext,
      access: CustomerCartAccess,
      locale: string | null
    ) {
      const now = yield* Clock.currentTimeMillis
      const find = merging.findActive(store.id, access, new Date(now))
      const found = yield* find
      if (found !== undefined) return yield* view(store, found, now)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* lockCustomer(store, access)
          return yield* view(store, (yield* find) ?? (yield* make(store, access, { locale, now })), now)
        })
      )
    })

    /** Locks the carts of a merge. Returns those that the caller may see, with the store's settings of that read. */
    const lockCarts = Effect.fnUntraced(function* (
      cachedStore: StoreContext,
      access: CustomerCartAccess,
      sessionToken: string,
      now: number
    ) {
      const { customerId, salesChannelId } = access
      const ids = yield* merging.lockForMerge(
        cachedStore.id,
        { sessionToken, customerId, salesChannelId },
        new Date(now)
      )
      const carts = yield* merging.findForMerge(cachedStore.id, ids, new Date(now))
      const source = carts.find((cart) => cart.sessionToken === sessionToken && cart.salesChannelId === salesChannelId)
      const own = carts.filter((cart) => cart.customerId === customerId && cart.salesChannelId === salesChannelId)
      const into = own.find((cart) => cart.id === source?.mergedInto)
      const isForeign = source?.customerId !== null && source?.customerId !== customerId
      if (source === undefined || isForeign || (source.mergedInto !== null && into === undefined))
        return yield* new CartNotFound({ id: "session" })
      const store = yield* stores.at(cachedStore, source.rulesVersion)
      const usable = own.filter((cart) => isUsable(store, cart, now))
      const [newest] = usable.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      const found: CartsToMerge = { store, source, active: newest, into }
      return found
    })

    /**
     * Merges the cart of a session into the customer's active one. Whatever stock does not cover is left out and named
     * in `unavailableItemIds`, and so is whatever exceeds the limits of a cart (`CartBounds`); the storefront's limit
     * of lines does not apply. The session's PENDING checkouts are cancelled: what they would have bought is in the
     * customer's cart now. While one of them is PROCESSING nothing is merged. Merging a session again returns the same
     * cart.
     */
    const merge = Effect.fn("CustomerCarts.merge")(function* (
      cachedStore: StoreContext,
      access: CustomerCartAccess,
      sessionToken: string
    ) {
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          yield* lockCustomer(cachedStore, access)
          const { store, source, active: newest, into } = yield* lockCarts(cachedStore, access, sessionToken, now)
          const begun = { locale: source.locale, now }
          const status = statusAt(source, now)
          if (status === "MERGED") {
            const kept = into !== undefined && isUsable(store, into, now) ? into : newest
            return yield* viewCart(store, kept ?? (yield* make(store, access, begun)), now)
          }
          if (!isWritable(status)) return yield* new CartNotWritable({ id: source.id, status })
          if (newest?.id === source.id) return yield* viewCart(store, source, now)
          if (source.isBeingPaid) return yield* new CartBeingPaid({ id: source.id })
          return yield* emptyInto(store, source, newest ?? (yield* make(store, access, begun)), now)
        })
      )
    })

    const emptyInto = Effect.fnUntraced(function* (
      store: StoreContext,
      source: MergeableCart,
      target: CartState,
      now: number
    ) {
      // The store may have changed its currency since. Prices in the old one do not apply, so such lines take today's.
      const named =
        source.locale === target.locale
          ? source.lines
          : yield* repository.linesIn(store.id, source.id, target.locale, new Date(now))
      const prices = source.currency === target.currency ? [] : pricesNow(named, now)
      const coming = named.map((line, i) => ({ ...line, unitPrice: prices[i] ?? line.unitPrice }))
      const { taken, left } = fitting(target.lines, coming)
      const holding = heldTogether(target.holding, source.holding)
      const { lines, short, isGranted } = mergeLines(target.lines, taken, holding)
      const couponCode = target.couponCode ?? source.couponCode
      const touch = { now: nextVersion(target.updatedAt, now), expiresAt: lifetimeEnd(store, now) }
      if (source.hasOpenCheckouts) yield* checkouts.cancel(store.id, { cartId: source.id }, touch.now)
      yield* merging.merge(store.id, { sourceId: source.id, targetId: target.id, couponCode, lines }, touch)
      const reservedUntil = yield* moveHolds(store, source, { ...target, lines }, isGranted, now)
      const { now: updatedAt, expiresAt } = touch
      const view = yield* viewCart(
        store,
        { ...target, status: "ACTIVE", lines, holding, couponCode, reservedUntil, updatedAt, expiresAt },
        now
      )
      const unavailableItemIds = [...new Set([...view.unavailableItemIds, ...short, ...left.map((line) => line.id)])]
      return { ...view, unavailableItemIds, hasUnavailableItems: unavailableItemIds.length > 0 }
    })

    /** ON_CART: releases what the source held, and the target holds as much as it can of what its lines ask for. */
    const moveHolds = Effect.fnUntraced(function* (
      store: StoreContext,
      source: CartState,
      target: CartState,
      isGranted: boolean,
      now: number
    ) {
      if (store.reservationStrategy !== "ON_CART") return target.reservedUntil
      const { expiresAt, holdsUntil } = changedHold(store, ofBoth(source, target, now), now)
      const wanted = wantedBy(target)
      yield* ledger.release(store.id, source.id)
      // The target asks for no more than the two carts did before, so a row with too little stock gives what it has.
      yield* Effect.orDie(
        holdLines(
          (demands) => ledger.hold(store.id, target.id, demands, new Date(expiresAt), new Date(now)),
          wanted,
          wanted
        )
      )
      if (isGranted && holdsUntil !== target.holdsUntil)
        yield* repository.setHoldsUntil(store.id, target.id, holdsUntil)
      return isGranted ? expiresAt : null
    })

    return { active, merge }
  })
}) {
  static readonly layer = Layer.effect(CustomerCarts, CustomerCarts.make).pipe(
    Layer.provide([CartRepository.layer, CustomerCartRepository.layer])
  )
}

/** Whether the cart can still be written to and is in the currency that the store sells in. */
const isUsable = (store: StoreContext, cart: CartState, now: number): boolean =>
  cart.currency === store.currency && isWritable(statusAt(cart, now))
