import { AppMappings } from "@effect-commerce/core/app/AppMappings"
import { pageOf, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { type StoreContext, toStore } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { SalesChannelsGroup, StoreGroup } from "./StoreApi.ts"

const store = endpointsOf(
  StoreGroup,
  Effect.fnUntraced(function* (handlers) {
    const stores = yield* Stores
    const mappings = yield* AppMappings
    const shown = (store: StoreContext) =>
      Effect.map(mappings.platforms(store.id), (platforms) => toStore(store, platforms))
    return handlers.handleAll({
      get: asAdmin(({ store }) => shown(store)),
      update: asAdmin(({ store }, { payload }) => Effect.flatMap(stores.update(store, payload), shown))
    })
  })
)

const salesChannels = endpointsOf(
  SalesChannelsGroup,
  Effect.fnUntraced(function* (handlers) {
    const channels = yield* SalesChannels
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        Effect.map(channels.list(store.id), (all) => toPageOf(pageOf(query), all))
      ),
      create: asAdmin(({ store }, { payload }) => channels.create(store.id, payload)),
      get: asAdmin(({ store }, { params }) => channels.get(store.id, params.id)),
      update: asAdmin(({ store }, { params, payload }) => channels.update(store.id, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(channels.remove(store.id, params.id)))
    })
  })
)

export const storeEndpoints = Layer.mergeAll(store, salesChannels)
