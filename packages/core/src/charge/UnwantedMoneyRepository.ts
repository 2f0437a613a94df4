/**
 * The SQL of money that nobody wants: it is refunded on the row of its authorization. The sum and the key of each
 * refund are stored before it is requested, so that asking again asks for the same.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none, one } from "../database/Repository.ts"
import type { OperationState, ProviderOperation } from "./ProviderOperation.ts"

/** The charge's sums as the provider has them, and what that leads to. */
export interface UnwantedSums {
  readonly state: Extract<OperationState, "refund_due" | "refunded" | "failed">
  readonly externalId: string
  readonly captured: bigint
  readonly refunded: bigint
  readonly answer: string
  readonly error: string | null
  readonly checkAt: Date | null
}

/** The refund under way: `upTo` is the sum that it brings `refunded` up to. */
export interface UnwantedRefund {
  readonly upTo: bigint
  readonly key: string
  readonly sentAt: Date
}

export class UnwantedMoneyRepository extends Context.Service<UnwantedMoneyRepository>()(
  "@effect-commerce/core/charge/UnwantedMoneyRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const isUnderWay = sql`refunding > refunded AND refund_key IS NOT NULL`
      return {
        /**
         * Records what the provider has. A refund that was under way is over once `refunded` has reached it. Under
         * lock.
         */
        record: (storeId: string, id: string, sums: UnwantedSums, now: Date) =>
          none(
            sql`UPDATE provider_operation o SET state = ${sums.state}, external_id = ${sums.externalId},
                captured = ${sums.captured}, refunded = ${sums.refunded},
                refunding = least(greatest(o.refunding, ${sums.refunded}), ${sums.captured}),
                refund_key = CASE WHEN o.refunding > ${sums.refunded} THEN o.refund_key END,
                answer = ${sums.answer}::jsonb, next_action = NULL, error = ${sums.error}, check_at = ${sums.checkAt},
                attention = CASE ${sums.state} WHEN 'refund_due' THEN o.attention END,
                attention_at = CASE ${sums.state} WHEN 'refund_due' THEN o.attention_at END,
                checks = CASE o.state WHEN ${sums.state} THEN o.checks + 1 ELSE 0 END, looks = o.looks + 1,
                open_since = CASE o.state WHEN ${sums.state} THEN o.open_since ELSE ${now}::timestamptz END,
                updated_at = ${now} WHERE store_id = ${storeId} AND id = ${id}`
          ),
        /**
         * Nobody wants the charge, about whose money nothing is known yet. What its room stored with it is deleted, so
         * that nothing is made of money that comes after the charge was voided. Under lock, or as the operation was
         * seen.
         */
        giveUp: (
          storeId: string,
          { id, state, looks }: Pick<ProviderOperation, "id" | "state" | "looks">,
          reason: string,
          now: Date
        ) =>
          none(
            sql`UPDATE provider_operation SET state = 'refund_due', error = ${reason}, next_action = NULL,
                details = NULL,
                checks = 0, looks = looks + 1, check_at = ${now}, open_since = ${now}, updated_at = ${now}
              WHERE store_id = ${storeId} AND id = ${id} AND state = ${state} AND looks = ${looks}`
          ),
        /**
         * Stores the refund of all that is captured and neither refunded nor on its way, before it is requested, unless
         * one is under way: then that. Undefined where the operation has changed.
         */
        beginRefund: (
          storeId: string,
          { id, looks, refunded }: Pick<ProviderOperation, "id" | "looks" | "refunded">,
          key: string,
          now: Date
        ) =>
          one(
            sql<UnwantedRefund>`UPDATE provider_operation SET updated_at = ${now},
                sent_at = CASE WHEN ${isUnderWay} THEN sent_at ELSE ${now}::timestamptz END,
                refund_key = CASE WHEN ${isUnderWay} THEN refund_key ELSE ${key} END,
                refunding = CASE WHEN ${isUnderWay} THEN refunding ELSE captured END
              WHERE store_id = ${storeId} AND id = ${id} AND state = 'refund_due' AND looks = ${looks}
                AND refunded = ${refunded} AND captured > refunded
              RETURNING refunding AS up_to, refund_key AS key, sent_at`
          ),
        /** There is nothing to undo: no such charge was ever made. */
        nothingToUndo: (storeId: string, { id, looks }: Pick<ProviderOperation, "id" | "looks">, now: Date) =>
          none(
            sql`UPDATE provider_operation SET state = 'failed', check_at = NULL, attention = NULL, attention_at = NULL,
                looks = looks + 1, updated_at = ${now}
              WHERE store_id = ${storeId} AND id = ${id} AND state = 'refund_due' AND looks = ${looks}`
          ),
        /** The refund under way has failed for good: the next one has another key. */
        refundFailed: (storeId: string, { id, refunding }: Pick<ProviderOperation, "id" | "refunding">, now: Date) =>
          none(
            sql`UPDATE provider_operation SET refunding = refunded, refund_key = NULL, updated_at = ${now}
              WHERE store_id = ${storeId} AND id = ${id} AND state = 'refund_due' AND refunding = ${refunding}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(UnwantedMoneyRepository, UnwantedMoneyRepository.make)
}
