/**
 * Slugs: letters, numbers and hyphens of any script (`^[\p{L}\p{N}-]+$`); one made from a name is transliterated to
 * ASCII.
 */
import { slugify } from "transliteration"

export const slugPattern = /^[\p{L}\p{N}-]+$/u
const maxLength = 190

/** A slug from a name; `fallback` where nothing of the name can be written. */
export const slugOf = (name: string, fallback: string): string => {
  const made = slugify(name, { lowercase: true, separator: "-" })
    .replace(/[^\p{L}\p{N}-]/gu, "")
    .slice(0, maxLength)
  return made === "" ? fallback : made
}

/** `slug`, or with the first number from 2 that `taken` does not hold. */
export const freeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(slug)) return slug
  let number = 2
  while (taken.has(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}
