/**
 * Creates products, one or many together, in few statements whatever their number. Each body is checked by itself; the
 * rows of all that are right are written table by table; then they are composed for storefronts from their rows, and
 * each has its event. What the database refuses, and what a product is refused for once it is written, undoes the
 * transaction: of a product alone the error says what it is, of several that the set is refused.
 */
import { Effect, Result } from "effect"
import { checkAll, checkBeside, type FieldRejected } from "../../kernel/FieldRejected.ts"
import { freeSlug, slugOf } from "../../kernel/Slug.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import { checkRequired } from "../../metafield/ProductMetafield.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { saysLocaleSlugs } from "../../taxonomy/LocaleSlugs.ts"
import { makeAllHeldPictures } from "../ProductImages.ts"
import { type Filed, NewProductRepository } from "../NewProductRepository.ts"
import { emptyProduct, type ProductFields, type ProductState } from "../Product.ts"
import type { ProductInput } from "../ProductInput.ts"
import { checkStockAndVariants, productFields } from "../ProductRules.ts"
import type { makeBodyParts } from "./bodyParts.ts"
import type { makeProductChanges } from "./productChanges.ts"
import { checkReferences, type ReferredTo, referencesOf } from "./references.ts"
import type { NewVariants } from "./newVariants.ts"

/** A new product as its body describes it: checked, and not yet written. */
interface Draft extends NewVariants {
  readonly id: string
  readonly input: ProductInput
  readonly fields: ProductFields
}

interface Row {
  readonly id: string
  readonly input: ProductInput
}

/** The type that a body says or means. */
const typeOf = ({ type, variants }: ProductInput): ProductFields["type"] =>
  type ?? (variants === undefined || variants.length === 0 ? "SIMPLE" : "VARIABLE")

/**
 * Whether a product has parts that few products have, which are written product by product. Those are created alone, so
 * that what one of them is refused for is known at once.
 */
export const hasRareParts = (input: ProductInput): boolean =>
  input.type === "KIT" ||
  [input.kitComponents, input.attributes, input.modifierGroups].some((part) => (part?.length ?? 0) > 0) ||
  Object.keys(input.metafields ?? {}).length > 0 ||
  saysLocaleSlugs(input.translations ?? {})

/** A new product without what its body says of itself: what the other parts are tried on where that is refused. */
const standInFor = ({ id, input }: Row): ProductFields => ({
  ...emptyProduct(input.name, id.replaceAll("_", "-")),
  type: typeOf(input)
})

/** Each thing once, at its place. */
const filedOf = (drafts: ReadonlyArray<Draft>, part: "categories" | "brands"): ReadonlyArray<Filed> =>
  drafts.flatMap(({ id: productId, input }) =>
    [...new Set(input[part] ?? [])].map((id, i) => ({ productId, id, position: i + 1 }))
  )

export const makeProductCreation = Effect.fnUntraced(function* (
  referredTo: ReferredTo,
  parts: Effect.Success<ReturnType<typeof makeBodyParts>>,
  { created }: Pick<Effect.Success<typeof makeProductChanges>, "created">
) {
  const repository = yield* NewProductRepository
  const heldPictures = makeAllHeldPictures(yield* LibraryFiles)

  /** Makes slugs for those that name none, each another one. */
  const slugsFor = Effect.fnUntraced(function* (storeId: string, rows: ReadonlyArray<Row>) {
    const wantedBy = ({ id, input }: Row) => slugOf(input.name, id.replaceAll("_", "-"))
    const wanted = rows.filter(({ input }) => (input.slug ?? null) === null).map(wantedBy)
    const taken = new Set(wanted.length === 0 ? [] : yield* repository.slugsLike(storeId, wanted, []))
    const once = new Set<string>()
    const numbered = new Set(wanted.filter((slug) => taken.has(slug) || once.size === once.add(slug).size))
    if (numbered.size > 0)
      for (const slug of yield* repository.slugsLike(storeId, wanted, [...numbered])) taken.add(slug)
    return {
      slugFor: (row: Row): string => row.input.slug ?? freeSlug(wantedBy(row), taken),
      /** Of a product that is going to be written: the next ones get other slugs. */
      take: (slug: string) => void taken.add(slug)
    }
  })

  const checked = Effect.fnUntraced(function* (
    store: StoreContext,
    row: Row,
    { slug, known, now }: { readonly slug: string; readonly known: ReferredTo; readonly now: number }
  ): Effect.fn.Return<Draft, FieldRejected> {
    const { id, input } = row
    const standIn = standInFor(row)
    const before = { ...emptyProduct(input.name, slug), type: standIn.type }
    const variantsOf = (fields: ProductFields) => parts.firstVariants(store, { ...fields, id }, input, now)
    // Where one is refused, the other parts are tried for what is wrong with them too: nothing of it stays.
    const tried = (variants: Effect.Effect<unknown, FieldRejected>) =>
      hasRareParts(input)
        ? Effect.andThen(
            Effect.orDie(repository.insert(store.id, [{ id, fields: standIn }], new Date(now))),
            parts.begin(store, { id, input, fields: standIn }, now, variants)
          )
        : variants
    const { fields } = yield* checkBeside(
      checkAll({
        fields: productFields(before, { ...input, slug }, store.currency, now),
        stock: checkStockAndVariants(before.type, input),
        references: checkReferences(known, store.id, input)
      }),
      tried(variantsOf(standIn))
    )
    return { id, input, fields, ...(yield* checkBeside(variantsOf(fields), tried(Effect.void))) }
  })

  /** Writes the rows of the drafts, and returns the products as they are then. */
  const written = Effect.fnUntraced(function* (store: StoreContext, drafts: ReadonlyArray<Draft>, now: number) {
    yield* repository.insert(store.id, drafts, new Date(now))
    yield* repository.file(store.id, filedOf(drafts, "categories"), filedOf(drafts, "brands"))
    yield* parts.insertVariants(
      store.id,
      { variants: drafts.flatMap(({ variants }) => variants), stock: drafts.flatMap(({ stock }) => stock) },
      now
    )
    for (const draft of drafts.filter(({ input }) => hasRareParts(input))) {
      yield* parts.setAttributes(store.id, draft.id, draft.input)
      yield* parts.begin(store, draft, now)
    }
    const products = yield* created(
      store,
      drafts.map(({ id }) => id),
      now
    )
    for (const product of products) if (product.status === "active") yield* checkRequired(product.metafields)
    return products
  })

  /**
   * Returns what became of each body, in their order: the product, or the fields that it is refused for. The open
   * transaction holds the store's currency.
   */
  return Effect.fnUntraced(function* (
    store: StoreContext,
    ids: ReadonlyArray<string>,
    given: ReadonlyArray<ProductInput>,
    now: number
  ) {
    const inputs = yield* heldPictures(store, given)
    const rows = inputs.map((input, i): Row => ({ id: ids[i] ?? "", input }))
    const { slugFor, take } = yield* slugsFor(store.id, rows)
    const known = yield* referencesOf(referredTo, store.id, inputs)
    const checks: Array<Result.Result<Draft, FieldRejected>> = []
    for (const row of rows) {
      const check = yield* Effect.result(checked(store, row, { slug: slugFor(row), known, now }))
      // Its other parts have been tried: the transaction is undone.
      if (Result.isFailure(check) && hasRareParts(row.input)) return yield* check.failure
      if (Result.isSuccess(check)) take(check.success.fields.slug)
      checks.push(check)
    }
    const drafts = checks.flatMap((check) => (Result.isSuccess(check) ? [check.success] : []))
    const products = drafts.length === 0 ? [] : yield* written(store, drafts, now)
    const made = new Map(products.map((product) => [product.id, product]))
    return checks.map((check) => Result.map(check, ({ id }) => made.get(id) as ProductState))
  })
})
