/**
 * Translated texts in a body: an object by language tag (`de`, `de-AT`), whose entries hold texts. Other fields of an
 * entry are the caller's and stored as they are.
 */
import { Schema } from "effect"
import { described, documentedAs, nullableString, storedObject } from "./Fields.ts"
import { freeForm, maxFreeForm } from "./JsonSize.ts"
import { isLanguageTag } from "./Locale.ts"

/** The texts that are read from an entry; null means no translation. */
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

const known = (description: string) => Schema.optionalKey(nullableString(description))

const TranslatedTexts = Schema.StructWithRest(
  Schema.Struct({
    name: known("The name in this language."),
    description: known("The description in this language."),
    metaDescription: known("The description for search engines in this language."),
    slug: known("The slug in this language."),
    enumValues: Schema.optionalKey(
      described(Schema.Record(Schema.String, Schema.Unknown), "Labels of choices in this language, by their value.")
    )
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).annotate({ identifier: "TranslatedTexts", description: "Texts in one language. Other keys are kept as they are." })

const Translations = Schema.Record(Schema.String, TranslatedTexts).annotate({
  identifier: "Translations",
  description:
    "Translated texts by language tag, such as `de` or `de-AT`. A storefront that asks for languages is shown those " +
    "alone."
})

/** Translations of at most `maxBytes` of JSON. */
export const translations = (maxBytes = maxFreeForm) =>
  freeForm(maxBytes).pipe(Schema.check(Schema.makeFilter(problems, documentedAs(Translations))))

/** Translations in a response, as they are stored. */
export const translationsView = (description: string) => described(storedObject(Translations), description)
