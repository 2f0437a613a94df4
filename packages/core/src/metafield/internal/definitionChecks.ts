/** What a metafield definition must satisfy beside its own fields: products, stored values, bounds of the store. */
import { Effect } from "effect"
import { type FieldRejected, rejectFields } from "../../kernel/FieldRejected.ts"
import { checkNamedIds } from "../../kernel/NamedIds.ts"
import type { ProductChanges } from "../../taxonomy/ProductChanges.ts"
import { maxDefinitionBytes, type MetafieldDefinitionPatch } from "../MetafieldDefinition.ts"
import type { MetafieldDefinitionRepository } from "../MetafieldDefinitionRepository.ts"
import { MetafieldInUse } from "../MetafieldErrors.ts"
import type { MetafieldDefinitionState, MetafieldFields } from "../MetafieldFields.ts"
import { definitionBytes, removedChoices } from "../MetafieldRules.ts"

/** The definitions of a store are read whole. */
export const checkBytes = (fields: MetafieldFields, others: number): Effect.Effect<void, FieldRejected> => {
  const all = others + definitionBytes(fields)
  const reason = `all definitions together would have ${all} bytes of texts, more than ${maxDefinitionBytes}`
  return all <= maxDefinitionBytes ? Effect.void : rejectFields({ enumValues: reason })
}

/** What values are depends on it. Judged before the fields, which may not suit the type that it cannot get. */
export const checkMeaning = (
  current: MetafieldDefinitionState,
  patch: MetafieldDefinitionPatch
): Effect.Effect<void, MetafieldInUse> => {
  const field = (["type", "isCustomerInput"] as const).find((one) => (patch[one] ?? current[one]) !== current[one])
  return current.valueCount === 0 || field === undefined
    ? Effect.void
    : Effect.fail(new MetafieldInUse({ field, valueCount: current.valueCount }))
}

export const makeDefinitionChecks = (
  repository: MetafieldDefinitionRepository["Service"],
  products: ProductChanges["Service"]
) => ({
  /** One that is for all products may name none, whatever they are. */
  products: (storeId: string, { productIds: ids = [], appliesToAllProducts }: MetafieldDefinitionPatch) =>
    appliesToAllProducts === true
      ? Effect.void
      : checkNamedIds(
          products,
          storeId,
          "product",
          ids.map((id, i) => [`productIds.${i}`, id])
        ),

  /** Refuses what would leave values without a meaning. Under the lock that keeps others from writing one. */
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
})
