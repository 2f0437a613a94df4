/**
 * The outcome of matching: the rates that are charged together on one base, with what the arithmetic needs of them
 * worked out once. All percentages of a match are integers of one common scale, so that no fraction appears before the
 * single division that is rounded.
 */
import { formatRate, type Rate, scaledRate } from "../kernel/Rate.ts"
import type { TraceSource } from "../kernel/Trace.ts"

/** A rate as it is applied: `text` is its percentage as a decimal string ("8.875"). */
export interface AppliedRate {
  readonly id: string
  readonly name: string
  readonly rate: Rate
  readonly text: string
  readonly isInclusive: boolean
  /** The rate in explanations. */
  readonly source: TraceSource
}

/**
 * Rates charged on the same base, in the order in which ties are broken: priority, createdAt, id. With gross amount
 * `a`, rate i is `a x weights[i] / denominator`: the base is a / (1 + sum of the inclusive rates), so the denominator
 * is 100 % plus the inclusive rates and the formula serves inclusive, exclusive and mixed stacks.
 */
export interface TaxMatch {
  readonly rates: ReadonlyArray<AppliedRate>
  readonly ids: ReadonlyArray<string>
  /** Equal for equal sets of rates. */
  readonly key: string
  /** Each rate at the common scale. */
  readonly weights: ReadonlyArray<bigint>
  readonly weightSum: bigint
  readonly denominator: bigint
  /** The combined formula with its numbers: "amount x 19 / (100 + 19)". */
  readonly formula: string
  /** The formula of each rate alone. */
  readonly formulas: ReadonlyArray<string>
  /** Why these rates and no others, as a sentence. */
  readonly reason: string
}

/** Works out a match of rates that are already in order. */
export const makeTaxMatch = (rates: ReadonlyArray<AppliedRate>, reason: string): TaxMatch => {
  let scale = 0
  for (const { rate } of rates) scale = Math.max(scale, rate.scale)
  const weights = rates.map(({ rate }) => scaledRate(rate, scale))
  const inclusive = rates.filter((rate) => rate.isInclusive)
  let weightSum = 0n
  let denominator = 100n * 10n ** BigInt(scale)
  for (const [index, rate] of rates.entries()) {
    const weight = weights[index] ?? 0n
    weightSum += weight
    if (rate.isInclusive) denominator += weight
  }
  const ids = rates.map((rate) => rate.id)
  const divisor = inclusive.length === 0 ? "100" : `(100 + ${sumText(inclusive)})`
  return {
    rates,
    ids,
    key: ids.join(" "),
    weights,
    weightSum,
    denominator,
    formula: `amount x ${rates.length === 1 ? sumText(rates) : `(${sumText(rates)})`} / ${divisor}`,
    formulas: rates.map((rate) => `amount x ${rate.text} / ${divisor}`),
    reason
  }
}

const sumText = (rates: ReadonlyArray<AppliedRate>): string => rates.map((rate) => rate.text).join(" + ")

/** No rate applies; there is no global fallback. */
export const NO_MATCH: TaxMatch = makeTaxMatch([], "no active rate of the class matches the address")

/** The applied form of a rate. */
export const makeAppliedRate = (id: string, name: string, rate: Rate, isInclusive: boolean): AppliedRate => ({
  id,
  name,
  rate,
  text: formatRate(rate),
  isInclusive,
  source: { type: "tax_rate", id, name }
})
