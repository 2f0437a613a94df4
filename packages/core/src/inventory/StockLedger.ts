/**
 * The only writer of stock for sales: selling, holding for a cart or checkout, giving back. Demand is summed per stock row; each method
 * locks the rows in the order of their keys, then judges and writes all of it or nothing in one statement. What a statement reads of reservations it
 * locks too, and only after the stock rows: whoever changes a reservation's quantity holds its stock row first, so what is judged is what is changed.
 * Every change of a total leaves a movement. The table's CHECK constraints stay the last guard.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { Outbox } from "../database/Outbox.ts"
import type { TrackingMode } from "../kernel/Availability.ts"
import { makeId } from "../kernel/Ids.ts"
import { StockInsufficient } from "./InventoryErrors.ts"
import { inventoryUpdated, type StockLevel } from "./InventoryEvents.ts"
import { InventoryRepository } from "./InventoryRepository.ts"

export interface StockDemand {
  readonly productId: string
  readonly variantId: string | null
  readonly quantity: number
}

/** What is held for a cart or checkout, and until when. */
export type Holding = [storeId: string, holderId: string, demands: ReadonlyArray<StockDemand>, expiresAt: Date, now: Date]
/** What is sold to a holder; `reference` is the order. */
export type HeldSale = [storeId: string, holderId: string, demands: ReadonlyArray<StockDemand>, reference: string, now: Date]

/** All but `expire` run inside `Database.write(storeId)`. Where one row cannot give what is asked, nothing is written. */
export interface StockLedgerMethods {
  /** Takes the units out of stock for good; `reference` is the order. */
  readonly sell: (storeId: string, demands: ReadonlyArray<StockDemand>, reference: string, now: Date) => Effect.Effect<void, StockInsufficient>
  /** The holder's reservations become exactly these. What is not counted is not reserved. */
  readonly hold: (...holding: Holding) => Effect.Effect<void, StockInsufficient>
  /** `sell`, first from what the holder holds of these rows; what it holds beyond that, and of other rows, stays held. */
  readonly sellHeld: (...sale: HeldSale) => Effect.Effect<void, StockInsufficient>
  /** Gives back whatever the holder holds. */
  readonly release: (storeId: string, holderId: string) => Effect.Effect<void>
  /** Moves the end of the holders' live reservations; answers how many there are. */
  readonly extend: (storeId: string, holderIds: ReadonlyArray<string>, expiresAt: Date, now: Date) => Effect.Effect<number>
  /** Gives back reservations whose time has passed, of one store or of all, in batches of a transaction each; answers how many. */
  readonly expire: (now: Date, storeId?: string) => Effect.Effect<number>
}

interface Wanted extends StockDemand {
  readonly key: string
}

/** What became of one wanted row. `available` null: any number. */
interface Judged {
  readonly key: string
  readonly trackingMode: TrackingMode | null
  readonly total: number
  readonly reserved: number
  readonly lastInventorySyncAt: Date | null
  readonly available: number | null
  readonly refused: boolean
  readonly consumed: number
}

/** Reservations given back in one transaction. */
const batchSize = 500

const keyOf = (demand: StockDemand): string => demand.variantId ?? demand.productId

/** One entry per stock row. */
const sumByKey = (demands: ReadonlyArray<StockDemand>): ReadonlyArray<Wanted> => {
  const wanted = new Map<string, Wanted>()
  for (const demand of demands) {
    const key = keyOf(demand)
    wanted.set(key, { ...demand, key, quantity: demand.quantity + (wanted.get(key)?.quantity ?? 0) })
  }
  return [...wanted.values()]
}

export class StockLedger extends Context.Service<StockLedger, StockLedgerMethods>()("@effect-commerce/core/inventory/StockLedger") {
  static readonly layer = Layer.effect(
    StockLedger,
    Effect.gen(function* () {
      const { sql, write } = yield* Database
      const outbox = yield* Outbox
      const repository = yield* InventoryRepository

      // The primary key of stock serves it. Sorted below the lock, so that locks are taken in key order.
      const lock = (storeId: string, keys: Statement.Fragment) =>
        sql`SELECT s.key, s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved, s.last_inventory_sync_at
          FROM stock s WHERE s.store_id = ${storeId} AND s.key IN (${keys}) ORDER BY s.key FOR UPDATE OF s`

      /** The holder's reservations, locked; the count makes PostgreSQL lock the stock rows before. */
      const ofHolder = (storeId: string, holderId: string | null) => sql`r.store_id = ${storeId} AND r.holder_id = ${holderId}::text`
      const afterLock = sql.literal("(SELECT count(*) FROM locked) >= 0")

      /** `judged`: each wanted row with what can be had of it; the same rule as unitsAvailable, over locked rows. */
      const judge = (storeId: string, holderId: string | null, wanted: ReadonlyArray<Wanted & { readonly movementId: string }>) =>
        sql`wanted AS MATERIALIZED (
            SELECT * FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w (key text, "productId" text, "variantId" text, quantity bigint, "movementId" text)
          ), locked AS MATERIALIZED (
            ${lock(storeId, sql`SELECT w.key FROM wanted w UNION SELECT r.key FROM reservation r WHERE ${ofHolder(storeId, holderId)}`)}
          ), mine AS MATERIALIZED (
            SELECT r.key, r.quantity FROM reservation r WHERE ${ofHolder(storeId, holderId)} AND ${afterLock} FOR UPDATE OF r
          ), judged AS MATERIALIZED (
            SELECT w.*, l.tracking_mode, coalesce(l.total, 0) AS total, coalesce(l.reserved, 0) AS reserved, l.last_inventory_sync_at, coalesce(m.quantity, 0) AS held,
              CASE
                WHEN l.key IS NULL OR l.tracking_mode = 'DISABLED' THEN 0
                WHEN l.tracking_mode = 'UNTRACKED' OR l.backorder_mode = 'ALLOW' THEN NULL
                ELSE greatest(0, l.total::bigint - l.reserved + coalesce(m.quantity, 0) + CASE l.backorder_mode WHEN 'LIMITED' THEN coalesce(l.backorder_limit, 0) ELSE 0 END)
              END AS available
            FROM wanted w LEFT JOIN locked l ON l.key = w.key LEFT JOIN mine m ON m.key = w.key
          ), refused AS MATERIALIZED (
            SELECT j.key FROM judged j WHERE j.quantity > j.available
          )`
      const verdict =
        sql.literal(`SELECT j.key, j.tracking_mode, j.total, j.reserved, j.last_inventory_sync_at, least(j.available, 2147483647)::int AS available,
          j.key IN (SELECT key FROM refused) AS refused, least(j.held, j.quantity)::int AS consumed FROM judged j`)

      /**
       * Takes the locks in a statement of their own: the statement that judges and writes then begins with a snapshot in which nobody can have changed
       * these rows, and never has to re-evaluate a joined row that moved under it.
       */
      const grab = (storeId: string, keys: Statement.Fragment) => Effect.asVoid(Effect.orDie(lock(storeId, keys)))
      const keysOf = (storeId: string, holderId: string | null, wanted: ReadonlyArray<Wanted>) =>
        sql`SELECT unnest(${wanted.map((want) => want.key)}::text[]) UNION SELECT r.key FROM reservation r WHERE ${ofHolder(storeId, holderId)}`

      const wantedOf = (demands: ReadonlyArray<StockDemand>, now: Date) =>
        sumByKey(demands).map((want) => ({ ...want, movementId: makeId("mov", now.getTime()) }))

      /** Runs the attempt; where it is refused, once more after reservations that have run out were given back. */
      const settle = Effect.fnUntraced(function* (storeId: string, wanted: ReadonlyArray<Wanted>, now: Date, attempt: Effect.Effect<ReadonlyArray<Judged>>) {
        let judged = yield* attempt
        if (judged.some((row) => row.refused)) {
          const keys = wanted.map((want) => want.key)
          if ((yield* giveBack(storeId, now, sql`r.key = ANY(${keys}::text[])`)) > 0) judged = yield* attempt
        }
        const verdicts = new Map(judged.map((row) => [row.key, row]))
        const items = wanted.flatMap(({ key, productId, variantId, quantity }) => {
          const row = verdicts.get(key)
          return row === undefined || row.refused ? [{ productId, variantId, available: row?.available ?? 0, requested: quantity }] : []
        })
        if (items.length > 0) return yield* new StockInsufficient({ items })
        return verdicts
      })

      const announce = Effect.fnUntraced(function* (storeId: string, wanted: ReadonlyArray<Wanted>, verdicts: ReadonlyMap<string, Judged>) {
        const changed = wanted.flatMap((want): ReadonlyArray<StockLevel> => {
          const row = verdicts.get(want.key)
          if (row === undefined || row.trackingMode !== "TRACKED") return []
          return [{ ...want, ...row, trackingMode: row.trackingMode, total: row.total - want.quantity, reserved: row.reserved - row.consumed }]
        })
        const byVariant = changed.some((level) => level.variantId !== null)
        const levels = byVariant ? yield* repository.levels(storeId, [...new Set(changed.map((level) => level.productId))]) : changed
        yield* outbox.appendAll(storeId, inventoryUpdated(levels))
      })

      const take = Effect.fnUntraced(function* (holderId: string | null, ...[storeId, demands, reference, now]: Parameters<StockLedgerMethods["sell"]>) {
        const wanted = wantedOf(demands, now)
        if (wanted.length === 0) return
        yield* grab(storeId, keysOf(storeId, holderId, wanted))
        const attempt = sql<Judged>`WITH ${judge(storeId, holderId, wanted)}, taken AS MATERIALIZED (
            SELECT j.*, least(j.held, j.quantity) AS consumed FROM judged j WHERE NOT EXISTS (SELECT FROM refused)
          ), moved AS (
            INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
            SELECT ${storeId}, t."movementId", t.key, t."productId", t."variantId", -t.quantity, 'sale', ${reference}, ${now} FROM taken t WHERE t.tracking_mode = 'TRACKED'
          ), spent AS (
            DELETE FROM reservation r USING taken t WHERE ${ofHolder(storeId, holderId)} AND r.key = t.key AND t.consumed = t.held
          ), lessened AS (
            UPDATE reservation r SET quantity = r.quantity - t.consumed FROM taken t WHERE ${ofHolder(storeId, holderId)} AND r.key = t.key AND t.consumed < t.held
          ), counted AS (
            UPDATE stock s SET total = s.total - t.quantity, reserved = s.reserved - t.consumed, updated_at = ${now} FROM taken t
            WHERE s.store_id = ${storeId} AND s.key = t.key AND t.tracking_mode = 'TRACKED'
          ), uncounted AS (
            UPDATE stock s SET reserved = s.reserved - t.consumed, updated_at = ${now} FROM taken t
            WHERE s.store_id = ${storeId} AND s.key = t.key AND t.tracking_mode <> 'TRACKED' AND t.consumed > 0
          ) ${verdict}`
        yield* announce(storeId, wanted, yield* settle(storeId, wanted, now, Effect.orDie(attempt)))
      })

      const hold = Effect.fn("StockLedger.hold")(function* (...[storeId, holderId, demands, expiresAt, now]: Holding) {
        const wanted = wantedOf(demands, now)
        yield* grab(storeId, keysOf(storeId, holderId, wanted))
        const attempt = sql<Judged>`WITH ${judge(storeId, holderId, wanted)}, kept AS MATERIALIZED (
            SELECT j.key, j.quantity::int AS quantity FROM judged j WHERE j.tracking_mode = 'TRACKED'
          ), change AS MATERIALIZED (
            SELECT coalesce(k.key, m.key) AS key, coalesce(k.quantity, 0) - coalesce(m.quantity, 0) AS delta FROM kept k FULL JOIN mine m ON m.key = k.key
            WHERE NOT EXISTS (SELECT FROM refused)
          ), dropped AS (
            DELETE FROM reservation r WHERE ${ofHolder(storeId, holderId)} AND NOT EXISTS (SELECT FROM refused) AND r.key NOT IN (SELECT key FROM kept)
          ), written AS (
            INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at)
            SELECT ${storeId}, ${holderId}, k.key, k.quantity, ${expiresAt} FROM kept k WHERE NOT EXISTS (SELECT FROM refused)
            ON CONFLICT (store_id, holder_id, key) DO UPDATE SET quantity = EXCLUDED.quantity, expires_at = EXCLUDED.expires_at
          ), counted AS (
            UPDATE stock s SET reserved = s.reserved + c.delta, updated_at = ${now} FROM change c WHERE s.store_id = ${storeId} AND s.key = c.key AND c.delta <> 0
          ) ${verdict}`
        yield* settle(storeId, wanted, now, Effect.orDie(attempt))
      })

      const release = (storeId: string, holderId: string) =>
        Effect.andThen(
          grab(storeId, sql`SELECT r.key FROM reservation r WHERE ${ofHolder(storeId, holderId)}`),
          Effect.orDie(
            sql`WITH locked AS MATERIALIZED (
                ${lock(storeId, sql`SELECT r.key FROM reservation r WHERE ${ofHolder(storeId, holderId)}`)}
              ), gone AS (
                DELETE FROM reservation r WHERE ${ofHolder(storeId, holderId)} AND ${afterLock} RETURNING r.key, r.quantity
              )
              UPDATE stock s SET reserved = s.reserved - g.quantity FROM gone g WHERE s.store_id = ${storeId} AND s.key = g.key`
          )
        ).pipe(Effect.asVoid)

      /** One batch of reservations past their time; reservation_store_id_expires_at_idx finds them. */
      const giveBack = (storeId: string, now: Date, which: Statement.Fragment) =>
        Effect.map(
          Effect.andThen(
            grab(
              storeId,
              sql`SELECT r.key FROM reservation r WHERE r.store_id = ${storeId} AND r.expires_at <= ${now} AND ${which} ORDER BY r.expires_at LIMIT ${batchSize}`
            ),
            Effect.orDie(sql<{ readonly given: number }>`WITH due AS MATERIALIZED (
                SELECT r.holder_id, r.key FROM reservation r WHERE r.store_id = ${storeId} AND r.expires_at <= ${now} AND ${which} ORDER BY r.expires_at LIMIT ${batchSize}
              ), locked AS MATERIALIZED (
                ${lock(storeId, sql`SELECT d.key FROM due d`)}
              ), gone AS (
                DELETE FROM reservation r USING due d
                WHERE r.store_id = ${storeId} AND r.holder_id = d.holder_id AND r.key = d.key AND r.expires_at <= ${now} AND ${afterLock}
                RETURNING r.key, r.quantity
              ), counted AS (
                UPDATE stock s SET reserved = s.reserved - g.quantity, updated_at = ${now}
                FROM (SELECT key, sum(quantity)::int AS quantity FROM gone GROUP BY key) g WHERE s.store_id = ${storeId} AND s.key = g.key
              )
              SELECT count(*)::int AS given FROM gone`)
          ),
          (rows) => rows[0]?.given ?? 0
        )

      const expireStore = Effect.fnUntraced(function* (storeId: string, now: Date) {
        let all = 0
        for (let given = batchSize; given === batchSize; all += given) given = yield* write(storeId)(giveBack(storeId, now, sql`true`))
        return all
      })

      const expire = Effect.fn("StockLedger.expire")(function* (now: Date, storeId?: string) {
        const storeIds = storeId === undefined ? yield* repository.storesWithExpired(now) : [storeId]
        const given = yield* Effect.forEach(storeIds, (id) => expireStore(id, now))
        return given.reduce((sum, one) => sum + one, 0)
      })

      return StockLedger.of({
        sell: (...sale) => take(null, ...sale),
        hold,
        sellHeld: (storeId, holderId, ...sale) => take(holderId, storeId, ...sale),
        release,
        extend: (storeId, holderIds, expiresAt, now) =>
          Effect.map(
            Effect.orDie(
              sql`UPDATE reservation SET expires_at = ${expiresAt} WHERE store_id = ${storeId} AND holder_id = ANY(${holderIds}::text[]) AND expires_at > ${now} RETURNING key`
            ),
            (rows) => rows.length
          ),
        expire
      })
    })
  ).pipe(Layer.provide(InventoryRepository.layer))
}
