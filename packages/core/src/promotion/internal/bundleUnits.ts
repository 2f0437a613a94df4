/** BUY_X_GET_Y: which units of which lines are reduced, and how many more units a cart needs. Pure. */
import type { BuyXGetY } from "../PromotionTerms.ts"

export interface UnitsOfLine {
  readonly id: string
  readonly productId: string | null
  readonly quantity: number
  readonly unitPrice: bigint
}

/** Units of the line at a position. */
export interface ReducedUnits {
  readonly at: number
  readonly units: number
}

export interface Bundled {
  /** In the order of the lines. Empty where the units do not suffice. */
  readonly reduced: ReadonlyArray<ReducedUnits>
  /** How many more units one repetition needs, where there is none yet. */
  readonly missing: number
}

interface Positioned extends UnitsOfLine {
  readonly at: number
}

/** A line that the catalogue does not know is a product by itself. */
const groupsOf = (
  lines: ReadonlyArray<Positioned>,
  sameProducts: boolean
): ReadonlyArray<ReadonlyArray<Positioned>> => {
  if (!sameProducts) return [lines]
  const groups = new Map<string, Array<Positioned>>()
  for (const line of lines) {
    const key = line.productId === null ? `line ${line.id}` : `product ${line.productId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return [...groups.values()]
}

const byPrice = (a: Positioned, b: Positioned): number =>
  a.unitPrice === b.unitPrice ? a.at - b.at : a.unitPrice < b.unitPrice ? -1 : 1

/** The `count` cheapest units by the price that is shown for one; among equal ones those of the earlier line. */
const cheapest = (lines: ReadonlyArray<Positioned>, count: number): ReadonlyArray<ReducedUnits> => {
  const taken: Array<ReducedUnits> = []
  let left = count
  for (const { at, quantity } of [...lines].sort(byPrice)) {
    if (left === 0) break
    const units = Math.min(left, quantity)
    taken.push({ at, units })
    left -= units
  }
  return taken
}

const unitsIn = (lines: ReadonlyArray<UnitsOfLine>): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

export const bundleUnits = (
  { buyQuantity, getQuantity, sameProducts }: BuyXGetY,
  lines: ReadonlyArray<UnitsOfLine>
): Bundled => {
  const size = buyQuantity + getQuantity
  const groups = groupsOf(
    lines.map((line, at) => ({ ...line, at })),
    sameProducts
  )
  const reduced = groups.flatMap((group) => cheapest(group, Math.floor(unitsIn(group) / size) * getQuantity))
  return {
    reduced: reduced.sort((a, b) => a.at - b.at),
    missing: reduced.length > 0 ? 0 : Math.min(...groups.map((group) => size - unitsIn(group)))
  }
}
