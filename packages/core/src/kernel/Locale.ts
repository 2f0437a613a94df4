/**
 * In which language a shopper reads: the asked `locale`, then Accept-Language (RFC 9110, 12.5.4), then the store's own.
 * Translations are objects keyed by language tag.
 */
const maxLanguages = 10
/** A longer one is no language (RFC 5646, 4.4.1). */
const maxTag = 35
const tag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** Whether the text names a language, such as "de" or "de-AT". */
export const isLanguageTag = (text: string): boolean => text.length <= maxTag && tag.test(text)

/** Languages wanted, best first; what is no language tag is left out. */
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

/** `de-AT` reads what is in `de` too. In lower case. */
export const withBase = (language: string): readonly [whole: string, base: string] => [
  language.toLowerCase(),
  baseOf(language)
]

/**
 * The first wanted language that is among those of the texts (in lower case), by its whole tag or by its language
 * alone; undefined where the store's own language comes before any, or none is there.
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
 * The one language that texts are shown in, of those that are offered, as these are written; undefined where a wanted
 * one that is not offered comes before any of them.
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
 * The language that is kept of those that are wanted, for texts that are read later: the first that is offered, as that
 * is written, else the best; undefined where none is wanted.
 */
export const languageKept = (offered: ReadonlyArray<string>, wanted: ReadonlyArray<string>): string | undefined => {
  for (const tagged of wanted.flatMap(withBase)) {
    const found = offered.find((language) => language.toLowerCase() === tagged)
    if (found !== undefined) return found
  }
  return wanted[0]
}

/**
 * The first wanted language that there is a translation for, by its whole tag or by its language alone; undefined where
 * the store's own language comes before any, or none is there.
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

/** Of translations, those in languages that were asked for; all, where none was. */
export const askedTranslations = (
  translations: Readonly<Record<string, unknown>>,
  wanted: ReadonlyArray<string> = []
): Record<string, unknown> => {
  if (wanted.length === 0) return { ...translations }
  const asked = new Set(wanted.flatMap(withBase))
  return Object.fromEntries(Object.entries(translations).filter(([language]) => asked.has(language.toLowerCase())))
}

/** Languages wanted, best first, and the store's own. */
export interface Reading {
  readonly wanted: ReadonlyArray<string>
  readonly own: string
}

/** A field of a thing as it is read: translated where the thing has that text in a language that is wanted. */
export const textIn = <Field extends string, Thing extends { readonly [key in Field]: string | null }>(
  thing: Thing & { readonly translations: Readonly<Record<string, unknown>> },
  field: Field,
  reading: Reading | undefined
): Thing[Field] | string =>
  reading === undefined
    ? thing[field]
    : textOr(translationIn(thing.translations, reading.wanted, reading.own), field, thing[field])

/** The translated text, or the text itself where there is none. */
export const textOr = <A extends string | null>(
  texts: Readonly<Record<string, unknown>> | undefined,
  field: string,
  text: A
): string | A => {
  const found = texts?.[field]
  return typeof found === "string" && found !== "" ? found : text
}
