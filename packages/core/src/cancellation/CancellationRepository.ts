/** The SQL of cancellation. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
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
            sql`INSERT INTO cancellation (store_id, order_id, reason, restock, actor, created_at)
              VALUES (${storeId}, ${row.orderId}, ${row.reason}, ${row.restock}, ${jsonText(row.actor)}::jsonb,
                ${row.createdAt})`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CancellationRepository, CancellationRepository.make)
}
