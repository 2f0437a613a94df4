/**
 * Creates products, one or many together, in a few statements whatever their number. Each body is checked by itself;
 * the rows of all valid products are written table by table; then their documents are composed from the rows, and each
 * product gets its event. An error from the database, or from a check after the rows are written, rolls back the
 * transaction: for a single product the error names the cause, for several it is ProductSetRefused.
 */
import { Clock, Effect, Result } from "effect"
import { Database } from "../../database/Database.ts"
import { checkAll, checkBeside, FieldRejected } from "../../kernel/FieldRejected.ts"
import { makeId } from "../../kernel/Ids.ts"
import { freeSlug, slugOf } from "../../kernel/Slug.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import { MetafieldValues } from "../../metafield/MetafieldValues.ts"
import { checkRequired } from "../../metafield/ProductMetafield.ts"
import type { ProductQuotaReached } from "../../quota/QuotaErrors.ts"
import { Quotas } from "../../quota/Quotas.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { Stores } from "../../store/Stores.ts"
import { saysLocaleSlugs } from "../../taxonomy/LocaleSlugs.ts"
import { KitRepository } from "../KitRepository.ts"
import { makeKitWrites } from "../KitRules.ts"
import { type Filed, NewProductRepository, ProductSetRefused } from "../NewProductRepository.ts"
import { emptyProduct, type ProductFields, type ProductState } from "../Product.ts"
import { makeAllHeldPictures } from "../ProductImages.ts"
import type { ProductInput } from "../ProductInput.ts"
import { checkStockAndVariants, productFields } from "../ProductRules.ts"
import { ProductSlugRepository } from "../ProductSlugRepository.ts"
import { toProductView } from "../productViews.ts"
import { makeModifierAttachments } from "./modifierAttachments.ts"
import type { NewVariants } from "./variantPlan.ts"
import { makeProductChanges } from "./productChanges.ts"
import { checkReferences, type KnownReferences, makeReferences } from "./references.ts"
import { makeVariantWrites } from "./variantWrites.ts"

/** Maximum number of products of one transaction. */
export const mostTogether = 200

/** A new product as its body describes it: checked, but not yet written. */
interface Draft extends NewVariants {
  readonly id: string
  readonly input: ProductInput
  readonly fields: ProductFields
}

interface Row {
  readonly id: string
  readonly input: ProductInput
}

/** The type that a body states or implies. */
const typeOf = ({ type, variants }: ProductInput): ProductFields["type"] =>
  type ?? (variants === undefined || variants.length === 0 ? "SIMPLE" : "VARIABLE")

/**
 * Whether a product has parts that few products have, which are written product by product. Such a product is created
 * alone, so that the cause of an error is known at once.
 */
export const hasRareParts = (input: ProductInput): boolean =>
  input.type === "KIT" ||
  [input.kitComponents, input.attributes, input.modifierGroups].some((part) => (part?.length ?? 0) > 0) ||
  Object.keys(input.metafields ?? {}).length > 0 ||
  saysLocaleSlugs(input.translations ?? {})

/** A placeholder for the product's own fields: if those are invalid, its other parts are still checked against it. */
const standInFor = ({ id, input }: Row): ProductFields => ({
  ...emptyProduct(input.name, id.replaceAll("_", "-")),
  type: typeOf(input)
})

/** Each category or brand of a product once, with its position. */
const filedOf = (drafts: ReadonlyArray<Draft>, part: "categories" | "brands"): ReadonlyArray<Filed> =>
  drafts.flatMap(({ id: productId, input }) =>
    [...new Set(input[part] ?? [])].map((id, i) => ({ productId, id, position: i + 1 }))
  )

/** Generates a unique slug for each product that names none. */
const makeSlugs = ({ slugsLike }: NewProductRepository["Service"]) =>
  Effect.fnUntraced(function* (storeId: string, rows: ReadonlyArray<Row>) {
    const wantedBy = ({ id, input }: Row) => slugOf(input.name, id.replaceAll("_", "-"))
    const wanted = rows.filter(({ input }) => (input.slug ?? null) === null).map(wantedBy)
    const taken = new Set(wanted.length === 0 ? [] : yield* slugsLike(storeId, wanted, []))
    const once = new Set<string>()
    const numbered = new Set(wanted.filter((slug) => taken.has(slug) || once.size === once.add(slug).size))
    if (numbered.size > 0) for (const slug of yield* slugsLike(storeId, wanted, [...numbered])) taken.add(slug)
    return {
      slugFor: (row: Row): string => row.input.slug ?? freeSlug(wantedBy(row), taken),
      /** Reserves the slug of a product that will be written, so that the next ones get other slugs. */
      take: (slug: string) => void taken.add(slug)
    }
  })

/** Writes the parts that few products have, product by product. */
const makeRareParts = Effect.gen(function* () {
  const slugs = yield* ProductSlugRepository
  const writeKit = makeKitWrites(yield* KitRepository)
  const modifiers = yield* makeModifierAttachments
  const metafields = yield* MetafieldValues

  /** For a product whose row this transaction has inserted; `variants` is checked together with these parts. */
  return Effect.fnUntraced(function* (
    store: StoreContext,
    { id, input, fields }: Pick<Draft, "id" | "input" | "fields">,
    now: number,
    variants: Effect.Effect<unknown, FieldRejected> = Effect.void
  ) {
    yield* slugs.replace(store.id, { id, translations: {} }, fields.translations)
    yield* checkAll({
      kit: writeKit(store.id, { id, type: fields.type, wasKit: false }, input),
      variants,
      modifiers: modifiers.apply(store.id, { id, variants: [], modifierGroups: [] }, input.modifierGroups, now),
      metafields: metafields.writeBody(store.id, { id, isActive: fields.status === "active" }, input.metafields, now)
    })
  })
})

/** Creates products in the open transaction, which has locked the store's currency. */
const makeSetCreation = Effect.gen(function* () {
  const repository = yield* NewProductRepository
  const heldPictures = makeAllHeldPictures(yield* LibraryFiles)
  const references = yield* makeReferences
  const variantsOf = yield* makeVariantWrites
  const writeRareParts = yield* makeRareParts
  const slugsFor = makeSlugs(repository)
  const { created } = yield* makeProductChanges
  const { productRoom } = yield* Quotas

  const checked = Effect.fnUntraced(function* (
    store: StoreContext,
    row: Row,
    { slug, known, now }: { readonly slug: string; readonly known: KnownReferences; readonly now: number }
  ): Effect.fn.Return<Draft, FieldRejected> {
    const { id, input } = row
    const standIn = standInFor(row)
    const before = { ...emptyProduct(input.name, slug), type: standIn.type }
    const firstVariants = (fields: ProductFields) => variantsOf.first(store, { ...fields, id }, input, now)
    // If a check fails, the other parts are still tried, to return their errors too; the transaction is rolled back.
    const tried = (variants: Effect.Effect<unknown, FieldRejected>) =>
      hasRareParts(input)
        ? Effect.andThen(
            Effect.orDie(repository.insert(store.id, [{ id, fields: standIn }], new Date(now))),
            writeRareParts(store, { id, input, fields: standIn }, now, variants)
          )
        : variants
    const { fields } = yield* checkBeside(
      checkAll({
        fields: productFields(before, { ...input, slug }, store.currency, now),
        stock: checkStockAndVariants(before.type, input),
        references: checkReferences(known, input)
      }),
      tried(firstVariants(standIn))
    )
    return { id, input, fields, ...(yield* checkBeside(firstVariants(fields), tried(Effect.void))) }
  })

  /** Writes the rows of the drafts, and returns the resulting products. */
  const written = Effect.fnUntraced(function* (store: StoreContext, drafts: ReadonlyArray<Draft>, now: number) {
    yield* repository.insert(store.id, drafts, new Date(now))
    yield* repository.file(store.id, filedOf(drafts, "categories"), filedOf(drafts, "brands"))
    yield* variantsOf.insert(
      store.id,
      { variants: drafts.flatMap(({ variants }) => variants), stock: drafts.flatMap(({ stock }) => stock) },
      now
    )
    for (const draft of drafts.filter(({ input }) => hasRareParts(input))) {
      yield* variantsOf.setAttributes(store.id, draft.id, draft.input)
      yield* writeRareParts(store, draft, now)
    }
    const products = yield* created(
      store,
      drafts.map(({ id }) => id),
      now
    )
    for (const product of products) if (product.status === "active") yield* checkRequired(product.metafields)
    return products
  })

  /** Returns the result of each body, in order: the product, or its field errors, or that there is no room for it. */
  return Effect.fnUntraced(function* (store: StoreContext, given: ReadonlyArray<ProductInput>, now: number) {
    const room = yield* productRoom(store)
    const ids = given.map(() => makeId("prod", now)).sort()
    const inputs = yield* heldPictures(store, given)
    const rows = inputs.map((input, i): Row => ({ id: ids[i] ?? "", input }))
    const { slugFor, take } = yield* slugsFor(store.id, rows)
    const known = yield* references.read(store.id, inputs)
    const checks: Array<Result.Result<Draft, FieldRejected | ProductQuotaReached>> = []
    for (const row of rows) {
      const check = yield* checked(store, row, { slug: slugFor(row), known, now }).pipe(
        Effect.tap(room.take),
        Effect.result
      )
      // Its other parts have been tried, so the transaction must be rolled back.
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

export const makeProductCreation = Effect.gen(function* () {
  const database = yield* Database
  const { holdCurrency } = yield* Stores
  const createTogether = yield* makeSetCreation

  const createAll = Effect.fnUntraced(function* (known: StoreContext, inputs: ReadonlyArray<ProductInput>) {
    const now = yield* Clock.currentTimeMillis
    return yield* database.write(known.id)(
      Effect.gen(function* () {
        const store = yield* holdCurrency(known)
        return { store, now, results: yield* createTogether(store, inputs, now) }
      })
    )
  })

  const create = Effect.fn("Products.create")(function* (known: StoreContext, input: ProductInput) {
    return yield* database.write(known.id)(
      Effect.gen(function* () {
        const creation = Effect.catchTag(createAll(known, [input]), "ProductSetRefused", Effect.die)
        const { store, now, results } = yield* creation
        const [result = Result.fail(FieldRejected.at("product", "is missing"))] = results
        const product = yield* Effect.fromResult(result)
        return toProductView(product, { currency: store.currency, audience: "admin", now })
      })
    )
  })

  /**
   * Creates products in one transaction, in the order of the bodies, and returns the id or the refusal of each. If
   * one conflicts with existing data, or fails a check after it is written, none is created. Products with
   * `hasRareParts` are created one by one.
   */
  const createSet = Effect.fn("Products.createSet")(function* (
    store: StoreContext,
    inputs: ReadonlyArray<ProductInput>
  ) {
    const { results } = yield* Effect.mapError(createAll(store, inputs), (error) =>
      inputs.length === 1 ? error : new ProductSetRefused()
    )
    return results.map((result) => Result.map(result, ({ id }) => id))
  })

  /** Creates products in order, as many together as possible, and returns their ids; all of them or none. */
  const createMany = (store: StoreContext, inputs: ReadonlyArray<ProductInput>) =>
    database.write(store.id)(
      Effect.gen(function* () {
        const ids: Array<string> = []
        while (ids.length < inputs.length) {
          const next = inputs.slice(ids.length, ids.length + mostTogether)
          const rare = next.findIndex(hasRareParts)
          const results = yield* createSet(store, rare === -1 ? next : next.slice(0, Math.max(1, rare)))
          for (const result of results) ids.push(yield* Effect.fromResult(result))
        }
        return ids
      }).pipe(Effect.mapError(() => new ProductSetRefused()))
    )

  return { create, createSet, createMany }
})
