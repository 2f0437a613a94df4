import { OrderCancellations } from "@effect-commerce/core/cancellation/OrderCancellations"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { CancellationGroup } from "./CancellationApi.ts"

export const cancellationEndpoints = endpointsOf(
  CancellationGroup,
  Effect.fnUntraced(function* (handlers) {
    const cancellations = yield* OrderCancellations
    return handlers.handleAll({
      cancel: asAdmin(({ store }, { params, payload }) => cancellations.cancel(store, params.id, payload))
    })
  })
)
