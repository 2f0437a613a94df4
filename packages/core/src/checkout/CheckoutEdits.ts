/**
 * The edits of a PENDING checkout: buyer, address, delivery, codes. Each locks the checkout, writes what changed in one
 * statement, and returns the checkout with a new quote.
 */
import { Clock, Effect, Equal } from "effect"
import { checkCurrency } from "../cart/Cart.ts"
import { type CartAccess, mayAccess } from "../cart/Carts.ts"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion, type ResourceChanged } from "../database/Precondition.ts"
import { lockThenRead } from "../database/Repository.ts"
import { type Address, normaliseEmail, toAddress } from "../kernel/Address.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { OrderCouponUnknown } from "../order/OrderErrors.ts"
import { hasGoods } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { pickupRatesOf } from "../shipping/PickupLocation.ts"
import { ShippingZones } from "../shipping/ShippingZones.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CurrencyChanged } from "../store/StoreErrors.ts"
import { type CheckoutState, statusAt } from "./Checkout.ts"
import {
  CheckoutNotEditable,
  CheckoutNotFound,
  GiftCardRejected,
  PickupLocationUnknown,
  ShippingMethodNotOffered,
  TenderNotFound
} from "./CheckoutErrors.ts"
import type { BuyerInput, DeliveryInput, ShippingInput } from "./CheckoutInput.ts"
import { requestOf } from "./CheckoutQuote.ts"
import { type LoadedCheckout, makeCheckoutReading } from "./CheckoutReading.ts"
import { type CheckoutChanges, CheckoutRepository } from "./CheckoutRepository.ts"
import type { CheckoutView } from "./CheckoutView.ts"
import { makeGiveUp } from "./paymentRelease.ts"

export type CancelError = CheckoutNotFound | CheckoutNotEditable | ResourceChanged
export type EditError = CancelError | CurrencyChanged

export const makeCheckoutEdits = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* CheckoutRepository
  const quotes = yield* Quotes
  const shippingZones = yield* ShippingZones
  const { load, price, answer } = yield* makeCheckoutReading
  /** A payment that only waits for the shopper is no obstacle: whoever edits the checkout goes on without it. */
  const giveUp = yield* makeGiveUp

  /** Locks and reads the checkout, lets `change` decide what to write, and returns the checkout after the edit. */
  const edit = <E>(
    cachedStore: StoreContext,
    access: CartAccess,
    id: string,
    change: (loaded: LoadedCheckout) => Effect.Effect<CheckoutChanges, E>
  ): Effect.Effect<CheckoutView, E | EditError> =>
    database.write(cachedStore.id)(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const reading = load(cachedStore, access, id)
        const [, found] = yield* lockThenRead(repository.lockWithCart(cachedStore.id, id), reading)
        yield* checkVersion(found.checkout.updatedAt)
        const loaded = (yield* giveUp(found.store, found.checkout, now)) ? yield* reading : found
        const { store, checkout } = loaded
        const status = statusAt(checkout, now)
        if (status !== "PENDING") return yield* new CheckoutNotEditable({ id, status })
        yield* checkCurrency(checkout, store)
        const wanted = yield* change(loaded)
        const updatedAt = nextVersion(checkout.updatedAt, now)
        const edited: CheckoutState = { ...checkout, status, ...wanted, updatedAt }
        const quote = yield* price(store, edited)
        const isDropped = edited.shippingRateId !== null && quote.chosen === undefined
        const changes = isDropped ? { ...wanted, shippingRateId: null } : wanted
        yield* repository.save(store.id, id, changes, updatedAt)
        return yield* answer({ store, checkout: { ...edited, ...changes }, quote }, access, now)
      })
    )

  /** Computes no prices, so that a checkout in a currency that the store no longer sells in can be cancelled too. */
  const cancel = Effect.fn("Checkouts.cancel")(function* (store: StoreContext, access: CartAccess, id: string) {
    yield* database.write(store.id)(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const [, checkout] = yield* lockThenRead(
          repository.lockWithCart(store.id, id),
          repository.find(store.id, id, new Date(now))
        )
        if (checkout === undefined || !mayAccess(access, checkout)) return yield* new CheckoutNotFound({ id })
        yield* checkVersion(checkout.updatedAt)
        const isReopened = yield* giveUp(store, checkout, now)
        const status = statusAt(isReopened ? { ...checkout, status: "PENDING" } : checkout, now)
        if (status !== "PENDING") return yield* new CheckoutNotEditable({ id, status })
        yield* repository.save(store.id, id, { status: "CANCELLED" }, nextVersion(checkout.updatedAt, now))
      })
    )
  })

  const setCustomer = (store: StoreContext, access: CartAccess, id: string, input: BuyerInput) =>
    edit(store, access, id, ({ checkout: { customer } }) =>
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

  /** Drops the chosen method if it is not offered for the new address. */
  const setShipping = (store: StoreContext, access: CartAccess, id: string, input: ShippingInput) =>
    edit(store, access, id, ({ checkout }): Effect.Effect<CheckoutChanges, FieldRejected> => {
      if (input.shippingAddress === undefined) return withoutShipping(checkout, input)
      const shippingAddress = toAddress(input.shippingAddress)
      return Effect.succeed({ shippingAddress, billingAddress: billingOf(checkout, shippingAddress, input) })
    })

  const setShippingMethod = (store: StoreContext, access: CartAccess, id: string, shippingRateId: string) =>
    edit(store, access, id, ({ quote }) =>
      quote.offers.some((offer) => offer.rate.id === shippingRateId)
        ? Effect.succeed({ shippingRateId })
        : Effect.fail(new ShippingMethodNotOffered({ shippingRateId }))
    )

  /**
   * How the goods reach the shopper. Switching between shipping and pickup drops the chosen method; a pickup needs its
   * location before the checkout can be completed.
   */
  const setDelivery = (
    store: StoreContext,
    access: CartAccess,
    id: string,
    { deliveryType, pickupLocationId }: DeliveryInput
  ) =>
    edit(store, access, id, ({ store: priced, checkout }) =>
      Effect.gen(function* () {
        const place = pickupLocationId ?? null
        if (deliveryType === "shipping") {
          if (place !== null) return yield* FieldRejected.at("pickupLocationId", "goes with deliveryType pickup")
          return checkout.deliveryType === "shipping" ? {} : { deliveryType, shippingRateId: null }
        }
        if (place === null) return checkout.deliveryType === "pickup" ? {} : { deliveryType, shippingRateId: null }
        const zones = yield* shippingZones.compiled(priced.id, priced.rulesVersion)
        if (!pickupRatesOf(zones.zones, checkout.salesChannelId).some((rate) => rate.id === place)) {
          return yield* new PickupLocationUnknown({ pickupLocationId: place })
        }
        return { deliveryType, shippingRateId: place }
      })
    )

  /** Values for custom fields of the store at checkout; no store has any yet. */
  const setCustomFields = (
    store: StoreContext,
    access: CartAccess,
    id: string,
    values: Readonly<Record<string, unknown>>
  ) =>
    edit(store, access, id, () => {
      const named = Object.keys(values).map((key) => [`values.${key}`, "this store has no such checkout field"])
      return Effect.as(rejectFields(Object.fromEntries(named)), {})
    })

  /**
   * A code that no source of pricing knows is rejected. The code is stored with the checkout and replaces its previous
   * one.
   */
  const applyCoupon = (store: StoreContext, access: CartAccess, id: string, code: string) =>
    edit(store, access, id, ({ store: priced, checkout }) =>
      quotes.quote(priced, { ...requestOf(checkout), acceptedCodes: [], codes: [code] }).pipe(
        Effect.mapError((refused) => new OrderCouponUnknown({ couponCode: refused.code })),
        Effect.as({ couponCode: code })
      )
    )

  /** Fails with `error`, after the checks that every edit passes. */
  const refuse = <E>(store: StoreContext, access: CartAccess, id: string, error: E) =>
    edit(store, access, id, () => Effect.fail(error))

  return {
    setCustomer,
    setShipping,
    setShippingMethod,
    setDelivery,
    setCustomFields,
    applyCoupon,
    removeCoupon: (store: StoreContext, access: CartAccess, id: string) =>
      edit(store, access, id, () => Effect.succeed({ couponCode: null })),
    /** The store has no gift cards: every code is rejected, and there is no tender to remove. */
    addGiftCard: (store: StoreContext, access: CartAccess, id: string) =>
      refuse(store, access, id, new GiftCardRejected()),
    removeGiftCard: (store: StoreContext, access: CartAccess, id: string, tenderId: string) =>
      refuse(store, access, id, new TenderNotFound({ id: tenderId })),
    cancel
  }
})

/** Where nothing is shipped, the billing address tells where the buyer is. */
const withoutShipping = (
  { lines, deliveryType }: CheckoutState,
  { billingAddress }: ShippingInput
): Effect.Effect<CheckoutChanges, FieldRejected> => {
  if (hasGoods(lines) && deliveryType === "shipping") return FieldRejected.at("shippingAddress", "is missing")
  return billingAddress === undefined || billingAddress === null
    ? FieldRejected.at("billingAddress", "is needed where nothing is shipped")
    : Effect.succeed({ billingAddress: toAddress(billingAddress) })
}

/** The billing address follows the shipping address unless it was set separately; null makes it follow again. */
const billingOf = (checkout: CheckoutState, shippingAddress: Address, input: ShippingInput): Address => {
  if (input.billingSameAsShipping === true || input.billingAddress === null) return shippingAddress
  if (input.billingAddress !== undefined) return toAddress(input.billingAddress)
  const { billingAddress: current, shippingAddress: before } = checkout
  return current === null || Equal.equals(current, before) ? shippingAddress : current
}
