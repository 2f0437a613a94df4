/** The checks of a metafield definition beyond its own fields: products, pictures, stored values, limits. */
import { Effect } from "effect"
import { checkAll, FieldRejected } from "../../kernel/FieldRejected.ts"
import { checkNamedIds } from "../../kernel/NamedIds.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import { checkRoom } from "../../store/StoreBounds.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { makeLibraryCheck, type NamedPicture } from "../../taxonomy/LibraryReferences.ts"
import { ProductChanges } from "../../taxonomy/ProductChanges.ts"
import { maxDefinitionBytes, type MetafieldDefinitionPatch } from "../MetafieldDefinition.ts"
import { type MeasuredDefinitions, MetafieldDefinitionRepository } from "../MetafieldDefinitionRepository.ts"
import { MetafieldInUse } from "../MetafieldErrors.ts"
import {
  definitionBytes,
  filterableMetafieldBound,
  metafieldDefinitionBound,
  type MetafieldDefinitionState,
  type MetafieldFields
} from "../MetafieldFields.ts"
import { removedChoices } from "../MetafieldRules.ts"
import { picturesIn } from "../ValuePictures.ts"

/** The pictures in a body. If a change has no type, any value of a list may be one. */
const picturesOf = ({ enumValues = [], defaultValue, type = "GALLERY" }: MetafieldDefinitionPatch) => [
  ...enumValues.map((choice, i): NamedPicture => [`enumValues.${i}.swatchImageUrl`, choice.swatchImageUrl]),
  ...picturesIn(type, defaultValue).map((picture): NamedPicture => ["defaultValue", picture])
]

/** Checks what gives values their meaning. Before the other fields, which may not suit a rejected type. */
export const checkMeaning = (
  current: MetafieldDefinitionState,
  patch: MetafieldDefinitionPatch
): Effect.Effect<void, MetafieldInUse> => {
  const field = (["type", "isCustomerInput"] as const).find((one) => (patch[one] ?? current[one]) !== current[one])
  return current.valueCount === 0 || field === undefined
    ? Effect.void
    : Effect.fail(new MetafieldInUse({ field, valueCount: current.valueCount }))
}

/**
 * Whether the store has room for the definition; `current` is its state before a change. Definitions are read whole.
 */
export const checkBounds = Effect.fnUntraced(function* (
  { count, filterable, bytes }: MeasuredDefinitions,
  fields: MetafieldFields,
  current?: MetafieldFields
) {
  if (current === undefined) yield* checkRoom(metafieldDefinitionBound, count)
  if (fields.filterable && current?.filterable !== true) yield* checkRoom(filterableMetafieldBound, filterable)
  const more = definitionBytes(fields) - (current === undefined ? 0 : definitionBytes(current))
  const all = bytes + more
  if (more <= 0 || all <= maxDefinitionBytes) return
  const reason = `all definitions together would have ${all} bytes of texts, more than ${maxDefinitionBytes}`
  return yield* FieldRejected.at("enumValues", reason)
})

export const makeDefinitionChecks = Effect.gen(function* () {
  const repository = yield* MetafieldDefinitionRepository
  const products = yield* ProductChanges
  const checkFiles = makeLibraryCheck(yield* LibraryFiles)

  return {
    /** Locks the files of the library that the body references. */
    pictures: (store: StoreContext, body: MetafieldDefinitionPatch) => checkFiles(store, picturesOf(body)),

    /** The fields after the body. A definition for all products must not list any, so none is looked up. */
    body: (
      storeId: string,
      { productIds = [], appliesToAllProducts }: MetafieldDefinitionPatch,
      made: {
        readonly fields: Effect.Effect<MetafieldFields, FieldRejected>
        readonly pictures: Effect.Effect<void, FieldRejected>
      }
    ) => {
      const named = productIds.map((id, i) => [`productIds.${i}`, id] as const)
      return Effect.map(
        checkAll({
          ...made,
          products: appliesToAllProducts === true ? Effect.void : checkNamedIds(products, storeId, "product", named)
        }),
        ({ fields }) => fields
      )
    },

    /** Rejects changes that would leave values without a meaning. Under the lock that keeps others from writing one. */
    values: Effect.fnUntraced(function* (
      storeId: string,
      current: MetafieldDefinitionState,
      fields: MetafieldFields,
      productIds: ReadonlyArray<string>
    ) {
      if (current.valueCount === 0) return
      const removed = removedChoices(current, fields)
      const chosen = removed.length === 0 ? 0 : yield* repository.countChoices(storeId, current.id, removed)
      if (chosen > 0) return yield* new MetafieldInUse({ field: "enumValues", valueCount: chosen })
      if (fields.appliesToAllProducts) return
      const outside = yield* repository.countOutside(storeId, current.id, productIds)
      if (outside > 0) return yield* new MetafieldInUse({ field: "productIds", valueCount: outside })
    })
  }
})
