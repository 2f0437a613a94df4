/**
 * The language that a shopper reads: the requested `locale`, then Accept-Language (RFC 9110, 12.5.4), then the store's
 * own. Translations are objects keyed by language tag.
 */
const maxLanguages = 10
/** A longer tag is not a language (RFC 5646, 4.4.1). */
const maxTag = 35
const tag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** Whether the text names a language, such as "de" or "de-AT". */
export const isLanguageTag = (text: string): boolean => text.length <= maxTag && tag.test(text)

/** The requested languages, best first; invalid tags are left out. */
export const languagesWanted = (
  locale: string | undefined,
  acceptLanguage: string | undefined
): ReadonlyArray<string> => {
  const ranked = (acceptLanguage ?? "").split(",", maxLanguages).map((part, order) => {
    const [language = "", ...parameters] = part.split(";").map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith("q="))
    return { language, order, q: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  const accepted = ranked.filter(({ q }) => q > 0).toSorted((a, b) => b.q - a.q || a.order - b.order)
  return [locale?.trim() ?? "", ...accepted.map(({ language }) => language)].filter(isLanguageTag)
}

const baseOf = (language: string): string => (language.split("-")[0] ?? "").toLowerCase()

/** A language and its base, in lower case: `de-AT` also reads texts in `de`. */
export const withBase = (language: string): readonly [whole: string, base: string] => [
  language.toLowerCase(),
  baseOf(language)
]

/**
 * The first requested language in which there are texts (tags in lower case), by its whole tag or its base; undefined
 * if the store's own language comes first, or no requested language has texts.
 */
const languageAmong = (
  languages: ReadonlySet<string>,
  wanted: ReadonlyArray<string>,
  own: string
): string | undefined => {
  for (const language of wanted) {
    const found = withBase(language).find((tagged) => languages.has(tagged))
    if (found !== undefined) return found
    if (baseOf(language) === baseOf(own)) return undefined
  }
  return undefined
}

/**
 * The offered language that texts are shown in, spelt as offered; undefined if a requested language that is not offered
 * comes before all of them.
 */
export const languageShown = (
  offered: ReadonlyArray<string>,
  wanted: ReadonlyArray<string>,
  own: string
): string | undefined => {
  const [best] = wanted
  if (best === undefined) return own
  for (const tagged of withBase(best)) {
    const found = offered.find((language) => language.toLowerCase() === tagged)
    if (found !== undefined) return found
  }
  return baseOf(best) === baseOf(own) ? own : undefined
}

/**
 * The requested language to store for texts that are read later: the first that is offered, spelt as offered, else the
 * best; undefined if none is requested.
 */
export const languageKept = (offered: ReadonlyArray<string>, wanted: ReadonlyArray<string>): string | undefined => {
  for (const tagged of wanted.flatMap(withBase)) {
    const found = offered.find((language) => language.toLowerCase() === tagged)
    if (found !== undefined) return found
  }
  return wanted[0]
}

/**
 * The translation in the first requested language that has one, by its whole tag or its base; undefined if the store's
 * own language comes first, or there is none.
 */
export const translationIn = (
  translations: Readonly<Record<string, unknown>>,
  wanted: ReadonlyArray<string>,
  own: string
): Readonly<Record<string, unknown>> | undefined => {
  const known = new Map(
    Object.entries(translations).flatMap(([language, texts]) =>
      typeof texts === "object" && texts !== null
        ? [[language.toLowerCase(), texts as Readonly<Record<string, unknown>>] as const]
        : []
    )
  )
  const found = languageAmong(new Set(known.keys()), wanted, own)
  return found === undefined ? undefined : known.get(found)
}

/** The translations in the requested languages; all of them if none was requested. */
export const askedTranslations = (
  translations: Readonly<Record<string, unknown>>,
  wanted: ReadonlyArray<string> = []
): Record<string, unknown> => {
  if (wanted.length === 0) return { ...translations }
  const asked = new Set(wanted.flatMap(withBase))
  return Object.fromEntries(Object.entries(translations).filter(([language]) => asked.has(language.toLowerCase())))
}

/** The requested languages, best first, and the store's own. */
export interface Reading {
  readonly wanted: ReadonlyArray<string>
  readonly own: string
}

/** A field of a resource, translated if there is a text in a requested language. */
export const textIn = <Field extends string, Thing extends { readonly [key in Field]: string | null }>(
  thing: Thing & { readonly translations: Readonly<Record<string, unknown>> },
  field: Field,
  reading: Reading | undefined
): Thing[Field] | string =>
  reading === undefined
    ? thing[field]
    : textOr(translationIn(thing.translations, reading.wanted, reading.own), field, thing[field])

/** The translated text, or the text itself if there is none. */
export const textOr = <A extends string | null>(
  texts: Readonly<Record<string, unknown>> | undefined,
  field: string,
  text: A
): string | A => {
  const found = texts?.[field]
  return typeof found === "string" && found !== "" ? found : text
}
