/** Looks at the charge of an order, as the payment room takes them, without a provider. */
import { OrderMoney } from "@effect-commerce/core/settlement/OrderMoney"
import type { Charge } from "@effect-commerce/core/payment/PaymentProvider"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

/** The order's charge as its payment says: captured in full, where it is. */
export const chargeOf = async (shop: TestCommerce, orderId: string): Promise<Charge> => {
  const [payment] = (await rowsOf(
    shop,
    `SELECT reference AS "externalId", amount, captured, currency FROM payment
      WHERE order_id = $1 AND reference IS NOT NULL`,
    [orderId]
  )) as ReadonlyArray<{ externalId: string; amount: string; captured: string; currency: string }>
  if (payment === undefined) throw new Error(`no charge has paid for ${orderId}`)
  const { externalId, currency } = payment
  const [amount, captured] = [BigInt(payment.amount), BigInt(payment.captured)]
  return {
    externalId,
    key: null,
    state: captured > 0n ? "captured" : "authorized",
    amount,
    currency,
    authorized: amount,
    captured,
    refunds: [],
    disputes: [],
    expiresAt: null,
    nextAction: null,
    reason: null
  }
}

/** Whether the look changed anything. */
export const follow = (shop: TestCommerce, orderId: string, charge: Charge): Promise<boolean> =>
  shop.run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      return yield* (yield* OrderMoney).followCharge(store, orderId, charge)
    }) as unknown as Effect.Effect<boolean>
  )
