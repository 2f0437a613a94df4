import { FxRates } from "@effect-commerce/core/fx/FxRates"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { FxRatesGroup } from "./FxApi.ts"

export const fxEndpoints = endpointsOf(
  FxRatesGroup,
  Effect.fnUntraced(function* (handlers) {
    const rates = yield* FxRates
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => rates.list(store, page))),
      put: asAdmin(({ store }, { payload }) => rates.put(store, payload))
    })
  })
)
