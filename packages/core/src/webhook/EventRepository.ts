/**
 * The SQL that reads `event` for the feed and for replays, and removes old events. outbox/Outbox and
 * outbox/OutboxRelay write the table.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { planByIndex } from "../database/PlanByIndex.ts"
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

/** A piece of the removal of old events of a store. */
export interface EventRemoval {
  /** Events after this position are looked at. */
  readonly after: bigint
  /** Those that were made before are removed. */
  readonly before: Date
  /** How many are looked at. */
  readonly most: number
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
         * Events in the order of the feed: at most `limit`, fewer if they are large, but at least one; the data of
         * events that do not fit is not read. Of all types, event_store_id_position_idx gives the order. Of some, the
         * first of each are found in event_store_id_type_position_idx, so that a rare type costs no more than another.
         */
        read: (storeId: string, { after, types, since, limit }: FeedRead) => {
          const next = (which: Statement.Fragment) =>
            sql`SELECT id, type, data, created_at, position, seq, ${eventBytes} AS bytes FROM event
              WHERE store_id = ${storeId} AND ${which} AND position > ${after} AND created_at >= ${since}
              ORDER BY position LIMIT ${limit}`
          const found =
            types === undefined
              ? next(isPublic)
              : sql`SELECT e.* FROM unnest(${types}::text[]) AS asked (name),
                  LATERAL (${next(sql`type = asked.name`)}) e ORDER BY e.position LIMIT ${limit}`
          return many(
            sql<StoredEvent & { readonly position: bigint }>`SELECT id, type, data, created_at, position,
              seq AS sequence FROM (
                SELECT e.*, sum(bytes) OVER (ORDER BY position) - bytes AS before FROM (${found}) e
              ) e WHERE before = 0 OR before + bytes <= ${feedBytes}::bigint ORDER BY position`
          )
        },
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
        /** Stores whose oldest relayed event was made before `before`: the beginning of event_store_id_position_idx. */
        storesWithOlder: (before: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT e.created_at FROM event e WHERE e.store_id = s.id AND e.position > 0
              ORDER BY e.position LIMIT 1`,
            sql`oldest.created_at < ${before}`
          ),
        /**
         * Looks at the next `most` events after the position `after`, and removes those made before `before`, with
         * their deliveries; one that is still to be delivered stays. Returns the position to go on from; undefined
         * where younger ones follow. `event_feed` remembers how far it came, so that the feed goes on from there.
         * webhook_delivery_store_id_event_id_subscription_id_repeat_key finds the deliveries of an event.
         */
        removeOlder: Effect.fnUntraced(function* (storeId: string, { after, before, most }: EventRemoval) {
          yield* planByIndex(sql, { waitsForDisk: false })
          const row = yield* one(
            sql<{ readonly last: bigint | null; readonly count: number }>`WITH old AS MATERIALIZED (
                SELECT e.* FROM (
                  SELECT ctid AS place, id, created_at, position FROM event
                  WHERE store_id = ${storeId} AND position > ${after} ORDER BY position LIMIT ${most}
                ) e WHERE e.created_at < ${before}
              ), gone AS (
                DELETE FROM event WHERE store_id = ${storeId} AND ctid = ANY (ARRAY(
                  SELECT o.place FROM old o WHERE NOT EXISTS (SELECT FROM webhook_delivery d
                    WHERE d.store_id = ${storeId} AND d.event_id = o.id AND d.due_at IS NOT NULL))
                ) RETURNING id
              ), theirs AS (
                DELETE FROM webhook_delivery WHERE store_id = ${storeId} AND ctid = ANY (ARRAY(
                  SELECT d.place FROM gone g, LATERAL (SELECT w.ctid AS place FROM webhook_delivery w
                    WHERE w.store_id = ${storeId} AND w.event_id = g.id OFFSET 0) d))
              ), removed AS (
                INSERT INTO event_feed AS f (store_id, removed, removed_before)
                SELECT ${storeId}, max(position), ${before}::timestamptz FROM old HAVING count(*) > 0
                ON CONFLICT (store_id) DO UPDATE SET removed = greatest(f.removed, EXCLUDED.removed),
                  removed_before = greatest(f.removed_before, EXCLUDED.removed_before)
              )
              SELECT max(position) AS last, count(*)::int AS count FROM old`
          )
          return row !== undefined && row.count === most ? (row.last ?? undefined) : undefined
        }),
        /** Keeps an event from being removed until the transaction ends; false if it is older than `since`, or gone. */
        hold: (storeId: string, id: string, since: Date) =>
          anyRow(sql`SELECT 1 FROM event WHERE store_id = ${storeId} AND id = ${id} AND created_at >= ${since}
            FOR KEY SHARE`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(EventRepository, EventRepository.make)
}
