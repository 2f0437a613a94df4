/**
 * Cuts a SQL file into its statements, because the driver sends one per message. Semicolons inside strings, quoted
 * identifiers, dollar quotes ($$ … $$, $tag$ … $tag$) and comments do not end a statement. Source: PostgreSQL manual,
 * 4.1 Lexical Structure.
 */
export const splitStatements = (source: string): ReadonlyArray<string> => {
  const statements: Array<string> = []
  let start = 0
  let at = 0
  let meaningful = false
  while (at < source.length) {
    const token = skipQuotedOrComment(source, at)
    if (token !== undefined) {
      meaningful ||= token.meaningful
      at = token.end
      continue
    }
    const char = source.charAt(at)
    if (char === ";") {
      if (meaningful) statements.push(source.slice(start, at).trim())
      start = at + 1
      meaningful = false
    } else if (!/\s/.test(char)) meaningful = true
    at += 1
  }
  if (meaningful) statements.push(source.slice(start).trim())
  return statements
}

interface Token {
  readonly end: number
  /** False for comments: comments alone are not a statement. */
  readonly meaningful: boolean
}

const skipQuotedOrComment = (source: string, at: number): Token | undefined => {
  const char = source.charAt(at)
  if (char === "-" && source.charAt(at + 1) === "-") return { end: endOfLine(source, at), meaningful: false }
  if (char === "/" && source.charAt(at + 1) === "*") return { end: endOfBlockComment(source, at), meaningful: false }
  if (char === '"') return { end: endOfQuoted(source, at, '"', false), meaningful: true }
  if (char === "'") return { end: endOfQuoted(source, at, "'", isEscapeString(source, at)), meaningful: true }
  if (char === "$") return dollarQuoted(source, at)
  return undefined
}

const endOfLine = (source: string, at: number): number => {
  const end = source.indexOf("\n", at)
  return end < 0 ? source.length : end + 1
}

/** Block comments nest in PostgreSQL. */
const endOfBlockComment = (source: string, from: number): number => {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const pair = source.slice(at, at + 2)
    if (pair === "/*") depth += 1
    else if (pair === "*/") depth -= 1
    else continue
    at += 1
    if (depth === 0) return at + 1
  }
  return source.length
}

/** A doubled quote is an escaped quote; in E'…' strings a backslash escapes the next character. */
const endOfQuoted = (source: string, from: number, quote: string, escapes: boolean): number => {
  for (let at = from + 1; at < source.length; at++) {
    const char = source.charAt(at)
    if (escapes && char === "\\") at += 1
    else if (char === quote) {
      if (source.charAt(at + 1) !== quote) return at + 1
      at += 1
    }
  }
  return source.length
}

const isEscapeString = (source: string, at: number): boolean =>
  /(^|[^A-Za-z0-9_])[eE]$/.test(source.slice(Math.max(0, at - 2), at))

const dollarQuoted = (source: string, at: number): Token | undefined => {
  if (/[A-Za-z0-9_$]/.test(source.charAt(at - 1))) return undefined
  const tag = /^\$([A-Za-z_][A-Za-z0-9_]*)?\$/.exec(source.slice(at, at + 66))?.[0]
  if (tag === undefined) return undefined
  const close = source.indexOf(tag, at + tag.length)
  return { end: close < 0 ? source.length : close + tag.length, meaningful: true }
}
