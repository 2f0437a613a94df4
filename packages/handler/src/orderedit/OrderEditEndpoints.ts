import { OrderEdits } from "@effect-commerce/core/orderedit/OrderEdits"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { OrderEditGroup } from "./OrderEditApi.ts"

export const orderEditEndpoints = endpointsOf(
  OrderEditGroup,
  Effect.fnUntraced(function* (handlers) {
    const edits = yield* OrderEdits
    return handlers.handleAll({
      update: asAdmin(({ store }, { params, payload }) => edits.update(store, params.id, payload)),
      changeStatus: asAdmin(({ store }, { params, payload }) => edits.changeStatus(store, params.id, payload)),
      addNote: asAdmin(({ store }, { params, payload }) => edits.addNote(store, params.id, payload)),
      history: asAdmin(({ store }, { params }) => edits.history(store, params.id))
    })
  })
)
