/** Slugs in the translations of a product, by language code. */
import type { Effect } from "effect"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { isSlug } from "../kernel/Slug.ts"

type Translations = Readonly<Record<string, unknown>>

/** The slug of each language, even if invalid; languages without a slug are left out. */
const slugsSaid = (translations: Translations): ReadonlyArray<readonly [locale: string, slug: unknown]> =>
  Object.entries(translations).flatMap(([locale, texts]) =>
    typeof texts === "object" && texts !== null && "slug" in texts && texts.slug !== null
      ? [[locale, texts.slug] as const]
      : []
  )

/** True for invalid slugs too. */
export const saysLocaleSlugs = (translations: Translations): boolean => slugsSaid(translations).length > 0

export const localeSlugsOf = (translations: Translations): Readonly<Record<string, string>> =>
  Object.fromEntries(slugsSaid(translations).filter((said): said is readonly [string, string] => isSlug(said[1])))

export const checkLocaleSlugs = (translations: Translations): Effect.Effect<void, FieldRejected> => {
  const wrong = slugsSaid(translations).filter(([, slug]) => !isSlug(slug))
  const reason = "may hold letters, numbers and hyphens, at most 190 characters"
  return rejectFields(Object.fromEntries(wrong.map(([locale]) => [`translations.${locale}.slug`, reason])))
}
