/**
 * The tax classes of a store beside the implicit Standard class. A class that rates or products name cannot be deleted.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { blankProblem, longProblem } from "../kernel/FieldErrors.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import { type NewTaxClass, type TaxClassChanges, toTaxClass, taxClassBound } from "./TaxClass.ts"
import { TaxClassRepository } from "./TaxClassRepository.ts"
import { TaxClassInUse, TaxClassNotFound } from "./TaxErrors.ts"

export class TaxClasses extends Context.Service<TaxClasses>()("@effect-commerce/core/tax/TaxClasses", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* TaxClassRepository
    const stores = yield* Stores

    const find = (storeId: string, id: string) =>
      orFail(repository.find(storeId, id), () => new TaxClassNotFound({ id }))

    /** Names are unique within the store. */
    const create = Effect.fn("TaxClasses.create")(function* (store: StoreContext, { name }: NewTaxClass) {
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const row = { id: makeId("taxclass", now), name: yield* checkedName(name), createdAt: at, updatedAt: at }
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* checkRoom(taxClassBound, yield* repository.countToAdd(store.id))
          yield* repository.insert(store.id, row)
        })
      )
      return toTaxClass(store, row)
    })

    const update = Effect.fn("TaxClasses.update")(function* (
      store: StoreContext,
      id: string,
      changes: TaxClassChanges
    ) {
      const now = yield* Clock.currentTimeMillis
      const row = yield* database.write(store.id)(
        Effect.gen(function* () {
          const current = yield* orFail(repository.findLocked(store.id, id), () => new TaxClassNotFound({ id }))
          const renamed = {
            ...current,
            name: yield* checkedName(changes.name ?? current.name),
            updatedAt: nextVersion(current.updatedAt, now)
          }
          yield* repository.rename(store.id, renamed)
          return renamed
        })
      )
      return toTaxClass(store, row)
    })

    const remove = Effect.fn("TaxClasses.remove")(function* (store: StoreContext, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          // Locks out every other writer of the store's rates, so that none can start to name the class after this
          // check.
          yield* stores.bumpRules(store)
          if (yield* repository.hasRates(store.id, id)) return yield* new TaxClassInUse({ id, by: "rates" })
          if (!(yield* repository.remove(store.id, id))) return yield* new TaxClassNotFound({ id })
        })
      )
    })

    return {
      list: (store: StoreContext, page: Page) =>
        Effect.map(repository.list(store.id, page), ({ items, total }) => ({
          items: items.map((row) => toTaxClass(store, row)),
          total
        })),
      get: (store: StoreContext, id: string) => Effect.map(find(store.id, id), (row) => toTaxClass(store, row)),
      create,
      update,
      remove,
      /** Those of the ids that are tax classes of the store. */
      existing: (store: StoreContext, ids: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>> =>
        ids.length === 0 ? Effect.succeed(new Set()) : repository.existing(store.id, ids)
    }
  })
}) {
  static readonly layer = Layer.effect(TaxClasses, TaxClasses.make).pipe(Layer.provide(TaxClassRepository.layer))
}

const longestName = 200

const checkedName = (name: string): Effect.Effect<string, FieldRejected> => {
  const reason = blankProblem(name) ?? longProblem(name, longestName)
  return reason === undefined ? Effect.succeed(name.trim()) : FieldRejected.at("name", reason)
}
