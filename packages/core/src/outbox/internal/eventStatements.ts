/** The statements of the relay: which events wait, whose turn it is to relay a store, and marking what was relayed. */
import { Effect } from "effect"
import type { Database } from "../../database/Database.ts"
import { planByIndex } from "../../database/PlanByIndex.ts"
import { many, none, one, storesWith } from "../../database/Repository.ts"
import { eventSize } from "../Outbox.ts"
import type { RelayedEvent } from "../OutboxConsumer.ts"

export type PendingEvent = RelayedEvent & {
  /** Whether there are further events that did not fit into the batch. */
  readonly more: boolean
}

/** The seed of these advisory locks, which keeps them apart from others. */
const relayLock = 1_186_001n

export const makeEventStatements = ({ sql, write }: Database["Service"]) => {
  const lockKey = (storeId: string) => sql`hashtextextended(${storeId}, ${relayLock})`

  return {
    /** Stores that have events to relay. event_store_id_seq_pending_idx: one probe for each of them. */
    pendingStores: many(
      sql<{ readonly storeId: string }>`SELECT store_id
        FROM ${storesWith(sql, "event", sql`relayed_at IS NULL`)} pending`,
      ({ storeId }) => storeId
    ),

    /**
     * The next events of a store, at most `most` of them and `mostBytes` in all. event_store_id_seq_pending_idx gives
     * the order; the data of events that do not fit are not read.
     */
    pending: (storeId: string, most: number, mostBytes: number, except: ReadonlyArray<string>) =>
      many(
        sql<PendingEvent>`SELECT id, type, version, data, created_at, before + bytes < total AS more FROM (
            SELECT e.*, sum(bytes) OVER (ORDER BY seq) - bytes AS before, sum(bytes) OVER () AS total FROM (
              SELECT id, type, version, data, created_at, seq, ${sql.literal(eventSize)} AS bytes FROM event
              WHERE store_id = ${storeId} AND relayed_at IS NULL AND id <> ALL(${except}::text[]) ORDER BY seq LIMIT
                ${most}
            ) e
          ) e WHERE before < ${mostBytes}::bigint ORDER BY seq`
      ),

    /** Whether this transaction may relay the store: no other process is relaying it. */
    tryLock: (storeId: string) =>
      one(
        sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_xact_lock(${lockKey(storeId)}) AS mine`,
        ({ mine }) => mine
      ),

    /** Waits until no other process is relaying the store. */
    waitForTurn: (storeId: string) => write(storeId)(none(sql`SELECT pg_advisory_xact_lock(${lockKey(storeId)})`)),

    /**
     * Marks events as relayed, in this order; returns how many were not marked yet. Positions go on from the last one
     * that was given, also where its event is removed already and older ones are left, whose deliveries wait.
     */
    mark: (storeId: string, ids: ReadonlyArray<string>, at: Date) =>
      Effect.map(
        Effect.all(
          [
            planByIndex(sql, { waitsForDisk: true }),
            many(sql`UPDATE event e SET relayed_at = ${at}, position = before.position + given.turn
              FROM (SELECT coalesce(greatest(
                  (SELECT max(position) FROM event WHERE store_id = ${storeId}),
                  (SELECT removed FROM event_feed WHERE store_id = ${storeId})), 0) AS position) AS before,
                unnest(${ids}::text[]) WITH ORDINALITY AS given (id, turn), LATERAL (
                  SELECT w.ctid FROM event w WHERE w.store_id = ${storeId} AND w.id = given.id OFFSET 0
                ) w
              WHERE e.store_id = ${storeId} AND e.ctid = w.ctid AND e.relayed_at IS NULL RETURNING e.id`)
          ],
          { concurrency: "unbounded" }
        ),
        ([, marked]) => marked.length
      )
  }
}
