import { ModifierGroups } from "@effect-commerce/core/modifier/ModifierGroups"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"

export const modifierGroupEndpoints = HttpApiBuilder.group(
  Api,
  "modifierGroups",
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
