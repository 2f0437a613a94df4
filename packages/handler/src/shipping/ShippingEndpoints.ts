import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { destinationsOf } from "@effect-commerce/core/shipping/Destinations"
import { pickupLocationsOf } from "@effect-commerce/core/shipping/PickupLocation"
import { ShippingClasses } from "@effect-commerce/core/shipping/ShippingClasses"
import { ShippingRates } from "@effect-commerce/core/shipping/ShippingRates"
import { type ZoneFilter, type ZoneSort, zoneSorts } from "@effect-commerce/core/shipping/ShippingZone"
import { ShippingZones } from "@effect-commerce/core/shipping/ShippingZones"
import { defaultLanguage } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AdminCaller, ChannelCaller } from "../middleware/Callers.ts"

const done = { success: true } as const

interface ListQuery {
  readonly search?: string
  readonly isActive?: "true" | "false"
  readonly sortBy?: string
  readonly sortOrder?: string
}

/** An unknown `sortBy` leaves the default order. */
const filterOf = ({ search, isActive, sortBy, sortOrder }: ListQuery): ZoneFilter => {
  const by = zoneSorts.find((known): known is ZoneSort => known === sortBy)
  return {
    search,
    isActive: isActive === undefined ? undefined : isActive === "true",
    sort: by === undefined ? undefined : { by, descending: sortOrder === "desc" }
  }
}

const shippingZones = HttpApiBuilder.group(
  Api,
  "shippingZones",
  Effect.fnUntraced(function* (handlers) {
    const zones = yield* ShippingZones
    const rates = yield* ShippingRates
    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(AdminCaller, ({ store }) => {
          const page = pageOf(query)
          return Effect.map(zones.list(store, filterOf(query), page), (found) => toEnvelope(page, found))
        }),
      create: ({ payload }) => Effect.flatMap(AdminCaller, ({ store }) => zones.create(store, payload)),
      get: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => zones.get(store, params.zoneId)),
      update: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => zones.update(store, params.zoneId, payload)),
      remove: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) => Effect.as(zones.remove(store, params.zoneId), done)),
      createRate: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => rates.create(store, params.zoneId, payload)),
      updateRate: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => rates.update(store, params, payload)),
      removeRate: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) => Effect.as(rates.remove(store, params), done))
    })
  })
)

const shippingClasses = HttpApiBuilder.group(
  Api,
  "shippingClasses",
  Effect.fnUntraced(function* (handlers) {
    const classes = yield* ShippingClasses
    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.map(classes.list(store, pageOf(query)), (found) => toEnvelope(pageOf(query), found))
        ),
      create: ({ payload }) => Effect.flatMap(AdminCaller, ({ store }) => classes.create(store, payload)),
      get: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => classes.get(store, params.id)),
      update: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => classes.update(store, params.id, payload)),
      remove: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) => Effect.as(classes.remove(store, params.id), done))
    })
  })
)

const shipping = HttpApiBuilder.group(
  Api,
  "shipping",
  Effect.fnUntraced(function* (handlers) {
    const zones = yield* ShippingZones
    const stores = yield* Stores
    /** Nothing is read here that carries the version of the rules, so it is asked for. */
    const current = Effect.fnUntraced(function* () {
      const { store: known, channel } = yield* ChannelCaller
      const store = yield* stores.fresh(known)
      return { store, channel, ...(yield* zones.compiled(store.id, store.rulesVersion)) }
    })
    return handlers.handleAll({
      destinations: () =>
        Effect.map(current(), ({ store, channel, zones }) => destinationsOf(zones, channel.id, defaultLanguage(store))),
      pickupLocations: () =>
        Effect.map(current(), ({ store, channel, zones }) => ({
          pickupLocations: pickupLocationsOf(zones, channel.id, store.currency)
        }))
    })
  })
)

export const shippingEndpoints = Layer.mergeAll(shippingZones, shippingClasses, shipping)
