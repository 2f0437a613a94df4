/**
 * Ids in the body of a product: one that the store has nothing for is refused by the name of its field, never kept and
 * never ignored.
 */
import { Effect } from "effect"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import type { SalesChannels } from "../../store/SalesChannels.ts"
import { makeChannelCheck } from "./channelCheck.ts"
import type { ProductState } from "../Product.ts"
import type { ProductInput, ProductPatch } from "../ProductInput.ts"

/** Fields of a product that name others by id. */
export const linkFields = ["crossSells", "upsells", "related"] as const

const refuse = (field: string, reason: string) => Effect.fail(new FieldRejected({ field, reason }))

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
        return unknown === undefined ? Effect.void : refuse(field, `${unknown} is not a ${kind} of this store`)
      })

interface Known {
  readonly existing: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
}

/** Where the things are that a product's body points at. */
export interface ReferredTo {
  readonly categories: Known
  readonly brands: Known
  readonly products: Known
  readonly channels: Pick<SalesChannels["Service"], "list">
}

/** What several bodies point at, read for all of them together. */
export const referencesOf = Effect.fnUntraced(function* (
  { categories, brands, products, channels }: ReferredTo,
  storeId: string,
  inputs: ReadonlyArray<ProductInput>
) {
  const read = ({ existing }: Known, idsOf: (input: ProductInput) => ReadonlyArray<string>): Effect.Effect<Known> => {
    const asked = [...new Set(inputs.flatMap(idsOf))]
    const found = asked.length === 0 ? Effect.succeed(new Set<string>()) : existing(storeId, asked)
    return Effect.map(found, (known) => ({ existing: () => Effect.succeed(known) }))
  }
  const isOnSome = inputs.some(({ salesChannelIds }) => (salesChannelIds?.length ?? 0) > 0)
  const listed = isOnSome ? yield* channels.list(storeId) : []
  return {
    categories: yield* read(categories, (input) => input.categories ?? []),
    brands: yield* read(brands, (input) => input.brands ?? []),
    products: yield* read(products, (input) => linkFields.flatMap((field) => input[field] ?? [])),
    channels: { list: () => Effect.succeed(listed) }
  } satisfies ReferredTo
})

/** The product that a body changes. */
type Linked = Pick<ProductState, "id" | (typeof linkFields)[number]>

/**
 * Checks what a product's body points at, inside the transaction that writes it. A link that the product has may stay
 * where what it leads to was deleted, so that a list can be sent back as it was read.
 */
export const checkReferences = Effect.fnUntraced(function* (
  { categories, brands, products, channels }: ReferredTo,
  storeId: string,
  input: ProductInput | ProductPatch,
  current?: Linked
) {
  yield* checkKnown("categories", "category", input.categories ?? [], (ids) => categories.existing(storeId, ids))
  yield* checkKnown("brands", "brand", input.brands ?? [], (ids) => brands.existing(storeId, ids))
  yield* makeChannelCheck(channels)(storeId, input.salesChannelIds)
  const asked = [...new Set(linkFields.flatMap((field) => input[field] ?? []))]
  if (asked.length === 0) return
  const known = yield* products.existing(storeId, asked)
  for (const field of linkFields) {
    const ids = input[field] ?? []
    if (current !== undefined && ids.includes(current.id))
      return yield* refuse(field, "must not name the product itself")
    const had = new Set(current?.[field])
    const added = ids.filter((id) => !had.has(id))
    yield* checkKnown(field, "product", added, () => Effect.succeed(known))
  }
})
