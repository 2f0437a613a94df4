/** The SQL of charge_request, and which captures and voids of a charge are under way. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { Actor } from "../store/Actor.ts"

export interface NewChargeRequest {
  /** That of its operation. */
  readonly id: string
  readonly orderId: string
  readonly paymentId: string
  readonly kind: "capture" | "void"
  readonly amount: bigint
  readonly actor: Actor
  readonly requestKey: string | null
  readonly now: Date
}

export class ChargeRequestRepository extends Context.Service<ChargeRequestRepository>()(
  "@effect-commerce/core/refund/ChargeRequestRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        insert: (storeId: string, { id, orderId, paymentId, kind, amount, actor, requestKey, now }: NewChargeRequest) =>
          none(
            sql`INSERT INTO charge_request (store_id, id, order_id, payment_id, kind, amount, actor, request_key,
                created_at)
              VALUES (${storeId}, ${id}, ${orderId}, ${paymentId}, ${kind}, ${amount}, ${jsonText(actor)}::jsonb,
                ${requestKey}, ${now})`
          ),
        /** Whether this request has begun one before, as far back as Idempotency-Keys are kept. */
        isBegun: (storeId: string, orderId: string, requestKey: string, since: Date) =>
          anyRow(
            sql`SELECT 1 FROM charge_request WHERE store_id = ${storeId} AND order_id = ${orderId}
              AND request_key = ${requestKey} AND created_at >= ${since}`
          ),
        /** The captures and voids of a charge that are under way, or done and not in its books yet. */
        underWay: (storeId: string, chargeId: string) =>
          many(
            sql<{ readonly kind: "capture" | "void" }>`SELECT o.kind FROM provider_operation o
              JOIN provider_operation c ON c.store_id = ${storeId} AND c.id = o.charge_id
              WHERE o.store_id = ${storeId} AND o.charge_id = ${chargeId} AND o.kind IN ('capture', 'void')
                AND (o.state IN ('calling', 'pending') OR (o.state = 'succeeded' AND
                  CASE o.kind WHEN 'capture' THEN o.captured > c.captured
                    ELSE c.answer->'data'->'charge'->>'state' NOT IN ('voided', 'failed', 'captured') END))`,
            ({ kind }) => kind
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ChargeRequestRepository, ChargeRequestRepository.make)
}
