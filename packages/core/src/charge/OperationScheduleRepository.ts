/**
 * When operations are looked at again, and which of them need a person. `check_at` is the schedule and the lease in
 * one: a worker that claims an operation moves it on, so that a worker that dies only delays it. Times are the
 * instance's clock, which is the database's.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one } from "../database/Repository.ts"
import type { Lease } from "../payment/PaymentPolicy.ts"
import type { ProviderOfStore } from "../payment/ProviderTurns.ts"
import { operationColumns } from "./internal/operationColumns.ts"
import type { OperationKind, OperationState, ProviderOperation } from "./ProviderOperation.ts"

/** The operation as it was read; if it has changed since, nothing is written. */
export type SeenOperation = Pick<ProviderOperation, "id" | "state" | "looks">

/** An operation that needs a person. */
export type NeglectedOperation = ProviderOperation & { readonly attention: string }

export class OperationScheduleRepository extends Context.Service<OperationScheduleRepository>()(
  "@effect-commerce/core/charge/OperationScheduleRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(operationColumns)
      const seenAs = (storeId: string, { id, state, looks }: SeenOperation) =>
        sql`store_id = ${storeId} AND id = ${id} AND state = ${state} AND looks = ${looks}`
      /**
       * In trouble since then: what waits for nothing but time has no error, and what never arrived is only looked for
       * to be sure.
       */
      const isNeglected = (since: Date) =>
        sql`attention_at IS NULL AND error IS NOT NULL AND check_at IS NOT NULL AND open_since <= ${since}
          AND state <> 'absent'`
      const next = sql`SELECT o.store_id, o.provider_id FROM provider_operation o WHERE o.check_at IS NOT NULL`
      return {
        // One probe of provider_operation_store_id_provider_id_check_at_idx for each pair, however many operations it
        // has.
        /** The providers of stores that have a due operation. */
        due: (now: Date) =>
          many(
            sql<ProviderOfStore>`WITH RECURSIVE pair AS (
                (${next} ORDER BY o.store_id, o.provider_id LIMIT 1)
                UNION ALL
                SELECT n.store_id, n.provider_id FROM pair p CROSS JOIN LATERAL (
                  ${next} AND (o.store_id, o.provider_id) > (p.store_id, p.provider_id)
                  ORDER BY o.store_id, o.provider_id LIMIT 1) n
              )
              SELECT p.store_id, p.provider_id FROM pair p WHERE EXISTS (SELECT FROM provider_operation o
                WHERE o.store_id = p.store_id AND o.provider_id = p.provider_id AND o.check_at <= ${now})`
          ),
        // provider_operation_store_id_provider_id_check_at_idx serves it.
        /** Leases due operations of one provider to this worker, the longest due first. */
        claim: ({ storeId, providerId }: ProviderOfStore, { now, end }: Lease, limit: number) =>
          many(
            sql<{ readonly id: string }>`WITH due AS (
                  SELECT id FROM provider_operation
                  WHERE store_id = ${storeId} AND provider_id = ${providerId} AND check_at <= ${now}
                  ORDER BY check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
                )
                UPDATE provider_operation a SET check_at = ${end} FROM due
                WHERE a.store_id = ${storeId} AND a.id = due.id RETURNING a.id`,
            ({ id }) => id
          ),
        /**
         * Nothing is known yet: it is looked at again at `checkAt`. What waits for nothing but time is in trouble since
         * its first error; anything else, since it is open.
         */
        postpone: (
          storeId: string,
          seen: SeenOperation,
          { error, checkAt, now }: { readonly error: string | null; readonly checkAt: Date | null; readonly now: Date }
        ) =>
          none(
            sql`UPDATE provider_operation SET error = ${error}, check_at = ${checkAt}, checks = checks + 1,
                attention = CASE WHEN ${error}::text IS NOT NULL THEN attention END,
                attention_at = CASE WHEN ${error}::text IS NOT NULL THEN attention_at END,
                open_since = CASE WHEN error IS NOT NULL OR state IN ('calling', 'refund_due') THEN open_since
                  ELSE ${now}::timestamptz END,
                updated_at = ${now} WHERE ${seenAs(storeId, seen)}`
          ),
        // provider_operation_store_id_open_since_idx serves it.
        /**
         * Marks operations that have been open since `since` or longer, and returns them: each once, until it is
         * settled.
         */
        neglected: (storeId: string, since: Date, now: Date, limit: number) =>
          many(
            sql<NeglectedOperation>`WITH old AS (
                SELECT id FROM provider_operation WHERE store_id = ${storeId} AND ${isNeglected(since)}
                ORDER BY open_since LIMIT ${limit} FOR UPDATE SKIP LOCKED
              ), a AS (
                UPDATE provider_operation o SET attention_at = ${now}, attention = o.error FROM old
                WHERE o.store_id = ${storeId} AND o.id = old.id RETURNING o.*
              )
              SELECT ${columns}, a.attention FROM a LEFT JOIN provider_operation c
                ON c.store_id = a.store_id AND c.id = a.charge_id ORDER BY a.open_since`
          ),
        /**
         * Marks one operation at once, for a reason that time does not mend. Returns it if it was not marked before.
         */
        neglect: (storeId: string, id: string, reason: string, checkAt: Date, now: Date) =>
          one(
            sql<NeglectedOperation>`WITH a AS (
                UPDATE provider_operation o SET attention = ${reason}, error = ${reason}, check_at = ${checkAt},
                  attention_at = coalesce(o.attention_at, ${now}::timestamptz), checks = o.checks + 1
                FROM provider_operation b WHERE o.store_id = ${storeId} AND o.id = ${id} AND b.store_id = o.store_id
                  AND b.id = o.id RETURNING o.*, b.attention IS DISTINCT FROM ${reason} AS is_new
              )
              SELECT ${columns}, a.attention FROM a LEFT JOIN provider_operation c
                ON c.store_id = a.store_id AND c.id = a.charge_id WHERE a.is_new`
          ),
        // provider_operation_store_id_attention_at_idx holds these rows alone.
        /** What is marked in any store, the oldest first. */
        needingAttention: (limit: number) =>
          many(
            sql<{
              readonly id: string
              readonly kind: OperationKind
              readonly storeId: string
              readonly provider: string
              readonly state: OperationState
              readonly reason: string
              readonly since: Date
            }>`SELECT id, kind, store_id, provider_id AS provider, state, attention AS reason, open_since AS since
              FROM provider_operation WHERE attention_at IS NOT NULL ORDER BY attention_at LIMIT ${limit}`
          ),
        /** The stores that have something open for longer than `since` that was not reported. */
        storesToTell: (since: Date) =>
          many(
            sql<{ readonly storeId: string }>`SELECT s.id AS store_id FROM store s WHERE EXISTS (
              SELECT FROM provider_operation WHERE store_id = s.id AND ${isNeglected(since)})`,
            ({ storeId }) => storeId
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(OperationScheduleRepository, OperationScheduleRepository.make)
}
