/**
 * The policy `order`: items that carry the same rates are taxed together, the tax is rounded once, and the result is
 * shared out so that it sums both over the items and over the rates.
 */
import { allocate } from "../../kernel/Allocation.ts"
import { divideRounded } from "../../kernel/Rounding.ts"
import type { TraceEntry } from "../../kernel/Trace.ts"
import type { TaxMatch } from "../TaxMatch.ts"
import type { TaxItem, TaxPolicy } from "../TaxPolicy.ts"

/** Items of one set of rates. */
interface Group {
  readonly match: TaxMatch
  readonly positions: Array<number>
  readonly amounts: Array<bigint>
  readonly ids: Array<string>
  sum: bigint
}

/** The tax of each item by each rate of its match. */
export const taxByOrder = (
  items: ReadonlyArray<TaxItem>,
  policy: TaxPolicy,
  trace: Array<TraceEntry>
): ReadonlyArray<ReadonlyArray<bigint>> => {
  const cells: Array<ReadonlyArray<bigint>> = items.map(() => [])
  for (const group of groupsOf(items)) {
    if (group.match.rates.length === 0) traceUntaxed(group, trace)
    else for (const [index, row] of taxOfGroup(group, policy, trace).entries()) cells[group.positions[index] ?? 0] = row
  }
  return cells
}

const groupsOf = (items: ReadonlyArray<TaxItem>): Iterable<Group> => {
  const groups = new Map<string, Group>()
  for (const [position, item] of items.entries()) {
    let group = groups.get(item.match.key)
    if (group === undefined) {
      group = { match: item.match, positions: [], amounts: [], ids: [], sum: 0n }
      groups.set(item.match.key, group)
    }
    group.positions.push(position)
    group.amounts.push(item.amount)
    group.ids.push(item.id)
    group.sum += item.amount
  }
  return groups.values()
}

const traceUntaxed = (group: Group, trace: Array<TraceEntry>): void => {
  for (const target of group.ids) {
    trace.push({
      step: "tax",
      target,
      sources: [],
      formula: group.match.reason,
      numerator: 0n,
      denominator: 1n,
      roundingPoint: "none",
      roundingMode: null,
      amount: 0n
    })
  }
}

const taxOfGroup = (group: Group, policy: TaxPolicy, trace: Array<TraceEntry>): Array<Array<bigint>> => {
  const { match } = group
  const byRate =
    policy.stackRounding === "each" && match.rates.length > 1
      ? match.weights.map((weight, index) =>
          roundedOnce(group, policy, { weight, ids: match.ids.slice(index, index + 1), formula: match.formulas[index] ?? "" }, trace)
        )
      : splitOverRates(
          group,
          roundedOnce(group, policy, { weight: match.weightSum, ids: match.ids, formula: match.formula }, trace),
          trace
        )
  return shareOut(group, byRate, policy, trace)
}

const roundedOnce = (
  group: Group,
  policy: TaxPolicy,
  charge: { readonly weight: bigint; readonly ids: ReadonlyArray<string>; readonly formula: string },
  trace: Array<TraceEntry>
): bigint => {
  const numerator = group.sum * charge.weight
  const amount = divideRounded(numerator, group.match.denominator, policy.taxRoundingMode)
  trace.push({
    step: "tax",
    target: "order",
    sources: charge.ids,
    formula: `sum of the amounts${charge.formula.slice("amount".length)}`,
    numerator,
    denominator: group.match.denominator,
    roundingPoint: "order",
    roundingMode: policy.taxRoundingMode,
    amount
  })
  return amount
}

const splitOverRates = (group: Group, total: bigint, trace: Array<TraceEntry>): Array<bigint> => {
  const { match } = group
  if (match.rates.length === 1) return [total]
  const parts = allocate(total, match.weights)
  for (const [index, amount] of parts.entries()) {
    trace.push({
      step: "tax",
      target: "order",
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

/**
 * Shares the tax of each rate over the items. With `combined` the tax of an item is itself a largest remainder share, so
 * each rate is capped by what the item has left of it; the caps of the last rate are then exactly its parts.
 */
const shareOut = (
  group: Group,
  byRate: ReadonlyArray<bigint>,
  policy: TaxPolicy,
  trace: Array<TraceEntry>
): Array<Array<bigint>> => {
  const rows: Array<Array<bigint>> = group.amounts.map(() => [])
  const total = byRate.reduce((acc, tax) => acc + tax, 0n)
  const left = policy.stackRounding === "combined" && byRate.length > 1 ? allocate(total, group.amounts) : undefined
  for (const [rate, tax] of byRate.entries()) {
    for (const [item, amount] of allocate(tax, group.amounts, left).entries()) {
      rows[item]?.push(amount)
      if (left !== undefined) left[item] = (left[item] ?? 0n) - amount
      trace.push({
        step: "tax",
        target: group.ids[item] ?? "",
        sources: group.match.ids.slice(rate, rate + 1),
        formula: "order tax x amount / sum of the amounts",
        numerator: tax * (group.amounts[item] ?? 0n),
        denominator: group.sum === 0n ? 1n : group.sum,
        roundingPoint: "allocation",
        roundingMode: null,
        amount
      })
    }
  }
  return rows
}
