/** The query parameter by which lists are searched. */
import { optional, text } from "@effect-commerce/core/kernel/Fields"

/** Words to look for in a list. */
export const searchOf = (where: string) => optional(text(200), `Shows only what has this text in its ${where}.`)

/** A parameter that is nothing but blanks counts as left out. */
export const blankAsAbsent = (words: string | undefined): string | undefined =>
  words === undefined || words.trim() === "" ? undefined : words.trim()
