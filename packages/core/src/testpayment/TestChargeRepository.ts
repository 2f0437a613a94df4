/** The books of the `test` provider: one row per charge key. Nothing outside that provider reads them. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { ChargeName } from "../payment/PaymentProvider.ts"
import { readTestCharge, type TestCharge, type TestChargeRow, writtenLists } from "./TestCharge.ts"

export class TestChargeRepository extends Context.Service<TestChargeRepository>()(
  "@effect-commerce/core/testpayment/TestChargeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `charge_key, id, checkout_id, status, amount, currency, authorized, captured, refunded, is_released, reference,
        expires_at, action_url, reason, changes, disputes, created_at`
      )
      const one = (rows: ReadonlyArray<TestChargeRow>) => rows.map(readTestCharge)[0]
      return {
        /** The charge with this key: the given one, or the existing one, which is then locked. */
        open: (storeId: string, charge: TestCharge) =>
          Effect.orDie(
            sql<TestChargeRow>`INSERT INTO test_charge (store_id, charge_key, id, checkout_id, status, amount, currency,
              authorized, captured, reference, expires_at, action_url, reason, created_at)
              VALUES (${storeId}, ${charge.chargeKey}, ${charge.id}, ${charge.checkoutId}, ${charge.status},
                ${charge.amount}, ${charge.currency}, ${charge.authorized}, ${charge.captured}, ${charge.reference},
                ${charge.expiresAt}, ${charge.actionUrl}, ${charge.reason}, ${charge.createdAt})
              ON CONFLICT (store_id, charge_key) DO UPDATE SET id = test_charge.id
              RETURNING ${columns}`.pipe(Effect.map((rows) => one(rows) ?? charge))
          ),
        /** By its key where that is known, else by its id. */
        find: (storeId: string, { key, externalId }: ChargeName) =>
          Effect.orDie(
            Effect.map(
              key === null
                ? sql<TestChargeRow>`SELECT ${columns} FROM test_charge WHERE store_id = ${storeId} AND id =
                  ${externalId}`
                : sql<TestChargeRow>`SELECT ${columns} FROM test_charge WHERE store_id = ${storeId} AND charge_key =
                  ${key}`,
              one
            )
          ),
        /** The store of the charge with this id: the company's ids are unique among all stores. */
        storeOf: (id: string) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly storeId: string }>`SELECT store_id FROM test_charge WHERE id = ${id} LIMIT 1`,
              (rows) => rows[0]?.storeId
            )
          ),
        /** The newest charge of a checkout. */
        findByCheckout: (storeId: string, checkoutId: string) =>
          Effect.orDie(
            Effect.map(
              sql<TestChargeRow>`SELECT ${columns} FROM test_charge WHERE store_id = ${storeId} AND checkout_id =
                ${checkoutId} ORDER BY created_at DESC, charge_key DESC LIMIT 1`,
              one
            )
          ),
        lock: (storeId: string, chargeKey: string) =>
          Effect.orDie(
            Effect.map(
              sql<TestChargeRow>`SELECT ${columns} FROM test_charge WHERE store_id = ${storeId} AND charge_key =
                ${chargeKey} FOR UPDATE`,
              one
            )
          ),
        save: (storeId: string, charge: TestCharge) => {
          const { changes, disputes } = writtenLists(charge)
          return Effect.asVoid(
            Effect.orDie(
              sql`UPDATE test_charge SET status = ${charge.status}, amount = ${charge.amount}, currency =
                ${charge.currency}, authorized = ${charge.authorized}, captured = ${charge.captured}, refunded =
                ${charge.refunded}, is_released = ${charge.isReleased}, reference = ${charge.reference}, expires_at =
                ${charge.expiresAt}, action_url = ${charge.actionUrl}, reason = ${charge.reason}, changes =
                ${changes}::jsonb, disputes = ${disputes}::jsonb
                WHERE store_id = ${storeId} AND charge_key = ${charge.chargeKey}`
            )
          )
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(TestChargeRepository, TestChargeRepository.make)
}
