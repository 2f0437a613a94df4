/** The product's own translations in its composed document, of which a reader is shown those that were asked for. */
import { askedTranslations } from "../../kernel/Locale.ts"

const key = '"translations":'
/** Inside a text of JSON a quote is escaped, so that this finds braces of objects alone. */
const textOrBrace = /"(?:[^"\\]|\\.)*"|[{}]/g

/** Where the object ends that begins at `from`. */
const endOf = (json: string, from: number): number => {
  let depth = 0
  textOrBrace.lastIndex = from
  for (let found = textOrBrace.exec(json); found !== null; found = textOrBrace.exec(json)) {
    if (found[0] === "{") depth += 1
    if (found[0] === "}") depth -= 1
    if (depth === 0) return textOrBrace.lastIndex
  }
  return json.length
}

/**
 * A part of a document between its holes. What is somebody's own JSON (values of metafields, modifiers) fills holes,
 * and inside a text the key's quotes are escaped: here it is the product's.
 */
export const withAskedTranslations = (part: string, wanted: ReadonlyArray<string>): string => {
  const at = part.indexOf(`${key}{`)
  if (at < 0 || wanted.length === 0) return part
  const from = at + key.length
  const end = endOf(part, from)
  const all = JSON.parse(part.slice(from, end)) as Readonly<Record<string, unknown>>
  return part.slice(0, from) + JSON.stringify(askedTranslations(all, wanted)) + part.slice(end)
}
