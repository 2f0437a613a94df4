/** The SQL of webhook_delivery: queueing, claiming under a lease, and recording attempts. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { eventSize } from "../outbox/Outbox.ts"
import { planByIndex } from "../database/PlanByIndex.ts"
import { many, none, one, page } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { Allotment } from "./internal/InFlight.ts"
import type { ClaimedDelivery, DeliveryAttempt, DeliveryRow, DeliveryStatus } from "./WebhookDelivery.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"

/** A subscription that has pending deliveries, and when the next of them is due. */
export interface DueSubscription {
  readonly storeId: string
  readonly subscriptionId: string
  readonly dueAt: Date
}

export interface NewDelivery {
  readonly id: string
  readonly subscriptionId: string
  readonly eventId: string
  readonly isProbe: boolean
}

/** A delivery's row, locked. */
export interface LockedDelivery {
  readonly id: string
  readonly status: DeliveryStatus
  readonly attemptCount: number
  readonly isProbe: boolean
  readonly lease: string | null
}

/** A claimed delivery and its event. `data` is null where another row of the same claim has the event's data. */
export interface ClaimedRow
  extends Pick<ClaimedDelivery, "id" | "subscriptionId" | "url" | "secret" | "standardHeaders"> {
  readonly eventId: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
  readonly sequence: bigint
}

/** The result of an attempt. `dueAt` is null when the delivery is finished. */
export interface RecordedAttempt {
  readonly id: string
  readonly status: DeliveryStatus
  readonly dueAt: Date | null
  readonly attempt: DeliveryAttempt
}

export interface Claim extends Allotment {
  /** Ids of deliveries that this process is sending, so that a jump of its clock does not claim them twice. */
  readonly except: ReadonlyArray<string>
  readonly lease: string
  readonly leaseEnds: Date
  readonly now: Date
}

export class WebhookDeliveryRepository extends Context.Service<WebhookDeliveryRepository>()(
  "@effect-commerce/core/webhook/WebhookDeliveryRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const { claimBytes } = yield* CurrentWebhookPolicy
      const columns = sql.literal(
        `d.id, d.subscription_id, d.event_id, e.type AS event_type, d.status, d.attempt_count, d.attempts, d.due_at,
         d.created_at, d.finished_at`
      )
      const eventBytes = sql.literal(eventSize)
      const pending = sql`SELECT d.store_id, d.subscription_id, d.due_at FROM webhook_delivery d WHERE d.due_at IS NOT
        NULL`
      const first = sql`ORDER BY d.store_id, d.subscription_id, d.due_at LIMIT 1`

      return {
        /**
         * Runs first in a worker's transaction, whose commit then does not wait for the disk. A crash of the database
         * server may undo a claim or a result; then the attempt is made again.
         */
        asWorker: planByIndex(sql, { waitsForDisk: false }),
        /**
         * Every subscription of every store that has deliveries due by `until` and has not ended, in the order of their
         * ids. One probe of webhook_delivery_due_idx finds the first delivery of each subscription.
         */
        due: (until: Date) =>
          many(
            sql<DueSubscription>`WITH RECURSIVE next AS (
                (${pending} ${first})
                UNION ALL
                SELECT n.store_id, n.subscription_id, n.due_at FROM next l, LATERAL (
                  ${pending} AND (d.store_id, d.subscription_id) > (l.store_id, l.subscription_id) ${first}
                ) n
              )
              SELECT n.store_id, n.subscription_id, n.due_at FROM next n WHERE n.due_at <= ${until}
                AND NOT EXISTS (SELECT FROM webhook_subscription s WHERE s.store_id = n.store_id
                  AND s.id = n.subscription_id AND s.deleted_at IS NOT NULL)
              ORDER BY n.store_id, n.subscription_id`
          ),
        /**
         * Adds deliveries that are due at once. The caller has locked the rows of their subscriptions. `repeat` counts
         * the deliveries of an event to a subscription: a replay adds one.
         */
        insert: (storeId: string, rows: ReadonlyArray<NewDelivery>, now: Date) =>
          none(
            sql`INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, is_probe, repeat, status,
              due_at, created_at)
              SELECT ${storeId}, d.id, d.subscription_id, d.event_id, d.is_probe, coalesce((
                  SELECT max(w.repeat) + 1 FROM webhook_delivery w
                  WHERE w.store_id = ${storeId} AND w.event_id = d.event_id AND w.subscription_id = d.subscription_id
                ), 0), 'pending', ${now}, ${now}
              FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => row.subscriptionId)}::text[],
                ${rows.map(({ eventId }) => eventId)}::text[], ${rows.map(({ isProbe }) => isProbe)}::boolean[])
                AS d (id, subscription_id, event_id, is_probe)`
          ),
        /**
         * Claims due deliveries, in the order of their ids: as many as fit in `claimBytes` with their events, but at
         * least one. webhook_delivery_due_idx finds them. Those of subscriptions that have ended wait to be deleted.
         */
        claim: ({ storeId, subscriptions, except, lease, leaseEnds, now }: Claim) => {
          const ids = subscriptions.map(({ subscriptionId }) => subscriptionId)
          return many(sql<ClaimedRow>`WITH picked AS MATERIALIZED (
              SELECT d.ctid, d.id, d.event_id
              FROM
                unnest(${ids}::text[], ${subscriptions.map(({ most }) => most)}::int[]) AS asked (id, most)
                JOIN webhook_subscription s ON s.store_id = ${storeId} AND s.id = asked.id AND s.deleted_at IS NULL,
                LATERAL (
                SELECT d.ctid, d.id, d.event_id FROM webhook_delivery d
                WHERE d.store_id = ${storeId} AND d.subscription_id = asked.id AND d.due_at <= ${now}
                  AND d.id <> ALL(${except}::text[])
                ORDER BY d.due_at, d.id LIMIT asked.most FOR NO KEY UPDATE SKIP LOCKED
              ) d
            ), sized AS MATERIALIZED (
              SELECT p.ctid, e.*, sum(e.bytes) OVER (ORDER BY p.id) - e.bytes AS before FROM picked p, LATERAL (
                SELECT id AS event_id, type, data, created_at, seq, ${eventBytes} AS bytes FROM event
                WHERE store_id = ${storeId} AND id = p.event_id OFFSET 0
              ) e
            ), held AS (
              UPDATE webhook_delivery d SET due_at = ${leaseEnds}, lease = ${lease} FROM sized e
              WHERE d.store_id = ${storeId} AND d.ctid = e.ctid AND e.before < ${claimBytes}::bigint
              RETURNING d.id, d.subscription_id, e.event_id, e.type, e.data, e.created_at, e.seq
            )
            SELECT h.id, h.subscription_id, s.url, s.secret, s.standard_headers, h.event_id, h.type, h.created_at,
              h.seq AS sequence,
              CASE WHEN row_number() OVER (PARTITION BY h.event_id) = 1 THEN h.data END AS data
            FROM held h JOIN webhook_subscription s ON s.store_id = ${storeId} AND s.id = h.subscription_id
            ORDER BY h.id`)
        },
        /** Locks deliveries in the order of their ids. */
        lock: (storeId: string, ids: ReadonlyArray<string>) =>
          many(
            sql<LockedDelivery>`SELECT d.id, d.status, d.attempt_count, d.is_probe, d.lease
              FROM (SELECT id FROM unnest(${ids}::text[]) AS asked (id) ORDER BY id) AS asked, LATERAL (
                SELECT * FROM webhook_delivery w WHERE w.store_id = ${storeId} AND w.id = asked.id
                OFFSET 0 FOR NO KEY UPDATE
              ) d`
          ),
        /** Records attempts of locked deliveries. */
        record: (storeId: string, rows: ReadonlyArray<RecordedAttempt>, now: Date) => {
          if (rows.length === 0) return Effect.void
          const given = rows.map(({ id, status, dueAt, attempt }) => ({ id, status, due_at: dueAt, attempt }))
          return none(
            sql`UPDATE webhook_delivery d SET status = r.status, due_at = r.due_at, lease = NULL,
              attempts = d.attempts || r.attempt, attempt_count = d.attempt_count + 1,
              finished_at = CASE WHEN r.due_at IS NULL THEN ${now}::timestamptz END
              FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS r (id text, status text, due_at timestamptz,
                attempt jsonb), LATERAL (
                SELECT w.ctid FROM webhook_delivery w WHERE w.store_id = ${storeId} AND w.id = r.id OFFSET 0
              ) w
              WHERE d.store_id = ${storeId} AND d.ctid = w.ctid`
          )
        },
        /** Makes locked deliveries due at once, without an attempt. */
        release: (storeId: string, ids: ReadonlyArray<string>, now: Date) =>
          none(
            sql`UPDATE webhook_delivery d SET due_at = ${now}, lease = NULL
              FROM unnest(${ids}::text[]) AS given (id), LATERAL (
                SELECT w.ctid FROM webhook_delivery w WHERE w.store_id = ${storeId} AND w.id = given.id OFFSET 0
              ) w
              WHERE d.store_id = ${storeId} AND d.ctid = w.ctid`
          ),
        /** Cancels the pending deliveries of a subscription that the caller has locked to change it. */
        cancelPending: (storeId: string, subscriptionId: string, now: Date) =>
          none(
            sql`UPDATE webhook_delivery SET status = 'cancelled', due_at = NULL, lease = NULL, finished_at = ${now}
              WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId} AND due_at IS NOT NULL`
          ),
        /**
         * Deletes some deliveries of a subscription that has ended, those that wait first; returns how many.
         * webhook_delivery_due_idx and webhook_delivery_finished_idx.
         */
        removeSome: Effect.fnUntraced(function* (storeId: string, subscriptionId: string, most: number) {
          yield* planByIndex(sql, { waitsForDisk: false })
          const some = (which: "NULL" | "NOT NULL") => sql`(SELECT d.ctid FROM webhook_delivery d
            WHERE d.store_id =
              ${storeId} AND d.subscription_id = ${subscriptionId} AND d.due_at IS ${sql.literal(which)} LIMIT ${most})`
          const row = yield* one(
            sql<{ readonly count: number }>`WITH gone AS (
                DELETE FROM webhook_delivery WHERE store_id = ${storeId} AND ctid = ANY (ARRAY(
                  SELECT ctid FROM (${some("NOT NULL")} UNION ALL ${some("NULL")}) d LIMIT ${most})) RETURNING 1
              ) SELECT count(*)::int AS count FROM gone`
          )
          return row?.count ?? 0
        }),
        /** In the order of their ids. */
        findAll: (storeId: string, ids: ReadonlyArray<string>) =>
          many(
            sql<DeliveryRow & { readonly lease: string | null }>`SELECT ${columns}, d.lease FROM webhook_delivery d
              JOIN event e ON e.store_id = d.store_id AND e.id = d.event_id
              WHERE d.store_id = ${storeId} AND d.id = ANY(${ids}::text[]) ORDER BY d.id`
          ),
        /**
         * Newest first. webhook_delivery_due_idx for pending deliveries, webhook_delivery_finished_idx, read backwards,
         * for the rest.
         */
        list: (storeId: string, subscriptionId: string, asked: Page) => {
          const newest = sql`ORDER BY d.created_at DESC, d.id DESC`
          const rows = (which: "NULL" | "NOT NULL") => sql`(SELECT d.* FROM webhook_delivery d
            WHERE d.store_id =
              ${storeId} AND d.subscription_id = ${subscriptionId} AND d.due_at IS ${sql.literal(which)}
            ${newest} LIMIT ${offsetOf(asked) + asked.limit})`
          return page(
            sql<DeliveryRow>`SELECT ${columns} FROM (
                SELECT * FROM (${rows("NOT NULL")} UNION ALL ${rows("NULL")}) d
                ${newest} LIMIT ${asked.limit} OFFSET ${offsetOf(asked)}) d
              JOIN event e ON e.store_id = d.store_id AND e.id = d.event_id ${newest}`,
            sql<{ readonly total: number }>`SELECT total::int AS total FROM webhook_delivery_count
              WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId}`
          )
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(WebhookDeliveryRepository, WebhookDeliveryRepository.make)
}
