/**
 * The tax rates of a store, and the matcher compiled from them. Every write raises the store's rules version in its
 * transaction and does so first: the store's row then serialises the writers, and a version always names one state of
 * the rates.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { compiledRules } from "../store/compiledRules.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Regions } from "../store/Regions.ts"
import { Stores } from "../store/Stores.ts"
import { TaxClassRepository } from "./TaxClassRepository.ts"
import { TaxRateNotFound, TaxRateRejected } from "./TaxErrors.ts"
import { compileTaxRates, type TaxMatcher } from "./TaxMatcher.ts"
import {
  blankTaxRate,
  changeTaxRate,
  type NewTaxRate,
  type TaxRateChanges,
  type TaxRateState,
  toTaxRate
} from "./TaxRate.ts"
import { TaxRateRepository } from "./TaxRateRepository.ts"

/** The rates of one store in one state. */
export interface CompiledTaxes extends TaxMatcher {
  /** The version of the store's rules. */
  readonly version: bigint
}

/** The most rates of one store: they are compiled as a whole. */
export const mostTaxRates = 10_000

export class TaxRates extends Context.Service<TaxRates>()("@effect-commerce/core/tax/TaxRates", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* TaxRateRepository
    const classes = yield* TaxClassRepository
    const stores = yield* Stores
    const regions = yield* Regions

    /** The matcher of the store's rates at `rulesVersion` or later. An unknown store has no rates. */
    const matcher = compiledRules({
      read: repository.readRules,
      compile: ({ rates, rulesVersion }): CompiledTaxes => ({ ...compileTaxRates(rates), version: rulesVersion }),
      none: (version) => ({ ...compileTaxRates([]), version })
    })

    const find = (storeId: string, id: string): Effect.Effect<TaxRateState, TaxRateNotFound> =>
      orFail(repository.find(storeId, id), () => new TaxRateNotFound({ id }))

    /** Called after the rules version was raised, which keeps the class from being deleted meanwhile. */
    const changed = Effect.fnUntraced(function* (
      storeId: string,
      current: TaxRateState,
      changes: TaxRateChanges,
      at: Date
    ) {
      const { taxClassId } = changes
      const isKnown = typeof taxClassId !== "string" || (yield* classes.find(storeId, taxClassId)) !== undefined
      const rate = changeTaxRate(current, changes, at)
      if (Result.isSuccess(rate) && isKnown) return rate.success
      const unknown = isKnown ? {} : { taxClassId: "is not a tax class of this store" }
      return yield* new TaxRateRejected({ errors: { ...(Result.isFailure(rate) ? rate.failure : {}), ...unknown } })
    })

    const create = Effect.fn("TaxRates.create")(function* (store: StoreContext, input: NewTaxRate) {
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const rate = yield* database.write(store.id)(
        Effect.gen(function* () {
          // Locks out every other writer of the store's rates, so that two cannot both take the last place.
          const { priceIncludesTax } = yield* stores.bumpRules(store)
          const count = yield* repository.count(store.id)
          if (count >= mostTaxRates)
            return yield* new TaxRateRejected({
              errors: { rates: `this store has ${count} tax rates, which is the most` }
            })
          const isInclusive = (yield* regions.taxInclusiveIn(store.id, input.country)) ?? priceIncludesTax
          const made = yield* changed(store.id, blankTaxRate(makeId("tax", now), at, isInclusive), input, at)
          yield* repository.insert(store.id, made)
          return made
        })
      )
      return toTaxRate(store, rate)
    })

    const update = Effect.fn("TaxRates.update")(function* (store: StoreContext, id: string, changes: TaxRateChanges) {
      const now = yield* Clock.currentTimeMillis
      const rate = yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          const merged = yield* changed(store.id, yield* find(store.id, id), changes, new Date(now))
          yield* repository.update(store.id, merged)
          return merged
        })
      )
      return toTaxRate(store, rate)
    })

    /** Deletes the rate for good; orders keep their own copy of what was charged. */
    const remove = Effect.fn("TaxRates.remove")(function* (store: StoreContext, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          if (!(yield* repository.remove(store.id, id))) return yield* new TaxRateNotFound({ id })
        })
      )
    })

    return {
      /** All rates, oldest first. */
      list: (store: StoreContext) =>
        Effect.map(repository.list(store.id), (rates) => rates.map((rate) => toTaxRate(store, rate))),
      get: (store: StoreContext, id: string) => Effect.map(find(store.id, id), (rate) => toTaxRate(store, rate)),
      create,
      update,
      remove,
      matcher
    }
  })
}) {
  static readonly layer = Layer.effect(TaxRates, TaxRates.make).pipe(
    Layer.provide([TaxRateRepository.layer, TaxClassRepository.layer])
  )
}
