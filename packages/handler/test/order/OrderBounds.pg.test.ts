import { OrderMoney } from "@effect-commerce/core/settlement/OrderMoney"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

/** Payments, refunds, history and warning of an order: every read of it carries them all. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
const follow = (orderId: string, charge: { readonly captured: bigint; readonly refunded: bigint }) =>
  shop.run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const { externalId } = (yield* Effect.promise(() =>
        rowsOf(shop, `SELECT reference AS "externalId" FROM payment WHERE order_id = $1 AND reference IS NOT NULL`, [
          orderId
        ])
      ))[0] as { externalId: string }
      return yield* (yield* OrderMoney).followCharge(store, orderId, {
        ...charge,
        externalId,
        failed: false,
        reason: null
      })
    }) as unknown as Effect.Effect<boolean>
  )
const bought = async (price: bigint) => {
  const checkoutId = await shopper.checkout(await shopper.cart([await shopper.product({ price, stock: 5 }), 1]))
  return (await shopper.complete(checkoutId, checkoutId, { paymentMethod: "test", paymentReference: "approve" })).body
    .orderId as string
}

it("an order has 100 payments, also where two are recorded at once, and what is left can still be paid", async () => {
  const { body: order } = await shop.call("POST", "/v1/orders", {
    body: { items: [{ name: "Lamp", price: "100.00", quantity: 1 }], currency: "USD", paymentMethod: "manual" }
  })
  const pay = (amount: string) =>
    shop.call("POST", `/v1/orders/${order.id}/payments`, { body: { amount, method: "cash" } })
  // One is there from the beginning: what is awaited.
  for (let n = 0; n < 98; n++) expect((await pay("0.01")).status).toBe(200)
  const both = (await Promise.all([pay("0.01"), pay("0.02")])).toSorted((a, b) => a.status - b.status)
  expect(both.map(({ status }) => status)).toEqual([200, 400])
  expect(both[1]?.body).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { errors: { payments: "an order has at most 100 payments" } }
  })
  const { amount } = (
    await rowsOf(shop, "SELECT amount FROM payment WHERE order_id = $1 AND status = 'pending'", [order.id])
  )[0] as { amount: string }
  expect((await pay((Number(amount) / 100).toFixed(2))).status).toBe(200)
  expect(await orderOf(order.id)).toMatchObject({ status: "PAID", financialStatus: "paid" })
  expect(await rowsOf(shop, "SELECT count(*)::int AS n FROM payment WHERE order_id = $1", [order.id])).toEqual([
    { n: 100 }
  ])
})

it("an order has 500 refunds: a provider that gives back cent by cent adds to the newest", async () => {
  const orderId = await bought(2_500n)
  for (let cents = 1n; cents <= 2n; cents++) await follow(orderId, { captured: 2_500n, refunded: cents })
  const history = (await orderOf(orderId)).statusHistory.length
  await rowsOf(
    shop,
    `INSERT INTO refund (store_id, id, order_id, payment_id, amount, status, type, source, created_at)
      SELECT store_id, 'ref_' || n, order_id, payment_id, 1, status, type, source, created_at - interval '1 day' FROM refund r, generate_series(1, 497) n
      WHERE order_id = $1 AND amount = 1 AND id = (SELECT max(id) FROM refund WHERE order_id = $1)`,
    [orderId]
  )
  await rowsOf(shop, "UPDATE payment SET refunded = 499 WHERE order_id = $1", [orderId])
  await rowsOf(shop, "UPDATE orders SET refunded_amount = 499 WHERE id = $1", [orderId])
  await follow(orderId, { captured: 2_500n, refunded: 500n })
  await follow(orderId, { captured: 2_500n, refunded: 510n })
  const partly = await orderOf(orderId)
  expect([partly.refunds.length, partly.refunds.at(-1)?.amount, partly.paymentRefundedAmount]).toEqual([
    500,
    "0.11",
    "5.10"
  ])
  expect(partly.statusHistory.length).toBe(history + 1)
  await follow(orderId, { captured: 2_500n, refunded: 2_500n })
  const whole = await orderOf(orderId)
  expect([whole.refunds.length, whole.refunds.at(-1)?.amount, whole.refunds.at(-1)?.type, whole.status]).toEqual([
    500,
    "20.01",
    "full",
    "REFUNDED"
  ])
  expect(
    await rowsOf(shop, "SELECT sum(amount)::int AS sum, count(*)::int AS n FROM refund WHERE order_id = $1", [orderId])
  ).toEqual([{ sum: 2_500, n: 500 }])
  // Each is told of, also those that are part of another.
  expect(
    await rowsOf(
      shop,
      "SELECT count(*)::int AS n FROM event WHERE type = 'order.refunded' AND data ->> 'orderId' = $1",
      [orderId]
    )
  ).toEqual([{ n: 5 }])
})

it("the warning of an order stops growing at 2,000 characters", async () => {
  const orderId = await bought(1_000n)
  for (let captured = 1_001n; captured <= 1_060n; captured++) await follow(orderId, { captured, refunded: 0n })
  const { syncWarning } = await orderOf(orderId)
  expect(syncWarning.length).toBeLessThanOrEqual(2_000)
  expect(syncWarning.length).toBeGreaterThan(1_900)
  expect(syncWarning).toContain("test captured 10.01 where 10.00 was asked for")
})
