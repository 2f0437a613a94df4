/** How the lines of two carts are merged. */
import { unitsLeft } from "../../inventory/SoldLines.ts"
import { isBuyable } from "../../pricing/Sellable.ts"
import { soldLine, unitsOf } from "../../pricing/SellableStock.ts"
import type { CartLine, CartState } from "../Cart.ts"
import { maxLineQuantity } from "../../pricing/Quote.ts"

export interface MergedLines {
  readonly lines: ReadonlyArray<CartLine>
  /** Lines that got less than they asked for. */
  readonly short: ReadonlyArray<string>
  /** Whether any line got anything. */
  readonly isGranted: boolean
}

type Holding = CartState["holding"]

interface Wanted {
  readonly line: CartLine
  readonly quantity: number
}

/** Units that the two carts hold together, by the key of their stock row. */
export const heldTogether = (...carts: ReadonlyArray<Holding>): Holding => {
  const held: Record<string, number> = {}
  for (const cart of carts) for (const [key, units] of Object.entries(cart)) held[key] = (held[key] ?? 0) + units
  return held
}

/**
 * Lines of equal identity add up, at the target's price; the others come after the target's own. What all lines of one
 * stock row ask for is capped at what is available, earlier lines first; `held` are the units that the two carts hold
 * together. A line that gets nothing keeps its quantity, so that the shopper sees what is missing.
 */
export const mergeLines = (
  target: ReadonlyArray<CartLine>,
  source: ReadonlyArray<CartLine>,
  held: Holding
): MergedLines => {
  const coming = new Map(source.map((line) => [line.identity, line]))
  const present = new Set(target.map((line) => line.identity))
  const wanted: ReadonlyArray<Wanted> = [
    ...target.map((line) => ({ line, quantity: line.quantity + (coming.get(line.identity)?.quantity ?? 0) })),
    ...source.flatMap((line) => (present.has(line.identity) ? [] : [{ line, quantity: line.quantity }]))
  ]
  const all = wanted.map(({ line }) => line)
  const stock = unitsLeft(unitsOf(all, (key) => held[key] ?? 0))
  const short: Array<string> = []
  let isGranted = false
  const lines = wanted.map(({ line, quantity }) => {
    const sold = soldLine(line)
    const available = isBuyable(line.sellable, line.variantId) ? stock.most(sold) : 0
    const granted = Math.min(quantity, available, maxLineQuantity)
    stock.take(sold, granted)
    if (granted < quantity) short.push(line.id)
    if (granted > 0) isGranted = true
    return { ...line, quantity: granted > 0 ? granted : line.quantity }
  })
  return { lines, short, isGranted }
}
