/**
 * Reservations of stock that end or are extended: released by their holder, extended, or expired. Stock rows are locked
 * in the order of their keys first, as by StockLedger; what is reserved of a row changes with its reservations.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { many } from "../database/Repository.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { InventoryRepository } from "./InventoryRepository.ts"
import { changedColumns, stockEvents } from "./internal/stockEvents.ts"

/** The approximate number of reservations released in one transaction: those of whole stock rows. */
const batchSize = 500

export class ReservationRepository extends Context.Service<ReservationRepository>()(
  "@effect-commerce/core/inventory/ReservationRepository",
  {
    make: Effect.gen(function* () {
      const { sql, write } = yield* Database
      const outbox = yield* Outbox
      const repository = yield* InventoryRepository

      // The primary key of stock serves it. ORDER BY is applied before FOR UPDATE, so that locks are taken in key
      // order. There is no join, so that a row that changed during the wait for its lock is simply read again.
      const lock = (storeId: string, keys: Statement.Fragment) =>
        Effect.map(
          many(sql<{
            readonly key: string
          }>`SELECT s.key FROM stock s WHERE s.store_id = ${storeId} AND s.key = ANY(${keys}) ORDER BY s.key FOR
              UPDATE OF s`),
          (rows) => rows.map((row) => row.key)
        )

      const heldKeys = (storeId: string, holderId: string | null) =>
        sql`ARRAY(SELECT r.key FROM reservation r WHERE r.store_id = ${storeId} AND r.holder_id = ${holderId}::text)`

      /**
       * Deletes these reservations of locked rows and subtracts them from what is reserved; returns how many there
       * were.
       */
      const drop = Effect.fnUntraced(function* (storeId: string, now: Date, which: Statement.Fragment) {
        const gone = yield* many(sql<{ readonly given: number }>`WITH gone AS (
              DELETE FROM reservation r WHERE ${which} RETURNING r.key, r.quantity
            ), changed AS (
              UPDATE stock s SET reserved = s.reserved - g.quantity, updated_at = ${now}
              FROM (SELECT key,
                sum(quantity)::int AS quantity FROM gone GROUP BY key) g WHERE s.store_id = ${storeId} AND s.key = g.key
              RETURNING ${sql.literal(changedColumns)}
            ), ${stockEvents(sql, storeId, now)}
            SELECT count(*)::int AS given FROM gone`)
        yield* outbox.wake(storeId)
        return gone[0]?.given ?? 0
      })

      /** Releases everything the holder holds. */
      const release = Effect.fn("StockLedger.release")(function* (storeId: string, holderId: string) {
        const locked = yield* lock(storeId, heldKeys(storeId, holderId))
        if (locked.length === 0) return
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* drop(
          storeId,
          now,
          sql`r.store_id = ${storeId} AND r.holder_id = ${holderId}
            AND r.key = ANY((SELECT ${locked}::text[])::text[])`
        )
      })

      /** Releases a batch of expired reservations; reservation_store_id_expires_at_idx finds them. */
      const giveBack = Effect.fnUntraced(function* (storeId: string, now: Date, which: Statement.Fragment) {
        const due = sql`r.store_id = ${storeId} AND r.expires_at <= ${now}`
        const locked = yield* lock(
          storeId,
          sql`ARRAY(SELECT r.key FROM reservation r WHERE ${due} AND ${which} ORDER BY r.expires_at LIMIT ${batchSize})`
        )
        return locked.length === 0 ? 0 : yield* drop(storeId, now, sql`${due} AND r.key = ANY(${locked}::text[])`)
      })

      /** Changes the expiry of the holders' live reservations; returns how many there are. */
      const extend = Effect.fn("StockLedger.extend")(function* (
        storeId: string,
        holderIds: ReadonlyArray<string>,
        expiresAt: Date,
        now: Date
      ) {
        const live = sql`r.store_id = ${storeId} AND r.holder_id = ANY(${holderIds}::text[]) AND r.expires_at > ${now}`
        const locked = yield* lock(storeId, sql`ARRAY(SELECT r.key FROM reservation r WHERE ${live})`)
        if (locked.length === 0) return 0
        const moved = yield* many(sql`UPDATE reservation r SET expires_at =
            greatest(r.expires_at, ${expiresAt}) WHERE ${live} AND r.key = ANY(${locked}::text[])
            RETURNING r.key`)
        return moved.length
      })

      /**
       * Releases expired reservations, of one store or of all in turn, in batches of one transaction each; returns how
       * many.
       */
      const expire = Effect.fn("StockLedger.expire")(function* (now: Date, storeId?: string) {
        let all = 0
        const expireSome = (id: string) =>
          Effect.map(write(id)(giveBack(id, now, sql`true`)), (given) => {
            all += given
            return given >= batchSize
          })
        if (storeId === undefined)
          yield* storesInTurn("Giving back reservations", repository.storesWithExpired(now), expireSome)
        else yield* Effect.repeat(expireSome(storeId), { while: (isMore) => isMore })
        return all
      })

      return { lock, heldKeys, giveBack, release, extend, expire }
    })
  }
) {
  static readonly layer = Layer.effect(ReservationRepository, ReservationRepository.make).pipe(
    Layer.provide(InventoryRepository.layer)
  )
}
