/** What can be had of a list of demands where there is not enough of everything: earlier demands first. Pure. */
import { stockKeyOf } from "../kernel/Availability.ts"
import type { StockInsufficient } from "./InventoryErrors.ts"
import type { StockDemand } from "./StockLedger.ts"

/**
 * Of each demand what `part` makes of it and of what is left of its row, which it then takes; a row of which nothing is
 * known gives all; nothing of one is left out.
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

/** Of each row at most what the refusal says is there. */
export const cappedBy = (
  { items }: Pick<StockInsufficient, "items">,
  demands: ReadonlyArray<StockDemand>
): ReadonlyArray<StockDemand> =>
  partsOf(demands, new Map(items.map((item) => [stockKeyOf(item), Math.max(0, item.available)])), Math.min)
