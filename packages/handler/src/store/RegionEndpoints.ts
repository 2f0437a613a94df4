import { Regions } from "@effect-commerce/core/store/Regions"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { RegionsGroup, StorefrontRegionsGroup } from "./RegionApi.ts"

const regions = endpointsOf(
  RegionsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Regions
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => useCases.list(store, page))),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      get: asAdmin(({ store }, { params }) => useCases.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(useCases.remove(store, params.id))),
      compatibleProviders: asAdmin(({ store }, { params }) => useCases.compatibleProviders(store, params.id))
    })
  })
)

const storefront = endpointsOf(
  StorefrontRegionsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Regions
    return handlers.handleAll({
      list: onChannel(({ store }, { query }) => paged(query, (page) => useCases.shown(store, page)))
    })
  })
)

export const regionEndpoints = Layer.merge(regions, storefront)
