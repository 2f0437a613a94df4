/** The shipping classes of a store. One that products or the costs of a rate name cannot be deleted. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page, PageOf } from "../kernel/Pagination.ts"
import { checkSlug, slugOf } from "../kernel/Slug.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import { type ShippingClass, toShippingClass, shippingClassBound } from "./ShippingClass.ts"
import { ShippingClassRepository } from "./ShippingClassRepository.ts"
import { type ShippingClassInUse, ShippingClassNotFound, type ShippingClassTaken } from "./ShippingErrors.ts"

/** Without a slug one is made of the name. */
export interface ShippingClassChanges {
  readonly name?: string | undefined
  readonly slug?: string | null | undefined
}

export interface ShippingClassesMethods {
  readonly list: (store: StoreContext, page: Page) => Effect.Effect<PageOf<ShippingClass>>
  readonly get: (store: StoreContext, id: string) => Effect.Effect<ShippingClass, ShippingClassNotFound>
  /** Names and slugs are unique within the store. */
  readonly create: (
    store: StoreContext,
    input: ShippingClassChanges & { readonly name: string }
  ) => Effect.Effect<ShippingClass, ShippingClassTaken | FieldRejected>
  readonly update: (
    store: StoreContext,
    id: string,
    changes: ShippingClassChanges
  ) => Effect.Effect<ShippingClass, ShippingClassNotFound | ShippingClassTaken | FieldRejected>
  readonly remove: (store: StoreContext, id: string) => Effect.Effect<void, ShippingClassNotFound | ShippingClassInUse>
}

export class ShippingClasses extends Context.Service<ShippingClasses, ShippingClassesMethods>()(
  "@effect-commerce/core/shipping/ShippingClasses"
) {
  static readonly layer = Layer.effect(
    ShippingClasses,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* ShippingClassRepository
      const stores = yield* Stores

      const notFound = (id: string) => () => new ShippingClassNotFound({ id })
      const find = (storeId: string, id: string) => orFail(repository.find(storeId, id), notFound(id))

      const create: ShippingClassesMethods["create"] = Effect.fn("ShippingClasses.create")(function* (store, input) {
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

      const update: ShippingClassesMethods["update"] = Effect.fn("ShippingClasses.update")(
        function* (store, id, changes) {
          const now = yield* Clock.currentTimeMillis
          const row = yield* database.write(store.id)(
            Effect.gen(function* () {
              const current = yield* orFail(repository.findLocked(store.id, id), notFound(id))
              const { name } = yield* checkAll({
                name: checkedName(changes.name ?? current.name),
                slug: checkSlug(changes.slug)
              })
              const slug =
                changes.slug === null ? slugOf(name, id.replaceAll("_", "-")) : (changes.slug ?? current.slug)
              const changed = { ...current, name, slug, updatedAt: nextVersion(current.updatedAt, now) }
              yield* repository.update(store.id, changed)
              return changed
            })
          )
          return toShippingClass(store, row)
        }
      )

      const remove = Effect.fn("ShippingClasses.remove")(function* (store: StoreContext, id: string) {
        yield* database.write(store.id)(
          Effect.gen(function* () {
            // Locks out every other writer of the store's rates, so that none can begin to name the class after the
            // look.
            yield* stores.bumpRules(store)
            if (!(yield* repository.remove(store.id, id))) return yield* new ShippingClassNotFound({ id })
          })
        )
      })

      return ShippingClasses.of({
        list: (store, page) =>
          Effect.map(repository.list(store.id, page), ({ items, total }) => ({
            items: items.map((row) => toShippingClass(store, row)),
            total
          })),
        get: (store, id) => Effect.map(find(store.id, id), (row) => toShippingClass(store, row)),
        create,
        update,
        remove
      })
    })
  ).pipe(Layer.provide(ShippingClassRepository.layer))
}

const checkedName = (name: string): Effect.Effect<string, FieldRejected> =>
  name.trim() === "" ? FieldRejected.at("name", "must not be empty") : Effect.succeed(name.trim())
