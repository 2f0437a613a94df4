/** What becomes of the lines of two carts that are made one (completions.md 2.1, Merge). */
import { stockKeyOf } from "../../kernel/Availability.ts"
import { isBuyable, unitsAvailable } from "../../pricing/Sellable.ts"
import type { CartLine } from "../Cart.ts"
import { maxLineQuantity } from "../CartBounds.ts"

export interface MergedLines {
  readonly lines: ReadonlyArray<CartLine>
  /** Lines that could not get all they asked for. */
  readonly short: ReadonlyArray<string>
  /** Whether any line got anything. */
  readonly isGranted: boolean
}

interface Wanted {
  readonly line: CartLine
  readonly quantity: number
}

/** Units of each stock row that the two carts hold together; every line of a row says the same of its own cart. */
const heldTogether = (...carts: ReadonlyArray<ReadonlyArray<CartLine>>): ReadonlyMap<string, number> => {
  const held = new Map<string, number>()
  for (const lines of carts) {
    const ofCart = new Map(lines.map((line) => [stockKeyOf(line), line.held]))
    for (const [key, units] of ofCart) held.set(key, (held.get(key) ?? 0) + units)
  }
  return held
}

/**
 * Lines of equal identity add up, under the price that the target has shown; the others come after the target's own.
 * What all lines of one stock row ask for is capped by what is there, earlier lines first. A line that nothing is left
 * for keeps its quantity, so that the shopper sees what is missing.
 */
export const mergeLines = (target: ReadonlyArray<CartLine>, source: ReadonlyArray<CartLine>): MergedLines => {
  const held = heldTogether(target, source)
  const coming = new Map(source.map((line) => [line.identity, line]))
  const present = new Set(target.map((line) => line.identity))
  const wanted: ReadonlyArray<Wanted> = [
    ...target.map((line) => ({ line, quantity: line.quantity + (coming.get(line.identity)?.quantity ?? 0) })),
    ...source.flatMap((line) => (present.has(line.identity) ? [] : [{ line, quantity: line.quantity }]))
  ]
  const left = new Map<string, number>()
  const short: Array<string> = []
  let isGranted = false
  const lines = wanted.map(({ line, quantity }) => {
    const key = stockKeyOf(line)
    const units = held.get(key) ?? 0
    const available = isBuyable(line.sellable, line.variantId)
      ? (left.get(key) ?? unitsAvailable(line.sellable.stock, units))
      : 0
    const granted = Math.min(quantity, available, maxLineQuantity)
    left.set(key, available - granted)
    if (granted < quantity) short.push(line.id)
    if (granted > 0) isGranted = true
    return { ...line, held: units, quantity: granted > 0 ? granted : line.quantity }
  })
  return { lines, short, isGranted }
}
