/**
 * The metafield definitions of a store. Existing values are never converted: a change that would make a value
 * meaningless is an error while there are values. A write of a value locks the product first, then the definition; so a
 * definition is written without locking any product. The products it affects are marked stale by triggers, and
 * recomposed once the definition's lock is released: there can be more of them than a reader composes.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { ProductChanges } from "../taxonomy/ProductChanges.ts"
import {
  type MetafieldDefinitionInput,
  type MetafieldDefinitionPatch,
  toDefinitionView,
  toStorefrontDefinition
} from "./MetafieldDefinition.ts"
import { MetafieldDefinitionRepository } from "./MetafieldDefinitionRepository.ts"
import { MetafieldDefinitionNotFound, MetafieldInUse } from "./MetafieldErrors.ts"
import { changedDefinition, newDefinition } from "./MetafieldRules.ts"
import { checkBounds, checkMeaning, makeDefinitionChecks } from "./internal/definitionChecks.ts"
import { inLanguage } from "./ProductMetafield.ts"

/** The most products composed at once for filters after a definition becomes filterable; the worker does the others. */
const filteredAtOnce = 500

export class MetafieldDefinitions extends Context.Service<MetafieldDefinitions>()(
  "@effect-commerce/core/metafield/MetafieldDefinitions",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* MetafieldDefinitionRepository
      const products = yield* ProductChanges
      const check = yield* makeDefinitionChecks

      const notFound = (id: string) => () => new MetafieldDefinitionNotFound({ id })
      const get = (store: StoreContext, id: string) =>
        Effect.map(orFail(repository.find(store.id, id), notFound(id)), (state) => toDefinitionView(store, state))

      const create = Effect.fn("MetafieldDefinitions.create")(function* (
        store: StoreContext,
        input: MetafieldDefinitionInput
      ) {
        const now = yield* Clock.currentTimeMillis
        const id = makeId("mfdef", now)
        const { view, shown } = yield* database.write(store.id)(
          Effect.gen(function* () {
            const pictures = check.pictures(store, input)
            const fields = yield* check.body(store.id, input, { fields: newDefinition(input), pictures })
            yield* checkBounds(yield* repository.measured(store.id), fields)
            yield* repository.insert(store.id, id, fields, new Date(now))
            const shown = yield* repository.attach(store.id, id, input.productIds ?? [])
            return { view: yield* Effect.orDie(get(store, id)), shown }
          })
        )
        yield* products.rebuild(store, shown, now)
        return view
      })

      /**
       * `type` and `isCustomerInput` change only while no product has a value; a choice that a product has cannot be
       * removed, nor can the definition be detached from a product that has a value.
       */
      const update = Effect.fn("MetafieldDefinitions.update")(function* (
        store: StoreContext,
        id: string,
        patch: MetafieldDefinitionPatch
      ) {
        const now = yield* Clock.currentTimeMillis
        const { view, shown } = yield* database.write(store.id)(
          Effect.gen(function* () {
            const pictures = yield* Effect.result(check.pictures(store, patch))
            // Locked before the definition, in the same order as when one is created.
            const measured = yield* repository.measured(store.id)
            const current = yield* orFail(repository.findLocked(store.id, id), notFound(id))
            yield* checkVersion(current.updatedAt)
            yield* checkMeaning(current, patch)
            const fields = yield* check.body(store.id, patch, {
              fields: changedDefinition(current, patch),
              pictures: Effect.fromResult(pictures)
            })
            yield* checkBounds(measured, fields, current)
            const attached = fields.appliesToAllProducts
              ? []
              : (patch.productIds ?? current.products.map((product) => product.id))
            yield* check.values(store.id, current, fields, attached)
            yield* repository.update(store.id, id, fields, new Date(now))
            const isAttaching = patch.productIds !== undefined || fields.appliesToAllProducts
            const moved = isAttaching ? yield* repository.attach(store.id, id, attached) : []
            const isNewFilter = fields.filterable && !current.filterable
            const found = isNewFilter ? yield* repository.productsWith(store.id, id, filteredAtOnce) : []
            return { view: yield* Effect.orDie(get(store, id)), shown: [...moved, ...found] }
          })
        )
        yield* products.rebuild(store, shown, now)
        return view
      })

      /** With `force` also where products have values, which are deleted with it. */
      const remove = Effect.fn("MetafieldDefinitions.remove")(function* (
        store: StoreContext,
        id: string,
        force: boolean
      ) {
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const { valueCount, updatedAt } = yield* orFail(repository.findLocked(store.id, id), notFound(id))
            yield* checkVersion(updatedAt)
            if (valueCount > 0 && !force) return yield* new MetafieldInUse({ field: "definition", valueCount })
            yield* repository.remove(store.id, id)
          })
        )
      })

      return {
        create,
        update,
        remove,
        get,
        list: (store: StoreContext) =>
          Effect.map(repository.list(store.id), (all) => all.map((state) => toDefinitionView(store, state))),
        /** The active definitions, each in the first of `languages` that it is translated into. */
        forStorefront: (store: StoreContext, languages: ReadonlyArray<string>) =>
          Effect.map(repository.active(store.id), (all) =>
            all.map((definition) => toStorefrontDefinition(inLanguage(definition, languages, defaultLanguage(store))))
          ),
        /** Ids of definitions by their keys. */
        idsByKey: (store: StoreContext, keys: ReadonlyArray<string>) => repository.idsByKey(store.id, keys)
      }
    })
  }
) {
  static readonly layer = Layer.effect(MetafieldDefinitions, MetafieldDefinitions.make).pipe(
    Layer.provide(MetafieldDefinitionRepository.layer)
  )
}
