/**
 * Products that are being created, written with all that they begin with. Their states are made of what is in hand, and
 * what shops are shown of them is composed while the database works on the rows: nothing is read back, but where a
 * host's triggers have a say.
 */
import { Deferred, Effect } from "effect"
import { inTurn, lockThenRead } from "../../database/Repository.ts"
import { tryAgain } from "../../database/TryAgain.ts"
import type { FieldRejected } from "../../kernel/FieldRejected.ts"
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import { VersionedCache } from "../../kernel/VersionedCache.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { ProductExternalIdTaken, ProductSlugTaken, VariantAttributesTaken } from "../ProductErrors.ts"
import { ProductNotFound } from "../../taxonomy/TaxonomyErrors.ts"
import { ProductRepository } from "../ProductRepository.ts"
import type { MetafieldsRejected } from "../../metafield/MetafieldErrors.ts"
import type { ProductState } from "../Product.ts"
import { type Filed, ProductSetRepository } from "../ProductSetRepository.ts"
import { ProductStock } from "../ProductStock.ts"
import { type Draft, namedIdsOf, newProductState, type ProductSurroundings } from "./newProductStates.ts"
import type { makeProductChanges } from "./productChanges.ts"
import type { ProductView } from "../ProductView.ts"
import { checkRequired } from "./productMetafields.ts"
import { firstVariants, type NewVariant } from "./variantWrites.ts"

const storesDoubted = 1_000

/** How the rows of the products are written, and those of their variants where there are any. */
export interface DraftRows<E> {
  readonly products: Effect.Effect<void, E>
  /** Where that does not write the values that their metafields begin with. */
  readonly firstValues?: Effect.Effect<void>
  readonly variants: (variants: ReadonlyArray<NewVariant & { readonly productId: string }>) => Effect.Effect<void, E>
}

/** Products whose rows have been sent. */
interface Begun {
  readonly known: ProductSurroundings
  /** Asks again what surrounds them. */
  readonly read: Effect.Effect<ProductSurroundings>
  readonly rows: Pick<DraftRows<never>, "firstValues">
}

/** Each thing once, at its place. */
const filedOf = (drafts: ReadonlyArray<Draft>, part: "categories" | "brands"): ReadonlyArray<Filed> =>
  drafts.flatMap(({ id: productId, input }) =>
    [...new Set(input[part] ?? [])].map((id, i) => ({ productId, id, position: i + 1 }))
  )

export const makeDraftWrites = Effect.fnUntraced(function* ({
  announceCreated,
  boundedView
}: Pick<Effect.Success<typeof makeProductChanges>, "announceCreated" | "boundedView">) {
  const repository = yield* ProductSetRepository
  const products = yield* ProductRepository
  const stock = yield* ProductStock

  const announced = Effect.fnUntraced(function* (
    store: StoreContext,
    products: ReadonlyArray<ProductState>,
    now: number
  ) {
    const views: Array<ProductView> = []
    for (const product of products) {
      views.push(yield* boundedView(store, product, now))
      if (product.status === "active") yield* checkRequired(product)
    }
    yield* announceCreated(store, products, now)
    return views
  })

  /** Sent behind the statements that write their rows. */
  const readBack = (store: StoreContext, drafts: ReadonlyArray<Draft>) =>
    Effect.map(
      products.several(
        store.id,
        drafts.map(({ id }) => id)
      ),
      (found) => drafts.flatMap(({ id }) => found.find((one) => one.id === id) ?? [])
    )

  // Stores in a currency that turned out to be another one, until this process knows that.
  const doubted = new VersionedCache<true>(storesDoubted)
  const doubtOf = ({ id, currency }: StoreContext) => `${id} ${currency}`

  /**
   * Whether the store's currency may be taken to be what it was when the store was read: it is compared once the rows
   * are there, and all is tried again where it is another one.
   */
  const isTrusted = (store: StoreContext): boolean => !isJoined() && doubted.get(doubtOf(store), 0n) === undefined

  /** What surrounds the products, with the values that their metafields begin with. */
  const begun = Effect.fnUntraced(function* (store: StoreContext, { known, read, rows: { firstValues } }: Begun) {
    // The row of a product holds the store's currency, as every reference to a store does.
    if (known.currency !== store.currency) {
      doubted.set(doubtOf(store), 0n, true)
      return yield* tryAgain(`the currency of store ${store.id} has changed`)
    }
    if (firstValues === undefined || !known.hasFirstValues) return known
    const [, after] = yield* lockThenRead(firstValues, read)
    return after
  })

  const finished = Effect.fnUntraced(function* (
    store: StoreContext,
    drafts: ReadonlyArray<Draft>,
    begin: Begun,
    now: number
  ) {
    const known = yield* begun(store, begin)
    const states = known.isKeptAsSent
      ? drafts.map((one) => newProductState(one, known, new Date(now)))
      : yield* readBack(store, drafts)
    return yield* announced(store, states, now)
  })

  /** Answers the products as a merchant is answered. */
  const write = Effect.fnUntraced(function* <E>(
    store: StoreContext,
    drafts: ReadonlyArray<Draft>,
    rows: DraftRows<E>,
    now: number
  ) {
    const at = new Date(now)
    const variants = drafts.flatMap((one) => one.variants.map((variant) => ({ ...variant, productId: one.id })))
    const opening = drafts.flatMap((one) => one.stock)
    const [categories, brands] = [filedOf(drafts, "categories"), filedOf(drafts, "brands")]
    const around = yield* Deferred.make<ProductSurroundings>()
    const read = repository.surroundings(store.id, namedIdsOf(drafts), drafts[0]?.id)
    const views: Array<ProductView> = []
    yield* inTurn<E | FieldRejected | MetafieldsRejected, never>([
      rows.products,
      ...(categories.length + brands.length > 0 ? [repository.file(store.id, categories, brands)] : []),
      Deferred.into(read, around),
      ...(variants.length > 0 ? [rows.variants(variants)] : []),
      ...(opening.length > 0 ? [stock.open(store.id, opening, at)] : []),
      Effect.map(
        Effect.flatMap(Deferred.await(around), (known) => finished(store, drafts, { known, read, rows }, now)),
        (answered) => {
          views.push(...answered)
        }
      )
    ])
    return views
  })

  return { write, isTrusted }
})

/** One product that `isForSets`, refused for what exactly the store has already. */
export const makePlainCreation = (
  repository: ProductRepository["Service"],
  { write }: Effect.Success<ReturnType<typeof makeDraftWrites>>
) =>
  Effect.fnUntraced(function* (
    store: StoreContext,
    { id, input, fields }: Pick<Draft, "id" | "input" | "fields">,
    now: number
  ) {
    const draft = { id, input, fields, ...(yield* firstVariants(store, { ...fields, id, declared: [] }, input, now)) }
    const at = new Date(now)
    const [product] = yield* write<FieldRejected | ProductSlugTaken | ProductExternalIdTaken | VariantAttributesTaken>(
      store,
      [draft],
      {
        products: repository.insert(store.id, id, fields, at),
        firstValues: repository.beginMetafields(store.id, id, at),
        variants: (variants) => repository.insertVariants(store.id, id, variants, at)
      },
      now
    )
    return product ?? (yield* Effect.die(new ProductNotFound({ id })))
  })
