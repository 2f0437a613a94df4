/**
 * What each unit of a sold line was paid with, from the amounts that are stored with the order. Units are given back in
 * one order: those without discounts first. What the first k units come to is a running sum that never falls and ends
 * with exactly the line's amount, so that any way to give a line back in parts comes to the same. Pure; minor units.
 */
import { least } from "../../kernel/Money.ts"
import type { OrderItem } from "../../order/Order.ts"
import type { Adjustment } from "../../pricing/Adjustment.ts"

/** Units that cost the same, but for roundings: their sum is spread over them evenly. */
interface Units {
  readonly count: number
  readonly sum: bigint
}

const sumOf = (parts: ReadonlyArray<Units>): bigint => parts.reduce((sum, part) => sum + part.sum, 0n)

/** The part of a sum that belongs to the first `share` of `whole`; all of it at the end. */
export const runningShare = (sum: bigint, share: bigint, whole: bigint): bigint =>
  share >= whole ? sum : (sum * share) / whole

const firstOf = ({ count, sum }: Units, units: number): Units => ({
  count: units,
  sum: runningShare(sum, BigInt(units), BigInt(count))
})

/** Cut so that a boundary lies before the last `units`. */
const cutBeforeLast = (parts: ReadonlyArray<Units>, units: number): readonly [Array<Units>, Array<Units>] => {
  const last: Array<Units> = []
  const rest = [...parts]
  let left = units
  while (left > 0) {
    const part = rest.pop()
    if (part === undefined) break
    if (part.count <= left) {
      last.unshift(part)
      left -= part.count
      continue
    }
    const first = firstOf(part, part.count - left)
    rest.push(first)
    last.unshift({ count: left, sum: part.sum - first.sum })
    left = 0
  }
  return [rest, last]
}

/** Takes an amount off these units, in proportion to what they still cost. */
const lessened = (parts: ReadonlyArray<Units>, amount: bigint): Array<Units> => {
  const whole = sumOf(parts)
  let before = 0n
  return parts.map(({ count, sum }) => {
    const off = runningShare(amount, before + sum, whole) - (before === 0n ? 0n : runningShare(amount, before, whole))
    before += sum
    return { count, sum: sum - off }
  })
}

/** The discount concerns the last units; more of them where other discounts have left these too little. */
const discounted = (parts: ReadonlyArray<Units>, { units, amount }: Pick<Adjustment, "units" | "amount">) => {
  const total = parts.reduce((count, part) => count + part.count, 0)
  const concerned = units > 0 ? Math.min(units, total) : total
  const [rest, last] = cutBeforeLast(parts, concerned)
  while (sumOf(last) < amount) {
    const part = rest.pop()
    if (part === undefined) break
    last.unshift(part)
  }
  return [...rest, ...lessened(last, least(amount, sumOf(last)))]
}

const lineParts: ReadonlySet<Adjustment["part"]> = new Set(["rule_discount", "discount"])

/** What a line was paid with, and what was laid on it of the order's own amounts. */
export interface PaidLine {
  readonly item: Pick<OrderItem, "id" | "quantity" | "subtotal" | "discount" | "tax" | "total">
  /** Of amounts of the whole order: what this line bears of them, and how much of it is tax. */
  readonly borne: bigint
  readonly borneTax: bigint
}

export interface UnitsAmount {
  readonly amount: bigint
  /** How much of it is tax. */
  readonly tax: bigint
}

/** What the first units of a line come to, by their number. */
export const firstUnitsOf = (
  { item, borne, borneTax }: PaidLine,
  adjustments: ReadonlyArray<Pick<Adjustment, "lineId" | "part" | "units" | "amount">>
): ((units: number) => UnitsAmount) => {
  const parts = adjustments
    .filter(({ lineId, part }) => lineId === item.id && lineParts.has(part))
    .reduce<ReadonlyArray<Units>>(discounted, [{ count: item.quantity, sum: item.subtotal }])
  const net = item.subtotal - item.discount
  const netOf = (units: number): bigint => {
    let left = units
    let sum = 0n
    for (const part of parts) {
      sum += firstOf(part, Math.min(left, part.count)).sum
      left -= Math.min(left, part.count)
      if (left === 0) break
    }
    return sum
  }
  return (units) => {
    if (units <= 0) return { amount: 0n, tax: 0n }
    const [share, whole] = net > 0n ? [netOf(units), net] : [BigInt(units), BigInt(item.quantity)]
    const paid = item.total + borne
    const amount = units >= item.quantity ? paid : runningShare(paid, least(share, whole), whole)
    return { amount, tax: runningShare(item.tax + borneTax, amount, paid) }
  }
}
