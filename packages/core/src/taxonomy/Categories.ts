/**
 * The use cases of the category tree. A store's tree is small: it is read whole, and its shape is judged in the
 * process.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { askedTranslations, textOr, translationIn } from "../kernel/Locale.ts"
import type { Page } from "../kernel/Pagination.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { checkAll, checkFilled, FieldRejected } from "../kernel/FieldRejected.ts"
import { CategoryHasChildren, CategoryNotFound } from "./TaxonomyErrors.ts"
import {
  type CategoryFields,
  type CategoryInput,
  type CategoryNode,
  type CategoryPatch,
  type CategoryInTree,
  type CategoryState,
  type CategoryView,
  maxDepth,
  categoryBound
} from "./Category.ts"
import { type CategoryFilter, CategoryRepository } from "./CategoryRepository.ts"
import { checkSlug, freeSlug, slugOf } from "../kernel/Slug.ts"
import { isOnChannel, publicationsOf, publicReader, type StorefrontReader } from "./Publication.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { checkLocaleSlugs } from "./LocaleSlugs.ts"
import { bySlug, checkTranslatedSlugs, slugsOf } from "./internal/categorySlugs.ts"
import { makeChannelCheck } from "./ChannelCheck.ts"
import { makeOnePicture, orAsBefore } from "./OnePicture.ts"

/** What becomes of the children of a deleted category. */
export type ChildrenPolicy = "reparent" | "cascade" | "restrict"

type Tree = ReadonlyMap<string, CategoryInTree>

/** From the root to the category itself; empty where the chain is broken. */
const pathOf = (tree: Tree, id: string): ReadonlyArray<CategoryInTree> => {
  const path: Array<CategoryInTree> = []
  for (
    let at = tree.get(id);
    at !== undefined && path.length <= maxDepth * 2;
    at = at.parentId === null ? undefined : tree.get(at.parentId)
  )
    path.unshift(at)
  return path
}

const childrenOf = (tree: Tree, id: string): ReadonlyArray<CategoryInTree> =>
  [...tree.values()].filter((category) => category.parentId === id)

const withDescendants = (tree: Tree, id: string): ReadonlyArray<string> => [
  id,
  ...childrenOf(tree, id).flatMap((child) => withDescendants(tree, child.id))
]

const heightOf = (tree: Tree, id: string): number =>
  1 + childrenOf(tree, id).reduce((height, child) => Math.max(height, heightOf(tree, child.id)), 0)

export class Categories extends Context.Service<Categories>()("@effect-commerce/core/taxonomy/Categories", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CategoryRepository
    const onePicture = makeOnePicture(yield* LibraryFiles)
    const checkChannelsOf = makeChannelCheck(yield* SalesChannels)

    /** The picture as the body says it, which is held before the tree is locked. */
    const pictureOf = (store: StoreContext, { image, imageKey }: Pick<CategoryPatch, "image" | "imageKey">) =>
      Effect.map(onePicture(store, { picture: image, key: imageKey }, "imageKey"), ({ picture, key }) => ({
        ...(picture === undefined ? {} : { image: picture }),
        ...(key === undefined ? {} : { imageKey: key })
      }))

    const treeOf = (storeId: string) =>
      Effect.map(repository.all(storeId), (all): Tree => new Map(all.map((category) => [category.id, category])))

    /** The tree as it stays until the transaction ends, but for what it changes itself. Inside a write. */
    const heldTree = (storeId: string) => Effect.andThen(repository.lockTree(storeId), treeOf(storeId))

    const checkParent = (
      tree: Tree,
      id: string | undefined,
      parentId: string | null
    ): Effect.Effect<void, FieldRejected> => {
      const refuse = (reason: string) => FieldRejected.at("parentId", reason)
      if (parentId === null) return Effect.void
      if (!tree.has(parentId)) return refuse("is not a category of this store")
      if (id !== undefined && withDescendants(tree, id).includes(parentId))
        return refuse("would make the category its own ancestor")
      const depth = pathOf(tree, parentId).length + (id === undefined ? 1 : heightOf(tree, id))
      return depth > maxDepth ? refuse(`the tree has at most ${maxDepth} levels`) : Effect.void
    }

    const read = (store: StoreContext, id: string) =>
      orFail(repository.find(store.id, id), () => new CategoryNotFound({ id }))

    const create = Effect.fn("Categories.create")(function* (store: StoreContext, input: CategoryInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("cat", now)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const pictured = yield* Effect.result(pictureOf(store, input))
          const tree = yield* heldTree(store.id)
          const wanted = slugOf(input.name, id.replaceAll("_", "-"))
          const slug = input.slug ?? freeSlug(wanted, slugsOf(tree))
          const { picture } = yield* checkAll({
            name: checkFilled("name", input.name),
            slug: checkSlug(input.slug),
            parent: checkParent(tree, undefined, input.parentId ?? null),
            picture: Effect.fromResult(pictured),
            translations: checkLocaleSlugs(input.translations ?? {}),
            channels: checkChannelsOf(store.id, input.salesChannelIds)
          })
          yield* checkTranslatedSlugs(tree, { id, slug, translations: input.translations ?? {} })
          const fields: CategoryFields = {
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
            salesChannelIds: null,
            ...input,
            ...picture,
            slug
          }
          yield* checkRoom(categoryBound, tree.size)
          yield* repository.insert(store.id, id, fields, new Date(now))
          return toView(store, yield* Effect.orDie(read(store, id)))
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
          const { picture } = yield* checkAll({
            name: checkFilled("name", patch.name),
            slug: checkSlug(patch.slug),
            parent: patch.parentId === undefined ? Effect.void : checkParent(tree, id, patch.parentId),
            picture: orAsBefore(pictured, { given: patch.imageKey, before: current.imageKey, unchanged: {} }),
            translations: checkLocaleSlugs(patch.translations ?? {}),
            channels: checkChannelsOf(store.id, patch.salesChannelIds)
          })
          const fields: CategoryFields = { ...current, ...patch, ...picture, slug }
          if (patch.translations !== undefined) yield* checkTranslatedSlugs(tree, { ...fields, id })
          yield* repository.update(store.id, id, fields, new Date(now))
          return toView(store, yield* read(store, id))
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

    const nodesOf = (tree: Tree, wanted?: ReadonlyArray<string>): ReadonlyArray<CategoryNode> => {
      const byParent = Map.groupBy(tree.values(), (category) => category.parentId)
      const under = (parentId: string | null): ReadonlyArray<CategoryNode> =>
        (byParent.get(parentId) ?? []).map(({ id, name, slug, image, translations }) => ({
          id,
          name,
          slug,
          parentId,
          image,
          translations: askedTranslations(translations, wanted),
          children: under(id)
        }))
      return under(null)
    }

    /** The tree as a shopper reads it: without what is inactive or not on the channel, and what lies below it. */
    const shownTree = (store: StoreContext, { channelId, languages = [] }: StorefrontReader) =>
      Effect.map(treeOf(store.id), (tree): Tree => {
        const isShown = (category: CategoryInTree) =>
          category.isActive && isOnChannel(category.salesChannelIds, channelId)
        const shown = [...tree.values()].filter(({ id }) => pathOf(tree, id).every(isShown))
        return new Map(shown.map((category) => [category.id, readIn(category, languages, defaultLanguage(store))]))
      })

    const page = Effect.fnUntraced(function* (
      store: StoreContext,
      slug: string,
      reader: StorefrontReader = publicReader
    ) {
      const tree = yield* shownTree(store, reader)
      const found = bySlug(tree, slug, reader.languages ?? [])
      if (found === undefined) return yield* new CategoryNotFound({ id: slug })
      const path = pathOf(tree, found.id)
      const productCount = yield* repository.countProducts(store.id, withDescendants(tree, found.id), reader.channelId)
      const { id, name, description, metaDescription, image } = found
      return {
        id,
        name,
        slug: found.slug,
        description,
        metaDescription,
        image,
        breadcrumb: path.map((one) => ({ name: one.name, slug: one.slug })),
        productCount
      }
    })

    return {
      create,
      update,
      remove,
      get: (store: StoreContext, id: string) => Effect.map(read(store, id), (category) => toView(store, category)),
      list: (store: StoreContext, asked: Page, filter: CategoryFilter) =>
        Effect.map(repository.list(store.id, asked, filter), ({ items, total }) => ({
          items: items.map((category) => toView(store, category)),
          total
        })),
      /**
       * The tree shoppers see, without categories that are inactive or not on their channel, and what lies below them.
       */
      tree: (store: StoreContext, reader: StorefrontReader = publicReader) =>
        Effect.map(shownTree(store, reader), (shown) => nodesOf(shown, reader.languages)),
      page,
      /** Those of the ids that are categories of the store. */
      existing: repository.existing,
      idsByExternal: (store: StoreContext, externalIds: ReadonlyArray<string>) =>
        repository.idsByExternal(store.id, externalIds)
    }
  })
}) {
  static readonly layer = Layer.effect(Categories, Categories.make).pipe(Layer.provide(CategoryRepository.layer))
}

const readIn = (category: CategoryInTree, wanted: ReadonlyArray<string>, own: string): CategoryInTree => {
  const texts = wanted.length === 0 ? undefined : translationIn(category.translations, wanted, own)
  if (texts === undefined) return category
  return {
    ...category,
    name: textOr(texts, "name", category.name),
    description: textOr(texts, "description", category.description)
  }
}

const toView = (store: StoreContext, category: CategoryState): CategoryView => {
  const { createdAt, updatedAt, externalId: _externalId, publishedChannels, ...fields } = category
  return {
    ...fields,
    accountId: store.accountId,
    storeId: store.id,
    platformIds: {},
    publishedOn: [],
    platformMetadata: {},
    deletedAt: null,
    channelPublishes: publicationsOf(publishedChannels),
    vibeCodedPublishes: publicationsOf(publishedChannels),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString()
  }
}
