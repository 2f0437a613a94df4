import { ModifierGroups } from "@effect-commerce/core/modifier/ModifierGroups"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { ModifierGroupsGroup } from "./ModifierGroupApi.ts"

export const modifierGroupEndpoints = endpointsOf(
  ModifierGroupsGroup,
  Effect.fnUntraced(function* (handlers) {
    const groups = yield* ModifierGroups
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => groups.list(store, query.search, page))),
      create: asAdmin(({ store }, { payload }) => groups.create(store, payload)),
      get: asAdmin(({ store }, { params }) => groups.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => groups.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(groups.remove(store, params.id)))
    })
  })
)
