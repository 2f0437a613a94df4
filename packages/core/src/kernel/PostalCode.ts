/**
 * Normalises postal codes for comparison. Formats are not checked: an address with a code that its country does not
 * know is still accepted.
 */

/** Upper case, without spaces and hyphens: `sw1a 1aa` and `SW1A-1AA` are both SW1A1AA. May be empty. */
export const normalizePostalCode = (input: string): string => input.replace(/[\s\-\u2010\u2011]+/g, "").toUpperCase()

const EXACT = /^[A-Z0-9]+$/

/**
 * Whether a normalised code can be one exact postal code: letters and digits only. `803*`, `94100...94199` and other
 * patterns are not, and match nothing where the contract asks for exact codes.
 */
export const isExactPostalCode = (normalized: string): boolean => EXACT.test(normalized)
