/** Whether a caller prefers a page to JSON, by its Accept header (RFC 9110, 12.5.1). Pure. */

/** The quality that a media range gives to a type of exactly this name; undefined where it does not name it. */
const qualityOf = (accept: string, type: string): number | undefined => {
  for (const range of accept.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    const value = quality === undefined ? 1 : Number(quality.slice(2))
    return Number.isFinite(value) ? value : 0
  }
  return undefined
}

/** HTML has to be named, and JSON not to be preferred to it: a program that takes anything gets JSON. */
export const prefersPage = (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const page = qualityOf(accept, "text/html") ?? 0
  return page > 0 && page >= (qualityOf(accept, "application/json") ?? 0)
}
