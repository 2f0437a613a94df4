/**
 * The policy `order`: items that carry the same rates are taxed together, the tax is rounded once, and the result is
 * shared out so that it sums both over the items and over the rates.
 */
import { allocate } from "../../kernel/Allocation.ts"
import { divideRounded } from "../../kernel/Rounding.ts"
import { type TraceEntry, taxRoundingStep } from "../../kernel/Trace.ts"
import type { TaxMatch } from "../TaxMatch.ts"
import type { TaxItem, TaxPolicy } from "../TaxPolicy.ts"
import {
  type Charge,
  combinedCharge,
  eachCharge,
  isRoundedEach,
  shareEntry,
  splitOverRates,
  untaxedEntry
} from "./stackCharges.ts"

/** Items of one set of rates. */
interface Group {
  readonly match: TaxMatch
  readonly positions: Array<number>
  readonly items: Array<TaxItem>
  readonly amounts: Array<bigint>
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
    if (group.match.rates.length === 0) {
      for (const item of group.items) trace.push(untaxedEntry(item.id, group.match))
      continue
    }
    for (const [index, row] of taxOfGroup(group, policy, trace).entries()) cells[group.positions[index] ?? 0] = row
  }
  return cells
}

const groupsOf = (items: ReadonlyArray<TaxItem>): Iterable<Group> => {
  const groups = new Map<string, Group>()
  for (const [position, item] of items.entries()) {
    let group = groups.get(item.match.key)
    if (group === undefined) {
      group = { match: item.match, positions: [], items: [], amounts: [], sum: 0n }
      groups.set(item.match.key, group)
    }
    group.positions.push(position)
    group.items.push(item)
    group.amounts.push(item.amount)
    group.sum += item.amount
  }
  return groups.values()
}

/**
 * With `each`, the tax of every rate is split over the items by their amounts. With `combined`, the total tax is first
 * split over the items by largest remainder; then the tax of each rate is split, capped by what is left of each item's
 * tax, so that the last rate takes exactly the rest.
 */
const taxOfGroup = (group: Group, policy: TaxPolicy, trace: Array<TraceEntry>): Array<Array<bigint>> => {
  const { match } = group
  const rows: Array<Array<bigint>> = group.items.map(() => [])
  const round = (charge: Charge): bigint => rounded(group, policy, charge, trace)
  if (isRoundedEach(match, policy)) {
    for (const [rate, charge] of eachCharge(match).entries()) share(group, { rate, tax: round(charge), rows }, trace)
    return rows
  }
  const total = round(combinedCharge(match))
  const left = match.rates.length === 1 ? undefined : allocate(total, group.amounts)
  for (const [rate, tax] of splitOverRates(total, match, "order", trace).entries())
    share(group, { rate, tax, rows, left }, trace)
  return rows
}

const rounded = (group: Group, policy: TaxPolicy, charge: Charge, trace: Array<TraceEntry>): bigint => {
  const numerator = group.sum * charge.weight
  const { denominator } = group.match
  const amount = divideRounded(numerator, denominator, policy.taxRoundingMode)
  trace.push({
    step: taxRoundingStep,
    target: "order",
    sources: charge.ids,
    source: charge.source,
    formula: `sum of the amounts${charge.formula.slice("amount".length)}`,
    numerator,
    denominator,
    roundingPoint: "order",
    roundingMode: policy.taxRoundingMode,
    amount
  })
  return amount
}

interface Sharing {
  readonly rate: number
  readonly tax: bigint
  readonly rows: ReadonlyArray<Array<bigint>>
  /** What each item can still take; reduced by what it takes here. */
  readonly left?: Array<bigint> | undefined
}

/** Shares the tax of one rate over the items of the group and appends each item's part to its row. */
const share = (group: Group, { rate, tax, rows, left }: Sharing, trace: Array<TraceEntry>): void => {
  const parts = allocate(tax, group.amounts, left)
  const applied = group.match.rates[rate]
  for (const [index, item] of group.items.entries()) {
    const amount = parts[index] ?? 0n
    rows[index]?.push(amount)
    if (left !== undefined) left[index] = (left[index] ?? 0n) - amount
    const value = { numerator: tax * item.amount, denominator: group.sum, amount }
    const place = { step: "tax", target: item.id }
    trace.push(shareEntry(place, applied, "order tax x amount / sum of the amounts", value))
  }
}
