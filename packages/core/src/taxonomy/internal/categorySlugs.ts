/** The slugs that a category is found by: its own, and those of its translations. */
import { Effect } from "effect"
import { withBase } from "../../kernel/Locale.ts"
import { CategoryTaken } from "../TaxonomyErrors.ts"
import type { CategoryInTree } from "../Category.ts"
import { localeSlugsOf } from "../LocaleSlugs.ts"

type Slugged = Pick<CategoryInTree, "id" | "slug" | "translations">
type Tree = ReadonlyMap<string, Slugged>

const translatedOf = ({ translations }: Pick<Slugged, "translations">): ReadonlyArray<readonly [string, string]> =>
  Object.entries(localeSlugsOf(translations)).map(([language, slug]) => [language.toLowerCase(), slug])

/** Every slug of a category of the tree. */
export const slugsOf = (tree: Tree): ReadonlySet<string> =>
  new Set([...tree.values()].flatMap((one) => [one.slug, ...translatedOf(one).map(([, slug]) => slug)]))

/**
 * The category with this slug as its own, else the one that has it in the shopper's most preferred language, else in
 * any language.
 */
export const bySlug = <A extends Slugged>(
  tree: ReadonlyMap<string, A>,
  slug: string,
  languages: ReadonlyArray<string>
): A | undefined => {
  const all = [...tree.values()]
  const own = all.find((category) => category.slug === slug)
  if (own !== undefined) return own
  const wanted = languages.flatMap(withBase)
  const ranked = all.flatMap((category) =>
    translatedOf(category)
      .filter(([, translated]) => translated === slug)
      .map(([language]) => ({ category, rank: wanted.includes(language) ? wanted.indexOf(language) : wanted.length }))
  )
  return ranked.toSorted((a, b) => a.rank - b.rank)[0]?.category
}

/** Rejects a translated slug that another category has in that language or as its own. */
export const checkTranslatedSlugs = (tree: Tree, category: Slugged): Effect.Effect<void, CategoryTaken> => {
  const wanted = translatedOf(category)
  if (wanted.length === 0) return Effect.void
  const others = [...tree.values()].filter(({ id }) => id !== category.id)
  const own = new Set(others.map(({ slug }) => slug))
  const translated = new Set(others.flatMap(translatedOf).map(([language, slug]) => `${language} ${slug}`))
  const taken = wanted.find(([language, slug]) => own.has(slug) || translated.has(`${language} ${slug}`))
  return taken === undefined ? Effect.void : Effect.fail(new CategoryTaken({ field: "slug", value: taken[1] }))
}
