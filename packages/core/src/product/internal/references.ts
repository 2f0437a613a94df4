/**
 * Ids in the body of a product: one that the store has nothing for is refused by the name of its field, never kept and
 * never ignored.
 */
import { Effect } from "effect"
import { checkAll, checkEach, FieldRejected } from "../../kernel/FieldRejected.ts"
import { checkNamedIds, type NamedId, type StoreIds } from "../../kernel/NamedIds.ts"
import { SalesChannels } from "../../store/SalesChannels.ts"
import { Brands } from "../../taxonomy/Brands.ts"
import { Categories } from "../../taxonomy/Categories.ts"
import { makeChannelCheck } from "../../taxonomy/ChannelCheck.ts"
import type { ProductState } from "../Product.ts"
import { linkFields } from "../ProductEnums.ts"
import type { ProductInput, ProductPatch } from "../ProductInput.ts"
import { ProductRepository } from "../ProductRepository.ts"
import type { VariantInput } from "../VariantInput.ts"

const checkKnown = (
  field: string,
  kind: string,
  ids: ReadonlyArray<string>,
  existing: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
): Effect.Effect<void, FieldRejected> =>
  ids.length === 0
    ? Effect.void
    : Effect.flatMap(existing(ids), (known) => {
        const unknown = ids.find((id) => !known.has(id))
        return unknown === undefined
          ? Effect.void
          : FieldRejected.at(field, `${unknown} is not a ${kind} of this store`)
      })

/** Where the things are that a product's body points at. */
export interface ReferredTo {
  readonly categories: StoreIds
  readonly brands: StoreIds
  readonly products: StoreIds & { readonly taxClasses: StoreIds; readonly shippingClasses: StoreIds }
  readonly channels: Pick<SalesChannels["Service"], "list">
}
export const referredTo = Effect.gen(function* () {
  return {
    categories: yield* Categories,
    brands: yield* Brands,
    products: yield* ProductRepository,
    channels: yield* SalesChannels
  } satisfies ReferredTo
})

type Body = ProductInput | ProductPatch
type Classed = Pick<VariantInput, "shippingClassId">

/** Each shipping class that a body names, by its field. */
const shippingClassesOf = (
  { shippingClassId }: Classed,
  variants: ReadonlyArray<Classed> = []
): ReadonlyArray<NamedId> => [
  ["shippingClassId", shippingClassId],
  ...variants.map((variant, i) => [`variants.${i}.shippingClassId`, variant.shippingClassId] as const)
]

/** What several bodies point at, read for all of them together. */
export const referencesOf = Effect.fnUntraced(function* (
  { categories, brands, products, channels }: ReferredTo,
  storeId: string,
  inputs: ReadonlyArray<ProductInput>
) {
  const read = (
    { existing }: StoreIds,
    idsOf: (input: ProductInput) => ReadonlyArray<string>
  ): Effect.Effect<StoreIds> => {
    const asked = [...new Set(inputs.flatMap(idsOf))]
    const found = asked.length === 0 ? Effect.succeed(new Set<string>()) : existing(storeId, asked)
    return Effect.map(found, (known) => ({ existing: () => Effect.succeed(known) }))
  }
  const isOnSome = inputs.some(({ salesChannelIds }) => (salesChannelIds?.length ?? 0) > 0)
  const listed = isOnSome ? yield* channels.list(storeId) : []
  return {
    categories: yield* read(categories, (input) => input.categories ?? []),
    brands: yield* read(brands, (input) => input.brands ?? []),
    products: {
      ...(yield* read(products, (input) => linkFields.flatMap((field) => input[field] ?? []))),
      taxClasses: yield* read(products.taxClasses, ({ taxClassId }) => [taxClassId ?? []].flat()),
      shippingClasses: yield* read(products.shippingClasses, (input) =>
        shippingClassesOf(input, input.variants).flatMap(([, id]) => id ?? [])
      )
    },
    channels: { list: () => Effect.succeed(listed) }
  } satisfies ReferredTo
})

/** The references in the body of one variant. */
export const checkVariantReferences = ({ products }: ReferredTo, storeId: string, input: Classed) =>
  checkNamedIds(products.shippingClasses, storeId, "shipping class", shippingClassesOf(input))

/** The product that a body changes. */
type Linked = Pick<ProductState, "id" | (typeof linkFields)[number]>

const checkLinks = Effect.fnUntraced(function* (
  { existing }: StoreIds,
  storeId: string,
  input: Body,
  current: Linked | undefined
) {
  const asked = [...new Set(linkFields.flatMap((field) => input[field] ?? []))]
  if (asked.length === 0) return
  const known = yield* existing(storeId, asked)
  yield* checkEach(linkFields, (field) => {
    const ids = input[field] ?? []
    if (current !== undefined && ids.includes(current.id))
      return FieldRejected.at(field, "must not name the product itself")
    const had = new Set(current?.[field])
    const added = ids.filter((id) => !had.has(id))
    return checkKnown(field, "product", added, () => Effect.succeed(known))
  })
})

/**
 * Checks what a product's body points at, inside the transaction that writes it. A link that the product has may stay
 * where what it leads to was deleted, so that a list can be sent back as it was read.
 */
export const checkReferences = (to: ReferredTo, storeId: string, input: Body, current?: Linked) =>
  checkAll({
    shippingClasses: checkNamedIds(
      to.products.shippingClasses,
      storeId,
      "shipping class",
      shippingClassesOf(input, input.variants)
    ),
    taxClass: checkNamedIds(to.products.taxClasses, storeId, "tax class", [["taxClassId", input.taxClassId]]),
    categories: checkKnown("categories", "category", input.categories ?? [], (ids) =>
      to.categories.existing(storeId, ids)
    ),
    links: checkLinks(to.products, storeId, input, current),
    brands: checkKnown("brands", "brand", input.brands ?? [], (ids) => to.brands.existing(storeId, ids)),
    channels: makeChannelCheck(to.channels)(storeId, input.salesChannelIds)
  })
