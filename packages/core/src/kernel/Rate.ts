/**
 * Percentages between 0 and 100 as exact decimals: 8.875 % is { value: 8875n, scale: 3 }. A rate is kept in lowest
 * terms (no trailing zeros in `value`), so equal rates have equal fields and print alike, whatever "8.8750" was sent.
 */
import { divideRounded } from "./Rounding.ts"

/** `value / 10^scale` percent. */
export interface Rate {
  readonly value: bigint
  readonly scale: number
}

/** Why an input is not a rate. `message` is a sentence for the caller. */
export interface RateInvalid {
  readonly _tag: "RateInvalid"
  readonly reason: "type" | "format" | "fraction_digits" | "range"
  readonly message: string
}

/** No tax rate has more digits; the bound keeps the integers small. */
const MAX_RATE_FRACTION_DIGITS = 12

const DECIMAL = /^-?\d+(?:\.\d+)?$/
const LONGEST_INPUT = 40

const invalid = (reason: RateInvalid["reason"], message: string): RateInvalid => ({
  _tag: "RateInvalid",
  reason,
  message
})

const lowestTerms = (text: string): Rate => {
  const [integer = "", fraction = ""] = text.split(".")
  const digits = fraction.replace(/0+$/, "")
  return { value: BigInt(integer + digits), scale: digits.length }
}

/** Reads a percentage, a JSON number or a decimal string, from 0 to 100 inclusive. Exponent forms are rejected. */
export const parseRate = (input: unknown): Rate | RateInvalid => {
  if (typeof input !== "number" && typeof input !== "string") {
    return invalid("type", "must be a number or a decimal string")
  }
  const text = String(input)
  if (text.length > LONGEST_INPUT || !DECIMAL.test(text))
    return invalid("format", "must be a plain decimal such as 8.875")
  const rate = lowestTerms(text)
  if (rate.scale > MAX_RATE_FRACTION_DIGITS) {
    return invalid("fraction_digits", `must have at most ${MAX_RATE_FRACTION_DIGITS} fraction digits`)
  }
  const hundred = 100n * 10n ** BigInt(rate.scale)
  return rate.value < 0n || rate.value > hundred ? invalid("range", "must be between 0 and 100") : rate
}

/** `rate` percent of an amount in minor units, rounded half up once. */
export const percentOf = ({ value, scale }: Rate, amount: bigint): bigint =>
  divideRounded(amount * value, 100n * 10n ** BigInt(scale), "half_up")

/** The rate as an integer at a finer scale: 8.875 % at scale 4 is 88750n. `scale` must not be below the rate's own. */
export const scaledRate = (rate: Rate, scale: number): bigint => rate.value * 10n ** BigInt(scale - rate.scale)

/** "8.875", "19", "0": the shortest exact decimal. */
export const formatRate = (rate: Rate): string => {
  if (rate.scale === 0) return rate.value.toString()
  const digits = rate.value.toString().padStart(rate.scale + 1, "0")
  const point = digits.length - rate.scale
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}
