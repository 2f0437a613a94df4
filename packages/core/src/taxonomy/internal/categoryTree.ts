/** The category tree of a store, which is read whole: its structure, and what shoppers see of it. Pure. */
import { Effect } from "effect"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import { askedTranslations, textOr, translationIn } from "../../kernel/Locale.ts"
import { type CategoryInTree, type CategoryNode, maxDepth } from "../Category.ts"
import { isOnChannel, type StorefrontReader } from "../Publication.ts"

export type Tree = ReadonlyMap<string, CategoryInTree>

/** The categories from the root to the category itself; empty if the chain is broken. */
export const pathOf = (tree: Tree, id: string): ReadonlyArray<CategoryInTree> => {
  const path: Array<CategoryInTree> = []
  for (
    let at = tree.get(id);
    at !== undefined && path.length <= maxDepth * 2;
    at = at.parentId === null ? undefined : tree.get(at.parentId)
  )
    path.unshift(at)
  return path
}

export const childrenOf = (tree: Tree, id: string): ReadonlyArray<CategoryInTree> =>
  [...tree.values()].filter((category) => category.parentId === id)

export const withDescendants = (tree: Tree, id: string): ReadonlyArray<string> => [
  id,
  ...childrenOf(tree, id).flatMap((child) => withDescendants(tree, child.id))
]

const heightOf = (tree: Tree, id: string): number =>
  1 + childrenOf(tree, id).reduce((height, child) => Math.max(height, heightOf(tree, child.id)), 0)

/** Rejects a parent that the category cannot be moved below; `id` is undefined for a new category. */
export const checkParent = (
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

export const nodesOf = (tree: Tree, wanted?: ReadonlyArray<string>): ReadonlyArray<CategoryNode> => {
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

const readIn = (category: CategoryInTree, wanted: ReadonlyArray<string>, own: string): CategoryInTree => {
  const texts = wanted.length === 0 ? undefined : translationIn(category.translations, wanted, own)
  if (texts === undefined) return category
  return {
    ...category,
    name: textOr(texts, "name", category.name),
    description: textOr(texts, "description", category.description)
  }
}

/**
 * The tree as a shopper reads it: without categories that are inactive or not on the channel, and their descendants.
 */
export const shownTree = (tree: Tree, { channelId, languages = [] }: StorefrontReader, own: string): Tree => {
  const isShown = (category: CategoryInTree) => category.isActive && isOnChannel(category.salesChannelIds, channelId)
  const shown = [...tree.values()].filter(({ id }) => pathOf(tree, id).every(isShown))
  return new Map(shown.map((category) => [category.id, readIn(category, languages, own)]))
}
