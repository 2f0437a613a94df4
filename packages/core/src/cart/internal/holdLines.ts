/** Units held for the lines of a cart (ON_CART), by way of the stock ledger. */
import { Effect } from "effect"
import type { StockDemand, StockLedger } from "../../inventory/StockLedger.ts"
import { StockInsufficient } from "../../inventory/InventoryErrors.ts"

export interface Holder {
  readonly storeId: string
  readonly cartId: string
  readonly expiresAt: Date
  readonly now: Date
}

type Row = Pick<StockDemand, "productId" | "variantId">

const keyOf = (row: Row): string => row.variantId ?? row.productId

/** Units asked for per stock row. */
const sums = (demands: ReadonlyArray<StockDemand>): ReadonlyMap<string, number> => {
  const asked = new Map<string, number>()
  for (const demand of demands) asked.set(keyOf(demand), (asked.get(keyOf(demand)) ?? 0) + demand.quantity)
  return asked
}

/** Of each row at most what the refusal says is there, earlier demands first. */
const capped = (demands: ReadonlyArray<StockDemand>, refused: StockInsufficient): ReadonlyArray<StockDemand> => {
  const left = new Map(refused.items.map((item) => [keyOf(item), Math.max(0, item.available)]))
  return demands.flatMap((demand) => {
    const available = left.get(keyOf(demand))
    if (available === undefined) return [demand]
    const quantity = Math.min(demand.quantity, available)
    left.set(keyOf(demand), available - quantity)
    return quantity > 0 ? [{ ...demand, quantity }] : []
  })
}

/**
 * The cart holds what `demands` ask for. A row that cannot give it is refused where more is asked of it than `before`; where the cart had these units
 * already and lost them since, what is left is held: a shopper can always take other lines out. The ledger keeps the rows locked from its
 * first refusal on, so the second attempt cannot be refused.
 */
export const holdLines = (
  ledger: StockLedger["Service"],
  { storeId, cartId, expiresAt, now }: Holder,
  demands: ReadonlyArray<StockDemand>,
  before: ReadonlyArray<StockDemand>
): Effect.Effect<void, StockInsufficient> => {
  const had = sums(before)
  const asked = sums(demands)
  const isNew = (row: Row) => (asked.get(keyOf(row)) ?? 0) > (had.get(keyOf(row)) ?? 0)
  return ledger.hold(storeId, cartId, demands, expiresAt, now).pipe(
    Effect.catchTag("StockInsufficient", (refused) => {
      const items = refused.items.filter(isNew)
      if (items.length > 0) return Effect.fail(new StockInsufficient({ items }))
      return Effect.orDie(ledger.hold(storeId, cartId, capped(demands, refused), expiresAt, now))
    })
  )
}
