/**
 * The only writer of stock for sales: selling, and holding for a cart or checkout. Each method takes two statements:
 * the first locks the stock rows in the order of their keys; the second, whose snapshot begins when the locks are
 * taken, checks and writes all or nothing. Every writer of a reservation locks its stock row, so nothing that the
 * second statement reads can change meanwhile. (In one statement it could: rows read before waiting for a lock would be
 * stale.) Every change of a total writes a movement. The table's CHECK constraints are the last guard.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import { maxInt4 } from "../kernel/FieldErrors.ts"
import { makeId } from "../kernel/Ids.ts"
import { StockInsufficient } from "./InventoryErrors.ts"
import { ReservationRepository } from "./ReservationRepository.ts"
import { changedColumns, stockEvents } from "./internal/stockEvents.ts"

export interface StockDemand {
  readonly productId: string
  readonly variantId: string | null
  readonly quantity: number
}

/** The parameters of a hold: what to hold for a cart or checkout, and until when. */
export type Holding = [
  storeId: string,
  holderId: string,
  demands: ReadonlyArray<StockDemand>,
  expiresAt: Date,
  now: Date
]
/** The parameters of a sale; `reference` is the order. */
type Sale = [storeId: string, demands: ReadonlyArray<StockDemand>, reference: string, now: Date]

interface Wanted extends StockDemand {
  readonly key: string
}

/** The result for one wanted row. `available` null: any number. */
interface Judged {
  readonly key: string
  readonly available: number | null
  readonly refused: boolean
}

/** Rows of stock that this transaction has locked, for a holder or for none. */
interface Locked {
  readonly storeId: string
  readonly holderId: string | null
  /** The holder whose units of these rows may be taken too. */
  readonly fromHolderId: string | null
  readonly locked: ReadonlyArray<string>
}

/** One entry per stock row. */
const sumByKey = (demands: ReadonlyArray<StockDemand>): ReadonlyArray<Wanted> => {
  const wanted = new Map<string, Wanted>()
  for (const demand of demands) {
    const key = stockKeyOf(demand)
    wanted.set(key, { ...demand, key, quantity: demand.quantity + (wanted.get(key)?.quantity ?? 0) })
  }
  return [...wanted.values()]
}

/** All but `expire` run inside `Database.write(storeId)`. If one row has too little stock, nothing is written. */
export class StockLedger extends Context.Service<StockLedger>()("@effect-commerce/core/inventory/StockLedger", {
  make: Effect.gen(function* () {
    const { sql } = yield* Database
    const outbox = yield* Outbox
    const reservations = yield* ReservationRepository
    const { heldKeys, lock } = reservations

    /** Hides the number of keys from the planner, which would otherwise make a new plan for every number. */
    const hidden = (keys: ReadonlyArray<string>) => sql`(SELECT ${keys}::text[])::text[]`

    const lockFor = (storeId: string, holderId: string | null, wanted: ReadonlyArray<Wanted>) => {
      const keys = hidden(wanted.map((want) => want.key))
      return lock(storeId, holderId === null ? keys : sql`${keys} || ${heldKeys(storeId, holderId)}`)
    }

    const heldBy = ({ storeId, locked }: Locked, holderId: string | null) =>
      sql`r.store_id = ${storeId} AND r.holder_id = ${holderId}::text AND r.key = ANY(${hidden(locked)})`
    /** The holder's reservations of locked rows. */
    const ofHolder = (at: Locked) => heldBy(at, at.holderId)

    const stockOf = ({ storeId, locked }: Locked) => sql`s.store_id = ${storeId} AND s.key = ANY(${hidden(locked)})`
    /**
     * `judged`: each wanted row with its available units, by the rule of unitsAvailable, limited so that what is
     * reserved, and what is available below zero, stay numbers that can be stored.
     */
    const judge = (at: Locked, wanted: ReadonlyArray<Wanted & { readonly movementId: string }>) =>
      sql`wanted AS MATERIALIZED (
            SELECT * FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w (key text, "productId" text,
              "variantId" text, quantity bigint, "movementId" text)
          ), mine AS MATERIALIZED (
            SELECT r.key, r.quantity FROM reservation r WHERE ${ofHolder(at)}
          ), theirs AS MATERIALIZED (
            SELECT r.key, r.quantity FROM reservation r WHERE ${heldBy(at, at.fromHolderId)}
          ), judged AS MATERIALIZED (
            SELECT w.*, s.tracking_mode, coalesce(m.quantity, 0) AS held,
              CASE
                WHEN s.key IS NULL OR s.tracking_mode = 'DISABLED' THEN 0
                WHEN s.tracking_mode = 'UNTRACKED' THEN NULL
                ELSE greatest(0, least(${maxInt4}::bigint + least(s.total, 0),
                    s.total::bigint + stock_backorders(s.backorder_mode, s.backorder_limit))
                  - s.reserved + coalesce(m.quantity, 0) + coalesce(t.quantity, 0))
              END AS available
            FROM wanted w LEFT JOIN stock s ON ${stockOf(at)} AND s.key = w.key
              LEFT JOIN mine m ON m.key = w.key LEFT JOIN theirs t ON t.key = w.key
          ), refused AS MATERIALIZED (
            SELECT j.key FROM judged j WHERE j.quantity > j.available OR j.quantity > ${maxInt4}
          )`
    const verdict = sql.literal(
      "SELECT j.key, least(j.available, 2147483647)::int AS available, j.key IN (SELECT key FROM refused) AS " +
        "refused FROM judged j"
    )

    const wantedOf = (demands: ReadonlyArray<StockDemand>, now: Date) =>
      sumByKey(demands).map((want) => ({ ...want, movementId: makeId("mov", now.getTime()) }))

    /** Runs the attempt; if stock is insufficient, once more after releasing expired reservations. */
    const settle = Effect.fnUntraced(function* (
      storeId: string,
      wanted: ReadonlyArray<Wanted>,
      now: Date,
      attempt: Effect.Effect<ReadonlyArray<Judged>>
    ) {
      let judged = yield* attempt
      if (judged.some((row) => row.refused)) {
        const keys = wanted.map((want) => want.key)
        if ((yield* reservations.giveBack(storeId, now, sql`r.key = ANY(${keys}::text[])`)) > 0) judged = yield* attempt
      }
      const verdicts = new Map(judged.map((row) => [row.key, row]))
      const items = wanted.flatMap(({ key, productId, variantId, quantity }) => {
        const row = verdicts.get(key)
        return row === undefined || row.refused
          ? [{ productId, variantId, available: row?.available ?? 0, requested: quantity }]
          : []
      })
      if (items.length > 0) return yield* new StockInsufficient({ items })
      yield* outbox.wake(storeId)
    })

    const take = Effect.fnUntraced(function* (holderId: string | null, ...[storeId, demands, reference, now]: Sale) {
      const wanted = wantedOf(demands, now)
      if (wanted.length === 0) return
      const at: Locked = { storeId, holderId, fromHolderId: null, locked: yield* lockFor(storeId, holderId, wanted) }
      const attempt = sql<Judged>`WITH ${judge(at, wanted)}, taken AS MATERIALIZED (
            SELECT j.*, least(j.held, j.quantity) AS consumed FROM judged j WHERE NOT EXISTS (SELECT FROM refused)
          ), moved AS (
            INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
            SELECT ${storeId}, t."movementId", t.key, t."productId", t."variantId", -t.quantity, 'sale', ${reference},
              ${now} FROM taken t WHERE t.tracking_mode = 'TRACKED'
          ), spent AS (
            DELETE FROM reservation r USING taken t WHERE ${ofHolder(at)} AND r.key = t.key AND t.consumed = t.held
          ), lessened AS (
            UPDATE reservation r SET quantity = r.quantity - t.consumed FROM taken t WHERE ${ofHolder(at)} AND r.key =
              t.key AND t.consumed < t.held
          ), changed AS (
            UPDATE stock s SET total = s.total - CASE t.tracking_mode WHEN 'TRACKED' THEN t.quantity ELSE 0 END,
              reserved = s.reserved - t.consumed, updated_at = ${now} FROM taken t
            WHERE ${stockOf(at)} AND s.key = t.key AND (t.tracking_mode = 'TRACKED' OR t.consumed > 0) RETURNING
              ${sql.literal(changedColumns)}
          ), ${stockEvents(sql, storeId, now)} ${verdict}`
      yield* settle(storeId, wanted, now, Effect.orDie(attempt))
    })

    const holdOutOf = Effect.fn("StockLedger.holdOutOf")(function* (
      fromHolderId: string | null,
      ...[storeId, holderId, demands, expiresAt, now]: Holding
    ) {
      const wanted = wantedOf(demands, now)
      const at: Locked = { storeId, holderId, fromHolderId, locked: yield* lockFor(storeId, holderId, wanted) }
      const attempt = sql<Judged>`WITH ${judge(at, wanted)}, kept AS MATERIALIZED (
            SELECT j.key, j.quantity::int AS quantity FROM judged j WHERE j.tracking_mode = 'TRACKED' AND j.quantity <=
              ${maxInt4}
          ), handed AS MATERIALIZED (
            SELECT t.key, t.quantity AS had,
              least(t.quantity, greatest(0, k.quantity - coalesce(m.quantity, 0))) AS quantity
            FROM theirs t JOIN kept k ON k.key = t.key LEFT JOIN mine m ON m.key = t.key WHERE NOT EXISTS
              (SELECT FROM refused)
          ), given AS (
            DELETE FROM reservation r USING handed h WHERE ${heldBy(at, fromHolderId)} AND r.key = h.key AND h.quantity
              = h.had
          ), lessened AS (
            UPDATE reservation r SET quantity = h.had - h.quantity FROM handed h
            WHERE ${heldBy(at, fromHolderId)} AND r.key = h.key AND h.quantity > 0 AND h.quantity < h.had
          ), change AS MATERIALIZED (
            SELECT coalesce(k.key, m.key) AS key,
              coalesce(k.quantity, 0) - coalesce(m.quantity, 0) - coalesce(h.quantity, 0) AS delta
            FROM kept k FULL JOIN mine m ON m.key = k.key LEFT JOIN handed h ON h.key = coalesce(k.key, m.key)
            WHERE NOT EXISTS (SELECT FROM refused)
          ), dropped AS (
            DELETE FROM reservation r WHERE ${ofHolder(at)} AND NOT EXISTS (SELECT FROM refused) AND r.key NOT IN
              (SELECT key FROM kept)
          ), written AS (
            INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at)
            SELECT ${storeId}, ${holderId}, k.key, k.quantity,
              ${expiresAt} FROM kept k WHERE NOT EXISTS (SELECT FROM refused)
            ON CONFLICT (store_id, holder_id, key) DO UPDATE SET quantity = EXCLUDED.quantity,
              expires_at = EXCLUDED.expires_at
          ), changed AS (
            UPDATE stock s SET reserved = s.reserved + c.delta, updated_at = ${now} FROM change c
            WHERE ${stockOf(at)} AND s.key = c.key AND c.delta <> 0 RETURNING ${sql.literal(changedColumns)}
          ), ${stockEvents(sql, storeId, now)} ${verdict}`
      if (wanted.length > 0 || at.locked.length > 0) yield* settle(storeId, wanted, now, Effect.orDie(attempt))
    })

    // stock_movement_store_id_key_idx serves it.
    const giveBack = Effect.fn("StockLedger.giveBack")(function* (
      storeId: string,
      demands: ReadonlyArray<StockDemand>,
      { reference, soldAt }: { readonly reference: string; readonly soldAt: Date },
      now: Date
    ) {
      const wanted = wantedOf(demands, now)
      const locked = yield* lock(storeId, hidden(wanted.map(({ key }) => key)))
      if (locked.length === 0) return
      const at: Locked = { storeId, holderId: null, fromHolderId: null, locked }
      yield* none(sql`WITH wanted AS MATERIALIZED (
            SELECT * FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w (key text, quantity bigint,
              "movementId" text)
          ), given AS MATERIALIZED (
            SELECT w.key, w."movementId", s.product_id, s.variant_id,
              least(w.quantity, t.taken, ${maxInt4} - s.total)::int AS quantity
            FROM wanted w JOIN stock s ON ${stockOf(at)} AND s.key = w.key AND s.tracking_mode = 'TRACKED'
              CROSS JOIN LATERAL (SELECT -coalesce(sum(m.delta), 0) AS taken FROM stock_movement m
                WHERE m.store_id = ${storeId} AND m.key = w.key AND m.created_at >= ${soldAt}
                  AND m.reference = ${reference}) t
          ), moved AS (
            INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
            SELECT ${storeId}, g."movementId", g.key, g.product_id, g.variant_id, g.quantity, 'return', ${reference},
              ${now} FROM given g WHERE g.quantity > 0
          ), changed AS (
            UPDATE stock s SET total = s.total + g.quantity, updated_at = ${now} FROM given g
            WHERE ${stockOf(at)} AND s.key = g.key AND g.quantity > 0 RETURNING ${sql.literal(changedColumns)}
          ), ${stockEvents(sql, storeId, now)} SELECT 1`)
      yield* outbox.wake(storeId)
    })

    return {
      /**
       * Puts units that were sold back into stock; `reference` is the order, which was placed at `soldAt`. No more than
       * it has taken and not given back: what was not counted when it was sold is not counted when it comes back.
       */
      giveBack,
      /** Takes the units out of stock for good; `reference` is the order. */
      sell: (...sale: Sale) => take(null, ...sale),
      /** Sets the holder's reservations to exactly these. Untracked items are not reserved. */
      hold: (...holding: Holding) => holdOutOf(null, ...holding),
      /** `hold`, first with units that another holder holds of these rows, whose reservations shrink by them. */
      holdFrom: holdOutOf,
      /** `sell`, first from what the holder holds of these rows; its other units stay held. */
      sellHeld: (
        storeId: string,
        holderId: string,
        demands: ReadonlyArray<StockDemand>,
        reference: string,
        now: Date
      ) => take(holderId, storeId, demands, reference, now),
      release: reservations.release,
      extend: reservations.extend,
      expire: reservations.expire
    }
  })
}) {
  static readonly layer = Layer.effect(StockLedger, StockLedger.make).pipe(Layer.provide(ReservationRepository.layer))
}
