/** The books of the `test` provider: one row per charge key. Nothing outside that provider reads them. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"

export type TestChargeStatus = "processing" | "pending" | "captured" | "declined" | "failed" | "voided"

export interface TestCharge {
  readonly chargeKey: string
  readonly id: string
  readonly checkoutId: string
  readonly status: TestChargeStatus
  readonly amount: bigint
  readonly captured: bigint
  readonly refunded: bigint
  readonly currency: string
  /** Keys of captures and refunds that have been done. */
  readonly doneKeys: ReadonlyArray<string>
}

export class TestChargeRepository extends Context.Service<TestChargeRepository>()(
  "@effect-commerce/core/payment/TestChargeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        "charge_key, id, checkout_id, status, amount, captured, refunded, currency, done_keys"
      )
      const one = (rows: ReadonlyArray<TestCharge>) => rows[0]
      return {
        /** The charge with this key: the given one, or the existing one. */
        open: (storeId: string, charge: TestCharge, now: Date) =>
          Effect.orDie(
            sql<TestCharge>`INSERT INTO test_charge (store_id, charge_key, id, checkout_id, status, amount, captured,
              currency, created_at)
              VALUES (${storeId}, ${charge.chargeKey}, ${charge.id}, ${charge.checkoutId}, ${charge.status},
                ${charge.amount}, ${charge.captured}, ${charge.currency}, ${now})
              ON CONFLICT (store_id, charge_key) DO UPDATE SET id = test_charge.id
              RETURNING ${columns}`.pipe(Effect.map((rows) => rows[0] ?? charge))
          ),
        find: (storeId: string, chargeKey: string) =>
          Effect.orDie(
            Effect.map(
              sql<TestCharge>`SELECT ${columns} FROM test_charge WHERE store_id = ${storeId} AND charge_key =
                ${chargeKey}`,
              one
            )
          ),
        /** The newest charge of a checkout. */
        findByCheckout: (storeId: string, checkoutId: string) =>
          Effect.orDie(
            Effect.map(
              sql<TestCharge>`SELECT ${columns} FROM test_charge WHERE store_id = ${storeId} AND checkout_id =
                ${checkoutId} ORDER BY created_at DESC, charge_key DESC LIMIT 1`,
              one
            )
          ),
        lock: (storeId: string, chargeKey: string) =>
          Effect.orDie(
            Effect.map(
              sql<TestCharge>`SELECT ${columns} FROM test_charge WHERE store_id = ${storeId} AND charge_key =
                ${chargeKey} FOR UPDATE`,
              one
            )
          ),
        save: (storeId: string, { chargeKey, status, captured, refunded, doneKeys }: TestCharge) =>
          Effect.asVoid(
            Effect.orDie(
              sql`UPDATE test_charge SET status = ${status}, captured = ${captured}, refunded = ${refunded},
                done_keys = ${doneKeys}::text[] WHERE store_id = ${storeId} AND charge_key = ${chargeKey}`
            )
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(TestChargeRepository, TestChargeRepository.make)
}
