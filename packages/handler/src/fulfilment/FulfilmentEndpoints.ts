import { OrderFulfilments } from "@effect-commerce/core/fulfilment/OrderFulfilments"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { FulfilmentGroup } from "./FulfilmentApi.ts"

export const fulfilmentEndpoints = endpointsOf(
  FulfilmentGroup,
  Effect.fnUntraced(function* (handlers) {
    const fulfilments = yield* OrderFulfilments
    return handlers.handleAll({
      fulfill: asAdmin(({ store }, { params, payload }) => fulfilments.fulfil(store, params.id, payload))
    })
  })
)
