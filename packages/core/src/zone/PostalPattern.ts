/**
 * The postal-code patterns of a shipping zone: an exact code, a prefix `941*`, a range `94100-94199`, or `*` for any. A
 * pattern is read once, with its country, and compared with normalised codes (upper case, no spaces, no hyphens). A
 * hyphen alone makes no range: `00-950`, `40301-110` and `95014-1234` are single codes as people write them. Tax rates
 * do not use this module: there the same strings are compared exactly.
 */
import { isExactPostalCode, normalizePostalCode } from "../kernel/PostalCode.ts"

/**
 * `low` and `high` are inclusive and have the same number of digits; only codes of that length can lie between them.
 */
export type PostalPattern =
  | { readonly kind: "any" }
  | { readonly kind: "exact"; readonly code: string }
  | { readonly kind: "prefix"; readonly prefix: string }
  | { readonly kind: "range"; readonly low: string; readonly high: string }
  | { readonly kind: "none"; readonly problem: string }

/** Countries whose own codes are written as two groups of equally many digits (Iran: 11936-12345). */
const HALVED_CODES: ReadonlySet<string> = new Set(["IR"])

const DIGITS = /^[0-9]+$/
const LONGEST_PATTERN = 64

const none = (problem: string): PostalPattern => ({ kind: "none", problem })

const readRange = (country: string, pattern: string): PostalPattern | undefined => {
  const sides = pattern.split("-")
  if (sides.length !== 2 || HALVED_CODES.has(country)) return undefined
  const [low = "", high = ""] = sides.map(normalizePostalCode)
  const isRange = DIGITS.test(low) && DIGITS.test(high) && low.length === high.length && low <= high
  return isRange ? { kind: "range", low, high } : undefined
}

const readPrefix = (prefix: string): PostalPattern => {
  if (prefix === "") return { kind: "any" }
  return isExactPostalCode(prefix) ? { kind: "prefix", prefix } : none("may hold one * only, at the end")
}

/**
 * Reads one pattern of `country` (alpha-2, upper case). Never throws: an invalid pattern becomes `none`, which matches
 * nothing and whose `problem` completes the sentence "<field> …" for the person who wrote it.
 */
export const readPostalPattern = (country: string, pattern: string): PostalPattern => {
  if (pattern.length > LONGEST_PATTERN) return none(`must have at most ${LONGEST_PATTERN} characters`)
  const range = readRange(country, pattern)
  if (range !== undefined) return range
  const code = normalizePostalCode(pattern)
  if (code === "") return none("must not be empty")
  if (code.endsWith("*")) return readPrefix(code.slice(0, -1))
  if (code.includes("*")) return none("may hold one * only, at the end")
  return isExactPostalCode(code) ? { kind: "exact", code } : none("may hold letters, digits, spaces and hyphens only")
}

/** Whether a normalised postal code ("" where the address has none) satisfies the pattern. Only `any` accepts "". */
export const matchesPostalPattern = (pattern: PostalPattern, code: string): boolean => {
  switch (pattern.kind) {
    case "any":
      return true
    case "exact":
      return code === pattern.code
    case "prefix":
      return code.startsWith(pattern.prefix)
    case "range":
      return code.length === pattern.low.length && DIGITS.test(code) && code >= pattern.low && code <= pattern.high
    case "none":
      return false
  }
}
