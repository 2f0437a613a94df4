/**
 * The SQL that reads `event` for the feed and for replays, and removes old events. outbox/Outbox and
 * outbox/OutboxRelay write the table.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { eventSize } from "../outbox/Outbox.ts"
import { anyRow, many, one, storesWhoseOldest } from "../database/Repository.ts"
import { internalPrefix } from "../kernel/EventDefinition.ts"
import type { StoredEvent } from "./EventEnvelope.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"

export interface FeedRead {
  /** Events after this position. */
  readonly after: bigint
  /** Event types; undefined for all that are not internal. */
  readonly types: ReadonlyArray<string> | undefined
  /** Events that are older are left out. */
  readonly since: Date
  readonly limit: number
}

export class EventRepository extends Context.Service<EventRepository>()(
  "@effect-commerce/core/webhook/EventRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const eventBytes = sql.literal(eventSize)
      const { feedBytes } = yield* CurrentWebhookPolicy
      const isPublic = sql`NOT starts_with(type, ${internalPrefix})`

      return {
        /**
         * The position of an event in its store's feed; undefined if it is unknown, internal, too old or not relayed.
         */
        positionOf: (storeId: string, id: string, since: Date) =>
          one(
            sql<{ readonly position: bigint }>`SELECT position FROM event WHERE store_id = ${storeId} AND id = ${id}
              AND position IS NOT NULL AND created_at >= ${since} AND ${isPublic}`,
            ({ position }) => position
          ),
        /** The position of the newest event, or 0. Read from the end of event_store_id_position_idx. */
        lastPosition: (storeId: string) =>
          Effect.map(
            one(
              sql<{ readonly position: bigint | null }>`SELECT max(position) AS position FROM event
                WHERE store_id = ${storeId}`
            ),
            (row) => row?.position ?? 0n
          ),
        /**
         * Events in the order of the feed: at most `limit`, fewer if they are large, but at least one.
         * event_store_id_position_idx gives the order; the data of events that do not fit is not read.
         */
        read: (storeId: string, { after, types, since, limit }: FeedRead) =>
          many(
            sql<StoredEvent & { readonly position: bigint }>`SELECT id, type, data, created_at, position,
              seq AS sequence FROM (
                SELECT e.*, sum(bytes) OVER (ORDER BY position) - bytes AS before FROM (
                  SELECT id, type, data, created_at, position, seq, ${eventBytes} AS bytes FROM event
                  WHERE store_id = ${storeId} AND position > ${after} AND created_at >= ${since}
                    AND ${types === undefined ? isPublic : sql`type = ANY(${types}::text[])`}
                  ORDER BY position LIMIT ${limit}
                ) e
              ) e WHERE before = 0 OR before + bytes <= ${feedBytes}::bigint ORDER BY position`
          ),
        /** Whether an event waits to be relayed. event_store_id_seq_pending_idx. */
        hasPending: (storeId: string) =>
          anyRow(sql`SELECT 1 FROM event WHERE store_id = ${storeId} AND relayed_at IS NULL LIMIT 1`),
        /**
         * The store and type of an event of any store; internal ones are not found. Looks in event_pkey once for each
         * store: a person calls this by a command, not a request.
         */
        findAnywhere: (id: string) =>
          one(
            sql<{ readonly storeId: string; readonly type: string }>`SELECT e.store_id, e.type FROM store s
              JOIN event e ON e.store_id = s.id AND e.id = ${id} WHERE ${isPublic}`
          ),
        /**
         * Stores whose oldest relayed event was made before `before`. event_store_id_seq_idx: the first event of each
         * store.
         */
        storesWithOlder: (before: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT e.created_at, e.relayed_at FROM event e WHERE e.store_id = s.id ORDER BY e.seq LIMIT 1`,
            sql`oldest.created_at < ${before} AND oldest.relayed_at IS NOT NULL`
          ),
        /**
         * Removes events made before `before` and their deliveries; checks the oldest `most` events, returns how many
         * were removed. An event that is still to be delivered stays.
         * webhook_delivery_store_id_event_id_subscription_id_repeat_key finds the deliveries of an event.
         */
        removeOlder: (storeId: string, before: Date, most: number) =>
          Effect.map(
            one(
              sql<{ readonly count: number }>`WITH old AS (
                  DELETE FROM event WHERE store_id = ${storeId} AND id IN (
                    SELECT e.id FROM (
                      SELECT id, created_at, relayed_at FROM event WHERE store_id =
                        ${storeId} ORDER BY seq LIMIT ${most}
                    ) e
                    WHERE e.created_at < ${before} AND e.relayed_at IS NOT NULL
                      AND NOT EXISTS (SELECT FROM webhook_delivery d
                        WHERE d.store_id = ${storeId} AND d.event_id = e.id AND d.due_at IS NOT NULL)
                  ) RETURNING id
                ), theirs AS (
                  DELETE FROM webhook_delivery WHERE store_id = ${storeId} AND event_id IN (SELECT id FROM old)
                )
                SELECT count(*)::int AS count FROM old`
            ),
            (row) => row?.count ?? 0
          ),
        /** Keeps an event from being removed until the transaction ends; false if it has been removed already. */
        hold: (storeId: string, id: string) =>
          anyRow(sql`SELECT 1 FROM event WHERE store_id = ${storeId} AND id = ${id} FOR KEY SHARE`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(EventRepository, EventRepository.make)
}
