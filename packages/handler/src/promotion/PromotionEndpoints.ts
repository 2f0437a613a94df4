import { Promotions } from "@effect-commerce/core/promotion/Promotions"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { PromotionsGroup } from "./PromotionApi.ts"

export const promotionEndpoints = endpointsOf(
  PromotionsGroup,
  Effect.fnUntraced(function* (handlers) {
    const promotions = yield* Promotions
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => promotions.list(store, page))),
      create: asAdmin(({ store }, { payload }) => promotions.create(store, payload)),
      get: asAdmin(({ store }, { params }) => promotions.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => promotions.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(promotions.remove(store, params.id)))
    })
  })
)
