/** The shipping classes of a store. A class that products or the costs of a rate name cannot be deleted. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { checkSlug, slugOf } from "../kernel/Slug.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import {
  type NewShippingClass,
  type ShippingClassChanges,
  toShippingClass,
  shippingClassBound
} from "./ShippingClass.ts"
import { ShippingClassRepository } from "./ShippingClassRepository.ts"
import { ShippingClassNotFound } from "./ShippingErrors.ts"

export class ShippingClasses extends Context.Service<ShippingClasses>()(
  "@effect-commerce/core/shipping/ShippingClasses",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* ShippingClassRepository
      const stores = yield* Stores

      const notFound = (id: string) => () => new ShippingClassNotFound({ id })
      const find = (storeId: string, id: string) => orFail(repository.find(storeId, id), notFound(id))

      /** Names and slugs are unique within the store. */
      const create = Effect.fn("ShippingClasses.create")(function* (store: StoreContext, input: NewShippingClass) {
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const id = makeId("shipclass", now)
        const { name } = yield* checkAll({ name: checkedName(input.name), slug: checkSlug(input.slug) })
        const row = {
          id,
          name,
          slug: input.slug ?? slugOf(name, id.replaceAll("_", "-")),
          createdAt: at,
          updatedAt: at
        }
        yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* checkRoom(shippingClassBound, yield* repository.countToAdd(store.id))
            yield* repository.insert(store.id, row)
          })
        )
        return toShippingClass(store, row)
      })

      const update = Effect.fn("ShippingClasses.update")(function* (
        store: StoreContext,
        id: string,
        changes: ShippingClassChanges
      ) {
        const now = yield* Clock.currentTimeMillis
        const row = yield* database.write(store.id)(
          Effect.gen(function* () {
            const current = yield* orFail(repository.findLocked(store.id, id), notFound(id))
            const { name } = yield* checkAll({
              name: checkedName(changes.name ?? current.name),
              slug: checkSlug(changes.slug)
            })
            const slug = changes.slug === null ? slugOf(name, id.replaceAll("_", "-")) : (changes.slug ?? current.slug)
            const changed = { ...current, name, slug, updatedAt: nextVersion(current.updatedAt, now) }
            yield* repository.update(store.id, changed)
            return changed
          })
        )
        return toShippingClass(store, row)
      })

      const remove = Effect.fn("ShippingClasses.remove")(function* (store: StoreContext, id: string) {
        yield* database.write(store.id)(
          Effect.gen(function* () {
            // Locks out every other writer of the store's rates, so that none can start to name the class after this
            // check.
            yield* stores.bumpRules(store)
            if (!(yield* repository.remove(store.id, id))) return yield* new ShippingClassNotFound({ id })
          })
        )
      })

      return {
        list: (store: StoreContext, page: Page) =>
          mapItems(repository.list(store.id, page), (row) => toShippingClass(store, row)),
        get: (store: StoreContext, id: string) => Effect.map(find(store.id, id), (row) => toShippingClass(store, row)),
        create,
        update,
        remove
      }
    })
  }
) {
  static readonly layer = Layer.effect(ShippingClasses, ShippingClasses.make).pipe(
    Layer.provide(ShippingClassRepository.layer)
  )
}

const checkedName = (name: string): Effect.Effect<string, FieldRejected> =>
  name.trim() === "" ? FieldRejected.at("name", "must not be empty") : Effect.succeed(name.trim())
