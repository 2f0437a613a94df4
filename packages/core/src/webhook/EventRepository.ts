/**
 * The SQL that reads and sweeps `event` for the feed, for replays and at the end of its time. Who writes it:
 * database/Outbox, database/OutboxRelay.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { eventSize } from "../database/Outbox.ts"
import { internalPrefix } from "../kernel/EventDefinition.ts"
import type { StoredEvent } from "./EventEnvelope.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"

export interface FeedRead {
  /** Events behind this place. */
  readonly after: bigint
  /** Event types; undefined for all that are not internal. */
  readonly types: ReadonlyArray<string> | undefined
  /** Events made before are gone. */
  readonly since: Date
  readonly limit: number
}

export interface EventRepositoryMethods {
  /**
   * Where an event stands in its store's feed; undefined for an id that is not there, is internal, older than `since`,
   * or not relayed yet.
   */
  readonly positionOf: (storeId: string, id: string, since: Date) => Effect.Effect<bigint | undefined>
  /** The end of the feed: 0 where there is none. */
  readonly lastPosition: (storeId: string) => Effect.Effect<bigint>
  /** In the order of the feed: at most `limit`, and fewer where they are large. */
  readonly read: (
    storeId: string,
    feed: FeedRead
  ) => Effect.Effect<ReadonlyArray<StoredEvent & { readonly position: bigint }>>
  /** Whether something waits to be relayed. */
  readonly hasPending: (storeId: string) => Effect.Effect<boolean>
  /** The store and type of an event of any store; internal ones are not found. */
  readonly findAnywhere: (id: string) => Effect.Effect<{ readonly storeId: string; readonly type: string } | undefined>
  /** Keeps an event from being swept until the transaction ends; false where it is gone. */
  readonly hold: (storeId: string, id: string) => Effect.Effect<boolean>
  /** Stores whose oldest relayed event was made before `before`. */
  readonly storesWithOlder: (before: Date) => Effect.Effect<ReadonlyArray<string>>
  /**
   * Removes the oldest relayed events of a store that were made before, at most `most`, with their deliveries; answers
   * how many.
   */
  readonly removeOlder: (storeId: string, before: Date, most: number) => Effect.Effect<number>
}

export class EventRepository extends Context.Service<EventRepository, EventRepositoryMethods>()(
  "@effect-commerce/core/webhook/EventRepository"
) {
  static readonly layer = Layer.effect(
    EventRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const eventBytes = sql.literal(eventSize)
      const { feedBytes } = yield* CurrentWebhookPolicy
      const isPublic = sql`NOT starts_with(type, ${internalPrefix})`

      return EventRepository.of({
        positionOf: (storeId, id, since) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly position: bigint }>`SELECT position FROM event
                WHERE store_id = ${storeId} AND id = ${id} AND position IS NOT NULL AND created_at >= ${since} AND
                  ${isPublic}`,
              ([row]) => row?.position
            )
          ),
        // event_store_id_position_idx, its end.
        lastPosition: (storeId) =>
          Effect.orDie(
            Effect.map(
              sql<{
                readonly position: bigint
              }>`SELECT coalesce(max(position), 0) AS position FROM event WHERE store_id = ${storeId}`,
              ([row]) => row?.position ?? 0n
            )
          ),
        // event_store_id_position_idx gives the order; the data of what does not fit are not touched.
        read: (storeId, { after, types, since, limit }) =>
          Effect.orDie(
            sql<StoredEvent & { readonly position: bigint }>`SELECT id, type, data, created_at, position FROM (
                SELECT e.*, sum(bytes) OVER (ORDER BY position) - bytes AS before FROM (
                  SELECT id, type, data, created_at, position, ${eventBytes} AS bytes FROM event
                  WHERE store_id = ${storeId} AND position > ${after} AND created_at >= ${since}
                    AND ${types === undefined ? isPublic : sql`type = ANY(${types}::text[])`}
                  ORDER BY position LIMIT ${limit}
                ) e
              ) e WHERE before < ${feedBytes}::bigint ORDER BY position`
          ),
        // event_store_id_seq_pending_idx.
        hasPending: (storeId) =>
          Effect.orDie(
            Effect.map(
              sql<{
                readonly pending: boolean
              }>`SELECT EXISTS (SELECT FROM event WHERE store_id = ${storeId} AND relayed_at IS NULL) AS pending`,
              ([row]) => row?.pending === true
            )
          ),
        // event_pkey, asked once for each store: a person asks this, not a request.
        findAnywhere: (id) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly storeId: string; readonly type: string }>`SELECT e.store_id, e.type FROM store s
                JOIN event e ON e.store_id = s.id AND e.id = ${id} WHERE ${isPublic}`,
              ([row]) => row
            )
          ),
        // event_store_id_seq_idx: the first event of each store.
        storesWithOlder: (before) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly storeId: string }>`SELECT s.id AS store_id FROM store s, LATERAL (
                  SELECT e.created_at, e.relayed_at FROM event e WHERE e.store_id = s.id ORDER BY e.seq LIMIT 1
                ) oldest WHERE oldest.created_at < ${before} AND oldest.relayed_at IS NOT NULL ORDER BY s.id`,
              (rows) => rows.map(({ storeId }) => storeId)
            )
          ),
        // webhook_delivery_store_id_event_id_subscription_id_repeat_key finds the deliveries of an event. An event that
        // is still to be delivered stays; webhook_parcel holds deliveries that the release before has queued.
        removeOlder: (storeId, before, most) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly count: number }>`WITH old AS (
                  DELETE FROM event WHERE store_id = ${storeId} AND id IN (
                    SELECT e.id FROM (SELECT id, created_at,
                      relayed_at FROM event WHERE store_id = ${storeId} ORDER BY seq LIMIT ${most}) e
                    WHERE e.created_at < ${before} AND e.relayed_at IS NOT NULL
                      AND NOT EXISTS (SELECT FROM webhook_delivery d
                        WHERE d.store_id = ${storeId} AND d.event_id = e.id AND d.due_at IS NOT NULL)
                      AND NOT EXISTS
                        (SELECT FROM webhook_parcel p WHERE p.store_id = ${storeId} AND e.id = ANY(p.events))
                  ) RETURNING id
                ), theirs AS (
                  DELETE FROM webhook_delivery WHERE store_id = ${storeId} AND event_id IN (SELECT id FROM old)
                )
                SELECT count(*)::int AS count FROM old`,
              ([row]) => row?.count ?? 0
            )
          ),
        hold: (storeId, id) =>
          Effect.orDie(
            Effect.map(
              sql`SELECT id FROM event WHERE store_id = ${storeId} AND id = ${id} FOR KEY SHARE`,
              (rows) => rows.length > 0
            )
          )
      })
    })
  )
}
