/** How shoppers read categories: the tree, and the page of one category. */
import { Effect } from "effect"
import { defaultLanguage, type StoreContext } from "../../store/StoreContext.ts"
import type { CategoryRepository } from "../CategoryRepository.ts"
import { publicReader, type StorefrontReader } from "../Publication.ts"
import { CategoryNotFound } from "../TaxonomyErrors.ts"
import { bySlug } from "./categorySlugs.ts"
import { nodesOf, pathOf, shownTree, type Tree, withDescendants } from "./categoryTree.ts"

export const treeOf = (repository: Pick<CategoryRepository["Service"], "all">, storeId: string) =>
  Effect.map(repository.all(storeId), (all): Tree => new Map(all.map((category) => [category.id, category])))

export const makeCategoryReads = (repository: CategoryRepository["Service"]) => {
  const shownTreeOf = (store: StoreContext, reader: StorefrontReader) =>
    Effect.map(treeOf(repository, store.id), (tree) => shownTree(tree, reader, defaultLanguage(store)))

  /** A category by its slug, as a shopper's page shows it. */
  const page = Effect.fnUntraced(function* (
    store: StoreContext,
    slug: string,
    reader: StorefrontReader = publicReader
  ) {
    const tree = yield* shownTreeOf(store, reader)
    const found = bySlug(tree, slug, reader.languages ?? [])
    if (found === undefined) return yield* new CategoryNotFound({ id: slug })
    const path = pathOf(tree, found.id)
    const productCount = yield* repository.countProducts(store.id, withDescendants(tree, found.id), reader.channelId)
    const { id, name, slug: ownSlug, description, metaDescription, image } = found
    const breadcrumb = path.map((one) => ({ name: one.name, slug: one.slug }))
    return { id, name, slug: ownSlug, description, metaDescription, image, breadcrumb, productCount }
  })

  return {
    /**
     * The tree that shoppers see, without categories that are inactive or not on their channel, and their descendants.
     */
    tree: (store: StoreContext, reader: StorefrontReader = publicReader) =>
      Effect.map(shownTreeOf(store, reader), (shown) => nodesOf(shown, reader.languages)),
    page
  }
}
