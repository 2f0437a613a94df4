/**
 * The plain text of an HTML mail whose template has no text of its own. One pass, in time that grows with the length
 * alone; links keep their address.
 */
const unseen: ReadonlySet<string> = new Set(["style", "script", "head", "title"])
const blocks: ReadonlySet<string> = new Set([
  "br",
  "p",
  "tr",
  "div",
  "table",
  "ul",
  "ol",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6"
])
const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " ", amp: "&" }
const longestTag = 4_000

interface Tag {
  readonly name: string
  readonly closes: boolean
  readonly source: string
}

const words = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => characters[name] ?? "")

const hrefOf = (tag: Tag): string => words(/href\s{0,9}=\s{0,9}"([^"]*)"/i.exec(tag.source)?.[1] ?? "")

const tagOf = (source: string): Tag => {
  const [, slash = "", name = ""] = /^<(\/?)([a-z0-9]+)/i.exec(source.slice(0, 20)) ?? []
  return { name: name.toLowerCase(), closes: slash !== "", source }
}

/**
 * Texts and tags in their order; the content of invisible elements is left out, and so is all that follows a tag
 * without an end.
 */
const piecesOf = function* (html: string): Generator<string | Tag> {
  // Only A to Z are lower-cased, so that positions stay the same.
  const folded = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let at = 0
  while (at < html.length) {
    const start = html.indexOf("<", at)
    yield words(html.slice(at, start < 0 ? undefined : start))
    const end = start < 0 ? -1 : html.indexOf(">", start)
    if (end < 0) return
    const tag = tagOf(html.slice(start, Math.min(end, start + longestTag)))
    yield tag
    at = unseen.has(tag.name) && !tag.closes ? folded.indexOf(`</${tag.name}`, end) : end + 1
    if (at < 0) return
  }
}

const spacingOf = (tag: Tag): string =>
  blocks.has(tag.name) ? "\n" : tag.name === "td" || tag.name === "th" ? " " : ""

export const plainTextOf = (html: string): string => {
  const text: Array<string> = []
  let link = ""
  for (const piece of piecesOf(html)) {
    if (typeof piece === "string") text.push(piece)
    else if (piece.name !== "a") text.push(spacingOf(piece))
    else if (!piece.closes) link = hrefOf(piece)
    else if (link !== "") text.push(` (${link})`)
  }
  return text
    .join("")
    .split("\n")
    .map((line) => line.replace(/ {2,}/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}
