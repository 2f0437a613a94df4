/**
 * Opaque, prefixed, time-ordered identifiers, made in the process: `prod_01k9…`. Ten characters of time (milliseconds,
 * Crockford base32) sort ids by creation; sixteen random characters (80 bits) make them unguessable and unique without
 * asking the database.
 */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const encodeTime = (millis: number): string => {
  let rest = millis
  let text = ""
  for (let i = 0; i < 10; i++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Random bytes are read from the system in blocks, because each call is expensive. Each byte is used once. */
const random = new Uint8Array(2_048)
let used = random.length

const encodeRandom = (length: number): string => {
  if (used + length > random.length) {
    globalThis.crypto.getRandomValues(random)
    used = 0
  }
  let text = ""
  for (const end = used + length; used < end; used++) text += alphabet.charAt((random[used] ?? 0) & 31)
  return text
}

/** A new id of the given kind; `nowMillis` comes from the instance's clock. */
export const makeId = (prefix: string, nowMillis: number): string =>
  `${prefix}_${encodeTime(nowMillis)}${encodeRandom(16)}`

/** An id that is also a secret: anybody who knows it may use the resource. 26 random characters are 130 bits. */
export const makeSecretId = (prefix: string, nowMillis: number): string =>
  `${prefix}_${encodeTime(nowMillis)}${encodeRandom(26)}`

/** Whether a text is too long to be an id of ours, so that it need not be looked up or cached. */
export const isNoId = (text: string): boolean => text.length > 100
