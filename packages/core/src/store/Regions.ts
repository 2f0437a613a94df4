/**
 * The regions of a store. Each write locks the store's row first, so that writers take turns and nothing can start to
 * reference a region that is being deleted.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import {
  blankRegion,
  changeRegion,
  compatibleWith,
  type RegionFields,
  type RegionInput,
  type RegionPatch,
  toRegionView,
  toStorefrontRegion,
  regionBound
} from "./Region.ts"
import { RegionRepository } from "./RegionRepository.ts"
import { checkRoom } from "./StoreBounds.ts"
import type { StoreContext } from "./StoreContext.ts"
import { RegionCountriesTaken, RegionIsDefault, RegionNamed, RegionNotFound } from "./StoreErrors.ts"
import { Stores } from "./Stores.ts"

export class Regions extends Context.Service<Regions>()("@effect-commerce/core/store/Regions", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* RegionRepository
    const stores = yield* Stores

    const find = (storeId: string, id: string) => orFail(repository.find(storeId, id), () => new RegionNotFound({ id }))
    const read = (store: StoreContext, id: string) =>
      Effect.map(find(store.id, id), (region) => toRegionView(store.id, region))

    const claim = Effect.fnUntraced(function* (storeId: string, id: string, { isActive, countries }: RegionFields) {
      const taken = yield* repository.claim(storeId, id, isActive ? countries : [])
      if (taken.length > 0) return yield* new RegionCountriesTaken({ countries: taken })
    })

    const create = Effect.fn("Regions.create")(function* (known: StoreContext, input: RegionInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("region", now)
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* stores.bumpRules(known)
          yield* checkRoom(regionBound, yield* repository.count(store.id))
          const fields = yield* changeRegion(blankRegion(store), input, yield* repository.providers(store.id))
          const made = yield* repository.insert(store.id, id, fields, new Date(now))
          yield* claim(store.id, id, fields)
          return toRegionView(store.id, made)
        })
      )
    })

    const update = Effect.fn("Regions.update")(function* (store: StoreContext, id: string, patch: RegionPatch) {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          const fields = yield* changeRegion(yield* find(store.id, id), patch, yield* repository.providers(store.id))
          const changed = yield* repository.update(store.id, id, fields, now)
          yield* claim(store.id, id, fields)
          return toRegionView(store.id, changed)
        })
      )
    })

    const remove = Effect.fn("Regions.remove")(function* (store: StoreContext, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          const { isDefault } = yield* find(store.id, id)
          if (isDefault) return yield* new RegionIsDefault({ id })
          const zoneCount = yield* repository.countZones(store.id, id)
          if (zoneCount > 0) return yield* new RegionNamed({ id, zoneCount })
          yield* repository.remove(store.id, id)
        })
      )
    })

    /** Rejects the id of a region that a shopper cannot choose; null and undefined choose no region. */
    const checkChosen = (storeId: string, id: string | null | undefined): Effect.Effect<void, FieldRejected> =>
      id === undefined || id === null
        ? Effect.void
        : Effect.flatMap(repository.existing(storeId, [id], true), (known) =>
            known.has(id) ? Effect.void : FieldRejected.at("regionId", "is not a region of this store")
          )

    return {
      create,
      update,
      remove,
      get: read,
      /** The default region first, then by name. */
      list: (store: StoreContext, page: Page) =>
        Effect.map(repository.list(store.id, page, false), ({ items, total }) => ({
          items: items.map((region) => toRegionView(store.id, region)),
          total
        })),
      /** The active regions, for shoppers. */
      shown: (store: StoreContext, page: Page) =>
        Effect.map(repository.list(store.id, page, true), ({ items, total }) => ({
          items: items.map(toStorefrontRegion),
          total
        })),
      /** What serves the region: enabled payment providers of the store and installed apps, the oldest first. */
      compatibleProviders: Effect.fnUntraced(function* (store: StoreContext, id: string) {
        return compatibleWith(yield* find(store.id, id), yield* repository.providers(store.id))
      }),
      /** The given ids that are regions of the store, active or not. */
      existing: (storeId: string, ids: ReadonlyArray<string>) => repository.existing(storeId, ids, false),
      checkChosen,
      /** The default of `isInclusive` for new tax rates of a country, from its active region; undefined without one. */
      taxInclusiveIn: (storeId: string, country: string) =>
        Effect.map(repository.ofCountry(storeId, country), (region) => region?.taxInclusive)
    }
  })
}) {
  static readonly layer = Layer.effect(Regions, Regions.make).pipe(Layer.provide(RegionRepository.layer))
}
