/**
 * A PATCH of nothing but a product's own words and prices, as most are. What the product is afterwards follows from
 * what it was and from the body, so it is read once, and what is written is sent together.
 */
import { Effect } from "effect"
import { nextVersion } from "../../database/Precondition.ts"
import { lockThenRead } from "../../database/Repository.ts"
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { Stores } from "../../store/Stores.ts"
import { ProductNotFound } from "../CatalogErrors.ts"
import type { KitRepository } from "../KitRepository.ts"
import type { ProductState } from "../Product.ts"
import type { ProductDocuments } from "../ProductDocuments.ts"
import type { ProductPatch } from "../ProductInput.ts"
import type { ProductRepository } from "../ProductRepository.ts"
import { productFields } from "../ProductRules.ts"
import type { makeProductChanges } from "./productChanges.ts"

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

/** In a host's transaction notes of our own are not told from those of others. */
export const isPlain = (patch: ProductPatch): boolean =>
  !isJoined() && Object.entries(patch).every(([field, value]) => value === undefined || plain.has(field))

export const makePlainChanges = (
  { holdCurrency }: Pick<Stores["Service"], "holdCurrency">,
  repository: ProductRepository["Service"],
  documents: ProductDocuments["Service"],
  kits: KitRepository["Service"],
  { announceHeld }: Pick<Effect.Success<typeof makeProductChanges>, "announceHeld">
) =>
  /** Inside the transaction that writes. Undefined, with nothing written, for a KIT, whose fields depend on others. */
  Effect.fnUntraced(function* (known: StoreContext, id: string, patch: ProductPatch, now: number) {
    const [store, , current, kitIds] = yield* lockThenRead(
      holdCurrency(known),
      documents.hold(known, id),
      repository.find(known.id, { id }, false),
      kits.kitsWith(known.id, [id])
    )
    if (current === undefined) return yield* new ProductNotFound({ id })
    if (current.type === "KIT") return undefined
    const fields = yield* productFields(current, patch, store.currency, now)
    const updatedAt = nextVersion(current.updatedAt, now)
    const product: ProductState = { ...current, ...fields, updatedAt }
    const written = repository.update(store.id, id, fields, updatedAt)
    yield* announceHeld(store, product, { written, kitIds }, now)
    return { store, product }
  })
