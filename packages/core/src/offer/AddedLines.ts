/** Lines that an offer adds to those of a cart. Pure. */
import { type OfferedLine, pricesNow } from "./OfferTerms.ts"

interface CartedLine extends OfferedLine {
  readonly id: string
  readonly identity: string
  readonly unitPrice: bigint
}

export interface Added<Line> {
  /** All lines of the cart. */
  readonly lines: ReadonlyArray<Line>
  /** Those among them that are new or have grown. */
  readonly written: ReadonlyArray<Line>
  /** How many are new. */
  readonly more: number
}

/** New lines get today's price. One that is equal to a line of the cart adds its units to that one, at its price. */
export const withAdded = <Line extends CartedLine>(
  present: ReadonlyArray<Line>,
  coming: ReadonlyArray<Line>,
  now: number
): Added<Line> => {
  const units = new Map(coming.map((line) => [line.identity, line.quantity]))
  const known = new Set(present.map(({ identity }) => identity))
  const fresh = coming.filter(({ identity }) => !known.has(identity))
  const grown = present.map((line) => ({ ...line, quantity: line.quantity + (units.get(line.identity) ?? 0) }))
  const all = [...grown, ...fresh]
  const prices = pricesNow(all, now)
  const isFresh = (i: number) => i >= present.length
  const lines = all.map((line, i) => (isFresh(i) ? { ...line, unitPrice: prices[i] ?? 0n } : line))
  return { lines, written: lines.filter((line, i) => isFresh(i) || units.has(line.identity)), more: fresh.length }
}
