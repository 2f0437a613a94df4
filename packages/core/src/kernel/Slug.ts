/**
 * Slugs: letters, numbers and hyphens of any script (`^[\p{L}\p{N}-]+$`); one made from a name is transliterated to
 * ASCII.
 */
import { Effect } from "effect"
import { slugify } from "transliteration"
import { FieldRejected } from "./FieldRejected.ts"

export const slugPattern = /^[\p{L}\p{N}-]+$/u
const maxLength = 190

export const isSlug = (value: unknown): value is string =>
  typeof value === "string" && value.length <= maxLength && slugPattern.test(value)

/** Rejects an invalid slug; undefined and null pass. */
export const checkSlug = (slug: string | null | undefined): Effect.Effect<void, FieldRejected> =>
  slug === null || slug === undefined || slugPattern.test(slug)
    ? Effect.void
    : FieldRejected.at("slug", "may hold letters, numbers and hyphens")

/** A slug from a name; `fallback` if no character of the name can be transliterated. */
export const slugOf = (name: string, fallback: string): string => {
  const made = slugify(name, { lowercase: true, separator: "-" })
    .replace(/[^\p{L}\p{N}-]/gu, "")
    .slice(0, maxLength)
  return made === "" ? fallback : made
}

/** A slug without its numbers: `lamp` for lamp, lamp-2 and a product named "Lamp 2". */
export const slugKind = (slug: string): string => slug.replace(/(-\d+)+$/, "")

/** `slug`, or if it is taken, with the first free number from 2. */
export const freeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(slug)) return slug
  let number = 2
  while (taken.has(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}
