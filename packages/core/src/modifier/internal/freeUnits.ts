/** Which of the chosen units of a modifier group cost nothing. Pure. */
import type { FreeAllocationPolicy } from "../ModifierFields.ts"

interface ChosenUnits {
  /** What one unit adds to the price, in minor units. */
  readonly price: bigint
  readonly quantity: number
}

/**
 * How many units of each row are free. Only units that would add to the price are given away: a unit that costs
 * nothing, or makes the product cheaper, does not use up a free unit. Of units at the same price those of earlier rows
 * come first; the sum is the same either way.
 */
export const freeUnits = (
  rows: ReadonlyArray<ChosenUnits>,
  freeQuantity: number,
  policy: FreeAllocationPolicy
): ReadonlyArray<number> => {
  const free = rows.map(() => 0)
  if (freeQuantity === 0) return free
  const direction = policy === "CHEAPEST_FREE" ? 1 : -1
  const byPrice = rows
    .map(({ price, quantity }, at) => ({ price, quantity, at }))
    .filter(({ price }) => price > 0n)
    .sort((a, b) => (a.price === b.price ? a.at - b.at : a.price < b.price ? -direction : direction))
  let left = freeQuantity
  for (const { quantity, at } of byPrice) {
    free[at] = Math.min(quantity, left)
    left -= free[at]
  }
  return free
}
