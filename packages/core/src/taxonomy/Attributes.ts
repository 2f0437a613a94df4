/**
 * The attributes of a store and their options. One that variants have is deleted only by force: the variants then keep
 * it, under the name it had, and nothing new can take it up.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  type AttributeFields,
  type AttributeInput,
  type AttributeOptionChange,
  type AttributeOptionInput,
  type AttributeOptionPatch,
  type AttributePatch,
  type AttributeState,
  toAttribute,
  toAttributeOption,
  attributeBound,
  attributeOptionBound
} from "./Attribute.ts"
import { type AttributeFilter, AttributeRepository } from "./AttributeRepository.ts"
import { AttributeInUse, AttributeNotFound, AttributeOptionNotFound } from "./TaxonomyErrors.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { makeLibraryCheck, type NamedPicture } from "./LibraryReferences.ts"
import { type OptionChanges, optionChanges } from "./internal/attributeOptions.ts"

const full = (field: string, reason: string) => FieldRejected.at(field, reason)

const swatchesOf = ({ options = [] }: AttributePatch): ReadonlyArray<NamedPicture> =>
  options.map(({ swatchImageUrl }, i) => [`options.${i}.swatchImageUrl`, swatchImageUrl])

/** What a body says of the attribute itself. */
const ownFields = ({ options: _options, ...fields }: AttributePatch) => fields

export class Attributes extends Context.Service<Attributes>()("@effect-commerce/core/taxonomy/Attributes", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* AttributeRepository
    const checkFiles = makeLibraryCheck(yield* LibraryFiles)

    const notFound = (id: string) => () => new AttributeNotFound({ id })
    const locked = (store: StoreContext, id: string) => orFail(repository.findLocked(store.id, id), notFound(id))
    const read = (store: StoreContext, id: string) => orFail(repository.find(store.id, id), notFound(id))
    const written = (store: StoreContext, id: string) => Effect.orDie(read(store, id))

    /** Refuses what the transaction wrote where the store now has too much. */
    const checkTotals = Effect.fnUntraced(function* (store: StoreContext) {
      const { attributes, options } = yield* repository.totalsLocked(store.id)
      if (attributes > attributeBound.most)
        return yield* full("attributes", `there are ${attributeBound.most} attributes, which is the most`)
      if (options > attributeOptionBound.most)
        return yield* full("options", `there would be more than ${attributeOptionBound.most} options in the store`)
    })

    const removeOptions = Effect.fnUntraced(function* (
      store: StoreContext,
      attribute: AttributeState,
      removed: ReadonlyArray<string>,
      { now, force }: { readonly now: number; readonly force: boolean }
    ) {
      if (removed.length === 0) return
      const variantCount = force ? 0 : yield* repository.variantCount(store.id, { optionIds: removed })
      if (variantCount > 0) return yield* new AttributeInUse({ variantCount })
      yield* repository.removeOptions(store.id, attribute.id, removed, new Date(now))
    })

    const applyOptions = Effect.fnUntraced(function* (
      store: StoreContext,
      attribute: AttributeState,
      { written, removed }: OptionChanges,
      now: number,
      force: boolean
    ) {
      yield* removeOptions(store, attribute, removed, { now, force })
      if (written.length > 0) yield* repository.writeOptions(store.id, written)
    })

    const create = Effect.fn("Attributes.create")(function* (store: StoreContext, input: AttributeInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("attr", now)
      const fields: AttributeFields = {
        displayType: null,
        source: "INTERNAL",
        platform: null,
        externalId: null,
        platformMetadata: {},
        translations: {},
        isActive: true,
        ...ownFields(input),
        name: input.name.trim()
      }
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const {
            options: { written: options }
          } = yield* checkAll({
            swatches: checkFiles(store, swatchesOf(input)),
            options: optionChanges({ id, options: [] }, input.options ?? [], now)
          })
          yield* repository.insert(store.id, id, fields, new Date(now))
          if (options.length > 0) yield* repository.writeOptions(store.id, options)
          yield* checkTotals(store)
          return toAttribute(store, yield* written(store, id))
        })
      )
    })

    /** Options that the patch does not name stay. `force` deletes options that variants have. */
    const update = Effect.fn("Attributes.update")(function* (
      store: StoreContext,
      id: string,
      patch: AttributePatch,
      force: boolean = false
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const swatches = yield* Effect.result(checkFiles(store, swatchesOf(patch)))
          const current = yield* locked(store, id)
          const { options } = yield* checkAll({
            swatches: Effect.fromResult(swatches),
            options: optionChanges(current, patch.options ?? [], now)
          })
          const fields = { ...current, ...ownFields(patch), name: (patch.name ?? current.name).trim() }
          yield* repository.update(store.id, id, fields, new Date(now))
          yield* applyOptions(store, current, options, now, force)
          yield* checkTotals(store)
          return toAttribute(store, yield* written(store, id))
        })
      )
    })

    const remove = Effect.fn("Attributes.remove")(function* (store: StoreContext, id: string, force: boolean) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* locked(store, id)
          const variantCount = force ? 0 : yield* repository.variantCount(store.id, { attributeId: id })
          if (variantCount > 0) return yield* new AttributeInUse({ variantCount })
          yield* repository.remove(store.id, id, new Date(now))
        })
      )
    })

    /** One option changed by its own route; the attribute, which shows it, gets a new version too. */
    const changeOptions = Effect.fnUntraced(function* (
      store: StoreContext,
      attribute: AttributeState,
      change: AttributeOptionChange,
      now: number
    ) {
      const changes = yield* optionChanges(attribute, [change], now, () => "")
      yield* repository.writeOptions(store.id, changes.written)
      yield* Effect.orDie(repository.update(store.id, attribute.id, attribute, new Date(now)))
      yield* checkTotals(store)
      return yield* Effect.fromNullishOr(changes.written[0]).pipe(Effect.orDie, Effect.map(toAttributeOption))
    })

    const optionOf = (attribute: AttributeState, optionId: string) =>
      attribute.options.some(({ id }) => id === optionId)
        ? Effect.void
        : Effect.fail(new AttributeOptionNotFound({ id: optionId }))

    return {
      list: (store: StoreContext, page: Page, filter: AttributeFilter) =>
        Effect.map(repository.list(store.id, page, filter), ({ items, total }) => ({
          items: items.map((attribute) => toAttribute(store, attribute)),
          total
        })),
      get: (store: StoreContext, id: string) =>
        Effect.map(read(store, id), (attribute) => toAttribute(store, attribute)),
      create,
      update,
      remove,
      addOption: Effect.fn("Attributes.addOption")(function* (
        store: StoreContext,
        id: string,
        input: AttributeOptionInput
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* checkFiles(store, [["swatchImageUrl", input.swatchImageUrl]])
            return yield* changeOptions(store, yield* locked(store, id), input, now)
          })
        )
      }),
      updateOption: Effect.fn("Attributes.updateOption")(function* (
        store: StoreContext,
        id: string,
        optionId: string,
        patch: AttributeOptionPatch
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* checkFiles(store, [["swatchImageUrl", patch.swatchImageUrl]])
            const attribute = yield* locked(store, id)
            yield* optionOf(attribute, optionId)
            return yield* changeOptions(store, attribute, { ...patch, id: optionId }, now)
          })
        )
      }),
      removeOption: Effect.fn("Attributes.removeOption")(function* (
        store: StoreContext,
        id: string,
        optionId: string,
        force: boolean
      ) {
        const now = yield* Clock.currentTimeMillis
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const attribute = yield* locked(store, id)
            yield* optionOf(attribute, optionId)
            yield* Effect.orDie(repository.update(store.id, id, attribute, new Date(now)))
            yield* removeOptions(store, attribute, [optionId], { now, force })
          })
        )
      }),
      idsByExternal: (store: StoreContext, externalIds: ReadonlyArray<string>) =>
        repository.idsByExternal(store.id, externalIds)
    }
  })
}) {
  static readonly layer = Layer.effect(Attributes, Attributes.make).pipe(Layer.provide(AttributeRepository.layer))
}
