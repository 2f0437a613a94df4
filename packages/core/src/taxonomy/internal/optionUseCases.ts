/** The options of an attribute: written together with it, and one by one by routes of their own. */
import { Clock, Effect } from "effect"
import { Database } from "../../database/Database.ts"
import { orFail } from "../../database/Repository.ts"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import {
  attributeBound,
  attributeOptionBound,
  type AttributeOptionChange,
  type AttributeOptionInput,
  type AttributeOptionPatch,
  type AttributeState,
  toAttributeOption
} from "../Attribute.ts"
import { AttributeRepository } from "../AttributeRepository.ts"
import { makeLibraryCheck } from "../LibraryReferences.ts"
import { AttributeInUse, AttributeNotFound, AttributeOptionNotFound } from "../TaxonomyErrors.ts"
import { type OptionChanges, optionChanges } from "./attributeOptions.ts"

export const makeOptionWrites = (repository: AttributeRepository["Service"]) => {
  const remove = Effect.fnUntraced(function* (
    store: StoreContext,
    attributeId: string,
    removed: ReadonlyArray<string>,
    { now, force }: { readonly now: number; readonly force: boolean }
  ) {
    if (removed.length === 0) return
    const variantCount = force ? 0 : yield* repository.variantCount(store.id, { optionIds: removed })
    if (variantCount > 0) return yield* new AttributeInUse({ variantCount })
    yield* repository.removeOptions(store.id, attributeId, removed, new Date(now))
  })

  return {
    remove,

    /** `force` removes options even if variants have them. */
    apply: Effect.fnUntraced(function* (
      store: StoreContext,
      attributeId: string,
      { written, removed }: OptionChanges,
      how: { readonly now: number; readonly force: boolean }
    ) {
      yield* remove(store, attributeId, removed, how)
      if (written.length > 0) yield* repository.writeOptions(store.id, written)
    }),

    /** Fails if the store now has too many attributes or options, after the writes of this transaction. */
    checkTotals: Effect.fnUntraced(function* (store: StoreContext) {
      const { attributes, options } = yield* repository.totalsLocked(store.id)
      if (attributes > attributeBound.most)
        return yield* FieldRejected.at("attributes", `there are ${attributeBound.most} attributes, which is the most`)
      if (options > attributeOptionBound.most) {
        const reason = `there would be more than ${attributeOptionBound.most} options in the store`
        return yield* FieldRejected.at("options", reason)
      }
    })
  }
}

/** Each write also raises the version of the attribute, which shows the option. */
export const makeOptionUseCases = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* AttributeRepository
  const checkFiles = makeLibraryCheck(yield* LibraryFiles)
  const writes = makeOptionWrites(repository)

  const locked = (store: StoreContext, id: string) =>
    orFail(repository.findLocked(store.id, id), () => new AttributeNotFound({ id }))

  const withOption = Effect.fnUntraced(function* (store: StoreContext, id: string, optionId: string) {
    const attribute = yield* locked(store, id)
    if (!attribute.options.some((option) => option.id === optionId))
      return yield* new AttributeOptionNotFound({ id: optionId })
    return attribute
  })

  const touched = (store: StoreContext, attribute: AttributeState, now: number) =>
    Effect.orDie(repository.update(store.id, attribute.id, attribute, new Date(now)))

  const change = <E>(store: StoreContext, body: AttributeOptionChange, attributeOf: Effect.Effect<AttributeState, E>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      database.write(store.id)(
        Effect.gen(function* () {
          yield* checkFiles(store, [["swatchImageUrl", body.swatchImageUrl]])
          const attribute = yield* attributeOf
          const { written } = yield* optionChanges(attribute, [body], now, () => "")
          yield* repository.writeOptions(store.id, written)
          yield* touched(store, attribute, now)
          yield* writes.checkTotals(store)
          return yield* Effect.fromNullishOr(written[0]).pipe(Effect.orDie, Effect.map(toAttributeOption))
        })
      )
    )

  return {
    addOption: Effect.fn("Attributes.addOption")((store: StoreContext, id: string, input: AttributeOptionInput) =>
      change(store, input, locked(store, id))
    ),

    updateOption: Effect.fn("Attributes.updateOption")(
      (store: StoreContext, id: string, optionId: string, patch: AttributeOptionPatch) =>
        change(store, { ...patch, id: optionId }, withOption(store, id, optionId))
    ),

    removeOption: Effect.fn("Attributes.removeOption")(function* (
      store: StoreContext,
      id: string,
      optionId: string,
      force: boolean
    ) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.gen(function* () {
          const attribute = yield* withOption(store, id, optionId)
          yield* touched(store, attribute, now)
          yield* writes.remove(store, id, [optionId], { now, force })
        })
      )
    })
  }
})
