/** The rates of a store's shipping zones. A write raises the store's rules version first, as in ShippingZones.ts. */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { Database } from "../database/Database.ts"
import { problemsOf } from "../kernel/FieldErrors.ts"
import { makeId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { ShippingClassRepository } from "./ShippingClassRepository.ts"
import { rateBounds } from "./RateBounds.ts"
import { ShippingRateNotFound, ShippingRateRejected } from "./ShippingErrors.ts"
import {
  blankShippingRate,
  changeShippingRate,
  type NewShippingRate,
  type ShippingRateChanges,
  type ShippingRateState,
  toShippingRate
} from "./ShippingRate.ts"
import { ShippingZoneRepository } from "./ShippingZoneRepository.ts"

/** A rate within its zone. */
interface RateAt {
  readonly zoneId: string
  readonly rateId: string
}

export class ShippingRates extends Context.Service<ShippingRates>()("@effect-commerce/core/shipping/ShippingRates", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ShippingZoneRepository
    const classes = yield* ShippingClassRepository
    const stores = yield* Stores

    /** Finds costs of classes that the store does not have: they would never be charged. */
    const unknownClasses = Effect.fnUntraced(function* (storeId: string, { classCosts }: ShippingRateChanges) {
      const asked = Object.keys(classCosts ?? {})
      // Too many are rejected elsewhere, for their number.
      if (asked.length === 0 || asked.length > rateBounds.classCosts) return {}
      const known = yield* classes.existing(storeId, asked)
      return problemsOf(
        Object.fromEntries(
          asked.map((id) => [`classCosts.${id}`, known.has(id) ? undefined : "is not a shipping class of this store"])
        )
      )
    })

    const changed = Effect.fnUntraced(function* (
      { id, currency }: Pick<StoreContext, "id" | "currency">,
      current: ShippingRateState,
      changes: ShippingRateChanges,
      at: Date
    ) {
      const unknown = yield* unknownClasses(id, changes)
      const rate = changeShippingRate(current, changes, currency, at)
      const errors = { ...(Result.isFailure(rate) ? rate.failure : {}), ...unknown }
      if (Result.isSuccess(rate) && Object.keys(errors).length === 0) return rate.success
      return yield* new ShippingRateRejected({ errors })
    })

    /**
     * Called after raising the version has locked the store's row, so that two writers cannot both take the last place.
     */
    const checkRoom = Effect.fnUntraced(function* (storeId: string, zoneId: string) {
      const made = yield* repository.countRates(storeId, zoneId)
      const full = (owner: string, count: number) =>
        new ShippingRateRejected({ errors: { rates: `this ${owner} has ${count} rates, which is the most` } })
      if (made.zone >= rateBounds.ratesOfZone) return yield* full("zone", made.zone)
      if (made.store >= rateBounds.ratesOfStore) return yield* full("store", made.store)
    })

    const create = Effect.fn("ShippingRates.create")(function* (
      store: StoreContext,
      zoneId: string,
      input: NewShippingRate
    ) {
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const blank = blankShippingRate(makeId("shiprate", now), zoneId, input.type, at)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const { currency } = yield* stores.bumpRules(store)
          yield* checkRoom(store.id, zoneId)
          const rate = yield* changed(
            { id: store.id, currency },
            blank,
            { ...input, rateConfig: input.rateConfig ?? {} },
            at
          )
          yield* repository.insertRate(store.id, rate)
          return toShippingRate(rate, currency)
        })
      )
    })

    /** A change of `type` needs a `rateConfig` of the new type, unless the stored one is also valid for that type. */
    const update = Effect.fn("ShippingRates.update")(function* (
      store: StoreContext,
      { zoneId, rateId }: RateAt,
      changes: ShippingRateChanges
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const { currency } = yield* stores.bumpRules(store)
          const current = yield* repository.findRate(store.id, zoneId, rateId)
          if (current === undefined) return yield* new ShippingRateNotFound({ id: rateId })
          const merged = yield* changed({ id: store.id, currency }, current, changes, new Date(now))
          yield* repository.updateRate(store.id, merged)
          return toShippingRate(merged, currency)
        })
      )
    })

    const remove = Effect.fn("ShippingRates.remove")(function* (store: StoreContext, { zoneId, rateId }: RateAt) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          if (!(yield* repository.removeRate(store.id, zoneId, rateId)))
            return yield* new ShippingRateNotFound({ id: rateId })
        })
      )
    })

    return {
      create,
      update,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(ShippingRates, ShippingRates.make).pipe(
    Layer.provide([ShippingZoneRepository.layer, ShippingClassRepository.layer])
  )
}
