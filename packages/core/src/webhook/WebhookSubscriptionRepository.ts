/** The SQL of webhook_subscription. A circuit is judged and changed only while its row is locked. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one, page, storesWith } from "../database/Repository.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { Circuit } from "./Circuit.ts"
import type { WebhookSubscriptionState } from "./WebhookSubscription.ts"

/** The new state of a circuit. A time that is undefined stays as it is. */
export interface CircuitChange {
  readonly id: string
  readonly circuit: Circuit
  readonly lastSuccessAt: Date | undefined
  readonly lastFailureAt: Date | undefined
}

export class WebhookSubscriptionRepository extends Context.Service<WebhookSubscriptionRepository>()(
  "@effect-commerce/core/webhook/WebhookSubscriptionRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `id, url, events, description, is_active, standard_headers, secret, secret_prefix, failure_count,
         circuit_opened_at, probing_since, last_success_at, last_failure_at, created_at, updated_at`
      )
      const ofStore = (storeId: string) => sql`SELECT ${columns} FROM webhook_subscription WHERE store_id = ${storeId}
        AND deleted_at IS NULL`
      const columnsOf = (row: WebhookSubscriptionState) => ({
        url: row.url,
        events: row.events,
        description: row.description,
        is_active: row.isActive,
        standard_headers: row.standardHeaders,
        secret: row.secret,
        secret_prefix: row.secretPrefix,
        failure_count: row.failureCount,
        circuit_opened_at: row.circuitOpenedAt,
        probing_since: row.probingSince,
        updated_at: row.updatedAt
      })

      return {
        /** Counts the store's subscriptions; no other transaction can add one until this one ends. */
        countToAdd: (storeId: string) =>
          countLocked(sql, {
            table: "webhook_subscription",
            ownerId: storeId,
            which: sql`store_id = ${storeId} AND deleted_at IS NULL`
          }),
        insert: (storeId: string, row: WebhookSubscriptionState) =>
          none(
            sql`INSERT INTO webhook_subscription
              ${sql.insert({ store_id: storeId, id: row.id, ...columnsOf(row), created_at: row.createdAt })}`
          ),
        /** Writes the fields that a merchant can change, the circuit included. */
        update: (storeId: string, row: WebhookSubscriptionState) =>
          none(
            sql`UPDATE webhook_subscription SET ${sql.update(columnsOf(row))}
              WHERE store_id = ${storeId} AND id = ${row.id}`
          ),
        /** The caller has locked the row with `lockToChange`. From then on only the worker sees it. */
        end: (storeId: string, id: string, now: Date) =>
          none(
            sql`UPDATE webhook_subscription SET is_active = false, deleted_at = ${now}
              WHERE store_id = ${storeId} AND id = ${id}`
          ),
        // webhook_subscription_store_id_deleted_at_idx
        /** The stores that have a subscription which is not deleted whole yet. */
        storesWithEnded: many(
          sql<{ readonly storeId: string }>`SELECT store_id
            FROM ${storesWith(sql, "webhook_subscription", sql`w.deleted_at IS NOT NULL`)} s ORDER BY store_id`,
          ({ storeId }) => storeId
        ),
        /** One that has ended, longest ago first; no other worker takes it until the transaction ends. */
        takeEnded: (storeId: string) =>
          one(
            sql<{ readonly id: string }>`SELECT id FROM webhook_subscription
              WHERE store_id = ${storeId} AND deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT 1
              FOR UPDATE SKIP LOCKED`,
            ({ id }) => id
          ),
        /** Deletes one that has ended and has no delivery any more, with their count. */
        remove: (storeId: string, id: string) =>
          none(
            sql`WITH counted AS (
                DELETE FROM webhook_delivery_count WHERE store_id = ${storeId} AND subscription_id = ${id})
              DELETE FROM webhook_subscription WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NOT NULL`
          ),
        find: (storeId: string, id: string) => one(sql<WebhookSubscriptionState>`${ofStore(storeId)} AND id = ${id}`),
        // webhook_subscription_store_id_created_at_idx gives the order.
        list: (storeId: string, asked: Page) =>
          page(
            sql<WebhookSubscriptionState>`${ofStore(storeId)}
              ORDER BY created_at, id LIMIT ${asked.limit} OFFSET ${offsetOf(asked)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM webhook_subscription
              WHERE store_id = ${storeId} AND deleted_at IS NULL`
          ),
        /**
         * The active subscriptions, which no merchant can change or remove until the transaction ends; attempts can
         * still update their circuits. In the order of their ids.
         */
        holdActive: (storeId: string) =>
          many(sql<WebhookSubscriptionState>`${ofStore(storeId)} AND is_active ORDER BY id FOR KEY SHARE`),
        /** Locks rows in the order of their ids, to judge their circuits. */
        lock: (storeId: string, ids: ReadonlyArray<string>) =>
          many(
            sql<WebhookSubscriptionState>`${ofStore(storeId)} AND id = ANY(${ids}::text[])
              ORDER BY id FOR NO KEY UPDATE`
          ),
        /**
         * Locks one row to change or remove it: no other transaction locks it, or queues a delivery for it, until this
         * one ends.
         */
        lockToChange: (storeId: string, id: string) =>
          one(sql<WebhookSubscriptionState>`${ofStore(storeId)} AND id = ${id} FOR UPDATE`),
        saveCircuits: (storeId: string, changes: ReadonlyArray<CircuitChange>, now: Date) => {
          if (changes.length === 0) return Effect.void
          const rows = changes.map(({ id, circuit, lastSuccessAt, lastFailureAt }) => ({
            id,
            failure_count: circuit.failureCount,
            circuit_opened_at: circuit.openedAt === null ? null : new Date(circuit.openedAt),
            probing: circuit.probing,
            last_success_at: lastSuccessAt ?? null,
            last_failure_at: lastFailureAt ?? null
          }))
          return none(
            sql`UPDATE webhook_subscription s SET failure_count = c.failure_count,
                  circuit_opened_at = c.circuit_opened_at,
                  probing_since = CASE WHEN c.probing THEN coalesce(s.probing_since, ${now}) END,
                    last_success_at = coalesce(c.last_success_at, s.last_success_at),
                    last_failure_at = coalesce(c.last_failure_at, s.last_failure_at)
                FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
                  AS c (id text, failure_count int, circuit_opened_at timestamptz, probing boolean,
                    last_success_at timestamptz, last_failure_at timestamptz)
                WHERE s.store_id = ${storeId} AND s.id = c.id`
          )
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(WebhookSubscriptionRepository, WebhookSubscriptionRepository.make)
}
