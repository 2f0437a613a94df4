/** Codes by which customers refer others: REF- and eight characters that are not mistaken for one another. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** A new code. 40 random bits: who needs a unique one checks that it is not taken. */
export const newReferralCode = (): string => {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(8))
  return `REF-${Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join("")}`
}
