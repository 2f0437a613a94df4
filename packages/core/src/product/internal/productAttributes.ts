/** The attributes that a product's body names, checked and held for the write. */
import { Effect } from "effect"
import { checkEach, FieldRejected } from "../../kernel/FieldRejected.ts"
import type { ProductState } from "../Product.ts"
import type { AttributeUse, ProductAttributeRepository } from "../ProductAttributeRepository.ts"

const repeatedOf = (ids: ReadonlyArray<string>): string | undefined => ids.find((id, i) => ids.indexOf(id) !== i)

export const usesOf = ({ attributes }: Pick<ProductState, "attributes">): ReadonlyArray<AttributeUse> =>
  attributes.map(({ id, options }) => ({ attributeId: id, optionIds: options.map((option) => option.id) }))

/** Attributes and options of the store, each named once; a product without any asks nobody. */
export const checkedAttributes = Effect.fnUntraced(function* (
  repository: ProductAttributeRepository["Service"],
  storeId: string,
  uses: ReadonlyArray<AttributeUse>
) {
  if (uses.length === 0) return []
  const repeated = repeatedOf(uses.map(({ attributeId }) => attributeId))
  if (repeated !== undefined) return yield* FieldRejected.at("attributes", `${repeated} is named twice`)
  const held = new Map((yield* repository.held(storeId, uses)).map((attribute) => [attribute.id, attribute]))
  yield* checkEach(uses, ({ attributeId, optionIds }, i) => {
    const attribute = held.get(attributeId)
    if (attribute === undefined) return FieldRejected.at("attributes", "this store has no such attribute")
    const field = `attributes.${i}.optionIds`
    if (optionIds.length === 0) return FieldRejected.at(field, `must name an option of ${attribute.name}`)
    const twice = repeatedOf(optionIds)
    if (twice !== undefined) return FieldRejected.at(field, `${twice} is named twice`)
    const unknown = optionIds.find((id) => !attribute.options.some((option) => option.id === id))
    return unknown === undefined
      ? Effect.void
      : FieldRejected.at(field, `${unknown} is not an option of ${attribute.name}`)
  })
  return uses.flatMap(({ attributeId }) => [held.get(attributeId)].filter((one) => one !== undefined))
})
