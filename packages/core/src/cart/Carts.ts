/**
 * The use cases of a cart. Every write locks the cart first, reads it with its lines in one statement, writes in one
 * statement, and answers from what it knows: three statements whatever the number of lines, one more for the product of
 * a line that is added, and two where units are held (ON_CART).
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomHex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion, type ResourceChanged } from "../database/Precondition.ts"
import { type StockDemand, StockLedger } from "../inventory/StockLedger.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import { makeId, makeSecretId } from "../kernel/Ids.ts"
import { isBuyable, unitPriceAt } from "../pricing/Sellable.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CurrencyChanged } from "../store/StoreErrors.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import { type CartLine, type CartState, checkCurrency, isWritable, lineIdentity, statusAt } from "./Cart.ts"
import {
  CartCouponUnknown,
  CartItemNotFound,
  type CartLineLimitReached,
  CartNotFound,
  CartNotWritable,
  CartStockInsufficient,
  type ModifiersInvalid,
  ProductUnavailable
} from "./CartErrors.ts"
import { type CartFields, CartRepository, type CartTouch } from "./CartRepository.ts"
import { type CartView, toCartView } from "./CartView.ts"
import { holdLines, wantedBy } from "./internal/holdLines.ts"
import { checkBounds, checkChosen, checkRoom, checkStock, checkSum, heldFor } from "./internal/lineChecks.ts"
import { OpenCheckouts } from "./OpenCheckouts.ts"

/** Who writes: the storefront through a channel, capped, or an admin key, uncapped. */
export interface CartAccess {
  readonly salesChannelId: string | null
  readonly capped: boolean
  /** A test-mode channel: its orders are test orders. */
  readonly isTest: boolean
  /** The signed-in customer of a storefront; null for guests and for admin keys. */
  readonly customerId: string | null
}

/**
 * Whether a storefront may see what belongs to a channel and, perhaps, to a customer; an admin key sees all of its
 * store.
 */
export const mayAccess = (
  access: CartAccess,
  owned: { readonly salesChannelId: string | null; readonly customerId: string | null }
): boolean =>
  !access.capped ||
  (owned.salesChannelId === access.salesChannelId &&
    (owned.customerId === null || owned.customerId === access.customerId))

export interface ChosenModifier {
  readonly modifierGroupId: string
  readonly modifierId: string
  readonly quantity?: number
}

export interface LineInput {
  readonly productId: string
  readonly variantId?: string | null | undefined
  readonly quantity: number
  readonly notes?: string | null | undefined
  readonly metadata?: Record<string, unknown> | undefined
  readonly customizations?: Record<string, unknown> | undefined
  readonly modifiers?: ReadonlyArray<ChosenModifier> | undefined
}

/** Absent leaves a field as it is. */
export type LineChange = Partial<Omit<LineInput, "productId" | "variantId">>

export type CartInput = CartFields & { readonly currency?: string | undefined }

type WriteError = CartNotFound | CartNotWritable | CurrencyChanged | ResourceChanged
type LineError = WriteError | CartStockInsufficient | ProductUnavailable | ModifiersInvalid | FieldRejected

/** A write of a cart, and the store's settings that hold for it. */
interface CartWriting extends CartTouch {
  readonly store: StoreContext
}

export interface CartsMethods {
  /** A signed-in customer's cart is theirs from the start. */
  readonly create: (store: StoreContext, access: CartAccess) => Effect.Effect<CartView>
  readonly get: (store: StoreContext, access: CartAccess, id: string) => Effect.Effect<CartView, CartNotFound>
  readonly getBySession: (
    store: StoreContext,
    access: CartAccess,
    sessionToken: string
  ) => Effect.Effect<CartView, CartNotFound>
  readonly addLine: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    input: LineInput
  ) => Effect.Effect<CartView, LineError | CartLineLimitReached>
  /** Quantity 0 removes the line. One that becomes the same as another adds its quantity to that one, and is gone. */
  readonly changeLine: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    itemId: string,
    change: LineChange
  ) => Effect.Effect<CartView, LineError | CartItemNotFound>
  readonly removeLine: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    itemId: string
  ) => Effect.Effect<CartView, WriteError | CartItemNotFound>
  readonly clear: (store: StoreContext, access: CartAccess, id: string) => Effect.Effect<CartView, WriteError>
  readonly update: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    input: CartInput
  ) => Effect.Effect<CartView, WriteError | FieldRejected>
  /** The store has no coupons: every code is unknown, and taking one off changes nothing. */
  readonly applyCoupon: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    code: string
  ) => Effect.Effect<CartView, WriteError | CartCouponUnknown>
  readonly removeCoupon: (store: StoreContext, access: CartAccess, id: string) => Effect.Effect<CartView, WriteError>
  /** The store has no offers to add: `field` names what was asked for. */
  readonly addOffer: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    field: "bundleOfferId" | "offerId"
  ) => Effect.Effect<CartView, WriteError | FieldRejected>
  readonly removeBundle: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    bundleItemId: string
  ) => Effect.Effect<CartView, WriteError | CartItemNotFound>
  /** Takes today's prices for every line. */
  readonly refreshPrices: (store: StoreContext, access: CartAccess, id: string) => Effect.Effect<CartView, WriteError>
}

export class Carts extends Context.Service<Carts, CartsMethods>()("@effect-commerce/core/cart/Carts") {
  static readonly layer = Layer.effect(
    Carts,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CartRepository
      const sellables = yield* SellableRepository
      const ledger = yield* StockLedger
      const stores = yield* Stores
      const checkouts = yield* OpenCheckouts

      /** A cart of another channel, or of a customer who is not the caller, is as unknown as one that never was. */
      const visible = (access: CartAccess, cart: CartState | undefined): cart is CartState =>
        cart !== undefined && mayAccess(access, cart)

      const view = cartViewAt

      const read = Effect.fnUntraced(function* (
        known: StoreContext,
        access: CartAccess,
        by: { readonly id: string } | { readonly sessionToken: string }
      ) {
        const now = yield* Clock.currentTimeMillis
        const cart = yield* repository.find(known.id, by, new Date(now))
        if (!visible(access, cart)) return yield* new CartNotFound({ id: "id" in by ? by.id : "session" })
        return view(yield* stores.at(known, cart.rulesVersion), cart, now)
      })

      const create = Effect.fn("Carts.create")(function* (known: StoreContext, access: CartAccess) {
        const now = yield* Clock.currentTimeMillis
        const cart = yield* database.write(known.id)(repository.insert(known.id, newCart(known, access, now)))
        return view(yield* stores.at(known, cart.rulesVersion), cart, now)
      })

      /**
       * Locks, loads, lets `change` write and answer the cart as it then is. What `beside` reads travels along with the
       * cart.
       */
      const writeBeside = <B, E>(
        known: StoreContext,
        access: CartAccess,
        id: string,
        beside: (now: Date) => Effect.Effect<B>,
        change: (cart: CartState, touch: CartWriting, beside: B) => Effect.Effect<CartState, E>
      ): Effect.Effect<CartView, E | WriteError | CartStockInsufficient> =>
        database.write(known.id)(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const at = new Date(now)
            // The cart is read last, with the version of the settings by then: what was read beside it was not in
            // another currency.
            const reading = [repository.lock(known.id, id), beside(at), repository.find(known.id, { id }, at)] as const
            const [locked, read, cart] = yield* Effect.all(reading, { concurrency: "unbounded" })
            if (!locked || !visible(access, cart)) return yield* new CartNotFound({ id })
            yield* checkVersion(cart.updatedAt)
            const store = yield* stores.at(known, cart.rulesVersion)
            const status = statusAt(cart, now)
            if (!isWritable(status)) return yield* new CartNotWritable({ id, status })
            yield* checkCurrency(cart, store)
            const touch = { store, now: nextVersion(cart.updatedAt, now), expiresAt: lifetimeEnd(store, now) }
            const changed = yield* change(cart, touch, read)
            const held = yield* hold(store, changed, cart, now)
            return view(store, { ...held, status: "ACTIVE", updatedAt: touch.now, expiresAt: touch.expiresAt }, now)
          })
        )
      const write = <E>(
        store: StoreContext,
        access: CartAccess,
        id: string,
        change: (cart: CartState, touch: CartWriting) => Effect.Effect<CartState, E>
      ) => writeBeside(store, access, id, () => Effect.void, change)

      /**
       * ON_CART: the cart holds exactly what its lines want and no payment holds for them, from now on for the store's
       * reservation time.
       */
      const hold = Effect.fnUntraced(function* (store: StoreContext, cart: CartState, before: CartState, now: number) {
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

      const addLine = Effect.fn("Carts.addLine")(function* (
        store: StoreContext,
        access: CartAccess,
        id: string,
        input: LineInput
      ) {
        const variantId = input.variantId ?? null
        yield* checkChosen(input)
        const wanted = (now: Date) =>
          Effect.map(sellables.find(store.id, [{ productId: input.productId, variantId }], now), ([first]) => first)
        return yield* writeBeside(store, access, id, wanted, (cart, touch, sellable) =>
          Effect.gen(function* () {
            const extras = {
              metadata: input.metadata ?? {},
              customizations: input.customizations ?? {},
              modifiers: input.modifiers ?? []
            }
            const identity = lineIdentity({ productId: input.productId, variantId, ...extras })
            const present = cart.lines.find((line) => line.identity === identity)
            if (present === undefined) yield* checkRoom(cart, access.capped)
            if (sellable === undefined || !isBuyable(sellable, variantId)) {
              return yield* new ProductUnavailable({ items: [{ productId: input.productId, variantId }] })
            }
            const now = touch.now.getTime()
            const line: CartLine =
              present === undefined
                ? {
                    id: makeId("item", now),
                    identity,
                    productId: input.productId,
                    variantId,
                    quantity: input.quantity,
                    unitPrice: unitPriceAt(sellable, now),
                    notes: input.notes ?? null,
                    ...extras,
                    held: heldFor(cart, input.productId, variantId),
                    sellable
                  }
                : {
                    ...present,
                    quantity: present.quantity + input.quantity,
                    notes: input.notes === undefined ? present.notes : input.notes
                  }
            const changed = withLine(cart, line)
            yield* checkBounds({ before: cart, after: changed, line }, access.capped)
            yield* checkSum(changed)
            yield* checkStock(touch.store, changed, line)
            yield* repository.saveLine(store.id, cart.id, { line }, touch)
            return changed
          })
        )
      })

      const changeLine = Effect.fn("Carts.changeLine")(function* (
        store: StoreContext,
        access: CartAccess,
        id: string,
        itemId: string,
        change: LineChange
      ) {
        yield* checkChosen(change)
        return yield* write(store, access, id, (cart, touch) =>
          Effect.gen(function* () {
            const present = cart.lines.find((line) => line.id === itemId)
            if (present === undefined) return yield* new CartItemNotFound({ id: itemId })
            if (change.quantity === 0) {
              yield* repository.removeLines(store.id, cart.id, [itemId], touch)
              return without(cart, itemId)
            }
            const edited: CartLine = {
              ...present,
              quantity: change.quantity ?? present.quantity,
              notes: change.notes === undefined ? present.notes : change.notes,
              metadata: change.metadata ?? present.metadata,
              customizations: change.customizations ?? present.customizations,
              modifiers: change.modifiers ?? present.modifiers
            }
            const { line, gone } = settledLine(cart, { ...edited, identity: lineIdentity(edited) }, change)
            const changed = withLine(gone === undefined ? cart : without(cart, gone), line)
            yield* checkBounds({ before: cart, after: changed, line }, access.capped)
            yield* checkSum(changed)
            if (edited.quantity > present.quantity) yield* checkStock(touch.store, changed, line)
            yield* repository.saveLine(store.id, cart.id, { line, gone }, touch)
            if (gone !== undefined) yield* checkouts.follow(store.id, cart.id, { gone, into: line.id })
            return changed
          })
        )
      })

      const removeLine = (store: StoreContext, access: CartAccess, id: string, itemId: string) =>
        write(store, access, id, (cart, touch) =>
          cart.lines.some((line) => line.id === itemId)
            ? Effect.as(repository.removeLines(store.id, cart.id, [itemId], touch), without(cart, itemId))
            : Effect.fail(new CartItemNotFound({ id: itemId }))
        ).pipe(Effect.catchTag("CartStockInsufficient", Effect.die))

      const clear = (store: StoreContext, access: CartAccess, id: string) =>
        write(store, access, id, (cart, touch) =>
          Effect.as(
            repository.removeLines(
              store.id,
              cart.id,
              cart.lines.map((line) => line.id),
              touch
            ),
            { ...cart, lines: [] }
          )
        ).pipe(Effect.catchTag("CartStockInsufficient", Effect.die))

      const update = Effect.fnUntraced(function* (
        store: StoreContext,
        access: CartAccess,
        id: string,
        input: CartInput
      ) {
        yield* checkRegion(input.regionId)
        return yield* write(store, access, id, (cart, touch) =>
          Effect.gen(function* () {
            if (input.currency !== undefined && input.currency !== cart.currency) {
              return yield* new FieldRejected({ field: "currency", reason: `this store sells in ${cart.currency}` })
            }
            yield* repository.saveFields(store.id, cart.id, input, touch)
            return {
              ...cart,
              notes: input.notes === undefined ? cart.notes : input.notes,
              regionId: input.regionId === undefined ? cart.regionId : input.regionId,
              analyticsClientId:
                input.analyticsClientId === undefined ? cart.analyticsClientId : input.analyticsClientId,
              analyticsSessionId:
                input.analyticsSessionId === undefined ? cart.analyticsSessionId : input.analyticsSessionId
            }
          })
        ).pipe(Effect.catchTag("CartStockInsufficient", Effect.die))
      })

      const refreshPrices = (store: StoreContext, access: CartAccess, id: string) =>
        write(store, access, id, (cart, touch) => {
          const lines = cart.lines.map((line) => ({
            ...line,
            unitPrice: unitPriceAt(line.sellable, touch.now.getTime())
          }))
          return Effect.as(repository.savePrices(store.id, cart.id, lines, touch), { ...cart, lines })
        }).pipe(Effect.catchTag("CartStockInsufficient", Effect.die))

      /** A write that is refused once the cart is known to be one that could be written to. */
      const refuse = <E>(store: StoreContext, access: CartAccess, id: string, error: E) =>
        write(store, access, id, () => Effect.fail(error)).pipe(Effect.catchIf(isStockInsufficient, Effect.die))

      return Carts.of({
        applyCoupon: (store, access, id, code) => refuse(store, access, id, new CartCouponUnknown({ code })),
        removeCoupon: (store, access, id) =>
          update(store, access, id, {}).pipe(Effect.catchTag("FieldRejected", Effect.die)),
        addOffer: (store, access, id, field) =>
          refuse(store, access, id, new FieldRejected({ field, reason: "is not an offer of this store" })),
        removeBundle: (store, access, id, bundleItemId) =>
          refuse(store, access, id, new CartItemNotFound({ id: bundleItemId })),
        create,
        get: (store, access, id) => read(store, access, { id }),
        getBySession: (store, access, sessionToken) => read(store, access, { sessionToken }),
        addLine,
        changeLine,
        removeLine,
        clear,
        update,
        refreshPrices
      })
    })
  ).pipe(Layer.provide([CartRepository.layer, SellableRepository.layer]))
}

const isStockInsufficient = (error: unknown): error is CartStockInsufficient => error instanceof CartStockInsufficient

export const lifetimeEnd = (store: StoreContext, now: number): Date =>
  new Date(now + store.cartLifetimeMinutes * 60_000)

export const cartViewAt = (store: StoreContext, cart: CartState, now: number): CartView =>
  toCartView({ ...cart, status: statusAt(cart, now) }, store, now)

/** An empty cart of the caller, about to be written: its currency is settled then. */
export const newCart = (store: StoreContext, access: CartAccess, now: number): CartState => {
  const at = new Date(now)
  return {
    id: makeSecretId("cart", now),
    salesChannelId: access.salesChannelId,
    sessionToken: randomHex("cs_", 32),
    customerId: access.customerId,
    status: "ACTIVE",
    currency: store.currency,
    rulesVersion: store.rulesVersion,
    notes: null,
    regionId: null,
    analyticsClientId: null,
    analyticsSessionId: null,
    couponCode: null,
    mergedInto: null,
    expiresAt: lifetimeEnd(store, now),
    createdAt: at,
    updatedAt: at,
    reservedUntil: null,
    paying: {},
    lines: []
  }
}

const withLine = (cart: CartState, line: CartLine): CartState => {
  const at = cart.lines.findIndex((other) => other.id === line.id)
  return { ...cart, lines: at < 0 ? [...cart.lines, line] : cart.lines.with(at, line) }
}

const without = (cart: CartState, id: string): CartState => ({
  ...cart,
  lines: cart.lines.filter((line) => line.id !== id)
})

/**
 * A line as it is after an edit. One that has become the same as another goes into that one, which keeps its id and the
 * price that it has shown.
 */
const settledLine = (
  cart: CartState,
  edited: CartLine,
  { notes }: LineChange
): { readonly line: CartLine; readonly gone?: string } => {
  const same = cart.lines.find((other) => other.id !== edited.id && other.identity === edited.identity)
  if (same === undefined) return { line: edited }
  return {
    line: { ...same, quantity: same.quantity + edited.quantity, notes: notes === undefined ? same.notes : notes },
    gone: edited.id
  }
}

const sameDemand = (left: CartState, right: CartState): boolean =>
  JSON.stringify(wantedBy(left)) === JSON.stringify(wantedBy(right))

/** No store has regions: whatever is named is not one of its. */
export const checkRegion = (regionId: string | null | undefined): Effect.Effect<void, FieldRejected> =>
  regionId === undefined || regionId === null
    ? Effect.void
    : Effect.fail(new FieldRejected({ field: "regionId", reason: "is not a region of this store" }))
