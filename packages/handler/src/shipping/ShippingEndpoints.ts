import { destinationsOf } from "@effect-commerce/core/zone/Destinations"
import { pickupLocationsOf } from "@effect-commerce/core/shipping/PickupLocation"
import { ShippingClasses } from "@effect-commerce/core/shipping/ShippingClasses"
import { ShippingRates } from "@effect-commerce/core/shipping/ShippingRates"
import { type ZoneFilter, type ZoneSort, zoneSorts } from "@effect-commerce/core/shipping/ShippingZone"
import { ShippingZones } from "@effect-commerce/core/shipping/ShippingZones"
import { defaultLanguage, type StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { ShippingClassesGroup, ShippingGroup, ShippingZonesGroup } from "./ShippingApi.ts"

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

const shippingZones = endpointsOf(
  ShippingZonesGroup,
  Effect.fnUntraced(function* (handlers) {
    const zones = yield* ShippingZones
    const rates = yield* ShippingRates
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => zones.list(store, filterOf(query), page))),
      create: asAdmin(({ store }, { payload }) => zones.create(store, payload)),
      get: asAdmin(({ store }, { params }) => zones.get(store, params.zoneId)),
      update: asAdmin(({ store }, { params, payload }) => zones.update(store, params.zoneId, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(zones.remove(store, params.zoneId))),
      createRate: asAdmin(({ store }, { params, payload }) => rates.create(store, params.zoneId, payload)),
      updateRate: asAdmin(({ store }, { params, payload }) => rates.update(store, params, payload)),
      removeRate: asAdmin(({ store }, { params }) => succeed(rates.remove(store, params)))
    })
  })
)

const shippingClasses = endpointsOf(
  ShippingClassesGroup,
  Effect.fnUntraced(function* (handlers) {
    const classes = yield* ShippingClasses
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => classes.list(store, page))),
      create: asAdmin(({ store }, { payload }) => classes.create(store, payload)),
      get: asAdmin(({ store }, { params }) => classes.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => classes.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(classes.remove(store, params.id)))
    })
  })
)

const shipping = endpointsOf(
  ShippingGroup,
  Effect.fnUntraced(function* (handlers) {
    const zones = yield* ShippingZones
    const stores = yield* Stores
    /** These routes read nothing else that has the version of the rules, so they read the store again. */
    const compiled = Effect.fnUntraced(function* (known: StoreContext) {
      const store = yield* stores.fresh(known)
      return { store, ...(yield* zones.compiled(store.id, store.rulesVersion)) }
    })
    return handlers.handleAll({
      destinations: onChannel(({ store: known, channel }) =>
        Effect.map(compiled(known), ({ store, zones }) => destinationsOf(zones, channel.id, defaultLanguage(store)))
      ),
      pickupLocations: onChannel(({ store: known, channel }) =>
        Effect.map(compiled(known), ({ store, zones }) => ({
          pickupLocations: pickupLocationsOf(zones, channel.id, store.currency)
        }))
      )
    })
  })
)

export const shippingEndpoints = Layer.mergeAll(shippingZones, shippingClasses, shipping)
