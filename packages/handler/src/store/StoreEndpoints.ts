import { pageOf, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import type { StoreView } from "./StoreApi.ts"
import { SalesChannelsGroup, StoreGroup } from "./StoreApi.ts"

const toView = (store: StoreContext): StoreView => {
  const {
    suspended: _suspended,
    createdAt: _createdAt,
    rulesVersion: _rulesVersion,
    reservationStrategy: strategy,
    reservationMinutes: minutes,
    updatedAt,
    ...settings
  } = store
  return { ...settings, updatedAt: updatedAt.toISOString(), connectedPlatforms: [], reservation: { strategy, minutes } }
}

const store = endpointsOf(
  StoreGroup,
  Effect.fnUntraced(function* (handlers) {
    const stores = yield* Stores
    return handlers.handleAll({
      get: asAdmin(({ store }) => Effect.succeed(toView(store))),
      update: asAdmin(({ store }, { payload: { reservation, ...settings } }) => {
        const strategy = reservation?.strategy === undefined ? {} : { reservationStrategy: reservation.strategy }
        const minutes = reservation?.minutes === undefined ? {} : { reservationMinutes: reservation.minutes }
        return Effect.map(stores.update(store, { ...settings, ...strategy, ...minutes }), toView)
      })
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
