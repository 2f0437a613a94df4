/**
 * The attributes of a store and their options. Deleting one that variants use requires force: the variants then keep
 * it, under its last name, and nothing else can start to use it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { checkAll } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type AttributeFields, type AttributeInput, type AttributePatch, toAttribute } from "./Attribute.ts"
import { type AttributeFilter, AttributeRepository } from "./AttributeRepository.ts"
import { AttributeInUse, AttributeNotFound } from "./TaxonomyErrors.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { makeLibraryCheck, type NamedPicture } from "./LibraryReferences.ts"
import { optionChanges } from "./internal/attributeOptions.ts"
import { makeOptionUseCases, makeOptionWrites } from "./internal/optionUseCases.ts"

const swatchesOf = ({ options = [] }: AttributePatch): ReadonlyArray<NamedPicture> =>
  options.map(({ swatchImageUrl }, i) => [`options.${i}.swatchImageUrl`, swatchImageUrl])

/** The fields of a body without the options. */
const ownFields = ({ options: _options, ...fields }: AttributePatch) => fields

const emptyAttribute: Omit<AttributeFields, "name"> = {
  displayType: null,
  source: "INTERNAL",
  platform: null,
  externalId: null,
  platformMetadata: {},
  translations: {},
  isActive: true
}

export class Attributes extends Context.Service<Attributes>()("@effect-commerce/core/taxonomy/Attributes", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* AttributeRepository
    const checkFiles = makeLibraryCheck(yield* LibraryFiles)

    const notFound = (id: string) => () => new AttributeNotFound({ id })
    const locked = (store: StoreContext, id: string) => orFail(repository.findLocked(store.id, id), notFound(id))
    const read = (store: StoreContext, id: string) => orFail(repository.find(store.id, id), notFound(id))
    const written = (store: StoreContext, id: string) => Effect.orDie(read(store, id))

    const optionWrites = makeOptionWrites(repository)
    const optionUseCases = yield* makeOptionUseCases

    const create = Effect.fn("Attributes.create")(function* (store: StoreContext, input: AttributeInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("attr", now)
      const fields: AttributeFields = { ...emptyAttribute, ...ownFields(input), name: input.name.trim() }
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const { options } = yield* checkAll({
            swatches: checkFiles(store, swatchesOf(input)),
            options: optionChanges({ id, options: [] }, input.options ?? [], now)
          })
          yield* repository.insert(store.id, id, fields, new Date(now))
          if (options.written.length > 0) yield* repository.writeOptions(store.id, options.written)
          yield* optionWrites.checkTotals(store)
          return toAttribute(store, yield* written(store, id))
        })
      )
    })

    /** Options that the patch does not name stay. `force` deletes options even if variants have them. */
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
          yield* optionWrites.apply(store, id, options, { now, force })
          yield* optionWrites.checkTotals(store)
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

    return {
      list: (store: StoreContext, page: Page, filter: AttributeFilter) =>
        mapItems(repository.list(store.id, page, filter), (attribute) => toAttribute(store, attribute)),
      get: (store: StoreContext, id: string) =>
        Effect.map(read(store, id), (attribute) => toAttribute(store, attribute)),
      create,
      update,
      remove,
      ...optionUseCases,
      idsByExternal: (store: StoreContext, externalIds: ReadonlyArray<string>) =>
        repository.idsByExternal(store.id, externalIds)
    }
  })
}) {
  static readonly layer = Layer.effect(Attributes, Attributes.make).pipe(Layer.provide(AttributeRepository.layer))
}
