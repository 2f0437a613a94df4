/**
 * Codes of coupons. Two codes are the same if they differ only in case, in surrounding space or in how accents are
 * encoded. The folding is done here and nowhere else: PostgreSQL folds some characters differently.
 */
/** Characters of a code. */
const longestCode = 100

/**
 * The code as it is compared. Upper case and not lower: the lower case of a sigma depends on the letters beside it.
 */
export const couponKey = (code: string): string => code.trim().normalize("NFC").toUpperCase().normalize("NFC")

/** Why a text cannot be a code; undefined if it can. */
export const codeProblem = (code: string): string | undefined => {
  const trimmed = code.trim()
  if (trimmed === "") return "must not be empty"
  if (trimmed.length > longestCode) return `must have at most ${longestCode} characters`
  return /[\p{C}\p{Z}]/u.test(trimmed) ? "must have no spaces and no invisible characters" : undefined
}

/** Digits and letters that are not taken for each other. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** Characters of a random code: 60 bits. */
const randomLength = 12

/** A code that nobody can guess. */
export const randomCode = (prefix = ""): string =>
  prefix +
  [...globalThis.crypto.getRandomValues(new Uint8Array(randomLength))]
    .map((byte) => alphabet.charAt(byte & 31))
    .join("")
