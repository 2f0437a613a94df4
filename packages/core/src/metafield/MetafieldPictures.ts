/**
 * The pictures that metafields show. Definitions remove a deleted file of the media library themselves; for values the
 * product room calls this, because the products that show them change with them.
 */
import { Context, Effect, Layer } from "effect"
import { markOf } from "../media/MediaFile.ts"
import type { MediaReferenceHolder } from "../media/MediaReferences.ts"
import { MetafieldDefinitionRepository } from "./MetafieldDefinitionRepository.ts"
import { MetafieldPictureRepository } from "./MetafieldPictureRepository.ts"
import { picturesIn, withoutReference } from "./ValuePictures.ts"

export class MetafieldPictures extends Context.Service<MetafieldPictures>()(
  "@effect-commerce/core/metafield/MetafieldPictures",
  {
    make: Effect.map(MetafieldPictureRepository, ({ productsWith, lock, removeFrom }) => ({
      productsWith,
      lock,
      removeFrom
    }))
  }
) {
  static readonly layer = Layer.effect(MetafieldPictures, MetafieldPictures.make).pipe(
    Layer.provide(MetafieldPictureRepository.layer)
  )
}

export const metafieldPictureReferences = Effect.gen(function* () {
  const pictures = yield* MetafieldPictureRepository
  const definitions = yield* MetafieldDefinitionRepository

  const changeDefinition = Effect.fnUntraced(function* (storeId: string, id: string, mark: string, now: number) {
    const current = yield* definitions.findLocked(storeId, id)
    if (current === undefined) return
    const enumValues = current.enumValues.map((choice) =>
      choice.swatchImageUrl?.includes(mark) === true ? { ...choice, swatchImageUrl: null } : choice
    )
    const hasPictures = picturesIn(current.type, current.defaultValue).length > 0
    const defaultValue = hasPictures ? withoutReference(current.defaultValue, mark) : current.defaultValue
    const changed = { ...current, enumValues, defaultValue }
    yield* Effect.orDie(definitions.update(storeId, id, changed, new Date(now)))
  })

  return {
    removeFile: Effect.fn("MetafieldPictures.removeFile")(function* (store, { key }, now) {
      const mark = markOf(key)
      for (const id of yield* pictures.definitionsWith(store.id, mark)) yield* changeDefinition(store.id, id, mark, now)
    })
  } satisfies MediaReferenceHolder
}).pipe(Effect.provide([MetafieldPictureRepository.layer, MetafieldDefinitionRepository.layer]))
