/** The policies `line` and `unit`: each item is taxed by itself. */
import { divideRounded } from "../../kernel/Rounding.ts"
import { type TraceEntry, taxRoundingStep } from "../../kernel/Trace.ts"
import type { TaxItem, TaxPolicy } from "../TaxPolicy.ts"
import { type Charge, combinedCharge, eachCharge, isRoundedEach, splitOverRates, untaxedEntry } from "./stackCharges.ts"

/** The tax of one item by each rate of its match. */
export const taxByItem = (item: TaxItem, policy: TaxPolicy, trace: Array<TraceEntry>): ReadonlyArray<bigint> => {
  const { match } = item
  if (match.rates.length === 0) {
    trace.push(untaxedEntry(item.id, match))
    return []
  }
  const round = (charge: Charge): bigint => rounded(item, policy, charge, trace)
  return isRoundedEach(match, policy)
    ? eachCharge(match).map(round)
    : splitOverRates(round(combinedCharge(match)), match, item.id, trace)
}

const rounded = (item: TaxItem, policy: TaxPolicy, charge: Charge, trace: Array<TraceEntry>): bigint => {
  const { denominator } = item.match
  const units = policy.taxRounding === "unit" ? item.quantity : 1n
  const numerator = item.amount * charge.weight
  const amount = divideRounded(numerator, denominator * units, policy.taxRoundingMode) * units
  trace.push({
    step: charge.ids.length === 1 ? "tax" : taxRoundingStep,
    target: item.id,
    sources: charge.ids,
    source: charge.source,
    formula:
      units === 1n ? charge.formula : `${units} units, each amount / ${units}${charge.formula.slice("amount".length)}`,
    numerator,
    denominator,
    roundingPoint: policy.taxRounding,
    roundingMode: policy.taxRoundingMode,
    amount
  })
  return amount
}
