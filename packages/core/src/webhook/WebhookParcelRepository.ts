/**
 * The SQL of webhook_parcel: new deliveries of a subscription, queued and claimed together; each leaves with the row
 * that its first attempt makes of it.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { ClaimedDelivery, DeliveryAttempt, DeliveryStatus, Parcel } from "./WebhookDelivery.ts"
import type { Claim } from "./WebhookDeliveryRepository.ts"

export interface NewParcel {
  readonly id: string
  readonly subscriptionId: string
  /** Ids of its events, in their order. */
  readonly events: ReadonlyArray<string>
  readonly isProbe: boolean
  /** Absent: due at once. Otherwise taken from the start, and due when the lease ends. */
  readonly taken?: { readonly lease: string; readonly leaseEnds: Date } | undefined
}

export interface ClaimedParcel {
  readonly id: string
  readonly subscriptionId: string
  readonly isProbe: boolean
  readonly createdAt: Date
  readonly url: string
  /** Sealed. */
  readonly secret: string
}

/** A delivery of a parcel that has no row of its own yet. */
export interface OpenDelivery {
  readonly parcelId: string
  readonly id: string
  readonly eventId: string
}

/** What becomes a row. */
export interface FirstRecord {
  readonly delivery: ClaimedDelivery & { readonly parcel: Parcel }
  readonly status: DeliveryStatus
  readonly dueAt: Date | null
  /** Null: none was made, it only leaves its parcel. */
  readonly attempt: DeliveryAttempt | null
}

export interface WebhookParcelRepositoryMethods {
  readonly insert: (storeId: string, parcels: ReadonlyArray<NewParcel>, now: Date) => Effect.Effect<void>
  /** Takes due parcels; `most` counts parcels. Those of a subscription come in the order in which they were made. */
  readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedParcel>>
  /**
   * What of these parcels has no row yet, in the order of the events. Asked in a statement after the one that took
   * them.
   */
  readonly open: (storeId: string, parcelIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<OpenDelivery>>
  /** Locks those of these parcels that this lease still holds; answers their ids. */
  readonly lockHeld: (
    storeId: string,
    held: ReadonlyArray<{ readonly id: string; readonly lease: string }>
  ) => Effect.Effect<ReadonlySet<string>>
  /** Makes rows of deliveries whose parcels are locked. */
  readonly record: (storeId: string, rows: ReadonlyArray<FirstRecord>, now: Date) => Effect.Effect<void>
  /** Parcels of which nothing is open any more. */
  readonly remove: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * Makes cancelled rows of whatever is open of a subscription that the caller has locked to change it; `removeAll`
   * follows.
   */
  readonly cancelOpen: (storeId: string, subscriptionId: string, now: Date) => Effect.Effect<void>
  /** Those of a subscription that the caller has locked to change or remove it. */
  readonly removeAll: (storeId: string, subscriptionId: string) => Effect.Effect<void>
}

/** The id of a delivery is its parcel's and its place in it, as `openDeliveries` says too. */
export const deliveryIdOf = (parcel: Pick<Parcel, "id">, place: number): string =>
  `whd_${parcel.id.slice("whp_".length)}${String(place).padStart(2, "0")}`

/**
 * Columns of deliveries that are in parcels and have no row yet; a condition on `p` follows. webhook_delivery_pkey
 * knows who has.
 */
export const openDeliveries = `SELECT p.store_id, p.id AS parcel_id, t.id, p.subscription_id, t.event_id, p.is_probe,
  p.due_at, p.created_at
  FROM webhook_parcel p, LATERAL (
    SELECT 'whd_' || substr(p.id, 5) || lpad((e.place - 1)::text, 2, '0') AS id,
      e.event_id FROM unnest(p.events) WITH ORDINALITY AS e (event_id, place)
  ) t
  WHERE NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.store_id = p.store_id AND d.id = t.id OFFSET 0)`

export class WebhookParcelRepository extends Context.Service<WebhookParcelRepository, WebhookParcelRepositoryMethods>()(
  "@effect-commerce/core/webhook/WebhookParcelRepository"
) {
  static readonly layer = Layer.effect(
    WebhookParcelRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const open = sql.literal(openDeliveries)

      return WebhookParcelRepository.of({
        insert: (storeId, parcels, now) => {
          if (parcels.length === 0) return Effect.void
          const given = parcels.map(({ id, subscriptionId, events, isProbe, taken }) => ({
            id,
            subscription_id: subscriptionId,
            events,
            is_probe: isProbe,
            lease: taken?.lease ?? null,
            due_at: taken?.leaseEnds ?? now
          }))
          return Effect.orDie(
            Effect.asVoid(
              sql`INSERT INTO webhook_parcel (store_id, id, subscription_id, events, is_probe, due_at, lease,
                created_at)
                SELECT ${storeId}, p.id, p.subscription_id, p.events, p.is_probe, p.due_at, p.lease, ${now}
                FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
                  AS p (id text, subscription_id text, events text[], is_probe boolean, due_at timestamptz, lease text)`
            )
          )
        },
        // webhook_parcel_due_idx.
        claim: ({ storeId, lanes, except, lease, leaseEnds, now }) => {
          const asked = lanes.map(({ subscriptionId, most }) => ({ subscription_id: subscriptionId, most }))
          return Effect.orDie(
            sql<ClaimedParcel>`WITH picked AS MATERIALIZED (
                SELECT p.ctid FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS l (subscription_id text,
                  most int), LATERAL (
                  SELECT p.ctid FROM webhook_parcel p
                  WHERE p.store_id = ${storeId} AND p.subscription_id = l.subscription_id AND p.due_at <= ${now} AND
                    p.id <> ALL(${except}::text[])
                  ORDER BY p.due_at, p.id LIMIT l.most FOR NO KEY UPDATE SKIP LOCKED
                ) p
              ), held AS (
                UPDATE webhook_parcel p SET due_at = ${leaseEnds}, lease = ${lease}
                FROM picked WHERE p.store_id = ${storeId} AND p.ctid = picked.ctid
                RETURNING p.id, p.subscription_id, p.is_probe, p.created_at
              )
              SELECT h.id, h.subscription_id, h.is_probe, h.created_at, s.url, s.secret
              FROM held h JOIN webhook_subscription s ON s.store_id = ${storeId} AND s.id = h.subscription_id ORDER BY
                h.id`
          )
        },
        open: (storeId, parcelIds) =>
          Effect.orDie(
            sql<OpenDelivery>`SELECT o.parcel_id, o.id,
              o.event_id FROM (${open} AND p.store_id = ${storeId} AND p.id = ANY(${parcelIds}::text[])) o ORDER BY
              o.id`
          ),
        lockHeld: (storeId, held) => {
          if (held.length === 0) return Effect.succeed(new Set())
          const leases = new Map(held.map(({ id, lease }) => [id, lease]))
          return Effect.orDie(
            Effect.map(
              sql<{ readonly id: string; readonly lease: string | null }>`SELECT p.id, p.lease FROM webhook_parcel p
                WHERE p.store_id = ${storeId} AND p.id = ANY(${[...leases.keys()]}::text[]) ORDER BY p.id FOR NO KEY
                  UPDATE`,
              (rows) =>
                new Set(rows.flatMap(({ id, lease }) => (lease !== null && leases.get(id) === lease ? [id] : [])))
            )
          )
        },
        record: (storeId, rows, now) => {
          if (rows.length === 0) return Effect.void
          const given = [...Map.groupBy(rows, ({ delivery }) => delivery.parcel)].map(([{ createdAt }, theirs]) => ({
            subscription_id: theirs[0]?.delivery.subscriptionId,
            is_probe: theirs[0]?.delivery.isProbe,
            created_at: createdAt,
            rows: theirs.map(({ delivery: { id, event }, status, dueAt, attempt }) => {
              return { id, event_id: event.id, status, due_at: dueAt, attempts: attempt === null ? [] : [attempt] }
            })
          }))
          return Effect.orDie(
            Effect.asVoid(
              sql`INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, is_probe,
                attempt_count, attempts, due_at, created_at, finished_at)
                SELECT ${storeId}, r.id, p.subscription_id, r.event_id, r.status, p.is_probe,
                  jsonb_array_length(r.attempts), r.attempts, r.due_at, p.created_at,
                    CASE WHEN r.due_at IS NULL THEN ${now}::timestamptz END
                FROM json_to_recordset(${JSON.stringify(given)}::json) AS p (subscription_id text, is_probe boolean,
                  created_at timestamptz, rows json),
                    LATERAL json_to_recordset(p.rows) AS r (id text, event_id text, status text, due_at timestamptz,
                    attempts jsonb)`
            )
          )
        },
        remove: (storeId, ids) =>
          ids.length === 0
            ? Effect.void
            : Effect.orDie(
                Effect.asVoid(sql`DELETE FROM webhook_parcel WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`)
              ),
        cancelOpen: (storeId, subscriptionId, now) =>
          Effect.orDie(
            Effect.asVoid(
              sql`INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, is_probe, created_at,
                finished_at)
                SELECT o.store_id, o.id, o.subscription_id, o.event_id, 'cancelled', o.is_probe, o.created_at, ${now}
                FROM (${open} AND p.store_id = ${storeId} AND p.subscription_id = ${subscriptionId}) o`
            )
          ),
        removeAll: (storeId, subscriptionId) =>
          Effect.orDie(
            Effect.asVoid(
              sql`DELETE FROM webhook_parcel WHERE store_id = ${storeId} AND subscription_id = ${subscriptionId}`
            )
          )
      })
    })
  )
}
