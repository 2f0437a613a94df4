import { pageOf, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AdminCaller } from "../middleware/Callers.ts"
import type { StoreView } from "./StoreApi.ts"

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

const store = HttpApiBuilder.group(
  Api,
  "store",
  Effect.fnUntraced(function* (handlers) {
    const stores = yield* Stores
    return handlers.handleAll({
      get: () => Effect.map(AdminCaller, ({ store }) => toView(store)),
      update: ({ payload: { reservation, ...settings } }) =>
        Effect.flatMap(AdminCaller, ({ store }) => {
          const strategy = reservation?.strategy === undefined ? {} : { reservationStrategy: reservation.strategy }
          const minutes = reservation?.minutes === undefined ? {} : { reservationMinutes: reservation.minutes }
          return Effect.map(stores.update(store, { ...settings, ...strategy, ...minutes }), toView)
        })
    })
  })
)

const salesChannels = HttpApiBuilder.group(
  Api,
  "salesChannels",
  Effect.fnUntraced(function* (handlers) {
    const channels = yield* SalesChannels
    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.map(channels.list(store.id), (all) => toPageOf(pageOf(query), all))
        ),
      create: ({ payload }) => Effect.flatMap(AdminCaller, ({ store }) => channels.create(store.id, payload)),
      get: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => channels.get(store.id, params.id)),
      update: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => channels.update(store.id, params.id, payload)),
      remove: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.as(channels.remove(store.id, params.id), { success: true } as const)
        )
    })
  })
)

export const storeEndpoints = Layer.mergeAll(store, salesChannels)
