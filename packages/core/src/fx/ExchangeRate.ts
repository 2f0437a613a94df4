/**
 * Rates of exchange as exact decimals: 161.5 is { value: 1615n, scale: 1 }. Each rate has a buffer, a percentage on top
 * that covers what the rate moves by until the money is exchanged.
 */
import { Schema } from "effect"
import { currencyExponent } from "../kernel/Currency.ts"
import { Decimal, described, nullableString, optional, string, text, timestamp } from "../kernel/Fields.ts"
import { formatRate, parseRate, type Rate } from "../kernel/Rate.ts"
import { divideRounded } from "../kernel/Rounding.ts"

const mostIntegerDigits = 12
const mostFractionDigits = 12
const decimal = /^(\d+)(?:\.(\d+))?$/
const longestInput = 40

/** Reads a rate, a JSON number or a decimal string above zero; a sentence for the caller where it is none. */
export const parseExchangeRate = (input: number | string): Rate | string => {
  const given = String(input)
  const parts = given.length > longestInput ? null : decimal.exec(given)
  if (parts === null) return "must be a plain decimal such as 161.5, more than 0"
  const integer = (parts[1] ?? "").replace(/^0+/, "")
  const fraction = (parts[2] ?? "").replace(/0+$/, "")
  if (integer.length > mostIntegerDigits || fraction.length > mostFractionDigits)
    return `must have at most ${mostIntegerDigits} digits before and ${mostFractionDigits} after the point`
  const value = BigInt(`0${integer}${fraction}`)
  return value === 0n ? "must be more than 0" : { value, scale: fraction.length }
}

/** A rate that was stored. */
const storedRate = (stored: string): Rate => {
  const rate = parseExchangeRate(stored)
  if (typeof rate === "string") throw new RangeError(`The stored rate ${stored} ${rate}`)
  return rate
}

const storedPercent = (stored: string): Rate => {
  const percent = parseRate(stored)
  if ("_tag" in percent) throw new RangeError(`The stored percentage ${stored} ${percent.message}`)
  return percent
}

/** A rate with its buffer, as they are stored. */
export interface BufferedRate {
  readonly rate: string
  readonly bufferPercent: string
}

/** rate x (1 + buffer / 100), exactly. */
const withBuffer = ({ rate, bufferPercent }: BufferedRate): Rate => {
  const base = storedRate(rate)
  const buffer = storedPercent(bufferPercent)
  return {
    value: base.value * (100n * 10n ** BigInt(buffer.scale) + buffer.value),
    scale: base.scale + buffer.scale + 2
  }
}

/** The rate that amounts are converted at, with its buffer, as the shortest exact decimal: "166.345". */
export const chargingRate = (rate: BufferedRate): string => {
  const { value, scale } = withBuffer(rate)
  const digits = value.toString().padStart(scale + 1, "0")
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "")
  return formatRate({ value: BigInt(digits.slice(0, digits.length - scale) + fraction), scale: fraction.length })
}

/**
 * Converts minor units of `from` into minor units of `to`, rounded half up to a multiple of `step` minor units. A
 * larger amount never becomes a smaller one.
 */
export const converter = (
  { from, to, step }: { readonly from: string; readonly to: string; readonly step: bigint },
  rate: BufferedRate
): ((minor: bigint) => bigint) => {
  const { value, scale } = withBuffer(rate)
  const numerator = value * 10n ** BigInt(currencyExponent(to))
  const denominator = 10n ** BigInt(scale + currencyExponent(from)) * step
  return (minor) => divideRounded(minor * numerator, denominator, "half_up") * step
}

export const FxRateInput = Schema.Struct({
  base: optional(text(3), "The store's currency, which is also the default: ISO 4217.", "EUR"),
  quote: described(text(3), "Another currency: ISO 4217.", "JPY"),
  rate: described(
    Schema.NullOr(Decimal),
    "How many units of `quote` one unit of `base` is, more than 0: at most 12 digits before and 12 after the point. " +
      "Null removes the rate.",
    "161.5"
  ),
  bufferPercent: optional(Decimal, "Percentage on top of the rate, from 0 to 100. 0 by default.", "3")
}).annotate({
  identifier: "SetFxRate",
  description: "A rate of exchange from the store's currency to another one, to set or to remove."
})
export type FxRateInput = typeof FxRateInput.Type

export const FxRate = Schema.Struct({
  base: string("The store's currency.", "EUR"),
  quote: string("The other currency.", "JPY"),
  rate: nullableString(
    "How many units of `quote` one unit of `base` is, an exact decimal; null in the response that removes it.",
    "161.5"
  ),
  bufferPercent: string("Percentage on top of the rate.", "3"),
  updatedAt: timestamp("When it was last set.")
}).annotate({ identifier: "FxRate", description: "A rate of exchange of a store." })
export type FxRate = typeof FxRate.Type

export interface FxRateState extends BufferedRate {
  readonly base: string
  readonly quote: string
  readonly updatedAt: Date
}

/** `rate` is null where it was removed. */
export const toFxRate = ({ updatedAt, ...rate }: Omit<FxRateState, "rate"> & Pick<FxRate, "rate">): FxRate => ({
  ...rate,
  updatedAt: updatedAt.toISOString()
})
