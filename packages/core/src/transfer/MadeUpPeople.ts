/**
 * People who do not exist, in place of those of a store. What is made up follows from the original and a key of the
 * installation: the same address becomes the same one in every table, two stay two, and nobody without the key can find
 * out whose it was by trying. Pure.
 */
import { hmacSha256Hex, randomHex } from "../crypto/Hashing.ts"
import { people, type PeopleRule } from "./People.ts"
import type { Row } from "./TransferFormat.ts"

const firstNames = ["Ada", "Ben", "Cleo", "Dana", "Eli", "Finn", "Gia", "Hugo", "Ines", "Jona", "Kaya", "Liv"]
const lastNames = ["Sample", "Madeup", "Fiction", "Placeholder", "Standin", "Example", "Mock", "Draft"]
const cities = ["Sampleton", "Madeupville", "Exampleburg", "Mockford"]

/** Fields of documents by their names in lower case, underscores removed. */
const emailField = /mail$/
const phoneField = /phone|mobile|^fax$/
const firstNameField = /^firstname$|^givenname$/
const lastNameField = /^lastname$|^familyname$|^surname$/
const cityField = /^city$|^town$/
const postalField = /^postalcode$|^zip(code)?$/
/** Nothing is left of these, numbers included. */
const goneField = /^lat$|^lng$|^birth(day|month|year|date)$|^dateofbirth$/
const urlField = /url$|^link$|^href$/
/** What people write, or that names them. */
const wordField = new RegExp(
  "name|mail|address|^line\\d$|street|company|note|message|text|body|title|subject|reason|comment|description|label|" +
    "recipient|sender|author|contact|token|code|secret|reply|agent|reference|^ip$"
)
/** Fields of the merchant's own, of which nobody knows what they hold. */
const freeField = /^metadata$|^customizations$|fieldvalues$|^properties$|^attributes$/

const id = /^[a-z]{2,10}_[0-9a-z]{16,40}$/i
const moment = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d(:?\d\d)?))?$/
const amount = /^-?\d{1,18}(\.\d{1,9})?$/
/** A word of ours: `FLAT`, `half_up`, `order.created`, `DE`, `de-AT`. */
const word = /^[a-z][a-zA-Z]{0,39}([._-][a-z0-9]{1,30}){0,5}$|^[A-Z][A-Z0-9_]{0,39}$|^[a-z]{2,3}-[A-Z]{2}$/
const code = /^[A-Z]{2,3}$/
const email = /^[^\s@]+@[^\s@]+$/

/** Ids that are secrets too: whoever knows one may use the cart or the checkout. Ten characters of time, 26 random. */
const secretId = /\b(cart|chk)_([0-9a-z]{10})[0-9a-z]{26}\b/g

export const makeMadeUpPeople = (key: Uint8Array) => {
  const mark = (kind: string, original: string): string => hmacSha256Hex(key, kind, "\n", original)
  const chosen = (kind: string, original: string, from: ReadonlyArray<string>): string =>
    from[Number.parseInt(mark(kind, original).slice(0, 8), 16) % from.length] ?? ""

  const text = (original: string) => `Made up ${mark("text", original).slice(0, 12)}`
  const emailOf = (original: string) =>
    `person-${mark("email", original.trim().toLowerCase()).slice(0, 16)}@example.invalid`
  const phoneOf = (original: string) =>
    `+1555${(BigInt(`0x${mark("phone", original).slice(0, 12)}`) % 10_000_000n).toString().padStart(7, "0")}`
  /** Digits for digits and letters for letters, so that it still looks like one of its country. */
  const postalOf = (original: string) => {
    const digits = mark("postal", original)
    return original.replace(/[0-9a-z]/gi, (was, at: number) => {
      const n = Number.parseInt(digits.charAt(at % digits.length), 16)
      return /\d/.test(was) ? String(n % 10) : String.fromCharCode(65 + n)
    })
  }
  const urlOf = (original: string) => `https://example.invalid/${mark("url", original).slice(0, 12)}`

  const wordsOf = (original: string, field: string): string => {
    if (email.test(original)) return emailOf(original)
    if (id.test(original) || moment.test(original)) return original
    const isPersonal = wordField.test(field)
    if (!isPersonal && (amount.test(original) || word.test(original))) return original
    return isPersonal && code.test(original) && field.endsWith("code") ? original : text(original)
  }

  const fieldRules: ReadonlyArray<readonly [RegExp, (original: string) => string]> = [
    [emailField, emailOf],
    [phoneField, phoneOf],
    [firstNameField, (original) => chosen("first", original, firstNames)],
    [lastNameField, (original) => chosen("last", original, lastNames)],
    [cityField, (original) => chosen("city", original, cities)],
    [postalField, postalOf],
    [urlField, urlOf]
  ]

  const documentOf = (value: unknown, field: string): unknown => {
    if (goneField.test(field)) return null
    if (typeof value === "string") {
      const rule = fieldRules.find(([name]) => name.test(field))
      return rule !== undefined && value !== "" ? rule[1](value) : wordsOf(value, field)
    }
    if (Array.isArray(value)) return value.map((one) => documentOf(one, field))
    if (typeof value !== "object" || value === null) return value
    if (freeField.test(field)) return {}
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) =>
        email.test(name) ? [] : [[name, documentOf(inner, name.replaceAll("_", "").toLowerCase())]]
      )
    )
  }

  const texts: Partial<Readonly<Record<PeopleRule, (original: string) => unknown>>> = {
    email: emailOf,
    firstName: (original) => chosen("first", original, firstNames),
    lastName: (original) => chosen("last", original, lastNames),
    phone: phoneOf,
    text,
    words: (original) => (id.test(original) ? original : text(original)),
    url: urlOf,
    secret: () => randomHex("", 32),
    lastDigits: () => "0000"
  }

  const valueOf = (rule: PeopleRule, value: unknown): unknown => {
    if (value === null || rule === "keep") return value
    if (rule === "none") return null
    if (rule === "emptied") return Array.isArray(value) ? [] : {}
    if (rule === "document") return documentOf(value, "")
    return typeof value === "string" ? (texts[rule]?.(value) ?? null) : null
  }

  return {
    /** The row with people who do not exist. */
    row: (table: string, row: Row): Row => {
      const rules = people.get(table)
      if (rules === undefined) return row
      return Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, valueOf(rules.get(column) ?? "keep", value)])
      )
    },
    /** A line in which no id opens a cart or a checkout of the original. */
    line: (line: string): string =>
      line.replace(secretId, (was, kind: string, time: string) => {
        const digits = BigInt(`0x${mark("id", was)}`)
          .toString(32)
          .padStart(52, "0")
          .slice(-26)
        return `${kind}_${time}${digits.replace(/[ilou]/g, (letter) => crockford[letter] ?? letter)}`
      })
  }
}

/** Letters that our ids do not have, for those that base 32 writes. */
const crockford: Readonly<Record<string, string>> = { i: "w", l: "x", o: "y", u: "z" }
