import { BundleOffers } from "@effect-commerce/core/offer/BundleOffers"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { BundleOffersGroup } from "./OfferApi.ts"

export const offerEndpoints = endpointsOf(
  BundleOffersGroup,
  Effect.fnUntraced(function* (handlers) {
    const offers = yield* BundleOffers
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        paged(query, (page) =>
          offers.list(store, page, {
            search: blankAsAbsent(query.search),
            kind: query.kind,
            triggerProductId: query.triggerProductId
          })
        )
      ),
      create: asAdmin(({ store }, { payload }) => offers.create(store, payload)),
      get: asAdmin(({ store }, { params }) => offers.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => offers.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(offers.remove(store, params.id)))
    })
  })
)
