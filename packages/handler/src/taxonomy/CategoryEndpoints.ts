import { Categories } from "@effect-commerce/core/taxonomy/Categories"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { CategoriesGroup } from "./CategoryApi.ts"

export const categoryEndpoints = endpointsOf(
  CategoriesGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Categories
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        paged(query, (page) =>
          useCases.list(store, page, {
            search: blankAsAbsent(query.search),
            platform: blankAsAbsent(query.platform)
          })
        )
      ),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      get: asAdmin(({ store }, { params }) => useCases.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params, query }) =>
        succeed(useCases.remove(store, params.id, query.children ?? "reparent"))
      )
    })
  })
)
