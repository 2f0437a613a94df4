import { CheckoutFields } from "@effect-commerce/core/checkoutfield/CheckoutFields"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { CheckoutFieldsGroup } from "./CheckoutFieldApi.ts"

export const checkoutFieldEndpoints = endpointsOf(
  CheckoutFieldsGroup,
  Effect.fnUntraced(function* (handlers) {
    const fields = yield* CheckoutFields
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => fields.list(store, page))),
      create: asAdmin(({ store }, { payload }) => fields.create(store, payload)),
      get: asAdmin(({ store }, { params }) => fields.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => fields.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(fields.remove(store, params.id)))
    })
  })
)
