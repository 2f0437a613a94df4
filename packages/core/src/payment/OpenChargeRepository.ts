/**
 * The SQL of open charges: authorizations that succeeded before the provider had captured all of the money. They are
 * rows of provider_operation; this only writes when the provider is queried next, and that its answer is final.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none } from "../database/Repository.ts"

/** Times in milliseconds. */
export interface AskSchedule {
  readonly first: number
  readonly slowest: number
}

/** A charge that was claimed, and the delay until the provider is queried again. */
export interface ClaimedCharge {
  readonly id: string
  /** Milliseconds. */
  readonly wait: number
}

export class OpenChargeRepository extends Context.Service<OpenChargeRepository>()(
  "@effect-commerce/core/payment/OpenChargeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      // provider_operation_store_id_ask_at_idx serves both.
      const due = ({ first }: AskSchedule, now: Date) =>
        sql`kind = 'authorize' AND state = 'succeeded' AND captured < amount AND final_at IS NULL
          AND coalesce(ask_at, created_at) <= ${now}
          AND (ask_at IS NOT NULL OR created_at <= ${new Date(now.getTime() - first)})`
      return {
        storesWithDue: (schedule: AskSchedule, now: Date) =>
          many(
            sql<{ readonly storeId: string }>`SELECT DISTINCT store_id FROM provider_operation
              WHERE ${due(schedule, now)}`,
            ({ storeId }) => storeId
          ),
        /**
         * Open charges that are due, the longest due first. Each is due again after twice the last delay, so that a
         * crashed process only delays it.
         */
        claimDue: (
          storeId: string,
          schedule: AskSchedule,
          { limit, now }: { readonly limit: number; readonly now: Date }
        ) =>
          many(
            sql<ClaimedCharge>`WITH due AS (
                SELECT id, least(${schedule.first}::float8 * 2 ^ asks, ${schedule.slowest}) AS wait
                FROM provider_operation WHERE store_id = ${storeId} AND ${due(schedule, now)}
                ORDER BY coalesce(ask_at, created_at) LIMIT ${limit} FOR UPDATE SKIP LOCKED
              )
              UPDATE provider_operation a SET ask_at = ${now}::timestamptz + due.wait * interval '1 millisecond',
                asks = least(a.asks + 1, 100)
              FROM due WHERE a.store_id = ${storeId} AND a.id = due.id RETURNING a.id, due.wait`
          ),
        /** Nothing more will be captured on the charge. */
        close: (storeId: string, id: string, now: Date) =>
          none(sql`UPDATE provider_operation SET final_at = ${now} WHERE store_id = ${storeId} AND id = ${id}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(OpenChargeRepository, OpenChargeRepository.make)
}
