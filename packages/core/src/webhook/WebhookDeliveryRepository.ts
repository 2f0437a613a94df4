/**
 * The SQL of webhook_delivery: queueing, claiming with a lease, recording attempts, and sweeping with the events they
 * belong to.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import { eventSize } from "../database/Outbox.ts"
import { planByIndex } from "../database/PlanByIndex.ts"
import type { StoredEvent } from "./EventEnvelope.ts"
import type { ClaimedDelivery, DeliveryAttempt, DeliveryRow, DeliveryStatus } from "./WebhookDelivery.ts"
import { openDeliveries } from "./WebhookParcelRepository.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"

/** A subscription that has pending deliveries, and when the next of them is due. */
export interface Lane {
  readonly storeId: string
  readonly subscriptionId: string
  readonly dueAt: Date
}

/** An event to be sent once more. */
export interface NewRepeat {
  readonly id: string
  readonly subscriptionId: string
  readonly eventId: string
}

/** A delivery's row, locked. */
export interface LockedDelivery {
  readonly id: string
  readonly status: DeliveryStatus
  readonly attemptCount: number
  readonly isProbe: boolean
  readonly lease: string | null
}

/** A claimed delivery, its event by id. */
export type ClaimedRow = Omit<ClaimedDelivery, "event" | "parcel"> & { readonly eventId: string }

/** What is written down after an attempt. `dueAt` null: finished. */
export interface RecordedAttempt {
  readonly id: string
  readonly status: DeliveryStatus
  readonly dueAt: Date | null
  readonly attempt: DeliveryAttempt
}

export interface Claim {
  readonly storeId: string
  /** How many of each subscription. */
  readonly lanes: ReadonlyArray<{ readonly subscriptionId: string; readonly most: number }>
  /** Ids of what this process has under way: a clock that leaps does not make it take them twice. */
  readonly except: ReadonlyArray<string>
  readonly lease: string
  readonly leaseEnds: Date
  readonly now: Date
}

export interface WebhookDeliveryRepositoryMethods {
  /**
   * Sent first in a worker's transaction. What a crash of the database server takes back is a claim or a result, and
   * the attempt is made again: the commit does not wait for the disk.
   */
  readonly asWorker: Effect.Effect<void>
  /** Every subscription of every store that has deliveries due by `until`, in the order of their ids. */
  readonly lanes: (until: Date) => Effect.Effect<ReadonlyArray<Lane>>
  /** The same events once more, due at once; what was there stays. Whoever calls holds the subscriptions' rows. */
  readonly insertRepeats: (storeId: string, rows: ReadonlyArray<NewRepeat>, now: Date) => Effect.Effect<void>
  readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedRow>>
  /** Those that are there, in no order; `data` is null where those before it in `ids` are `claimBytes` already. */
  readonly events: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredEvent>>
  /** Locks those of these deliveries that have rows, in the order of their ids. */
  readonly lock: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LockedDelivery>>
  readonly record: (storeId: string, rows: ReadonlyArray<RecordedAttempt>, now: Date) => Effect.Effect<void>
  /** Gives locked deliveries back, due at once. */
  readonly release: (storeId: string, ids: ReadonlyArray<string>, now: Date) => Effect.Effect<void>
  readonly cancelPending: (storeId: string, subscriptionId: string, now: Date) => Effect.Effect<void>
  /** Those of a subscription that the caller has locked to remove it. */
  readonly removeAll: (storeId: string, subscriptionId: string) => Effect.Effect<void>
  /** These of one store, in the order of their ids. */
  readonly findAll: (
    storeId: string,
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<DeliveryRow & { readonly lease: string | null }>>
  /** Newest first. */
  readonly list: (storeId: string, subscriptionId: string, page: Page) => Effect.Effect<PageOf<DeliveryRow>>
}

export class WebhookDeliveryRepository extends Context.Service<
  WebhookDeliveryRepository,
  WebhookDeliveryRepositoryMethods
>()("@effect-commerce/core/webhook/WebhookDeliveryRepository") {
  static readonly layer = Layer.effect(
    WebhookDeliveryRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { claimBytes } = yield* CurrentWebhookPolicy

      const columns = sql.literal(
        "d.id, d.subscription_id, d.event_id, e.type AS event_type, d.status, d.attempt_count, d.attempts, d.due_at, d.created_at, d.finished_at"
      )

      /**
       * The first thing due of each subscription that has something pending, by one probe each of an index that begins
       * with these columns.
       */
      const firstDue = (table: "webhook_delivery" | "webhook_parcel") => {
        const due = sql`SELECT d.store_id, d.subscription_id, d.due_at FROM ${sql(table)} d WHERE d.due_at IS NOT NULL`
        const first = sql`ORDER BY d.store_id, d.subscription_id, d.due_at LIMIT 1`
        return sql`(WITH RECURSIVE lane AS (
            (${due} ${first})
            UNION ALL
            SELECT n.store_id, n.subscription_id, n.due_at
            FROM lane l,
              LATERAL (${due} AND (d.store_id, d.subscription_id) > (l.store_id, l.subscription_id) ${first}) n
          ) SELECT store_id, subscription_id, due_at FROM lane WHERE due_at <=`
      }

      return WebhookDeliveryRepository.of({
        asWorker: planByIndex(sql, { waitsForDisk: false }),
        // webhook_delivery_due_idx, webhook_parcel_due_idx.
        lanes: (until) =>
          Effect.orDie(
            sql<Lane>`SELECT store_id, subscription_id, min(due_at) AS due_at
              FROM (${firstDue("webhook_delivery")} ${until}) UNION ALL ${firstDue("webhook_parcel")} ${until})) lane
              GROUP BY store_id, subscription_id ORDER BY store_id, subscription_id`
          ),
        insertRepeats: (storeId, rows, now) =>
          Effect.orDie(
            Effect.asVoid(
              sql`INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, repeat, status, due_at,
                created_at)
                SELECT ${storeId}, d.id, d.subscription_id, d.event_id, coalesce((
                    SELECT max(w.repeat) + 1 FROM webhook_delivery w
                    WHERE w.store_id = ${storeId} AND w.event_id = d.event_id AND w.subscription_id = d.subscription_id
                  ), 0), 'pending', ${now}, ${now}
                FROM jsonb_to_recordset(${JSON.stringify(rows.map(({ id, subscriptionId, eventId }) => ({ id, subscription_id: subscriptionId, event_id: eventId })))}::jsonb)
                  AS d (id text, subscription_id text, event_id text)`
            )
          ),
        claim: ({ storeId, lanes, except, lease, leaseEnds, now }) => {
          const asked = lanes.map(({ subscriptionId, most }) => ({ subscription_id: subscriptionId, most }))
          return Effect.orDie(
            sql<ClaimedRow>`WITH picked AS MATERIALIZED (
                SELECT p.ctid FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS l (subscription_id text,
                  most int), LATERAL (
                  SELECT d.ctid FROM webhook_delivery d
                  WHERE d.store_id = ${storeId} AND d.subscription_id = l.subscription_id AND d.due_at <= ${now} AND
                    d.id <> ALL(${except}::text[])
                  ORDER BY d.due_at, d.id LIMIT l.most FOR NO KEY UPDATE SKIP LOCKED
                ) p
              ), held AS (
                UPDATE webhook_delivery d SET due_at = ${leaseEnds}, lease = ${lease}
                FROM picked WHERE d.store_id = ${storeId} AND d.ctid = picked.ctid
                RETURNING d.id, d.subscription_id, d.is_probe, d.lease, d.due_at AS lease_ends, d.event_id
              )
              SELECT ${storeId} AS store_id, h.id, h.subscription_id, h.is_probe, h.lease, h.lease_ends, s.url,
                s.secret, h.event_id
              FROM held h JOIN webhook_subscription s ON s.store_id = ${storeId} AND s.id = h.subscription_id`
          )
        },
        events: (storeId, ids) =>
          Effect.orDie(
            sql<StoredEvent>`SELECT id, type, CASE WHEN before < ${claimBytes}::bigint THEN data END AS data,
              created_at FROM (
                SELECT e.id, e.type, e.data, e.created_at, sum(e.bytes) OVER (ORDER BY asked.place) - e.bytes AS before
                FROM unnest(${ids}::text[]) WITH ORDINALITY AS asked (id, place), LATERAL (
                  SELECT *,
                    ${sql.literal(eventSize)} AS bytes FROM event WHERE store_id = ${storeId} AND id = asked.id OFFSET 0
                ) e
              ) e`
          ),
        lock: (storeId, ids) =>
          Effect.orDie(
            sql<LockedDelivery>`SELECT d.id, d.status, d.attempt_count, d.is_probe, d.lease
              FROM (SELECT id FROM unnest(${ids}::text[]) AS asked (id) ORDER BY id) AS asked, LATERAL (
                SELECT * FROM webhook_delivery w WHERE w.store_id = ${storeId} AND w.id = asked.id OFFSET 0 FOR NO KEY
                  UPDATE
              ) d`
          ),
        record: (storeId, rows, now) => {
          if (rows.length === 0) return Effect.void
          const given = rows.map(({ id, status, dueAt, attempt }) => ({ id, status, due_at: dueAt, attempt }))
          return Effect.orDie(
            Effect.asVoid(
              sql`UPDATE webhook_delivery d SET status = r.status, due_at = r.due_at, lease = NULL,
                  attempts = d.attempts || r.attempt, attempt_count = d.attempt_count + 1,
                    finished_at = CASE WHEN r.due_at IS NULL THEN ${now}::timestamptz END
                FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS r (id text, status text, due_at timestamptz,
                  attempt jsonb), LATERAL (
                  SELECT w.ctid FROM webhook_delivery w WHERE w.store_id = ${storeId} AND w.id = r.id OFFSET 0
                ) w
                WHERE d.store_id = ${storeId} AND d.ctid = w.ctid`
            )
          )
        },
        release: (storeId, ids, now) =>
          ids.length === 0
            ? Effect.void
            : Effect.orDie(
                Effect.asVoid(
                  sql`UPDATE webhook_delivery d SET due_at = ${now},
                    lease = NULL FROM unnest(${ids}::text[]) AS given (id), LATERAL (
                      SELECT w.ctid FROM webhook_delivery w WHERE w.store_id = ${storeId} AND w.id = given.id OFFSET 0
                    ) w
                    WHERE d.store_id = ${storeId} AND d.ctid = w.ctid`
                )
              ),
        cancelPending: (storeId, subscriptionId, now) =>
          Effect.orDie(
            Effect.asVoid(
              sql`UPDATE webhook_delivery SET status = 'cancelled', due_at = NULL, lease = NULL, finished_at = ${now}
                WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId} AND due_at IS NOT NULL`
            )
          ),
        // webhook_delivery_due_idx and webhook_delivery_finished_idx.
        removeAll: (storeId, subscriptionId) =>
          Effect.orDie(
            Effect.asVoid(
              sql`DELETE FROM webhook_delivery WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId}`
            )
          ),
        findAll: (storeId, ids) =>
          Effect.orDie(
            sql<DeliveryRow & { readonly lease: string | null }>`SELECT ${columns}, d.lease FROM webhook_delivery d
              JOIN event e ON e.store_id = d.store_id AND e.id = d.event_id
              WHERE d.store_id = ${storeId} AND d.id = ANY(${ids}::text[]) ORDER BY d.id`
          ),
        // webhook_delivery_finished_idx, read backwards; what is pending through webhook_delivery_due_idx and
        // webhook_parcel_due_idx.
        list: (storeId, subscriptionId, page) => {
          const rows = (
            isPending: boolean
          ) => sql`(SELECT store_id, id, subscription_id, event_id, status, attempt_count, attempts, due_at, created_at,
            finished_at
            FROM webhook_delivery WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId} AND due_at
              ${isPending ? sql`IS NOT NULL` : sql`IS NULL`}
            ORDER BY created_at DESC, id DESC LIMIT ${offsetOf(page) + page.limit})`
          const open = sql`(${sql.literal(openDeliveries)} AND p.store_id = ${storeId} AND p.subscription_id =
            ${subscriptionId})`
          return Effect.orDie(
            Effect.map(
              Effect.all([
                sql<DeliveryRow>`SELECT ${columns} FROM (
                    SELECT * FROM (${rows(true)} UNION ALL ${rows(false)} UNION ALL
                      SELECT store_id, id, subscription_id, event_id, 'pending', 0, '[]', due_at, created_at,
                        NULL FROM ${open} o) d
                    ORDER BY d.created_at DESC, d.id DESC LIMIT ${page.limit} OFFSET ${offsetOf(page)}) d
                  JOIN event e ON e.store_id = d.store_id AND e.id = d.event_id
                  ORDER BY d.created_at DESC, d.id DESC`,
                sql<{
                  readonly total: number
                }>`SELECT (SELECT count(*) FROM ${open} o)::int + count(*)::int AS total FROM webhook_delivery
                  WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId}`
              ]),
              ([items, [count]]) => ({ items, total: count?.total ?? 0 })
            )
          )
        }
      })
    })
  )
}
