/**
 * The modifier groups of a store. A group is one row that many products show: a change applies to all of them at once.
 * A group that a product has cannot be deleted; `status: draft` hides it everywhere.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { checkNamedIds } from "../kernel/NamedIds.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { ModifierGroupNotFound } from "./ModifierErrors.ts"
import { maxShownBytes, ProductChanges } from "../taxonomy/ProductChanges.ts"
import { makeLibraryCheck, type NamedPicture } from "../taxonomy/LibraryReferences.ts"
import type { ModifierGroupInput, ModifierGroupPatch } from "./ModifierGroup.ts"
import { ModifierGroupRepository } from "./ModifierGroupRepository.ts"
import { checkWeight, emptyGroup, groupFields, toModifierGroup, weightOf } from "./ModifierGroupRules.ts"
import { modifierGroupBound } from "./ModifierGroup.ts"

const picturesOf = ({ modifiers = [] }: ModifierGroupPatch): ReadonlyArray<NamedPicture> =>
  modifiers.map(({ image }, i) => [`modifiers.${i}.image`, image])

export class ModifierGroups extends Context.Service<ModifierGroups>()("@effect-commerce/core/modifier/ModifierGroups", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ModifierGroupRepository
    const products = yield* ProductChanges
    const { holdCurrency } = yield* Stores
    const checkFiles = makeLibraryCheck(yield* LibraryFiles)

    const notFound = (id: string) => () => new ModifierGroupNotFound({ id })

    /** Products that the body's modifiers refer to must belong to the store. */
    const checkReferenced = (storeId: string, { modifiers = [] }: ModifierGroupInput | ModifierGroupPatch) =>
      checkNamedIds(
        products,
        storeId,
        "product",
        modifiers.map(({ referencedProductId }, i) => [`modifiers.${i}.referencedProductId`, referencedProductId])
      )

    /** A group adds to the size of each product that has it. */
    const checkProducts = Effect.fnUntraced(function* (storeId: string, id: string) {
      const product = yield* repository.productAbove(storeId, id, maxShownBytes)
      if (product === undefined) return
      const reason = `would make the product ${product} larger than ${maxShownBytes} bytes as shoppers see it`
      return yield* FieldRejected.at("modifiers", reason)
    })

    const create = Effect.fn("ModifierGroups.create")(function* (seen: StoreContext, input: ModifierGroupInput) {
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const id = makeId("modgrp", now)
      return yield* database.write(seen.id)(
        Effect.gen(function* () {
          const pictures = yield* Effect.result(checkFiles(seen, picturesOf(input)))
          const store = yield* holdCurrency(seen)
          yield* checkRoom(modifierGroupBound, yield* repository.countToAdd(store.id))
          const { fields } = yield* checkAll({
            fields: groupFields(emptyGroup(input), input, { currency: store.currency, now }),
            pictures: Effect.fromResult(pictures),
            products: checkReferenced(store.id, input)
          })
          const group = toModifierGroup(store, { ...fields, id, createdAt: at, updatedAt: at })
          yield* checkWeight(group)
          yield* repository.insert(store.id, id, fields, at)
          return group
        })
      )
    })

    /** Modifiers that are not in the patch stay. */
    const update = Effect.fn("ModifierGroups.update")(function* (
      seen: StoreContext,
      id: string,
      patch: ModifierGroupPatch
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(seen.id)(
        Effect.gen(function* () {
          const pictures = yield* Effect.result(checkFiles(seen, picturesOf(patch)))
          const store = yield* holdCurrency(seen)
          const current = yield* orFail(repository.findLocked(store.id, id), notFound(id))
          const { fields } = yield* checkAll({
            fields: groupFields(current, patch, { currency: store.currency, now }),
            pictures: Effect.fromResult(pictures),
            products: checkReferenced(store.id, patch)
          })
          const changed = toModifierGroup(store, { ...current, ...fields })
          yield* checkWeight(changed)
          const updatedAt = yield* repository.update(store.id, id, fields, new Date(now))
          if (weightOf(changed) > weightOf(toModifierGroup(store, current))) yield* checkProducts(store.id, id)
          return toModifierGroup(store, { ...current, ...fields, updatedAt })
        })
      )
    })

    const remove = Effect.fn("ModifierGroups.remove")(function* (store: StoreContext, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          if (!(yield* repository.remove(store.id, id))) return yield* new ModifierGroupNotFound({ id })
        })
      )
    })

    return {
      /** The groups with these ids that the store has, for products that refer to them. */
      several: repository.several,
      /** By name; `search` is a part of the name or of the internal name. */
      list: (store: StoreContext, search: string | undefined, page: Page) =>
        mapItems(repository.list(store.id, search, page), (group) => toModifierGroup(store, group)),
      get: (store: StoreContext, id: string) =>
        Effect.map(orFail(repository.find(store.id, id), notFound(id)), (group) => toModifierGroup(store, group)),
      create,
      update,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(ModifierGroups, ModifierGroups.make).pipe(
    Layer.provide(ModifierGroupRepository.layer)
  )
}
