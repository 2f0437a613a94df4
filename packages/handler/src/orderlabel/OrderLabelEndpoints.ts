import { OrderLabels } from "@effect-commerce/core/orderlabel/OrderLabels"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { OrderLabelsGroup } from "./OrderLabelApi.ts"

export const orderLabelEndpoints = endpointsOf(
  OrderLabelsGroup,
  Effect.fnUntraced(function* (handlers) {
    const labels = yield* OrderLabels
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => labels.list(store, page))),
      create: asAdmin(({ store }, { payload }) => labels.create(store, payload)),
      get: asAdmin(({ store }, { params }) => labels.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => labels.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(labels.remove(store, params.id)))
    })
  })
)
