/**
 * Translated texts as a caller gives them: an object by language tag (`de`, `de-AT`), whose entries hold texts. What
 * else an entry says is the caller's and kept as it is.
 */
import { Schema } from "effect"
import { isLanguageTag } from "./Locale.ts"
import { freeForm, maxFreeForm } from "./JsonSize.ts"

/** Texts that the house reads of an entry; null says nothing. */
const texts = ["name", "description", "metaDescription"] as const

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const problemOf = (entry: unknown): { readonly at: ReadonlyArray<string>; readonly issue: string } | undefined => {
  if (!isObject(entry)) return { at: [], issue: "must be an object of texts" }
  const wrong = texts.find((name) => typeof (entry[name] ?? "") !== "string")
  return wrong === undefined ? undefined : { at: [wrong], issue: "must be text" }
}

const problems = (given: Readonly<Record<string, unknown>>): ReadonlyArray<Schema.FilterIssue> => {
  const seen = new Set<string>()
  return Object.entries(given).flatMap(([language, entry]): ReadonlyArray<Schema.FilterIssue> => {
    if (!isLanguageTag(language)) return [`must have language tags such as "de" or "de-AT" as its keys`]
    const known = language.toLowerCase()
    if (seen.has(known)) return [{ path: [language], issue: "is the same language as another key" }]
    seen.add(known)
    const problem = problemOf(entry)
    return problem === undefined ? [] : [{ path: [language, ...problem.at], issue: problem.issue }]
  })
}

/** Translations of at most so many bytes of JSON. */
export const translations = (maxBytes = maxFreeForm) =>
  freeForm(maxBytes).pipe(Schema.check(Schema.makeFilter(problems, { toJsonSchema: () => ({}) })))
