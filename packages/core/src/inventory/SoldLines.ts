/**
 * Lines of carts, checkouts and orders, and the stock that they draw on. A kit draws on the rows of its components, so
 * every line is split into rows before the ledger is called, and its errors are translated back to the lines. Pure.
 */
import { stockKeyOf } from "../kernel/Availability.ts"
import type { KitComponent } from "../kernel/Kit.ts"
import { StockInsufficient } from "./InventoryErrors.ts"
import type { StockDemand } from "./StockLedger.ts"

export interface SoldLine extends StockDemand {
  /** What one unit of a kit takes; null for everything else. */
  readonly components: ReadonlyArray<KitComponent> | null
}

/** An item of an order, with the components that a kit had when it was sold. */
interface SoldItem extends Omit<StockDemand, "productId"> {
  readonly productId: string | null
  readonly kitComponents: SoldLine["components"]
}

/** What the items of an order take out of stock. */
export const linesOf = (items: ReadonlyArray<SoldItem>): ReadonlyArray<SoldLine> =>
  items.flatMap(({ productId, variantId, quantity, kitComponents: components }) =>
    productId === null ? [] : [{ productId, variantId, quantity, components }]
  )

type Shortage = StockInsufficient["items"]

/** What one unit of a line takes of each row of stock. */
const unitOf = ({ productId, variantId, components }: SoldLine): ReadonlyArray<KitComponent> =>
  components ?? [{ productId, variantId, quantity: 1 }]

/** The stock that the lines take. */
export const demandsOf = (lines: ReadonlyArray<SoldLine>): ReadonlyArray<StockDemand> =>
  lines.flatMap((line) => unitOf(line).map((part) => ({ ...part, quantity: part.quantity * line.quantity })))

/** Adds up lines of the same product or variant; in the order of their first lines. */
const summed = (lines: ReadonlyArray<SoldLine>): ReadonlyArray<SoldLine> => {
  const sums = new Map<string, SoldLine>()
  for (const line of lines) {
    const key = stockKeyOf(line)
    sums.set(key, { ...line, quantity: line.quantity + (sums.get(key)?.quantity ?? 0) })
  }
  return [...sums.values()]
}

/**
 * Keeps account of rows of stock while lines are served one after another: how many units of a line the rows can still
 * serve, and what a line has taken. `unitsOf` returns the units of a row at the beginning.
 */
export const unitsLeft = (unitsOf: (key: string) => number) => {
  const left = new Map<string, number>()
  const leftOf = (part: KitComponent) => left.get(stockKeyOf(part)) ?? unitsOf(stockKeyOf(part))
  return {
    most: (line: SoldLine): number =>
      Math.max(0, Math.min(...unitOf(line).map((part) => Math.floor(leftOf(part) / part.quantity)))),
    take: (line: SoldLine, units: number): void => {
      for (const part of unitOf(line)) left.set(stockKeyOf(part), leftOf(part) - units * part.quantity)
    }
  }
}

/**
 * The lines that the available units cannot serve, with how many units were available and how many were requested.
 * `unitsOf` returns the units of a row of stock, Infinity where it sets no limit. Earlier lines are served first; lines
 * of the same item count as one.
 */
export const shortLines = (lines: ReadonlyArray<SoldLine>, unitsOf: (key: string) => number): Shortage => {
  const stock = unitsLeft(unitsOf)
  return summed(lines).flatMap((line) => {
    const available = stock.most(line)
    const { productId, variantId, quantity: requested } = line
    stock.take(line, Math.min(available, requested))
    return available < requested ? [{ productId, variantId, available, requested }] : []
  })
}

/** The ledger's error, translated to the lines of the request. */
export const shortageOf = (lines: ReadonlyArray<SoldLine>, refused: Shortage): Shortage => {
  const there = new Map(refused.map((item) => [stockKeyOf(item), item.available]))
  return shortLines(lines, (key) => there.get(key) ?? Number.POSITIVE_INFINITY)
}

/** The ledger's error, for these lines. */
export const ofLines =
  (lines: ReadonlyArray<SoldLine>) =>
  ({ items }: StockInsufficient): StockInsufficient =>
    new StockInsufficient({ items: shortageOf(lines, items) })
