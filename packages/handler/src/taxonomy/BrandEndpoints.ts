import { Brands } from "@effect-commerce/core/taxonomy/Brands"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { BrandsGroup } from "./BrandApi.ts"

export const brandEndpoints = endpointsOf(
  BrandsGroup,
  Effect.fnUntraced(function* (handlers) {
    const brands = yield* Brands
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        paged(query, (page) =>
          brands.list(store, page, {
            search: blankAsAbsent(query.search),
            platform: blankAsAbsent(query.platform)
          })
        )
      ),
      create: asAdmin(({ store }, { payload }) => brands.create(store, payload)),
      get: asAdmin(({ store }, { params }) => brands.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => brands.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(brands.remove(store, params.id)))
    })
  })
)
