/**
 * Amounts: a bigint count of minor units inside (1999n is 19.99 EUR), a decimal string with exactly the digits of the
 * currency at the edge. Nothing here passes through a float on the way in or out, so no NaN, exponent form or "-0.00"
 * can be stored or shown.
 */
import { currencyExponent } from "./Currency.ts"

/** The largest and smallest amounts a column of type int8 holds, in minor units. */
export const MAX_MINOR = 9_223_372_036_854_775_807n
export const MIN_MINOR = -9_223_372_036_854_775_808n

/** Why an input is not an amount. `message` is a sentence for the caller. */
export interface MoneyInvalid {
  readonly _tag: "MoneyInvalid"
  readonly reason: "type" | "format" | "fraction_digits" | "range" | "negative"
  readonly message: string
}

const invalid = (reason: MoneyInvalid["reason"], message: string): MoneyInvalid => ({
  _tag: "MoneyInvalid",
  reason,
  message
})

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const LONGEST_INPUT = 40

/** Up to here a JSON number is exact: fifteen significant digits survive a double. */
const FAITHFUL_MINOR = 10n ** 15n

/** Whether an amount in minor units can be stored (int8). Sums and products of parsed amounts need the check again. */
export const isStorableMoney = (minor: bigint): boolean => minor >= MIN_MINOR && minor <= MAX_MINOR

const textOf = (input: unknown): string | undefined =>
  typeof input === "string" ? input : typeof input === "number" ? String(input) : undefined

/**
 * Reads an amount in major units, a JSON number or a decimal string, into minor units of `currency`. Rejects NaN,
 * Infinity, exponents, signs other than a leading minus, spaces, more fraction digits than the currency has (also when
 * they are zeros), amounts beyond int8, and numbers too large to have arrived unchanged (send a string). Negative
 * amounts are read; use `parseAmount` where they make no sense.
 */
export const parseMoney = (input: unknown, currency: string): bigint | MoneyInvalid => {
  const text = textOf(input)
  if (text === undefined) return invalid("type", "must be a number or a decimal string")
  const parts = text.length > LONGEST_INPUT ? null : DECIMAL.exec(text)
  if (parts === null) return invalid("format", "must be a plain decimal such as 19.99")
  const exponent = currencyExponent(currency)
  const fraction = parts[3] ?? ""
  if (fraction.length > exponent) {
    return invalid("fraction_digits", `${currency} has ${exponent} fraction digits`)
  }
  const magnitude = BigInt(`${parts[2]}${fraction.padEnd(exponent, "0")}`)
  if (typeof input === "number" && magnitude >= FAITHFUL_MINOR) {
    return invalid("range", "is too large for a JSON number: send a decimal string")
  }
  const minor = parts[1] === "-" ? -magnitude : magnitude
  return isStorableMoney(minor) ? minor : invalid("range", "is too large")
}

/** `parseMoney` for prices, fees and balances: rejects amounts below zero with reason `negative`. */
export const parseAmount = (input: unknown, currency: string): bigint | MoneyInvalid => {
  const minor = parseMoney(input, currency)
  return typeof minor === "bigint" && minor < 0n ? invalid("negative", "must not be negative") : minor
}

/** Writes minor units as a decimal string with exactly the digits of the currency: 1050n is "10.50" EUR, "1050" JPY. */
export const formatMoney = (minor: bigint, currency: string): string => {
  const exponent = currencyExponent(currency)
  if (exponent === 0) return minor.toString()
  const negative = minor < 0n
  const digits = (negative ? -minor : minor).toString().padStart(exponent + 1, "0")
  const point = digits.length - exponent
  return `${negative ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`
}

export const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * Minor units as a JSON number of major units, for `taxBreakdown`, the only part of the API with amounts as numbers.
 * It is the double nearest to the exact amount and never -0.
 */
export const moneyToNumber = (minor: bigint, currency: string): number => Number(formatMoney(minor, currency))
