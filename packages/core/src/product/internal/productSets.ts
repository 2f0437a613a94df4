/**
 * Products created together, in few statements whatever their number. The rules are those of a product that is created
 * alone (`draftOf`, `firstVariants`, `checkReferences`); only reading and writing is done for all at once. What the
 * database refuses, and what a product is refused for once it is written, refuses the whole set.
 */
import { Clock, Effect, Result } from "effect"
import { Database } from "../../database/Database.ts"
import { checkAll, checkBeside, type FieldRejected } from "../../kernel/FieldRejected.ts"
import { makeId } from "../../kernel/Ids.ts"
import { freeSlug, slugOf } from "../../kernel/Slug.ts"
import { LibraryFiles } from "../../media/LibraryFiles.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { Stores } from "../../store/Stores.ts"
import type { ProductInput } from "../ProductInput.ts"
import { ProductSetRefused, ProductSetRepository } from "../ProductSetRepository.ts"
import { standInFor } from "./bodyParts.ts"
import { makeAllHeldPictures } from "../ProductImages.ts"
import type { makeDraftWrites } from "./draftWrites.ts"
import type { Draft } from "./newProductStates.ts"
import { draftOf } from "./productDrafts.ts"
import { saysLocaleSlugs } from "../../taxonomy/LocaleSlugs.ts"
import { checkReferences, type ReferredTo, referencesOf } from "./references.ts"
import { firstVariants } from "./variantWrites.ts"

/** Whether a product can be created in a set: the parts that few products have are written for one at a time. */
export const isForSets = (input: ProductInput): boolean =>
  input.type !== "KIT" &&
  [input.kitComponents, input.attributes, input.modifierGroups].every((part) => (part?.length ?? 0) === 0) &&
  Object.keys(input.metafields ?? {}).length === 0 &&
  !saysLocaleSlugs(input.translations ?? {})

/** Products of one transaction. */
export const mostInSet = 200

/**
 * Answers the id of each product, or what its body is refused for. Where one is refused for what the store has already,
 * or for what it is once it is written, none is created.
 */
export type CreateSet = (
  store: StoreContext,
  inputs: ReadonlyArray<ProductInput>
) => Effect.Effect<ReadonlyArray<Result.Result<string, FieldRejected>>, ProductSetRefused>

export const makeProductSets = Effect.fnUntraced(function* (
  referredTo: ReferredTo,
  draftWrites: Effect.Success<ReturnType<typeof makeDraftWrites>>
) {
  const database = yield* Database
  const repository = yield* ProductSetRepository
  const heldPictures = makeAllHeldPictures(yield* LibraryFiles)
  const { holdCurrency } = yield* Stores

  /** Makes slugs for those that name none; `take` is told which a product has. */
  const slugsFor = Effect.fnUntraced(function* (
    storeId: string,
    rows: ReadonlyArray<{ readonly id: string; readonly input: ProductInput }>
  ) {
    const wanted = rows.flatMap(({ id, input }) =>
      (input.slug ?? null) === null ? [slugOf(input.name, id.replaceAll("_", "-"))] : []
    )
    const taken = new Set(wanted.length === 0 ? [] : yield* repository.slugsLike(storeId, wanted, []))
    const once = new Set<string>()
    const numbered = new Set(wanted.filter((slug) => taken.has(slug) || once.size === once.add(slug).size))
    if (numbered.size > 0)
      for (const slug of yield* repository.slugsLike(storeId, wanted, [...numbered])) taken.add(slug)
    return {
      slugFor: (id: string, { name, slug }: ProductInput) =>
        slug ?? freeSlug(slugOf(name, id.replaceAll("_", "-")), taken),
      take: (slug: string) => void taken.add(slug)
    }
  })

  const draft = Effect.fnUntraced(function* (
    store: StoreContext,
    row: { readonly id: string; readonly input: ProductInput },
    { slug, known, now }: { readonly slug: string; readonly known: ReferredTo; readonly now: number }
  ): Effect.fn.Return<Draft, FieldRejected> {
    const { id, input } = row
    const { fields } = yield* checkBeside(
      checkAll({
        fields: draftOf(store, input, slug, now),
        references: checkReferences(known, store.id, input)
      }),
      firstVariants(store, { ...standInFor(id, input), id, declared: [] }, input, now)
    )
    return { id, input, fields, ...(yield* firstVariants(store, { ...fields, id, declared: [] }, input, now)) }
  })

  const write = (store: StoreContext, drafts: ReadonlyArray<Draft>, now: number) => {
    const at = new Date(now)
    return Effect.mapError(
      draftWrites.write(
        store,
        drafts,
        {
          products: repository.insert(store.id, drafts, at),
          variants: (variants) => repository.insertVariants(store.id, variants, at)
        },
        now
      ),
      () => new ProductSetRefused()
    )
  }

  return Effect.fn("Products.createSet")(function* (known: StoreContext, given: ReadonlyArray<ProductInput>) {
    const now = yield* Clock.currentTimeMillis
    const ids = given.map(() => makeId("prod", now)).sort()
    return yield* database.write(known.id)(
      repository.planned(
        Effect.gen(function* () {
          const store = yield* holdCurrency(known)
          const inputs = yield* heldPictures(store, given)
          const rows = inputs.map((input, i) => ({ id: ids[i] ?? "", input }))
          const { slugFor, take } = yield* slugsFor(store.id, rows)
          const references = yield* referencesOf(referredTo, store.id, inputs)
          const drafts: Array<Draft> = []
          const results: Array<Result.Result<string, FieldRejected>> = []
          for (const row of rows) {
            const slug = slugFor(row.id, row.input)
            const made = yield* Effect.result(draft(store, row, { slug, known: references, now }))
            results.push(Result.map(made, ({ id }) => id))
            if (Result.isFailure(made)) continue
            drafts.push(made.success)
            take(slug)
          }
          if (drafts.length > 0) yield* write(store, drafts, now)
          return results
        })
      )
    )
  })
})

const allOf = (results: ReadonlyArray<Result.Result<string, FieldRejected>>) =>
  Effect.forEach(results, (result) => Effect.fromResult(result))

/** Creates products in their order, as many as possible in sets; all of them, or the transaction is to be given up. */
export const createInSets = Effect.fnUntraced(function* <E>(
  store: StoreContext,
  writes: {
    readonly create: (store: StoreContext, input: ProductInput) => Effect.Effect<{ readonly id: string }, E>
    readonly createSet: CreateSet
  },
  inputs: ReadonlyArray<ProductInput>
) {
  const ids: Array<string> = []
  while (ids.length < inputs.length) {
    const next = inputs.slice(ids.length, ids.length + mostInSet)
    const rare = next.findIndex((input) => !isForSets(input))
    const set = rare === -1 ? next : next.slice(0, rare)
    const alone = Effect.forEach(next.slice(0, 1), (input) => Effect.map(writes.create(store, input), ({ id }) => id))
    const written: Effect.Effect<ReadonlyArray<string>, unknown> = set.length > 0
      ? Effect.flatMap(writes.createSet(store, set), allOf)
      : alone
    ids.push(...(yield* Effect.mapError(written, () => new ProductSetRefused())))
  }
  return ids
})
