/**
 * The languages that default templates are written in. A text is given in all of them at once, so that none can be
 * forgotten.
 */
export const templateLanguages = ["en", "de"] as const
export type TemplateLanguage = (typeof templateLanguages)[number]

/** Chooses the text of one language. */
export type Say = (english: string, german: string) => string

export const sayIn =
  (language: TemplateLanguage): Say =>
  (english, german) =>
    language === "de" ? german : english

/** The language of default templates for a tag such as `de-AT`; undefined if there are none in it. */
export const templateLanguageOf = (tag: string | null | undefined): TemplateLanguage | undefined => {
  const base = tag?.split("-")[0]?.toLowerCase()
  return templateLanguages.find((language) => language === base)
}
