/** The SQL of webhook_delivery: queueing, claiming with a lease, recording attempts, and sweeping with the events they belong to. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import type { StoredEvent } from "./EventEnvelope.ts"
import type { ClaimedDelivery, DeliveryAttempt, DeliveryRow, DeliveryStatus } from "./WebhookDelivery.ts"

/** A subscription that has pending deliveries, and when the next of them is due. */
export interface Lane {
  readonly storeId: string
  readonly subscriptionId: string
  readonly dueAt: Date
}

export interface NewDelivery {
  readonly id: string
  readonly subscriptionId: string
  readonly eventId: string
  readonly isProbe: boolean
  /** Absent: due at once. Otherwise taken from the start, and due when the lease ends. */
  readonly taken?: { readonly lease: string; readonly leaseEnds: Date } | undefined
}

export interface HeldDelivery {
  readonly id: string
  readonly subscriptionId: string
  readonly attemptCount: number
  readonly isProbe: boolean
}

/** A claimed delivery, its event by id. */
export type ClaimedRow = Omit<ClaimedDelivery, "event"> & { readonly eventId: string }

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
  /** Deliveries this process has under way: a clock that leaps does not make it take them twice. */
  readonly except: ReadonlyArray<string>
  readonly lease: string
  readonly leaseEnds: Date
  readonly now: Date
}

export interface WebhookDeliveryRepositoryMethods {
  /**
   * Sent first in a worker's transaction. Its statements are planned each time, by an index: a plan that was made while the queue was nearly empty, and
   * is kept, reads all of it when it is not. Its commit does not wait for the disk: what a crash of the database server takes back is a claim or a result,
   * and the attempt is made again.
   */
  readonly asWorker: Effect.Effect<void>
  /** Every subscription of every store that has deliveries due by `until`, in the order of their ids. */
  readonly lanes: (until: Date) => Effect.Effect<ReadonlyArray<Lane>>
  readonly insert: (storeId: string, rows: ReadonlyArray<NewDelivery>, now: Date) => Effect.Effect<void>
  /** The same events once more, due at once; what was there stays. Whoever calls holds the subscriptions' rows. */
  readonly insertRepeats: (storeId: string, rows: ReadonlyArray<NewDelivery>, now: Date) => Effect.Effect<void>
  readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedRow>>
  readonly events: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredEvent>>
  /** Locks those of these deliveries that this lease still holds. */
  readonly lockHeld: (storeId: string, held: ReadonlyArray<{ readonly id: string; readonly lease: string }>) => Effect.Effect<ReadonlyArray<HeldDelivery>>
  readonly record: (storeId: string, rows: ReadonlyArray<RecordedAttempt>, now: Date) => Effect.Effect<void>
  /** Gives claimed deliveries back, due at once. */
  readonly release: (storeId: string, held: ReadonlyArray<{ readonly id: string; readonly lease: string }>, now: Date) => Effect.Effect<void>
  readonly cancelPending: (storeId: string, subscriptionId: string, now: Date) => Effect.Effect<void>
  /** Those of a subscription that the caller has locked to remove it. */
  readonly removeAll: (storeId: string, subscriptionId: string) => Effect.Effect<void>
  /** These of one store, in the order of their ids. */
  readonly findAll: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<DeliveryRow & { readonly lease: string | null }>>
  /** Newest first. */
  readonly list: (storeId: string, subscriptionId: string, page: Page) => Effect.Effect<PageOf<DeliveryRow>>
}

export class WebhookDeliveryRepository extends Context.Service<WebhookDeliveryRepository, WebhookDeliveryRepositoryMethods>()(
  "@effect-commerce/core/webhook/WebhookDeliveryRepository"
) {
  static readonly layer = Layer.effect(
    WebhookDeliveryRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database

      const columns = sql.literal(
        "d.id, d.subscription_id, d.event_id, e.type AS event_type, d.status, d.attempt_count, d.attempts, d.due_at, d.created_at, d.finished_at"
      )

      const rowsOf = (rows: ReadonlyArray<NewDelivery>) => {
        const given = rows.map(({ id, subscriptionId, eventId, isProbe, taken }) => ({
          id,
          subscription_id: subscriptionId,
          event_id: eventId,
          is_probe: isProbe,
          lease: taken?.lease ?? null,
          lease_ends: taken?.leaseEnds ?? null
        }))
        return sql`jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
          AS d (id text, subscription_id text, event_id text, is_probe boolean, lease text, lease_ends timestamptz)`
      }

      return WebhookDeliveryRepository.of({
        asWorker: Effect.orDie(
          Effect.asVoid(
            sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('synchronous_commit', 'off', true),
              set_config('plan_cache_mode', 'force_custom_plan', true)`
          )
        ),
        // webhook_delivery_due_idx: one probe for each subscription that has something pending.
        lanes: (until) =>
          Effect.orDie(
            sql<Lane>`WITH RECURSIVE lane AS (
                (SELECT d.store_id, d.subscription_id, d.due_at FROM webhook_delivery d WHERE d.due_at IS NOT NULL
                  ORDER BY d.store_id, d.subscription_id, d.due_at LIMIT 1)
                UNION ALL
                SELECT n.store_id, n.subscription_id, n.due_at FROM lane l, LATERAL (
                  SELECT d.store_id, d.subscription_id, d.due_at FROM webhook_delivery d
                  WHERE d.due_at IS NOT NULL AND (d.store_id, d.subscription_id) > (l.store_id, l.subscription_id)
                  ORDER BY d.store_id, d.subscription_id, d.due_at LIMIT 1
                ) n
              )
              SELECT store_id, subscription_id, due_at FROM lane WHERE due_at <= ${until}`
          ),
        insert: (storeId, rows, now) =>
          rows.length === 0
            ? Effect.void
            : Effect.orDie(
                Effect.asVoid(
                  sql`INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, is_probe, due_at, lease, created_at)
                    SELECT ${storeId}, d.id, d.subscription_id, d.event_id, 'pending', d.is_probe, coalesce(d.lease_ends, ${now}), d.lease, ${now}
                    FROM ${rowsOf(rows)}`
                )
              ),
        insertRepeats: (storeId, rows, now) =>
          Effect.orDie(
            Effect.asVoid(
              sql`INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, repeat, status, is_probe, due_at, created_at)
                SELECT ${storeId}, d.id, d.subscription_id, d.event_id, coalesce((
                    SELECT max(w.repeat) + 1 FROM webhook_delivery w
                    WHERE w.store_id = ${storeId} AND w.event_id = d.event_id AND w.subscription_id = d.subscription_id
                  ), 0), 'pending', d.is_probe, ${now}, ${now}
                FROM ${rowsOf(rows)}`
            )
          ),
        claim: ({ storeId, lanes, except, lease, leaseEnds, now }) => {
          const asked = lanes.map(({ subscriptionId, most }) => ({ subscription_id: subscriptionId, most }))
          return Effect.orDie(
            sql<ClaimedRow>`WITH picked AS MATERIALIZED (
                SELECT p.id FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS l (subscription_id text, most int), LATERAL (
                  SELECT d.id FROM webhook_delivery d
                  WHERE d.store_id = ${storeId} AND d.subscription_id = l.subscription_id AND d.due_at <= ${now} AND d.id <> ALL(${except}::text[])
                  ORDER BY d.due_at, d.id LIMIT l.most FOR NO KEY UPDATE SKIP LOCKED
                ) p
              ), held AS (
                UPDATE webhook_delivery d SET due_at = ${leaseEnds}, lease = ${lease}
                WHERE d.store_id = ${storeId} AND d.id = ANY(ARRAY(SELECT id FROM picked))
                RETURNING d.id, d.subscription_id, d.attempt_count, d.is_probe, d.lease, d.due_at AS lease_ends, d.event_id
              )
              SELECT ${storeId} AS store_id, h.id, h.subscription_id, h.attempt_count, h.is_probe, h.lease, h.lease_ends, s.url, s.secret, h.event_id
              FROM held h JOIN webhook_subscription s ON s.store_id = ${storeId} AND s.id = h.subscription_id`
          )
        },
        events: (storeId, ids) =>
          Effect.orDie(sql<StoredEvent>`SELECT id, type, data, created_at FROM event WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`),
        lockHeld: (storeId, held) => {
          const leases = new Map(held.map(({ id, lease }) => [id, lease]))
          return Effect.orDie(
            Effect.map(
              sql<HeldDelivery & { readonly lease: string | null }>`SELECT d.id, d.subscription_id, d.attempt_count, d.is_probe, d.lease
                FROM webhook_delivery d WHERE d.store_id = ${storeId} AND d.id = ANY(${[...leases.keys()]}::text[]) AND d.status = 'pending'
                ORDER BY d.id FOR NO KEY UPDATE`,
              (rows) => rows.filter(({ id, lease }) => lease !== null && leases.get(id) === lease)
            )
          )
        },
        record: (storeId, rows, now) => {
          if (rows.length === 0) return Effect.void
          const given = rows.map(({ id, status, dueAt, attempt }) => ({ id, status, due_at: dueAt, attempt }))
          return Effect.orDie(
            Effect.asVoid(
              sql`UPDATE webhook_delivery d SET status = r.status, due_at = r.due_at, lease = NULL, attempts = d.attempts || r.attempt,
                  attempt_count = d.attempt_count + 1, finished_at = CASE WHEN r.due_at IS NULL THEN ${now}::timestamptz END
                FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS r (id text, status text, due_at timestamptz, attempt jsonb)
                WHERE d.store_id = ${storeId} AND d.id = r.id AND d.id = ANY(${rows.map(({ id }) => id)}::text[])`
            )
          )
        },
        release: (storeId, held, now) =>
          Effect.orDie(
            Effect.asVoid(
              sql`UPDATE webhook_delivery d SET due_at = ${now}, lease = NULL
                FROM jsonb_to_recordset(${JSON.stringify(held)}::jsonb) AS h (id text, lease text)
                WHERE d.store_id = ${storeId} AND d.id = h.id AND d.lease = h.lease AND d.status = 'pending'`
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
          Effect.orDie(Effect.asVoid(sql`DELETE FROM webhook_delivery WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId}`)),
        findAll: (storeId, ids) =>
          Effect.orDie(
            sql<DeliveryRow & { readonly lease: string | null }>`SELECT ${columns}, d.lease FROM webhook_delivery d
              JOIN event e ON e.store_id = d.store_id AND e.id = d.event_id
              WHERE d.store_id = ${storeId} AND d.id = ANY(${ids}::text[]) ORDER BY d.id`
          ),
        // webhook_delivery_finished_idx, read backwards; what is pending through webhook_delivery_due_idx.
        list: (storeId, subscriptionId, page) => {
          const newest = (isPending: boolean) => sql`(SELECT d.* FROM webhook_delivery d
            WHERE d.store_id = ${storeId} AND d.subscription_id = ${subscriptionId} AND d.due_at ${isPending ? sql`IS NOT NULL` : sql`IS NULL`}
            ORDER BY d.created_at DESC, d.id DESC LIMIT ${offsetOf(page) + page.limit})`
          return Effect.orDie(
            Effect.map(
              Effect.all([
                sql<DeliveryRow>`SELECT ${columns} FROM (${newest(true)} UNION ALL ${newest(false)}) d
                  JOIN event e ON e.store_id = d.store_id AND e.id = d.event_id
                  ORDER BY d.created_at DESC, d.id DESC LIMIT ${page.limit} OFFSET ${offsetOf(page)}`,
                sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM webhook_delivery
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
