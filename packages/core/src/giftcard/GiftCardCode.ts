/**
 * Codes of gift cards. A code is a bearer secret: it is shown once, when the card is issued, and stored as an HMAC with
 * a key of the installation and the store, so that a copy of the database holds no code that can be spent.
 */
import { hmacSha256Hex } from "../crypto/Hashing.ts"

/** Digits and letters without I, L, O and U, which people misread. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const length = 16

/** A new code of 80 random bits in four groups, such as `7K2M-9QX4-B8N6-5D1E`. */
export const makeGiftCardCode = (): string => {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(length))
  const text = Array.from(random, (byte) => alphabet.charAt(byte & 31)).join("")
  return text.replaceAll(/(.{4})(?=.)/g, "$1-")
}

/**
 * The form in which codes are compared: upper case without spaces and hyphens, and the letters that people take for
 * digits as those digits.
 */
export const normaliseGiftCardCode = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll(/[\s\p{Dash_Punctuation}]/gu, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1")

/** The last four characters of a code, which may be shown. */
export const lastFourOf = (code: string): string => normaliseGiftCardCode(code).slice(-4)

/** What is stored of a code. `key` is 32 bytes of the store's own. */
export const hashGiftCardCode = (key: Uint8Array, code: string): string =>
  hmacSha256Hex(Buffer.from(key).toString("hex"), normaliseGiftCardCode(code))
