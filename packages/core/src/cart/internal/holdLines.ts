/** Units held for the lines of a cart (ON_CART), by way of the stock ledger. */
import { Effect } from "effect"
import { StockInsufficient } from "../../inventory/InventoryErrors.ts"
import type { StockDemand } from "../../inventory/StockLedger.ts"
import { stockKeyOf } from "../../kernel/Availability.ts"
import type { CartState } from "../Cart.ts"

type Row = Pick<StockDemand, "productId" | "variantId">
type Left = Map<string, number>

/** Units asked for per stock row. */
const sums = (demands: ReadonlyArray<StockDemand>): ReadonlyMap<string, number> => {
  const asked = new Map<string, number>()
  for (const demand of demands) asked.set(stockKeyOf(demand), (asked.get(stockKeyOf(demand)) ?? 0) + demand.quantity)
  return asked
}

/** Of each demand what `part` makes of it, given what is left of its row, which it then takes; nothing of one is left out. */
const eachOf = (demands: ReadonlyArray<StockDemand>, left: Left, part: (demand: StockDemand, left: number) => number): ReadonlyArray<StockDemand> =>
  demands.flatMap((demand) => {
    const there = left.get(stockKeyOf(demand))
    if (there === undefined) return [demand]
    left.set(stockKeyOf(demand), Math.max(0, there - demand.quantity))
    const quantity = part(demand, there)
    return quantity > 0 ? [{ ...demand, quantity }] : []
  })

/** Of each row at most what the refusal says is there, earlier demands first. */
const capped = (demands: ReadonlyArray<StockDemand>, refused: StockInsufficient): ReadonlyArray<StockDemand> =>
  eachOf(demands, new Map(refused.items.map((item) => [stockKeyOf(item), Math.max(0, item.available)])), ({ quantity }, there) => Math.min(quantity, there))

/** What a cart is to hold: what its lines ask for, without the units that checkouts of it hold while they are being paid for. */
export const wantedBy = ({ lines, paying }: Pick<CartState, "lines" | "paying">): ReadonlyArray<StockDemand> =>
  eachOf(
    lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity })),
    new Map(Object.entries(paying)),
    ({ quantity }, there) => quantity - there
  )

/**
 * The cart holds what `demands` ask for, by `hold`. A row that cannot give it is refused where more is asked of it than `before`; where the cart had these
 * units already and lost them since, what is left is held: a shopper can always take other lines out. The ledger keeps the rows locked from its
 * first refusal on, so the second attempt cannot be refused.
 */
export const holdLines = (
  hold: (demands: ReadonlyArray<StockDemand>) => Effect.Effect<void, StockInsufficient>,
  demands: ReadonlyArray<StockDemand>,
  before: ReadonlyArray<StockDemand>
): Effect.Effect<void, StockInsufficient> => {
  const had = sums(before)
  const asked = sums(demands)
  const isNew = (row: Row) => (asked.get(stockKeyOf(row)) ?? 0) > (had.get(stockKeyOf(row)) ?? 0)
  return Effect.catchTag(hold(demands), "StockInsufficient", (refused) => {
    const items = refused.items.filter(isNew)
    return items.length > 0 ? Effect.fail(new StockInsufficient({ items })) : Effect.orDie(hold(capped(demands, refused)))
  })
}
