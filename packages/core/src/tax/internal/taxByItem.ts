/** The policies `line` and `unit`: each item is taxed by itself. */
import { allocate } from "../../kernel/Allocation.ts"
import { divideRounded } from "../../kernel/Rounding.ts"
import type { TraceEntry } from "../../kernel/Trace.ts"
import type { TaxItem, TaxPolicy } from "../TaxPolicy.ts"

/** The tax of one item by each rate of its match. */
export const taxByItem = (item: TaxItem, policy: TaxPolicy, trace: Array<TraceEntry>): ReadonlyArray<bigint> => {
  const { match } = item
  if (match.rates.length === 0) {
    trace.push(entry(item, [], match.reason, { numerator: 0n, denominator: 1n, amount: 0n }))
    return []
  }
  if (policy.stackRounding === "each" && match.rates.length > 1) {
    return match.weights.map((weight, index) =>
      rounded(item, policy, { weight, ids: match.ids.slice(index, index + 1), formula: match.formulas[index] ?? "" }, trace)
    )
  }
  const combined = { weight: match.weightSum, ids: match.ids, formula: match.formula }
  const total = rounded(item, policy, combined, trace)
  return match.rates.length === 1 ? [total] : split(item, total, trace)
}

interface Charge {
  readonly weight: bigint
  readonly ids: ReadonlyArray<string>
  readonly formula: string
}

const rounded = (item: TaxItem, policy: TaxPolicy, charge: Charge, trace: Array<TraceEntry>): bigint => {
  const perUnit = policy.taxRounding === "unit"
  const numerator = item.amount * charge.weight
  const denominator = perUnit ? item.match.denominator * item.quantity : item.match.denominator
  const quotient = divideRounded(numerator, denominator, policy.taxRoundingMode)
  if (!perUnit || item.quantity === 1n) {
    trace.push(entry(item, charge.ids, charge.formula, { numerator, denominator, amount: quotient }, policy))
    return quotient
  }
  const amount = quotient * item.quantity
  const formula = `${item.quantity} units, each amount / ${item.quantity}${charge.formula.slice("amount".length)}`
  trace.push(
    entry(item, charge.ids, formula, { numerator, denominator: item.match.denominator, amount }, policy)
  )
  return amount
}

/** Largest remainder over the rates, which are in the order that breaks ties. */
const split = (item: TaxItem, total: bigint, trace: Array<TraceEntry>): ReadonlyArray<bigint> => {
  const { match } = item
  const parts = allocate(total, match.weights)
  for (const [index, amount] of parts.entries()) {
    trace.push({
      step: "tax",
      target: item.id,
      sources: match.ids.slice(index, index + 1),
      formula: "combined tax x rate / sum of the rates",
      numerator: total * (match.weights[index] ?? 0n),
      denominator: match.weightSum === 0n ? 1n : match.weightSum,
      roundingPoint: "allocation",
      roundingMode: null,
      amount
    })
  }
  return parts
}

const entry = (
  item: TaxItem,
  sources: ReadonlyArray<string>,
  formula: string,
  value: Pick<TraceEntry, "numerator" | "denominator" | "amount">,
  policy?: TaxPolicy
): TraceEntry => ({
  step: "tax",
  target: item.id,
  sources,
  formula,
  ...value,
  roundingPoint: policy?.taxRounding ?? "none",
  roundingMode: policy?.taxRoundingMode ?? null
})
