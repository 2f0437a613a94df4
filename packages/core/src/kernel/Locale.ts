/**
 * In which language a shopper reads (completions.md, Catalogue and storefront): the asked `locale`, then
 * Accept-Language (RFC 9110, 12.5.4), then the store's own. Translations are objects keyed by language tag.
 */
const maxLanguages = 10
const tag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

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
  return [locale?.trim() ?? "", ...accepted.map(({ language }) => language)].filter((language) => tag.test(language))
}

const baseOf = (language: string): string => (language.split("-")[0] ?? "").toLowerCase()

/**
 * The first wanted language that there is a translation for, by its whole tag or by its language alone; undefined where
 * the store's own language comes before any, or none is there.
 */
export const translationIn = (
  translations: Readonly<Record<string, unknown>>,
  wanted: ReadonlyArray<string>,
  own: string
): Readonly<Record<string, unknown>> | undefined => {
  const known = new Map(Object.entries(translations).map(([language, texts]) => [language.toLowerCase(), texts]))
  for (const language of wanted) {
    const texts = known.get(language.toLowerCase()) ?? known.get(baseOf(language))
    if (typeof texts === "object" && texts !== null) return texts as Readonly<Record<string, unknown>>
    if (baseOf(language) === baseOf(own)) return undefined
  }
  return undefined
}

/** The translated text, or the text itself where there is none. */
export const textOr = <A extends string | null>(
  texts: Readonly<Record<string, unknown>> | undefined,
  field: string,
  text: A
): string | A => {
  const found = texts?.[field]
  return typeof found === "string" && found !== "" ? found : text
}
