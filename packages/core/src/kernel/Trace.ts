/**
 * The explanation that every calculator returns with its result: one entry per amount that was set, with the rows that
 * caused it, the formula, the value before rounding and the rounding point. Entries hold exact integers and are cheap
 * to make; `explain` turns an entry into text on demand.
 */
import { currencyExponent } from "./Currency.ts"
import { formatMoney } from "./Money.ts"
import { divideRounded, type RoundingMode } from "./Rounding.ts"

/**
 * Where an amount was rounded: `line`, `unit` and `order` are the store's tax policies; `allocation` is a largest
 * remainder split; `cap` means that an amount was cut to what its line had left; `none` was exact.
 */
export const roundingPoints = ["none", "line", "unit", "order", "allocation", "cap"] as const
export type RoundingPoint = (typeof roundingPoints)[number]

/** A row that caused an amount, as people call it. */
export interface TraceSource {
  readonly type: string
  readonly id: string
  readonly name: string
}

/** The step of values from which taxes are shared out: a combined or an order-wide tax. They belong to no sum. */
export const taxRoundingStep = "tax_rounding"

export interface TraceEntry {
  /** The step of the pricing pipeline that set the amount; or `taxRoundingStep`, `total`, `tenders`. */
  readonly step: string
  /** What the amount belongs to: a line id, `shipping` or `order`. */
  readonly target: string
  /** Ids of the rows that caused it (tax rates, a coupon, a rule); empty if the input itself did. */
  readonly sources: ReadonlyArray<string>
  /** The one row that caused it, as people call it; absent where there is none, or several. */
  readonly source?: TraceSource | undefined
  readonly formula: string
  /** The value before rounding, in minor units, as `numerator / denominator`. */
  readonly numerator: bigint
  readonly denominator: bigint
  readonly roundingPoint: RoundingPoint
  /** null if the rounding point needs no mode. */
  readonly roundingMode: RoundingMode | null
  /** The resulting amount, in minor units. */
  readonly amount: bigint
}

const EXTRA_DIGITS = 6

/** The unrounded value in major units with six digits beyond the currency's, e.g. "2.55462185" for 16.00 incl. 19 %. */
export const unroundedText = (entry: Pick<TraceEntry, "numerator" | "denominator">, currency: string): string => {
  const digits = currencyExponent(currency) + EXTRA_DIGITS
  const scaled = divideRounded(entry.numerator * 10n ** BigInt(EXTRA_DIGITS), entry.denominator, "half_up")
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, "0")
  const point = text.length - digits
  return `${scaled < 0n ? "-" : ""}${text.slice(0, point)}.${text.slice(point)}`
}

/** One line for a person: `tax line_1 [rate_de]: amount x rate / (100 + rate) = 2.55462185, line half_up -> 2.55`. */
export const explain = (entry: TraceEntry, currency: string): string => {
  const sources = entry.sources.length === 0 ? "" : ` [${entry.sources.join(", ")}]`
  const rounding =
    entry.roundingPoint === "none"
      ? ""
      : `, ${entry.roundingPoint}${entry.roundingMode === null ? "" : ` ${entry.roundingMode}`}`
  const value = `${unroundedText(entry, currency)}${rounding} -> ${formatMoney(entry.amount, currency)}`
  return `${entry.step} ${entry.target}${sources}: ${entry.formula} = ${value}`
}
