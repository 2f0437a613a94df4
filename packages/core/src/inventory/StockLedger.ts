/**
 * The only writer of stock for sales: selling, holding for a cart, giving back. Demand is summed per stock row, the rows are locked in the order of
 * their keys, and only then checked and changed, so that what is checked is what is changed. Every change of a total leaves a movement.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Outbox } from "../database/Outbox.ts"
import { makeId } from "../kernel/Ids.ts"
import { type StockFacts, unitsAvailable } from "../kernel/Availability.ts"
import { StockInsufficient } from "./InventoryErrors.ts"

export interface StockDemand {
  readonly productId: string
  readonly variantId: string | null
  readonly quantity: number
}

export interface StockLedgerMethods {
  /** Takes the units out of stock for good; `reference` is the order. Fails where one row cannot give what is asked, and then nothing is written. */
  readonly sell: (storeId: string, demands: ReadonlyArray<StockDemand>, reference: string, now: Date) => Effect.Effect<void, StockInsufficient>
  /** The holder's reservations become exactly these. */
  readonly hold: (storeId: string, holderId: string, demands: ReadonlyArray<StockDemand>, expiresAt: Date, now: Date) => Effect.Effect<void, StockInsufficient>
  /** Gives back whatever the holder holds. */
  readonly release: (storeId: string, holderId: string) => Effect.Effect<void>
}

interface StockRow extends StockFacts {
  readonly key: string
  readonly held: number
}

interface Wanted extends StockDemand {
  readonly key: string
}

const keyOf = (demand: StockDemand): string => demand.variantId ?? demand.productId

/** One entry per stock row, in the order in which rows are locked. */
const sumByKey = (demands: ReadonlyArray<StockDemand>): ReadonlyArray<Wanted> => {
  const wanted = new Map<string, Wanted>()
  for (const demand of demands) {
    const key = keyOf(demand)
    wanted.set(key, { ...demand, key, quantity: demand.quantity + (wanted.get(key)?.quantity ?? 0) })
  }
  return [...wanted.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Refuses every row that cannot give what is asked; `held` units of the asker count as available. */
const check = (wanted: ReadonlyArray<Wanted>, rows: ReadonlyMap<string, StockRow>): Effect.Effect<void, StockInsufficient> => {
  const items = wanted.flatMap(({ key, productId, variantId, quantity }) => {
    const row = rows.get(key)
    const available = unitsAvailable(row ?? null, row?.held ?? 0)
    return quantity <= available ? [] : [{ productId, variantId, available, requested: quantity }]
  })
  return items.length === 0 ? Effect.void : Effect.fail(new StockInsufficient({ items }))
}

export class StockLedger extends Context.Service<StockLedger, StockLedgerMethods>()("@effect-commerce/core/inventory/StockLedger") {
  static readonly layer = Layer.effect(
    StockLedger,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const outbox = yield* Outbox

      // The primary key of stock serves it; locks are taken in key order after the sort.
      const lock = (storeId: string, keys: ReadonlyArray<string>, holderId: string | null) =>
        Effect.map(
          Effect.orDie(
            sql<StockRow>`SELECT s.key, s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved,
                coalesce((SELECT r.quantity FROM reservation r WHERE r.store_id = s.store_id AND r.holder_id = ${holderId} AND r.key = s.key), 0) AS held
              FROM stock s WHERE s.store_id = ${storeId} AND s.key = ANY(${keys}::text[]) ORDER BY s.key FOR UPDATE OF s`
          ),
          (rows) => new Map(rows.map((row) => [row.key, row]))
        )

      const counted = (rows: ReadonlyMap<string, StockRow>) => (want: Wanted) => rows.get(want.key)?.trackingMode === "TRACKED"

      const announce = (storeId: string, wanted: ReadonlyArray<Wanted>, rows: ReadonlyMap<string, StockRow>) => {
        const byProduct = new Map<string, Wanted>()
        for (const want of wanted) byProduct.set(want.productId, want)
        const events = [...byProduct.values()].flatMap((want) => {
          const row = rows.get(want.key)
          if (row === undefined) return []
          const total = row.total - want.quantity
          const inventory = {
            productId: want.productId,
            variantId: want.variantId,
            trackingMode: row.trackingMode,
            total,
            reserved: row.reserved,
            available: Math.max(0, total - row.reserved),
            lastInventorySyncAt: null
          }
          return [{ type: "inventory.updated", data: { productId: want.productId, inventory } }]
        })
        return outbox.appendAll(storeId, events)
      }

      const sell = Effect.fn("StockLedger.sell")(function* (storeId: string, demands: ReadonlyArray<StockDemand>, reference: string, now: Date) {
        const wanted = sumByKey(demands)
        const rows = yield* lock(
          storeId,
          wanted.map((want) => want.key),
          null
        )
        yield* check(wanted, rows)
        const taken = wanted.filter(counted(rows)).map((want) => ({ ...want, id: makeId("mov", now.getTime()) }))
        if (taken.length === 0) return
        yield* Effect.orDie(
          sql`WITH taken AS (
              SELECT * FROM jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) AS t (id text, key text, "productId" text, "variantId" text, quantity int)
            ), moved AS (
              INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
              SELECT ${storeId}, id, key, "productId", "variantId", -quantity, 'sale', ${reference}, ${now} FROM taken)
            UPDATE stock s SET total = s.total - t.quantity, updated_at = ${now} FROM taken t WHERE s.store_id = ${storeId} AND s.key = t.key`
        )
        yield* announce(storeId, taken, rows)
      })

      const hold = Effect.fn("StockLedger.hold")(function* (
        storeId: string,
        holderId: string,
        demands: ReadonlyArray<StockDemand>,
        expiresAt: Date,
        now: Date
      ) {
        const wanted = sumByKey(demands)
        const present = yield* Effect.orDie(sql<{ readonly key: string }>`SELECT key FROM reservation WHERE store_id = ${storeId} AND holder_id = ${holderId}`)
        const keys = [...new Set([...wanted.map((want) => want.key), ...present.map((row) => row.key)])].sort()
        if (keys.length === 0) return
        const rows = yield* lock(storeId, keys, holderId)
        yield* check(wanted, rows)
        const holding = wanted.filter(counted(rows))
        const kept = JSON.stringify(holding.map(({ key, quantity }) => ({ key, quantity })))
        yield* Effect.orDie(
          sql`WITH wanted AS (
              SELECT * FROM jsonb_to_recordset(${kept}::jsonb) AS w (key text, quantity int)
            ), before AS (
              SELECT key, quantity FROM reservation WHERE store_id = ${storeId} AND holder_id = ${holderId}
            ), dropped AS (
              DELETE FROM reservation WHERE store_id = ${storeId} AND holder_id = ${holderId} AND NOT key IN (SELECT key FROM wanted)
            ), written AS (
              INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at)
              SELECT ${storeId}, ${holderId}, key, quantity, ${expiresAt} FROM wanted
              ON CONFLICT (store_id, holder_id, key) DO UPDATE SET quantity = EXCLUDED.quantity, expires_at = EXCLUDED.expires_at
            ), change AS (
              SELECT coalesce(w.key, b.key) AS key, coalesce(w.quantity, 0) - coalesce(b.quantity, 0) AS delta FROM wanted w FULL JOIN before b ON b.key = w.key
            )
            UPDATE stock s SET reserved = s.reserved + c.delta, updated_at = ${now} FROM change c WHERE s.store_id = ${storeId} AND s.key = c.key AND c.delta <> 0`
        )
      })

      const release = (storeId: string, holderId: string) =>
        Effect.asVoid(
          Effect.orDie(
            sql`WITH held AS (
                SELECT r.key, r.quantity FROM reservation r JOIN stock s ON s.store_id = r.store_id AND s.key = r.key
                WHERE r.store_id = ${storeId} AND r.holder_id = ${holderId} ORDER BY r.key FOR UPDATE OF s
              ), gone AS (
                DELETE FROM reservation WHERE store_id = ${storeId} AND holder_id = ${holderId}
              )
              UPDATE stock s SET reserved = s.reserved - h.quantity FROM held h WHERE s.store_id = ${storeId} AND s.key = h.key`
          )
        )

      return StockLedger.of({ sell, hold, release })
    })
  )
}
