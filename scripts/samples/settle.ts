/**
 * Makes recordings the same each time: ids, tokens and names of files become invented ones of the same form, numbered
 * in the order in which they first appear, and a time becomes that of the beginning of its step.
 */
import { lettersOf, sampleId } from "@effect-commerce/handler/system/samples/sampleIds"

const hexadecimal = "0123456789abcdef"
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/** Texts that are chosen at random, the number of those before each of its kind. */
const makeNumbers = () => {
  const known = new Map<string, number>()
  const counts = new Map<string, number>()
  return (kind: string, text: string): number => {
    const before = known.get(text)
    if (before !== undefined) return before
    const number = counts.get(kind) ?? 0
    counts.set(kind, number + 1)
    known.set(text, number)
    return number
  }
}

/** The signature of a link to an invoice, which the root secret and the ids of the recording decide. */
const signature = /(\/invoices\/[\w.]*\.)[0-9a-f]{64}/g

/** Keys and secrets, of which the first letters are shown beside their names. */
const secrets = [
  { form: /svc_([\w-]{8})([\w-]{35})?/g, begin: "svc_", letters: base64url },
  { form: /whsec_([0-9a-f]{6})([0-9a-f]{58})?/g, begin: "whsec_", letters: hexadecimal },
  { form: /cs_([0-9a-f]{8})([0-9a-f]{56})/g, begin: "cs_", letters: hexadecimal }
]

const jwt = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g
const event = /evt_[0-9a-f]{32}/g
/** The hash of a file's content stands before the id of the file. */
const file = /[0-9a-f]{32}(?=-01[0-9a-z]{24})/g
const id = /(?<![0-9a-z])(?:([a-z]+)_)?(01[0-9a-hjkmnp-tv-z]{24}(?:[0-9a-hjkmnp-tv-z]{10})?)(?![0-9a-z])/g
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** Processes write it once a minute: which of the walk's requests it is of depends on when that was. */
const lastUse = /(?<="lastUsedAt":)"[^"]*"/g

const inBase64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const token = (): string => {
  const claims = { ver: 1, iss: sampleId("store"), aud: sampleId("vc"), sub: sampleId("cust") }
  return [inBase64({ alg: "HS256", typ: "JWT" }), inBase64(claims), lettersOf("signature", 43, base64url)].join(".")
}

/** `text` is the JSON of all recordings. `seeded` is the hour in which the store was filled. */
export const settle = (text: string, seeded: string): string => {
  const numberOf = makeNumbers()
  const withoutSecrets = secrets.reduce(
    (sum, { form, begin, letters }) =>
      sum.replaceAll(form, (_, first: string, rest = "") => {
        const which = `${begin}${numberOf(begin, first)}`
        return begin + lettersOf(which, first.length, letters) + lettersOf(`${which} rest`, rest.length, letters)
      }),
    text.replaceAll(jwt, token)
  )
  return withoutSecrets
    .replaceAll(signature, (_, link: string) => `${link}${lettersOf("link", 64, hexadecimal)}`)
    .replaceAll(file, (hash) => lettersOf(`file ${numberOf("file", hash)}`, 32, hexadecimal))
    .replaceAll(event, (one) => sampleId("evt", numberOf("evt", one)))
    .replaceAll(id, (_, prefix: string | undefined, tail: string) => {
      const made = sampleId(prefix ?? "media", numberOf(prefix ?? "media", tail))
      return prefix === undefined ? made.slice("media_".length) : made
    })
    .replaceAll(time, (at) => (at.startsWith(seeded) ? `${seeded}:00:00.000Z` : `${at.slice(0, 16)}:00.000Z`))
    .replaceAll(lastUse, `"${seeded}:00:00.000Z"`)
}
