/**
 * The use cases of a checkout up to its completion: made from a cart, told who, where and how, priced afresh at every
 * answer.
 */
import { Clock, Context, Effect, Equal, Layer } from "effect"
import { type CartState, checkCurrency, isWritable, statusAt as cartStatusAt } from "../cart/Cart.ts"
import { CartNotFound, CartNotWritable, ProductUnavailable } from "../cart/CartErrors.ts"
import { CartRepository } from "../cart/CartRepository.ts"
import { type CartAccess, Carts, checkRegion, mayAccess } from "../cart/Carts.ts"
import type { CartView } from "../cart/CartView.ts"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion, type ResourceChanged } from "../database/Precondition.ts"
import { type Address, type AddressInput, normaliseEmail, toAddress } from "../kernel/Address.ts"
import { makeId, makeSecretId } from "../kernel/Ids.ts"
import { OrderCouponUnknown } from "../order/OrderErrors.ts"
import { isBuyable, unitsAvailable } from "../pricing/Sellable.ts"
import { pickupRatesOf } from "../shipping/PickupLocation.ts"
import { ShippingZones } from "../shipping/ShippingZones.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CurrencyChanged } from "../store/StoreErrors.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import { TaxRates } from "../tax/TaxRates.ts"
import { type CheckoutState, statusAt } from "./Checkout.ts"
import {
  CheckoutEmpty,
  CheckoutNotEditable,
  CheckoutNotFound,
  CheckoutStockInsufficient,
  GiftCardRejected,
  PickupLocationUnknown,
  ShippingMethodNotOffered,
  TenderNotFound
} from "./CheckoutErrors.ts"
import { CheckoutRepository, type CheckoutChanges } from "./CheckoutRepository.ts"
import { type CheckoutTotals, totalsOf } from "./CheckoutTotals.ts"
import { type CheckoutView, toCheckoutView, toMethodView } from "./CheckoutView.ts"

export interface CheckoutInput {
  readonly cartId: string
  readonly selectedItemIds?: ReadonlyArray<string> | undefined
  readonly sessionToken?: string | undefined
  readonly regionId?: string | undefined
}

export interface CustomerInput {
  readonly email: string
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly acceptsMarketing?: boolean | undefined
}

export interface ShippingInput {
  readonly shippingAddress: AddressInput
  readonly billingAddress?: AddressInput | null | undefined
  readonly billingSameAsShipping?: boolean | undefined
}

export interface DeliveryInput {
  readonly deliveryType: CheckoutState["deliveryType"]
  readonly pickupLocationId?: string | null | undefined
}

type CancelError = CheckoutNotFound | CheckoutNotEditable | ResourceChanged
type EditError = CancelError | CurrencyChanged
type CreateError =
  | CartNotFound
  | CartNotWritable
  | CurrencyChanged
  | CheckoutEmpty
  | FieldRejected
  | ProductUnavailable
  | CheckoutStockInsufficient

export interface LoadedCheckout {
  readonly store: StoreContext
  readonly checkout: CheckoutState
  readonly totals: CheckoutTotals
}

export interface CheckoutsMethods {
  readonly create: (
    store: StoreContext,
    access: CartAccess,
    input: CheckoutInput
  ) => Effect.Effect<CheckoutView, CreateError>
  readonly get: (store: StoreContext, access: CartAccess, id: string) => Effect.Effect<CheckoutView, CheckoutNotFound>
  readonly setCustomer: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    input: CustomerInput
  ) => Effect.Effect<CheckoutView, EditError>
  /** A chosen method that the new address is not offered falls away. */
  readonly setShipping: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    input: ShippingInput
  ) => Effect.Effect<CheckoutView, EditError>
  readonly shippingRates: (
    store: StoreContext,
    access: CartAccess,
    id: string
  ) => Effect.Effect<ReadonlyArray<ReturnType<typeof toMethodView>>, CheckoutNotFound>
  readonly setShippingMethod: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    shippingRateId: string
  ) => Effect.Effect<CheckoutView, EditError | ShippingMethodNotOffered>
  /**
   * How the goods come to the shopper. Changing from one to the other drops the chosen method; a pickup needs its place
   * before it can be completed.
   */
  readonly setDelivery: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    input: DeliveryInput
  ) => Effect.Effect<CheckoutView, EditError | PickupLocationUnknown | FieldRejected>
  /** Values for fields the store asks for at checkout; it asks for none. */
  readonly setCustomFields: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    values: Readonly<Record<string, unknown>>
  ) => Effect.Effect<CheckoutView, EditError | FieldRejected>
  /** The store has no coupons: every code is unknown, and taking one off changes nothing. */
  readonly applyCoupon: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    code: string
  ) => Effect.Effect<CheckoutView, EditError | OrderCouponUnknown>
  readonly removeCoupon: (store: StoreContext, access: CartAccess, id: string) => Effect.Effect<CheckoutView, EditError>
  /** The store has no gift cards: every code is rejected, and no tender is there to be taken off. */
  readonly addGiftCard: (
    store: StoreContext,
    access: CartAccess,
    id: string
  ) => Effect.Effect<CheckoutView, EditError | GiftCardRejected>
  readonly removeGiftCard: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    tenderId: string
  ) => Effect.Effect<CheckoutView, EditError | TenderNotFound>
  /** Takes today's prices for the cart and for the PENDING checkouts made from it. */
  readonly refreshSnapshots: (
    store: StoreContext,
    access: CartAccess,
    cartId: string
  ) => Effect.Effect<CartView, CartNotFound | CartNotWritable | CurrencyChanged | ResourceChanged>
  readonly cancel: (store: StoreContext, access: CartAccess, id: string) => Effect.Effect<void, CancelError>
  /**
   * The checkout with its totals, inside whatever transaction is open, and the store's settings that it was priced by.
   */
  readonly load: (
    store: StoreContext,
    access: CartAccess,
    id: string
  ) => Effect.Effect<LoadedCheckout, CheckoutNotFound>
}

export class Checkouts extends Context.Service<Checkouts, CheckoutsMethods>()(
  "@effect-commerce/core/checkout/Checkouts"
) {
  static readonly layer = Layer.effect(
    Checkouts,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CheckoutRepository
      const carts = yield* CartRepository
      const cartUseCases = yield* Carts
      const taxRates = yield* TaxRates
      const shippingZones = yield* ShippingZones
      const stores = yield* Stores

      const price = Effect.fnUntraced(function* (store: StoreContext, checkout: CheckoutState) {
        const taxes = yield* taxRates.matcher(store.id, checkout.rulesVersion)
        const zones = yield* shippingZones.compiled(store.id, checkout.rulesVersion)
        return totalsOf(store, checkout, { taxes, zones })
      })

      const load: CheckoutsMethods["load"] = Effect.fnUntraced(function* (known, access, id) {
        const checkout = yield* repository.find(known.id, id, new Date(yield* Clock.currentTimeMillis))
        if (checkout === undefined || !belongsTo(access, checkout)) return yield* new CheckoutNotFound({ id })
        const store = yield* stores.at(known, checkout.rulesVersion)
        return { store, checkout, totals: yield* price(store, checkout) }
      })

      const answer = (store: StoreContext, checkout: CheckoutState, totals: CheckoutTotals, now: number) =>
        toCheckoutView({ ...checkout, status: statusAt(checkout, now) }, totals, store.reservationStrategy, now)

      const get = Effect.fn("Checkouts.get")(function* (known: StoreContext, access: CartAccess, id: string) {
        const now = yield* Clock.currentTimeMillis
        const { store, checkout, totals } = yield* load(known, access, id)
        return answer(store, checkout, totals, now)
      })

      const create = Effect.fn("Checkouts.create")(function* (
        known: StoreContext,
        access: CartAccess,
        input: CheckoutInput
      ) {
        const now = yield* Clock.currentTimeMillis
        yield* checkRegion(input.regionId)
        return yield* database.write(known.id)(
          Effect.gen(function* () {
            const reading = [
              carts.lock(known.id, input.cartId),
              carts.find(known.id, { id: input.cartId }, new Date(now))
            ] as const
            const [locked, cart] = yield* Effect.all(reading, { concurrency: "unbounded" })
            if (!locked || cart === undefined || !admits(access, cart, input.sessionToken))
              return yield* new CartNotFound({ id: input.cartId })
            const status = cartStatusAt(cart, now)
            if (!isWritable(status)) return yield* new CartNotWritable({ id: cart.id, status })
            const store = yield* stores.at(known, cart.rulesVersion)
            yield* checkCurrency(cart, store)
            const lines = yield* selectLines(cart, input.selectedItemIds)
            yield* checkOffered(lines)
            yield* checkStock(lines)
            const checkout = newCheckout(store, access, { cart, lines, regionId: input.regionId ?? cart.regionId }, now)
            yield* repository.insert(store.id, checkout)
            return answer(store, checkout, yield* price(store, checkout), now)
          })
        )
      })

      /** Locks, loads, lets `change` say what to write, and answers the checkout as it then is. */
      const edit = <E>(
        known: StoreContext,
        access: CartAccess,
        id: string,
        change: (checkout: CheckoutState, totals: CheckoutTotals) => Effect.Effect<CheckoutChanges, E>
      ): Effect.Effect<CheckoutView, E | EditError> =>
        database.write(known.id)(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const [, { store, checkout, totals }] = yield* Effect.all(
              [repository.lock(known.id, id), load(known, access, id)],
              { concurrency: "unbounded" }
            )
            yield* checkVersion(checkout.updatedAt)
            const status = statusAt(checkout, now)
            if (status !== "PENDING") return yield* new CheckoutNotEditable({ id, status })
            yield* checkCurrency(checkout, store)
            const asked = yield* change(checkout, totals)
            const updatedAt = nextVersion(checkout.updatedAt, now)
            const edited: CheckoutState = { ...checkout, ...asked, updatedAt }
            const priced = yield* price(store, edited)
            const dropped = edited.shippingRateId !== null && priced.chosen === undefined
            const changes = dropped ? { ...asked, shippingRateId: null } : asked
            yield* repository.save(store.id, id, changes, updatedAt)
            return answer(store, { ...edited, ...changes }, priced, now)
          })
        )

      /** Nothing is priced by it, so that a checkout in a currency of before can be cancelled too. */
      const cancel = Effect.fn("Checkouts.cancel")(function* (store: StoreContext, access: CartAccess, id: string) {
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const [, checkout] = yield* Effect.all(
              [repository.lock(store.id, id), repository.find(store.id, id, new Date(now))],
              { concurrency: "unbounded" }
            )
            if (checkout === undefined || !belongsTo(access, checkout)) return yield* new CheckoutNotFound({ id })
            yield* checkVersion(checkout.updatedAt)
            const status = statusAt(checkout, now)
            if (status !== "PENDING") return yield* new CheckoutNotEditable({ id, status })
            yield* repository.save(store.id, id, { status: "CANCELLED" }, nextVersion(checkout.updatedAt, now))
          })
        )
      })

      const setCustomer = (store: StoreContext, access: CartAccess, id: string, input: CustomerInput) =>
        edit(store, access, id, ({ customer }) =>
          Effect.succeed({
            email: normaliseEmail(input.email),
            customer: {
              ...customer,
              ...(input.firstName === undefined ? {} : { firstName: input.firstName }),
              ...(input.lastName === undefined ? {} : { lastName: input.lastName }),
              ...(input.phone === undefined ? {} : { phone: input.phone }),
              ...(input.acceptsMarketing === undefined ? {} : { acceptsMarketing: input.acceptsMarketing })
            }
          })
        )

      const setShipping = (store: StoreContext, access: CartAccess, id: string, input: ShippingInput) =>
        edit(store, access, id, (checkout) => {
          const shippingAddress = toAddress(input.shippingAddress)
          return Effect.succeed({ shippingAddress, billingAddress: billingOf(checkout, shippingAddress, input) })
        })

      const setShippingMethod = (store: StoreContext, access: CartAccess, id: string, shippingRateId: string) =>
        edit(store, access, id, (_checkout, totals) =>
          totals.offers.some((offer) => offer.rate.id === shippingRateId)
            ? Effect.succeed({ shippingRateId })
            : Effect.fail(new ShippingMethodNotOffered({ shippingRateId }))
        )

      const setDelivery: CheckoutsMethods["setDelivery"] = (store, access, id, { deliveryType, pickupLocationId }) =>
        edit(store, access, id, (checkout) =>
          Effect.gen(function* () {
            const place = pickupLocationId ?? null
            if (deliveryType === "shipping") {
              if (place !== null)
                return yield* new FieldRejected({ field: "pickupLocationId", reason: "goes with deliveryType pickup" })
              return checkout.deliveryType === "shipping" ? {} : { deliveryType, shippingRateId: null }
            }
            if (place === null) return checkout.deliveryType === "pickup" ? {} : { deliveryType, shippingRateId: null }
            const zones = yield* shippingZones.compiled(store.id, checkout.rulesVersion)
            if (!pickupRatesOf(zones.zones, checkout.salesChannelId).some((rate) => rate.id === place)) {
              return yield* new PickupLocationUnknown({ pickupLocationId: place })
            }
            return { deliveryType, shippingRateId: place }
          })
        )

      const setCustomFields: CheckoutsMethods["setCustomFields"] = (store, access, id, values) =>
        edit(store, access, id, () => {
          const [key] = Object.keys(values)
          return key === undefined
            ? Effect.succeed({})
            : Effect.fail(
                new FieldRejected({ field: `values.${key}`, reason: "this store has no such checkout field" })
              )
        })

      /** An edit that is refused once the checkout is known to be one that could be edited. */
      const refuse = <E>(store: StoreContext, access: CartAccess, id: string, error: E) =>
        edit(store, access, id, () => Effect.fail(error))

      return Checkouts.of({
        applyCoupon: (store, access, id, code) =>
          refuse(store, access, id, new OrderCouponUnknown({ couponCode: code })),
        removeCoupon: (store, access, id) => edit(store, access, id, () => Effect.succeed({})),
        addGiftCard: (store, access, id) => refuse(store, access, id, new GiftCardRejected()),
        removeGiftCard: (store, access, id, tenderId) =>
          refuse(store, access, id, new TenderNotFound({ id: tenderId })),
        setDelivery,
        setCustomFields,
        create,
        get,
        setCustomer,
        setShipping,
        shippingRates: (store, access, id) =>
          Effect.map(load(store, access, id), ({ checkout, totals }) =>
            totals.offers.map((offer) => toMethodView(offer, checkout.currency))
          ),
        setShippingMethod,
        cancel,
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
        load
      })
    })
  ).pipe(Layer.provide([CheckoutRepository.layer, CartRepository.layer]))
}

/** The billing address goes with the shipping address until one of its own was given; null takes that back. */
const billingOf = (checkout: CheckoutState, shippingAddress: Address, input: ShippingInput): Address => {
  if (input.billingSameAsShipping === true || input.billingAddress === null) return shippingAddress
  if (input.billingAddress !== undefined) return toAddress(input.billingAddress)
  const { billingAddress: current, shippingAddress: before } = checkout
  return current === null || Equal.equals(current, before) ? shippingAddress : current
}

/**
 * A storefront sees the checkouts of its own channel, and a customer's only with that customer; an admin key those of
 * its store.
 */
const belongsTo = (access: CartAccess, checkout: CheckoutState): boolean => mayAccess(access, checkout)

const admits = (access: CartAccess, cart: CartState, sessionToken: string | undefined): boolean =>
  (sessionToken === undefined || sessionToken === cart.sessionToken) && mayAccess(access, cart)

const selectLines = (
  cart: CartState,
  ids: ReadonlyArray<string> | undefined
): Effect.Effect<CartState["lines"], CheckoutEmpty | FieldRejected> => {
  if (ids === undefined) return cart.lines.length === 0 ? Effect.fail(new CheckoutEmpty()) : Effect.succeed(cart.lines)
  const unknown = ids.find((id) => !cart.lines.some((line) => line.id === id))
  if (unknown !== undefined)
    return Effect.fail(
      new FieldRejected({ field: "selectedItemIds", reason: `${unknown} is not an item of this cart` })
    )
  const chosen = cart.lines.filter((line) => ids.includes(line.id))
  return chosen.length === 0 ? Effect.fail(new CheckoutEmpty()) : Effect.succeed(chosen)
}

type Buyable = Pick<CheckoutState["lines"][number], "productId" | "variantId" | "quantity" | "held" | "sellable">

/** Refuses lines that are not sold any more. Whether stock suffices is the ledger's to say, which sees it locked. */
export const checkOffered = (lines: ReadonlyArray<Buyable>): Effect.Effect<void, ProductUnavailable> => {
  const gone = lines.filter((line) => !isBuyable(line.sellable, line.variantId))
  return gone.length === 0
    ? Effect.void
    : Effect.fail(new ProductUnavailable({ items: gone.map(({ productId, variantId }) => ({ productId, variantId })) }))
}

/** Refuses lines whose stock does not suffice, as far as can be seen before anything is claimed. */
const checkStock = (lines: ReadonlyArray<Buyable>): Effect.Effect<void, CheckoutStockInsufficient> => {
  const short = lines.flatMap(({ productId, variantId, quantity, held, sellable }) => {
    const available = unitsAvailable(sellable.stock, held)
    return quantity <= available ? [] : [{ productId, variantId, available, requested: quantity }]
  })
  return short.length > 0 ? Effect.fail(new CheckoutStockInsufficient({ items: short })) : Effect.void
}

interface Chosen {
  readonly cart: CartState
  readonly lines: CartState["lines"]
  readonly regionId: string | null
}

const newCheckout = (
  store: StoreContext,
  access: CartAccess,
  { cart, lines, regionId }: Chosen,
  now: number
): CheckoutState => {
  const at = new Date(now)
  return {
    id: makeSecretId("chk", now),
    cartId: cart.id,
    salesChannelId: cart.salesChannelId ?? access.salesChannelId,
    customerId: cart.customerId ?? access.customerId,
    status: "PENDING",
    attempt: 1,
    email: null,
    customer: {},
    deliveryType: "shipping",
    shippingAddress: null,
    billingAddress: null,
    shippingRateId: null,
    regionId,
    currency: cart.currency,
    couponCode: cart.couponCode,
    customFieldValues: {},
    notes: cart.notes,
    expiresAt: new Date(now + store.checkoutLifetimeMinutes * 60_000),
    recoveryEmailSentAt: null,
    createdAt: at,
    updatedAt: at,
    rulesVersion: cart.rulesVersion,
    reservedUntil: cart.reservedUntil,
    rival: null,
    lines: lines.map(
      ({
        id,
        productId,
        variantId,
        quantity,
        unitPrice,
        notes,
        metadata,
        customizations,
        modifiers,
        held,
        sellable
      }) => ({
        id: makeId("line", now),
        cartItemId: id,
        productId,
        variantId,
        quantity,
        unitPrice,
        notes,
        metadata,
        customizations,
        modifiers,
        held,
        sellable
      })
    )
  }
}
