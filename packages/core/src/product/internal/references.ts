/**
 * Checks ids in the body of a product: one that does not exist in the store is rejected with the name of its field,
 * never stored and never ignored.
 */
import { Effect } from "effect"
import { type FieldErrors, problemsOf } from "../../kernel/FieldErrors.ts"
import { rejectFields } from "../../kernel/FieldRejected.ts"
import type { StoreIds } from "../../kernel/NamedIds.ts"
import { SalesChannels } from "../../store/SalesChannels.ts"
import { Brands } from "../../taxonomy/Brands.ts"
import { Categories } from "../../taxonomy/Categories.ts"
import { linkFields, type ProductState } from "../Product.ts"
import type { ProductInput } from "../ProductInput.ts"
import { ProductRepository } from "../ProductRepository.ts"

type LinkField = (typeof linkFields)[number]
type Ids = ReadonlyArray<string>

/** The fields of a body that refer to other things; a variant refers to a shipping class only. */
type Body = Partial<
  Pick<ProductInput, LinkField | "brands" | "categories" | "salesChannelIds" | "shippingClassId" | "taxClassId">
> & { readonly variants?: ReadonlyArray<Pick<ProductInput, "shippingClassId">> }

type Current = Pick<ProductState, "id" | LinkField>

const linksOf = (body: Body): Ids => linkFields.flatMap((field) => body[field] ?? [])

/** The shipping classes of the product and of its variants. */
const shippingClassesOf = ({ shippingClassId, variants = [] }: Body): ReadonlyArray<string | null | undefined> => [
  shippingClassId,
  ...variants.map((variant) => variant.shippingClassId)
]

export const makeReferences = Effect.gen(function* () {
  const categories = yield* Categories
  const brands = yield* Brands
  const products = yield* ProductRepository
  const channels = yield* SalesChannels

  const channelIds = (storeId: string) =>
    Effect.map(channels.list(storeId), (list) => new Set(list.map(({ id }) => id)))
  const found = (existing: StoreIds["existing"], storeId: string, asked: Ids): Effect.Effect<ReadonlySet<string>> =>
    asked.length === 0 ? Effect.succeed(new Set()) : existing(storeId, [...new Set(asked)])

  /**
   * Reads which ids of the bodies exist in the store, for all bodies together. Shipping and tax classes are locked
   * until the transaction ends.
   */
  const read = Effect.fnUntraced(function* (storeId: string, bodies: ReadonlyArray<Body>) {
    const all = (idsOf: (body: Body) => ReadonlyArray<string | null | undefined> | null | undefined): Ids =>
      bodies.flatMap((body) => (idsOf(body) ?? []).flatMap((id) => id ?? []))
    return {
      shippingClasses: yield* found(products.shippingClasses.existing, storeId, all(shippingClassesOf)),
      taxClasses: yield* found(
        products.taxClasses.existing,
        storeId,
        all(({ taxClassId }) => [taxClassId])
      ),
      categories: yield* found(
        categories.existing,
        storeId,
        all((body) => body.categories)
      ),
      products: yield* found(products.existing, storeId, all(linksOf)),
      brands: yield* found(
        brands.existing,
        storeId,
        all((body) => body.brands)
      ),
      channels: yield* found(
        channelIds,
        storeId,
        all((body) => body.salesChannelIds)
      )
    }
  })

  return {
    read,
    /** Checks the references of one body, inside the transaction that writes it. */
    check: (storeId: string, body: Body, current?: Current) =>
      Effect.flatMap(read(storeId, [body]), (known) => checkReferences(known, body, current))
  }
})

export type KnownReferences = Effect.Success<ReturnType<Effect.Success<typeof makeReferences>["read"]>>

/** The first of the ids that the store does not have. */
const unknownOf = (kind: string, ids: Ids | null | undefined, known: ReadonlySet<string>): string | undefined => {
  const unknown = ids?.find((id) => !known.has(id))
  return unknown === undefined ? undefined : `${unknown} is not a ${kind} of this store`
}

const classProblem = (kind: string, id: string | null | undefined, known: ReadonlySet<string>) =>
  typeof id === "string" && !known.has(id) ? `is not a ${kind} of this store` : undefined

/**
 * A link that the product already has may stay after its target was deleted, so that a list can be sent back as it was
 * read.
 */
const linkProblem = (field: LinkField, { products }: KnownReferences, body: Body, current: Current | undefined) => {
  const ids = body[field] ?? []
  if (current !== undefined && ids.includes(current.id)) return "must not name the product itself"
  const added = ids.filter((id) => current?.[field].includes(id) !== true)
  return unknownOf("product", added, products)
}

const problems = (known: KnownReferences, body: Body, current: Current | undefined): FieldErrors => {
  const [own, ...variants] = shippingClassesOf(body).map((id) =>
    classProblem("shipping class", id, known.shippingClasses)
  )
  return problemsOf({
    shippingClassId: own,
    ...Object.fromEntries(variants.map((problem, i) => [`variants.${i}.shippingClassId`, problem])),
    taxClassId: classProblem("tax class", body.taxClassId, known.taxClasses),
    categories: unknownOf("category", body.categories, known.categories),
    ...Object.fromEntries(linkFields.map((field) => [field, linkProblem(field, known, body, current)])),
    brands: unknownOf("brand", body.brands, known.brands),
    salesChannelIds: unknownOf("sales channel", body.salesChannelIds, known.channels)
  })
}

export const checkReferences = (known: KnownReferences, body: Body, current?: Current) =>
  rejectFields(problems(known, body, current))
