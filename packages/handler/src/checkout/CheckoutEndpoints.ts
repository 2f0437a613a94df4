import { CheckoutPayments } from "@effect-commerce/core/completion/CheckoutPayments"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { Completion } from "@effect-commerce/core/completion/Completion"
import { AddressLookups } from "@effect-commerce/core/shipping/AddressLookups"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { admitsReturn } from "@effect-commerce/core/store/SalesChannel"
import { Effect, Layer } from "effect"
import { languagesOf } from "../middleware/RequestLanguages.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { succeed } from "../middleware/Responses.ts"
import { adminAccess, asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { AdminCheckoutGroup } from "./AdminCheckoutApi.ts"
import { CheckoutGroup } from "./CheckoutApi.ts"

const checkout = endpointsOf(
  CheckoutGroup,
  Effect.fnUntraced(function* (handlers) {
    const checkouts = yield* Checkouts
    const completion = yield* Completion
    const payments = yield* CheckoutPayments
    const addresses = yield* AddressLookups
    return handlers.handleAll({
      create: onChannel(({ store, access }, { payload }) => checkouts.create(store, access, payload)),
      get: onChannel(({ store, access }, { params }) => checkouts.get(store, access, params.checkoutId)),
      cancel: onChannel(({ store, access }, { params }) => succeed(checkouts.cancel(store, access, params.checkoutId))),
      setCustomer: onChannel(({ store, access }, { params, payload }) =>
        checkouts.setCustomer(store, access, params.checkoutId, payload)
      ),
      setShipping: onChannel(({ store, access }, { params, payload }) =>
        checkouts.setShipping(store, access, params.checkoutId, payload)
      ),
      shippingRates: onChannel(({ store, access }, { params }) =>
        Effect.map(checkouts.shippingRates(store, access, params.checkoutId), (rates) => ({ rates }))
      ),
      setShippingMethod: onChannel(({ store, access }, { params, payload }) =>
        checkouts.setShippingMethod(store, access, params.checkoutId, payload.shippingRateId)
      ),
      setDelivery: onChannel(({ store, access }, { params, payload }) =>
        checkouts.setDelivery(store, access, params.checkoutId, payload)
      ),
      setCustomFields: onChannel(({ store, access }, { params, payload }) =>
        checkouts.setCustomFields(store, access, params.checkoutId, payload.values)
      ),
      applyCoupon: onChannel(({ store, access }, { params, payload }) =>
        checkouts.applyCoupon(store, access, params.checkoutId, payload.code)
      ),
      removeCoupon: onChannel(({ store, access }, { params }) =>
        checkouts.removeCoupon(store, access, params.checkoutId)
      ),
      addGiftCard: onChannel(({ store, access }, { params, payload }) =>
        checkouts.addGiftCard(store, access, params.checkoutId, payload.code)
      ),
      removeGiftCard: onChannel(({ store, access }, { params }) =>
        checkouts.removeGiftCard(store, access, params.checkoutId, params.tenderId)
      ),
      beginPayment: onChannel(
        Effect.fnUntraced(function* ({ store, channel, access }, { params, payload }) {
          const { returnUrl } = payload
          if (typeof returnUrl === "string" && !admitsReturn(channel, returnUrl))
            return yield* FieldRejected.at("returnUrl", "must be on the sales channel's domain")
          return yield* payments.begin(store, access, params.checkoutId, payload)
        })
      ),
      paymentStatus: onChannel(({ store, access }, { params }) => payments.status(store, access, params.checkoutId)),
      addressSuggestions: onChannel(
        Effect.fnUntraced(function* ({ store }, { query: { q = "", sessionToken = null, lat, lng } }) {
          const languages = yield* languagesOf(store, {})
          const request = { query: q, sessionToken, lat, lng, languages }
          return { suggestions: yield* addresses.suggest(store, request) }
        })
      ),
      addressDetails: onChannel(
        Effect.fnUntraced(function* ({ store, channel }, { query: { placeId, sessionToken = null, regionId = null } }) {
          const languages = yield* languagesOf(store, {})
          const place = { placeId, sessionToken, regionId, languages, salesChannelId: channel.id }
          return yield* addresses.find(store, place)
        })
      ),
      complete: onChannel(({ store, access }, { params, payload }) =>
        completion.complete(store, access, params.checkoutId, payload)
      )
    })
  })
)

const adminCheckout = endpointsOf(
  AdminCheckoutGroup,
  Effect.fnUntraced(function* (handlers) {
    const completion = yield* Completion
    return handlers.handleAll({
      complete: asAdmin(({ store }, { params, payload }) =>
        completion.complete(store, adminAccess, params.checkoutId, payload)
      )
    })
  })
)

export const checkoutEndpoints = Layer.mergeAll(checkout, adminCheckout)
