import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { Loyalty } from "@effect-commerce/core/loyalty/Loyalty"
import { LoyaltyPrograms } from "@effect-commerce/core/loyalty/LoyaltyPrograms"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged } from "../middleware/Responses.ts"
import { asAdmin, asCustomer, onChannel } from "../middleware/Surfaces.ts"
import { LoyaltyGroup, StorefrontLoyaltyGroup } from "./LoyaltyApi.ts"

const admin = endpointsOf(
  LoyaltyGroup,
  Effect.fnUntraced(function* (handlers) {
    const loyalty = yield* Loyalty
    const programs = yield* LoyaltyPrograms
    return handlers.handleAll({
      program: asAdmin(({ store }) => programs.get(store)),
      setProgram: asAdmin(({ store }, { payload }) => programs.put(store, payload)),
      account: asAdmin(({ store }, { params }) => loyalty.get(store, params.customerId)),
      transactions: asAdmin(({ store }, { params, query }) =>
        paged(query, (page) => loyalty.transactions(store, params.customerId, page))
      ),
      adjust: asAdmin(({ store }, { params, payload }) => loyalty.adjust(store, params.customerId, payload))
    })
  })
)

const storefront = endpointsOf(
  StorefrontLoyaltyGroup,
  Effect.fnUntraced(function* (handlers) {
    const loyalty = yield* Loyalty
    const checkouts = yield* Checkouts
    return handlers.handleAll({
      mine: asCustomer(({ store, customer }) => loyalty.mine(store, customer.id)),
      redeem: onChannel(({ store, access }, { params, payload }) =>
        checkouts.redeemPoints(store, access, params.checkoutId, payload.points)
      ),
      removePoints: onChannel(({ store, access }, { params }) =>
        checkouts.removePoints(store, access, params.checkoutId)
      )
    })
  })
)

export const loyaltyEndpoints = Layer.merge(admin, storefront)
