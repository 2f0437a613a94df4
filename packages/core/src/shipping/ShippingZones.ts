/**
 * The shipping zones of a store, and the evaluator compiled from them. Every write raises the store's rules version in
 * its transaction and does so first: the store's row then serialises the writers, and a version always names one state
 * of the zones.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { Regions } from "../store/Regions.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { compiledRules } from "../store/compiledRules.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { type CompiledZones, compileServedZones } from "./ServedZone.ts"
import { zoneBounds } from "../zone/ZoneBounds.ts"
import { ShippingZoneNotFound, ShippingZoneRejected } from "./ShippingErrors.ts"
import {
  blankShippingZone,
  changeShippingZone,
  type NewShippingZone,
  type ShippingZoneChanges,
  type ShippingZoneState,
  toShippingZone,
  touchesCoverage,
  type ZoneFilter,
  type ZoneReferences
} from "./ShippingZone.ts"
import { coverageSizeOf } from "../zone/ZoneCoverage.ts"
import { ShippingZoneRepository } from "./ShippingZoneRepository.ts"

export class ShippingZones extends Context.Service<ShippingZones>()("@effect-commerce/core/shipping/ShippingZones", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ShippingZoneRepository
    const stores = yield* Stores
    const channels = yield* SalesChannels
    const regions = yield* Regions

    /** The store's zones at `rulesVersion` or later, to be matched and quoted. An unknown store has no zones. */
    const compiled = compiledRules({
      read: repository.readRules,
      compile: ({ zones, currency, rulesVersion }): CompiledZones => compileServedZones(zones, currency, rulesVersion),
      none: (rulesVersion) => compileServedZones([], "", rulesVersion)
    })

    const find = (storeId: string, id: string): Effect.Effect<ShippingZoneState, ShippingZoneNotFound> =>
      orFail(repository.findZone(storeId, id), () => new ShippingZoneNotFound({ id }))

    const referencesOf = Effect.fnUntraced(function* (storeId: string, changes: ShippingZoneChanges) {
      const { salesChannelIds, regionIds } = changes
      const known = (salesChannelIds ?? []).length === 0 ? [] : yield* channels.list(storeId)
      const references: ZoneReferences = {
        salesChannelIds: new Set(known.map((channel) => channel.id)),
        regionIds:
          regionIds === undefined || regionIds === null || regionIds.length === 0
            ? new Set()
            : yield* regions.existing(storeId, regionIds)
      }
      return references
    })

    const changed = Effect.fnUntraced(function* (
      current: ShippingZoneState,
      changes: ShippingZoneChanges,
      storeId: string
    ) {
      const now = yield* Clock.currentTimeMillis
      const references = yield* referencesOf(storeId, changes)
      return yield* Effect.mapError(
        Effect.fromResult(changeShippingZone(current, changes, references, new Date(now))),
        (errors) => new ShippingZoneRejected({ errors })
      )
    })

    /**
     * Called after raising the version has locked the store's row, so that two writers cannot both use the same room.
     */
    const checkRoom = Effect.fnUntraced(function* (storeId: string, zone: ShippingZoneState, isNew: boolean) {
      const size = coverageSizeOf(zone)
      const others = yield* repository.sizeOfOthers(storeId, zone.id)
      const crowded = (field: string, own: number, theirs: number, most: number, unit: string) =>
        own > 0 && own + theirs > most
          ? { [field]: `has ${own} ${unit}; the zones of this store would have ${own + theirs}, more than ${most}` }
          : {}
      const errors = {
        ...(isNew && others.zones >= zoneBounds.zones
          ? { zones: `this store has ${others.zones} zones, which is the most` }
          : {}),
        ...crowded("geometry", size.points, others.points, zoneBounds.pointsOfStore, "points"),
        ...crowded("regions", size.regions, others.regions, zoneBounds.regionsOfStore, "entries"),
        ...crowded("postalCodes", size.postalCodes, others.postalCodes, zoneBounds.postalCodesOfStore, "entries")
      }
      if (Object.keys(errors).length > 0) return yield* new ShippingZoneRejected({ errors })
    })

    const create = Effect.fn("ShippingZones.create")(function* (store: StoreContext, input: NewShippingZone) {
      const now = yield* Clock.currentTimeMillis
      const blank = blankShippingZone(makeId("zone", now), new Date(now))
      const { zone, warnings } = yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          const made = yield* changed(blank, input, store.id)
          yield* checkRoom(store.id, made.zone, true)
          yield* repository.insertZone(store.id, made.zone)
          return made
        })
      )
      return toShippingZone(store, zone, warnings)
    })

    const update = Effect.fn("ShippingZones.update")(function* (
      store: StoreContext,
      id: string,
      changes: ShippingZoneChanges
    ) {
      const { zone, warnings } = yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          const merged = yield* changed(yield* find(store.id, id), changes, store.id)
          if (touchesCoverage(changes)) yield* checkRoom(store.id, merged.zone, false)
          yield* repository.updateZone(store.id, merged.zone)
          return merged
        })
      )
      return toShippingZone(store, zone, warnings)
    })

    /** Removes the zone with its rates, which open checkouts can then no longer choose. */
    const remove = Effect.fn("ShippingZones.remove")(function* (store: StoreContext, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          if (!(yield* repository.removeZone(store.id, id))) return yield* new ShippingZoneNotFound({ id })
        })
      )
    })

    return {
      /** The zones with their rates. */
      list: (store: StoreContext, filter: ZoneFilter, page: Page) =>
        mapItems(repository.listZones(store.id, filter, page), (zone) => toShippingZone(store, zone)),
      get: (store: StoreContext, id: string) => Effect.map(find(store.id, id), (zone) => toShippingZone(store, zone)),
      create,
      update,
      remove,
      compiled
    }
  })
}) {
  static readonly layer = Layer.effect(ShippingZones, ShippingZones.make).pipe(
    Layer.provide(ShippingZoneRepository.layer)
  )
}
