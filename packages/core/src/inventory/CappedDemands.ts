/** What can be served of a list of demands when there is too little stock: earlier demands first. Pure. */
import { stockKeyOf } from "../kernel/Availability.ts"
import type { StockInsufficient } from "./InventoryErrors.ts"
import type { StockDemand } from "./StockLedger.ts"

/**
 * Splits the units in `known` of each stock row among its demands, earlier demands first. `part` returns how much of a
 * demand remains, given its quantity and the units that the demands before it have left of the row. A demand on a row
 * that `known` does not contain stays whole; one of which nothing remains is left out.
 */
export const partsOf = (
  demands: ReadonlyArray<StockDemand>,
  known: ReadonlyMap<string, number>,
  part: (quantity: number, left: number) => number
): ReadonlyArray<StockDemand> => {
  const rows = new Map(known)
  return demands.flatMap((demand) => {
    const key = stockKeyOf(demand)
    const left = rows.get(key)
    if (left === undefined) return [demand]
    rows.set(key, Math.max(0, left - demand.quantity))
    const quantity = part(demand.quantity, left)
    return quantity > 0 ? [{ ...demand, quantity }] : []
  })
}

/** Caps each demand at the available stock that the error reports. */
export const cappedBy = (
  { items }: Pick<StockInsufficient, "items">,
  demands: ReadonlyArray<StockDemand>
): ReadonlyArray<StockDemand> =>
  partsOf(demands, new Map(items.map((item) => [stockKeyOf(item), Math.max(0, item.available)])), Math.min)
