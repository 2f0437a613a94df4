/**
 * The syntax that a template may use, checked before mustache.js parses it: variables, sections, inverted sections and
 * comments. Partials, other delimiters and overlong tags are rejected; overlong tags because the parser's search for
 * the end of a tag takes quadratic time over white space.
 */
import mustache from "mustache"

/** Characters of one tag, its braces included. */
const longestTag = 300
/** How deep sections may be nested. */
const deepestNesting = 8

type Token = mustache.Token

const writer = new mustache.Writer()
writer.templateCache = undefined

const opening = /\{\{\s*/y

/** Walks the tags as the parser will; the first problem as a sentence. */
const tagProblem = (template: string): string | undefined => {
  for (let at = template.indexOf("{{"); at >= 0; at = template.indexOf("{{", at)) {
    opening.lastIndex = at
    const inside = at + (opening.exec(template)?.[0].length ?? 2)
    const kind = template.charAt(inside)
    if (kind === ">") return "partials ({{> …}}) are not supported"
    if (kind === "=") return "other delimiters ({{= …}}) are not supported"
    const end = kind === "{" ? "}}}" : "}}"
    const close = template.slice(at, at + longestTag).indexOf(end, inside - at)
    if (close < 0) return `a tag is not closed within ${longestTag} characters: ${template.slice(at, at + 20)}`
    at += close + end.length
  }
  return undefined
}

const depthOf = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce((most, [, , , , children]) => Math.max(most, children === undefined ? 0 : 1 + depthOf(children)), 0)

/** What was parsed last, at most so many characters: thousands of mails are made of a few templates. */
const parsed = new Map<string, ReadonlyArray<Token> | string>()
const mostKept = 4_000_000
let kept = 0

/** The parsed template, or what is wrong with it as a sentence. */
export const parseTemplate = (template: string): ReadonlyArray<Token> | string => {
  const known = parsed.get(template)
  if (known !== undefined) return known
  const tokens = parse(template)
  kept += template.length
  if (kept > mostKept) {
    parsed.clear()
    kept = template.length
  }
  parsed.set(template, tokens)
  return tokens
}

const parse = (template: string): ReadonlyArray<Token> | string => {
  const problem = tagProblem(template)
  if (problem !== undefined) return problem
  // Sections cannot be nested deeper than there are closing tags, so this bounds the recursion below.
  if (countOf(template, /\{\{\s*\//g) > mostSections) return `at most ${mostSections} sections are supported`
  try {
    const tokens = writer.parse(template)
    return depthOf(tokens) > deepestNesting ? `sections may be nested ${deepestNesting} deep` : tokens
  } catch (cause) {
    return cause instanceof Error ? cause.message : "cannot be parsed"
  }
}

const mostSections = 500

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
