/** The edits of a PENDING checkout: buyer, address, delivery, codes, gift cards. */
import { Effect, Equal, Result } from "effect"
import type { CartAccess } from "../cart/Carts.ts"
import { changedValues, type FieldValues } from "../checkoutfield/FieldValues.ts"
import { giftCardKind } from "../giftcard/GiftCardPayments.ts"
import { GiftCards } from "../giftcard/GiftCards.ts"
import { type Address, normaliseEmail, toAddress } from "../kernel/Address.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { checkCodes } from "../pricing/CodeErrors.ts"
import { hasGoods } from "../pricing/Quote.ts"
import { pickupRatesOf } from "../shipping/PickupLocation.ts"
import { ShippingZones } from "../shipping/ShippingZones.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CheckoutState } from "./Checkout.ts"
import { makeCheckoutEditing } from "./CheckoutEditing.ts"
import { GiftCardRejected, PickupLocationUnknown, ShippingMethodNotOffered, TenderNotFound } from "./CheckoutErrors.ts"
import type { BuyerInput, DeliveryInput, ShippingInput } from "./CheckoutInput.ts"
import type { FoundCheckout } from "./CheckoutReading.ts"
import type { CheckoutChanges } from "./CheckoutRepository.ts"

/** The most gift cards of one checkout: each is a payment of its order. */
const maxGiftCards = 10

export const makeCheckoutEdits = Effect.gen(function* () {
  const giftCards = yield* GiftCards
  const shippingZones = yield* ShippingZones
  const { edit, cancel } = yield* makeCheckoutEditing

  const setCustomer = (store: StoreContext, access: CartAccess, id: string, input: BuyerInput) =>
    edit(store, access, id, {
      change: ({ checkout: { customer } }) =>
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
    })

  /** Drops the chosen method if it is not offered for the new address. */
  const setShipping = (store: StoreContext, access: CartAccess, id: string, input: ShippingInput) =>
    edit(store, access, id, {
      change: ({ checkout }): Effect.Effect<CheckoutChanges, FieldRejected> => {
        if (input.shippingAddress === undefined) return withoutShipping(checkout, input)
        const shippingAddress = toAddress(input.shippingAddress)
        return Effect.succeed({ shippingAddress, billingAddress: billingOf(checkout, shippingAddress, input) })
      }
    })

  const setShippingMethod = (store: StoreContext, access: CartAccess, id: string, shippingRateId: string) =>
    edit(store, access, id, {
      change: () => Effect.succeed({ shippingRateId }),
      accept: ({ quote }) =>
        quote.offers.some((offer) => offer.rate.id === shippingRateId)
          ? Effect.void
          : Effect.fail(new ShippingMethodNotOffered({ shippingRateId }))
    })

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
    edit(store, access, id, {
      change: Effect.fnUntraced(function* ({ store: priced, checkout }: FoundCheckout) {
        if (checkout.draft !== null && deliveryType === "pickup")
          return yield* FieldRejected.at("deliveryType", "the price of an invoice includes its delivery")
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
      }),
      // Of another region, or below the minimum of the place.
      accept: ({ quote }) =>
        typeof pickupLocationId === "string" && quote.chosen === undefined
          ? Effect.fail(new PickupLocationUnknown({ pickupLocationId }))
          : Effect.void
    })

  /** Values of the store's checkout fields: what is left out stays as it is, null clears. */
  const setCustomFields = (store: StoreContext, access: CartAccess, id: string, values: FieldValues) =>
    edit(store, access, id, {
      change: ({ checkout, fields }): Effect.Effect<CheckoutChanges, FieldRejected> => {
        const changed = changedValues(fields, checkout.customFieldValues, values)
        return Result.isSuccess(changed)
          ? Effect.succeed({ customFieldValues: changed.success })
          : Effect.as(rejectFields(changed.failure), {})
      }
    })

  /**
   * A code that the checkout does not qualify for is rejected. The code is stored with the checkout and replaces its
   * previous one.
   */
  const applyCoupon = (store: StoreContext, access: CartAccess, id: string, code: string) =>
    edit(store, access, id, {
      change: () => Effect.succeed({ couponCode: code }),
      accept: ({ quote }) => checkCodes(quote)
    })

  /** A card that is there already stays once; what the checkout showed of it is renewed. */
  const addGiftCard = (store: StoreContext, access: CartAccess, id: string, code: string) =>
    edit(store, access, id, {
      change: Effect.fnUntraced(function* ({ store: priced, checkout }: FoundCheckout) {
        const { tenders } = checkout
        const sourceId = yield* giftCards.findUsable(priced, code, checkout)
        if (sourceId === undefined) return yield* new GiftCardRejected()
        const cards = tenders.filter(({ kind }) => kind === giftCardKind)
        if (cards.some((card) => card.sourceId === sourceId)) return {}
        if (cards.length >= maxGiftCards) return yield* new GiftCardRejected()
        return { tenders: [...tenders, { id: sourceId, kind: giftCardKind, sourceId, amount: null }] }
      })
    })

  const removeGiftCard = (store: StoreContext, access: CartAccess, id: string, tenderId: string) =>
    edit(store, access, id, {
      change: ({ checkout: { tenders } }) => {
        const others = tenders.filter((tender) => tender.kind !== giftCardKind || tender.id !== tenderId)
        return others.length === tenders.length
          ? Effect.fail(new TenderNotFound({ id: tenderId }))
          : Effect.succeed({ tenders: others })
      }
    })

  return {
    setCustomer,
    setShipping,
    setShippingMethod,
    setDelivery,
    setCustomFields,
    applyCoupon,
    removeCoupon: (store: StoreContext, access: CartAccess, id: string) =>
      edit(store, access, id, { change: () => Effect.succeed({ couponCode: null }) }),
    addGiftCard,
    removeGiftCard,
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
