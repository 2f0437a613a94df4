/** The SQL of cancellation. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { CancellationState } from "./Cancellation.ts"

export class CancellationRepository extends Context.Service<CancellationRepository>()(
  "@effect-commerce/core/cancellation/CancellationRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        insert: (storeId: string, row: CancellationState) =>
          none(
            sql`INSERT INTO cancellation (store_id, order_id, reason, restock, actor, request_key, created_at)
              VALUES (${storeId}, ${row.orderId}, ${row.reason}, ${row.restock}, ${jsonText(row.actor)}::jsonb,
                ${row.requestKey}, ${row.createdAt})`
          ),
        /** Whether this request has cancelled the order before, as far back as Idempotency-Keys are kept. */
        isDoneBy: (storeId: string, orderId: string, requestKey: string, since: Date) =>
          anyRow(
            sql`SELECT 1 FROM cancellation WHERE store_id = ${storeId} AND order_id = ${orderId}
              AND request_key = ${requestKey} AND created_at >= ${since}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CancellationRepository, CancellationRepository.make)
}
