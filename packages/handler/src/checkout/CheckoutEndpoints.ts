import { PlaceUnknown } from "@effect-commerce/core/checkout/CheckoutErrors"
import { CheckoutPayments } from "@effect-commerce/core/checkout/CheckoutPayments"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { Completion } from "@effect-commerce/core/checkout/Completion"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { admin, storefront } from "../cart/CartEndpoints.ts"

const checkout = HttpApiBuilder.group(
  Api,
  "checkout",
  Effect.fnUntraced(function* (handlers) {
    const checkouts = yield* Checkouts
    const completion = yield* Completion
    const payments = yield* CheckoutPayments
    return handlers.handleAll({
      create: ({ payload }) =>
        Effect.flatMap(storefront, ({ store, access }) => checkouts.create(store, access, payload)),
      get: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => checkouts.get(store, access, params.checkoutId)),
      cancel: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          Effect.as(checkouts.cancel(store, access, params.checkoutId), { success: true } as const)
        ),
      setCustomer: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          checkouts.setCustomer(store, access, params.checkoutId, payload)
        ),
      setShipping: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          checkouts.setShipping(store, access, params.checkoutId, payload)
        ),
      shippingRates: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          Effect.map(checkouts.shippingRates(store, access, params.checkoutId), (rates) => ({ rates }))
        ),
      setShippingMethod: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          checkouts.setShippingMethod(store, access, params.checkoutId, payload.shippingRateId)
        ),
      setDelivery: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          checkouts.setDelivery(store, access, params.checkoutId, payload)
        ),
      setCustomFields: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          checkouts.setCustomFields(store, access, params.checkoutId, payload.values)
        ),
      applyCoupon: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          checkouts.applyCoupon(store, access, params.checkoutId, payload.code)
        ),
      removeCoupon: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => checkouts.removeCoupon(store, access, params.checkoutId)),
      addGiftCard: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => checkouts.addGiftCard(store, access, params.checkoutId)),
      removeGiftCard: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          checkouts.removeGiftCard(store, access, params.checkoutId, params.tenderId)
        ),
      beginPayment: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          payments.begin(store, access, params.checkoutId, payload.providerId)
        ),
      paymentStatus: ({ params }) =>
        Effect.flatMap(storefront, ({ store, access }) => payments.status(store, access, params.checkoutId)),
      addressSuggestions: () => Effect.succeed({ suggestions: [] }),
      addressDetails: ({ query }) => Effect.fail(new PlaceUnknown({ placeId: query.placeId })),
      complete: ({ params, payload }) =>
        Effect.flatMap(storefront, ({ store, access }) =>
          completion.complete(store, access, params.checkoutId, payload)
        )
    })
  })
)

const adminCheckout = HttpApiBuilder.group(
  Api,
  "adminCheckout",
  Effect.fnUntraced(function* (handlers) {
    const completion = yield* Completion
    return handlers.handleAll({
      complete: ({ params, payload }) =>
        Effect.flatMap(admin, ({ store, access }) => completion.complete(store, access, params.checkoutId, payload))
    })
  })
)

export const checkoutEndpoints = Layer.mergeAll(checkout, adminCheckout)
