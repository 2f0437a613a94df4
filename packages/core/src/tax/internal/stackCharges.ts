/** What the rounding policies share: which charges of a match are rounded, and how a combined tax is split. */
import { allocate } from "../../kernel/Allocation.ts"
import { type TraceEntry, type TraceSource, taxRoundingStep } from "../../kernel/Trace.ts"
import type { AppliedRate, TaxMatch } from "../TaxMatch.ts"
import type { TaxPolicy } from "../TaxPolicy.ts"

/**
 * Something that is rounded as one: all rates of a match together, or one of them. `weight` is at the scale of the
 * match.
 */
export interface Charge {
  readonly weight: bigint
  readonly ids: ReadonlyArray<string>
  readonly formula: string
  /** The rate, where it is one. */
  readonly source: TraceSource | undefined
}

/** Whether the rates of the match are rounded one by one; a single rate needs no choice. */
export const isRoundedEach = (match: TaxMatch, policy: TaxPolicy): boolean =>
  policy.stackRounding === "each" && match.rates.length > 1

/** All rates together. */
export const combinedCharge = (match: TaxMatch): Charge => ({
  weight: match.weightSum,
  ids: match.ids,
  formula: match.formula,
  source: match.rates.length === 1 ? match.rates[0]?.source : undefined
})

/** Each rate by itself. */
export const eachCharge = (match: TaxMatch): ReadonlyArray<Charge> =>
  match.weights.map((weight, index) => ({
    weight,
    ids: match.ids.slice(index, index + 1),
    formula: match.formulas[index] ?? "",
    source: match.rates[index]?.source
  }))

/**
 * Splits a combined tax by largest remainder over the rates, which are in the order that breaks ties. Of a target
 * `order` the parts are shared over the items next, and belong to no sum.
 */
export const splitOverRates = (
  total: bigint,
  match: TaxMatch,
  target: string,
  trace: Array<TraceEntry>
): ReadonlyArray<bigint> => {
  if (match.rates.length === 1) return [total]
  const parts = allocate(total, match.weights)
  const step = target === "order" ? taxRoundingStep : "tax"
  for (const [index, amount] of parts.entries()) {
    const weight = match.weights[index] ?? 0n
    const value = { numerator: total * weight, denominator: match.weightSum, amount }
    trace.push(shareEntry({ step, target }, match.rates[index], "combined tax x rate / sum of the rates", value))
  }
  return parts
}

/** The trace entry of a largest remainder split. A zero denominator is written as 1, which makes the value 0. */
export const shareEntry = (
  { step, target }: Pick<TraceEntry, "step" | "target">,
  rate: AppliedRate | undefined,
  formula: string,
  value: Pick<TraceEntry, "numerator" | "denominator" | "amount">
): TraceEntry => ({
  step,
  target,
  sources: rate === undefined ? [] : [rate.id],
  source: rate?.source,
  formula,
  numerator: value.numerator,
  denominator: value.denominator === 0n ? 1n : value.denominator,
  roundingPoint: "allocation",
  roundingMode: null,
  amount: value.amount
})

/** The trace entry of an amount that no rate matches. */
export const untaxedEntry = (target: string, match: TaxMatch): TraceEntry => ({
  step: "tax",
  target,
  sources: [],
  formula: match.reason,
  numerator: 0n,
  denominator: 1n,
  roundingPoint: "none",
  roundingMode: null,
  amount: 0n
})
