/**
 * Splits a total over parts without losing or inventing a minor unit: a discount over lines, a refund over tenders,
 * a tax over its rates. Largest remainder, ties to the earlier part, so the same input always splits the same way.
 */

/**
 * Splits `total` (minor units) in proportion to `weights`; part i belongs to weight i.
 *
 * - The parts sum to `total`. With `caps` (largest amount per part, not negative) they sum to the smaller of `total`
 *   and the sum of the caps, no part exceeds its cap, and what a full part cannot take goes to the others by weight.
 * - Each part is within one minor unit of its exact share. A weight of 0 gets nothing while another part can take it;
 *   where only zero weights are left, they share equally.
 * - A negative total splits as the positive one does. Throws a RangeError on a negative weight or cap, on lists of
 *   different length, and when a total other than 0 has no part to go to.
 */
export const allocate = (
  total: bigint,
  weights: ReadonlyArray<bigint>,
  caps?: ReadonlyArray<bigint>
): Array<bigint> => {
  const sum = sumOfNonNegative(weights, "weight")
  const magnitude = total < 0n ? -total : total
  const parts =
    caps === undefined ? proportional(magnitude, weights, sum) : proportionalCapped(magnitude, weights, caps)
  return total < 0n ? parts.map((part) => -part) : parts
}

const sumOfNonNegative = (amounts: ReadonlyArray<bigint>, noun: string): bigint => {
  let sum = 0n
  for (const amount of amounts) {
    if (amount < 0n) throw new RangeError(`a ${noun} of an allocation must not be negative`)
    sum += amount
  }
  return sum
}

const proportional = (total: bigint, weights: ReadonlyArray<bigint>, sum: bigint): Array<bigint> => {
  if (weights.length === 0 && total !== 0n) throw new RangeError("an allocation needs at least one part")
  if (total === 0n) return weights.map(() => 0n)
  if (sum === 0n)
    return proportional(
      total,
      weights.map(() => 1n),
      BigInt(weights.length)
    )
  const parts: Array<bigint> = []
  const remainders: Array<bigint> = []
  let left = total
  for (const weight of weights) {
    const product = total * weight
    const part = product / sum
    parts.push(part)
    remainders.push(product - part * sum)
    left -= part
  }
  if (left > 0n) giveRemainders(parts, remainders, Number(left))
  return parts
}

/** One unit each to the `count` largest remainders; a tie goes to the earlier part (the sort is stable). */
const giveRemainders = (parts: Array<bigint>, remainders: ReadonlyArray<bigint>, count: number): void => {
  const order = remainders.map((remainder, index) => ({ remainder, index }))
  order.sort((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of order.slice(0, count)) parts[index] = (parts[index] ?? 0n) + 1n
}

/** Fills the parts whose exact share exceeds their cap, then shares the rest among the others, until no cap binds. */
const proportionalCapped = (
  total: bigint,
  weights: ReadonlyArray<bigint>,
  caps: ReadonlyArray<bigint>
): Array<bigint> => {
  if (caps.length !== weights.length) throw new RangeError("an allocation needs one cap per weight")
  const room = sumOfNonNegative(caps, "cap")
  if (total >= room) return [...caps]
  const parts = weights.map(() => 0n)
  let open = weights.map((weight, index) => ({ weight, cap: caps[index] ?? 0n, index }))
  let left = total
  while (left > 0n) {
    let sum = open.reduce((acc, part) => acc + part.weight, 0n)
    if (sum === 0n) {
      open = open.filter((part) => part.cap > 0n).map((part) => ({ ...part, weight: 1n }))
      sum = BigInt(open.length)
    }
    const share = left
    const full = open.filter((part) => share * part.weight > part.cap * sum)
    if (full.length === 0) {
      const rest = proportional(
        left,
        open.map((part) => part.weight),
        sum
      )
      for (const [position, part] of open.entries()) parts[part.index] = rest[position] ?? 0n
      return parts
    }
    for (const part of full) {
      parts[part.index] = part.cap
      left -= part.cap
    }
    open = open.filter((part) => share * part.weight <= part.cap * sum)
  }
  return parts
}
