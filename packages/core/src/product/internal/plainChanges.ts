/**
 * A PATCH of nothing but a product's own words and prices, as most are. What the product is afterwards follows from
 * what it was and from the body, so it is read once, and what is written is sent with the commit.
 */
import { Effect } from "effect"
import { nextVersion } from "../../database/Precondition.ts"
import { lockThenRead } from "../../database/Repository.ts"
import { VersionedCache } from "../../kernel/VersionedCache.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { ProductState } from "../Product.ts"
import type { ProductReadModel } from "../ProductReadModel.ts"
import type { ProductPatch } from "../ProductInput.ts"
import type { ProductRepository } from "../ProductRepository.ts"
import { productFields } from "../ProductRules.ts"
import type { makeProductChanges } from "./productChanges.ts"
import { allParts, type Part, partsOf } from "./productRows.ts"

/** Kept as they are sent, in columns of the product that nothing else follows from. */
const plain: ReadonlySet<string> = new Set<keyof ProductPatch>([
  "name",
  "sku",
  "gtin",
  "mpn",
  "description",
  "metaDescription",
  "basePrice",
  "salePrice",
  "costPrice",
  "salePriceStartsAt",
  "salePriceEndsAt",
  "menuOrder",
  "tags"
])

export const isPlain = (patch: ProductPatch): boolean =>
  Object.entries(patch).every(([field, value]) => value === undefined || plain.has(field))

/** Stores whose products' parts are remembered. */
const storesKept = 10_000

export const makePlainChanges = (
  repository: ProductRepository["Service"],
  documents: ProductReadModel["Service"],
  {
    announceRewritten,
    boundedView
  }: Pick<Effect.Success<typeof makeProductChanges>, "announceRewritten" | "boundedView">
) => {
  // Products of a store are like each other, mostly: each is expected to have no other parts than those before, and is
  // read once more where it has. One that has no more parts, but rows that say so, needs all of them to be read.
  const known = new VersionedCache<ReadonlyArray<Part>>(storesKept)

  const heldPlain = Effect.fnUntraced(function* (store: StoreContext, id: string) {
    const expected = known.get(store.id, 0n) ?? []
    const [isComposed, found] = yield* lockThenRead(
      documents.holdComposed(store, id),
      repository.findPlain(store.id, id, expected)
    )
    if (!isComposed || found !== undefined || expected.length === allParts.length) return isComposed ? found : undefined
    const product = yield* repository.findPlain(store.id, id, allParts)
    if (product === undefined) return undefined
    const more = new Set([...expected, ...partsOf(product)])
    known.set(store.id, 0n, more.size === expected.length ? allParts : allParts.filter((part) => more.has(part)))
    return product
  })

  /**
   * Inside the transaction that writes; answers the product. Undefined, with nothing written, where more than the
   * product itself is to be read or written: for a draft, a KIT, what kits are made of, and where a host's triggers
   * have a say; and where there is no such product.
   */
  return Effect.fnUntraced(function* (store: StoreContext, id: string, patch: ProductPatch, now: number) {
    const before = yield* heldPlain(store, id)
    if (before === undefined) return undefined
    const fields = yield* productFields(before, patch, store.currency, now)
    const updatedAt = nextVersion(before.updatedAt, now)
    const product: ProductState = { ...before, ...fields, updatedAt }
    const view = yield* boundedView(store, product, now, before)
    yield* repository.change(store.id, id, fields, updatedAt)
    yield* documents.rewrite(store, before, product, now)
    yield* announceRewritten(store, product, now)
    return view
  })
}
