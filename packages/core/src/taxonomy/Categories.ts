/** The use cases of the category tree. A store's tree is small: it is read whole and checked in the process. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import { type StoreContext } from "../store/StoreContext.ts"
import { checkAll, checkFilled, type FieldRejected } from "../kernel/FieldRejected.ts"
import { CategoryHasChildren, CategoryNotFound } from "./TaxonomyErrors.ts"
import {
  categoryBound,
  type CategoryFields,
  type CategoryInput,
  type CategoryPatch,
  toCategoryView
} from "./Category.ts"
import { type CategoryFilter, CategoryRepository } from "./CategoryRepository.ts"
import { checkSlug, freeSlug, slugOf } from "../kernel/Slug.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { checkLocaleSlugs } from "./LocaleSlugs.ts"
import { checkParent, childrenOf, type Tree, withDescendants } from "./internal/categoryTree.ts"
import { makeCategoryReads, treeOf } from "./internal/categoryReads.ts"
import { checkTranslatedSlugs, slugsOf } from "./internal/categorySlugs.ts"
import { makeChannelCheck } from "./ChannelCheck.ts"
import { makeOnePicture, orAsBefore } from "./OnePicture.ts"

/** What happens to the children of a deleted category. */
export type ChildrenPolicy = "reparent" | "cascade" | "restrict"

const emptyCategory: Omit<CategoryFields, "name" | "slug"> = {
  parentId: null,
  externalId: null,
  description: null,
  metaDescription: null,
  image: null,
  imageKey: null,
  source: "INTERNAL",
  googleProductCategory: null,
  taxBehavior: "taxable",
  translations: {},
  isActive: true,
  salesChannelIds: null
}

export class Categories extends Context.Service<Categories>()("@effect-commerce/core/taxonomy/Categories", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CategoryRepository
    const checkChannelsOf = makeChannelCheck(yield* SalesChannels)

    /** Locks the picture; call it before locking the tree. */
    const pictureOf = makeOnePicture(yield* LibraryFiles, "image", "imageKey")

    /** Locks the tree, so that only this transaction changes it, and reads it. Call it inside a write. */
    const heldTree = (storeId: string) => Effect.andThen(repository.lockTree(storeId), treeOf(repository, storeId))

    const read = (store: StoreContext, id: string) =>
      orFail(repository.find(store.id, id), () => new CategoryNotFound({ id }))

    /** Checks a body; without an `id` it is of a new category. Returns the picture's fields. */
    const checked = <Made>(
      store: StoreContext,
      tree: Tree,
      body: CategoryInput | CategoryPatch,
      picture: Effect.Effect<Made, FieldRejected>,
      id?: string
    ) =>
      Effect.map(
        checkAll({
          name: checkFilled("name", body.name),
          slug: checkSlug(body.slug),
          parent: checkParent(tree, id, body.parentId ?? null),
          picture,
          translations: checkLocaleSlugs(body.translations ?? {}),
          channels: checkChannelsOf(store.id, body.salesChannelIds)
        }),
        (made) => made.picture
      )

    const create = Effect.fn("Categories.create")(function* (store: StoreContext, input: CategoryInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("cat", now)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const pictured = yield* Effect.result(pictureOf(store, input))
          const tree = yield* heldTree(store.id)
          const wanted = slugOf(input.name, id.replaceAll("_", "-"))
          const slug = input.slug ?? freeSlug(wanted, slugsOf(tree))
          const picture = yield* checked(store, tree, input, Effect.fromResult(pictured))
          yield* checkTranslatedSlugs(tree, { id, slug, translations: input.translations ?? {} })
          const fields: CategoryFields = { ...emptyCategory, ...input, ...picture, slug }
          yield* checkRoom(categoryBound, tree.size)
          yield* repository.insert(store.id, id, fields, new Date(now))
          return toCategoryView(store, yield* Effect.orDie(read(store, id)))
        })
      )
    })

    const update = Effect.fn("Categories.update")(function* (store: StoreContext, id: string, patch: CategoryPatch) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const pictured = yield* Effect.result(pictureOf(store, patch))
          const tree = yield* heldTree(store.id)
          const current = tree.get(id)
          if (current === undefined) return yield* new CategoryNotFound({ id })
          const slug = patch.slug ?? current.slug
          const kept = { given: patch.imageKey, before: current.imageKey, unchanged: {} }
          const picture = yield* checked(store, tree, patch, orAsBefore(pictured, kept), id)
          const fields: CategoryFields = { ...current, ...patch, ...picture, slug }
          if (patch.translations !== undefined) yield* checkTranslatedSlugs(tree, { ...fields, id })
          yield* repository.update(store.id, id, fields, new Date(now))
          return toCategoryView(store, yield* read(store, id))
        })
      )
    })

    const remove = Effect.fn("Categories.remove")(function* (
      store: StoreContext,
      id: string,
      children: ChildrenPolicy
    ) {
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* database.write(store.id)(
        Effect.gen(function* () {
          const tree = yield* heldTree(store.id)
          const current = tree.get(id)
          if (current === undefined) return yield* new CategoryNotFound({ id })
          const below = childrenOf(tree, id)
          if (children === "restrict" && below.length > 0)
            return yield* new CategoryHasChildren({ childCount: below.length })
          if (children === "reparent") yield* repository.reparent(store.id, id, current.parentId, now)
          yield* repository.remove(store.id, children === "cascade" ? withDescendants(tree, id) : [id], now)
        })
      )
    })

    return {
      create,
      update,
      remove,
      get: (store: StoreContext, id: string) =>
        Effect.map(read(store, id), (category) => toCategoryView(store, category)),
      list: (store: StoreContext, asked: Page, filter: CategoryFilter) =>
        mapItems(repository.list(store.id, asked, filter), (category) => toCategoryView(store, category)),
      ...makeCategoryReads(repository),
      /** Those of the ids that are categories of the store. */
      existing: repository.existing,
      idsByExternal: (store: StoreContext, externalIds: ReadonlyArray<string>) =>
        repository.idsByExternal(store.id, externalIds)
    }
  })
}) {
  static readonly layer = Layer.effect(Categories, Categories.make).pipe(Layer.provide(CategoryRepository.layer))
}
