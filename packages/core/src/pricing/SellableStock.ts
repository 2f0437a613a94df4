/** Lines of carts, checkouts and orders by the stock rows that they draw on, as the stock ledger takes them. Pure. */
import { stockKeyOf, unitsAvailable } from "../kernel/Availability.ts"
import { kitStock, withOwnUnits } from "../kernel/Kit.ts"
import type { SoldLine } from "../inventory/SoldLines.ts"
import { componentsOf, type Sellable } from "./Sellable.ts"

/** How many units of a stock row the cart or checkout has reserved itself. */
export type OwnUnits = (key: string) => number

interface Line {
  readonly productId: string
  readonly variantId: string | null
  readonly sellable: Pick<Sellable, "stock" | "kit">
}

/** A line with what one unit of it takes out of stock. */
export const soldLine = ({
  productId,
  variantId,
  quantity,
  sellable
}: Line & { readonly quantity: number }): SoldLine => ({
  productId,
  variantId,
  quantity,
  components: componentsOf(sellable)
})

export const soldLines = (lines: ReadonlyArray<Line & { readonly quantity: number }>): ReadonlyArray<SoldLine> =>
  lines.map(soldLine)

/** Units that can be sold now of each stock row that the lines draw on; 0 for any other row. */
export const unitsOf = (lines: ReadonlyArray<Line>, own: OwnUnits): OwnUnits => {
  const units = new Map<string, number>()
  for (const line of lines) {
    const rows = line.sellable.kit ?? [{ ...line, stock: line.sellable.stock }]
    for (const row of rows) units.set(stockKeyOf(row), unitsAvailable(row.stock, own(stockKeyOf(row))))
  }
  return (key) => units.get(key) ?? 0
}

/** Units that can be sold now of one line, if no other line of its cart draws on the same stock. */
export const unitsSellable = ({ productId, variantId, sellable }: Line, own: OwnUnits): number =>
  sellable.kit === null
    ? unitsAvailable(sellable.stock, own(stockKeyOf({ productId, variantId })))
    : unitsAvailable(
        kitStock(sellable.kit.map((part) => ({ ...part, stock: withOwnUnits(part.stock, own(stockKeyOf(part))) })))
      )
