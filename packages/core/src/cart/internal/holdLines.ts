/** Units held for the lines of a cart (ON_CART), through the stock ledger. */
import { Effect } from "effect"
import { cappedBy, partsOf } from "../../inventory/CappedDemands.ts"
import { StockInsufficient } from "../../inventory/InventoryErrors.ts"
import { demandsOf } from "../../inventory/SoldLines.ts"
import type { StockDemand } from "../../inventory/StockLedger.ts"
import { stockKeyOf } from "../../kernel/Availability.ts"
import { soldLines } from "../../pricing/SellableStock.ts"
import type { CartState } from "../Cart.ts"

type Row = Pick<StockDemand, "productId" | "variantId">

/** Units demanded per stock row. */
const sums = (demands: ReadonlyArray<StockDemand>): ReadonlyMap<string, number> => {
  const demanded = new Map<string, number>()
  for (const demand of demands)
    demanded.set(stockKeyOf(demand), (demanded.get(stockKeyOf(demand)) ?? 0) + demand.quantity)
  return demanded
}

/** What a cart is to hold: what its lines ask for, without the units that its checkouts hold during payment. */
export const wantedBy = ({ lines, paying }: Pick<CartState, "lines" | "paying">): ReadonlyArray<StockDemand> =>
  partsOf(demandsOf(soldLines(lines)), new Map(Object.entries(paying)), (quantity, held) => quantity - held)

/**
 * Makes the cart hold what `demands` ask for, by `hold`. A row with too little stock is an error where the cart asks
 * for more of it than `before`; where the cart had these units already and lost them since, it holds what is left, so
 * that a shopper can always remove other lines. The ledger keeps the rows locked from its first error on, so the second
 * attempt cannot fail.
 */
export const holdLines = (
  hold: (demands: ReadonlyArray<StockDemand>) => Effect.Effect<void, StockInsufficient>,
  demands: ReadonlyArray<StockDemand>,
  before: ReadonlyArray<StockDemand>
): Effect.Effect<void, StockInsufficient> => {
  const had = sums(before)
  const demanded = sums(demands)
  const isNew = (row: Row) => (demanded.get(stockKeyOf(row)) ?? 0) > (had.get(stockKeyOf(row)) ?? 0)
  return Effect.catchTag(hold(demands), "StockInsufficient", (refused) => {
    const items = refused.items.filter(isNew)
    return items.length > 0
      ? Effect.fail(new StockInsufficient({ items }))
      : Effect.orDie(hold(cappedBy(refused, demands)))
  })
}
