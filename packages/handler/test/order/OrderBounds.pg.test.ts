import type { ChargeRefund } from "@effect-commerce/core/payment/PaymentProvider"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { chargeOf, follow } from "../settlement/looks.ts"
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

const cents = (count: number): ReadonlyArray<ChargeRefund> =>
  Array.from({ length: count }, (_, n) => ({ id: `re_${n}`, key: null, amount: 1n, status: "succeeded" }))

it("an order has 500 refunds, and what a provider gives back beyond them is one more, exact in its sum", async () => {
  const orderId = await bought(2_500n)
  const charge = await chargeOf(shop, orderId)
  const look = (refunds: ReadonlyArray<ChargeRefund>) => follow(shop, orderId, { ...charge, refunds })
  for (const count of [1, 2, 499, 500, 510]) await look(cents(count))
  const partly = await orderOf(orderId)
  const history = partly.statusHistory.length
  expect([partly.refunds.length, partly.refunds.at(-1)?.amount, partly.paymentRefundedAmount]).toEqual([
    501,
    "0.10",
    "5.10"
  ])
  await look(cents(520))
  expect((await orderOf(orderId)).statusHistory.length).toBe(history)
  await look([...cents(520), { id: "re_rest", key: null, amount: 1_980n, status: "succeeded" }])
  const whole = await orderOf(orderId)
  expect([whole.refunds.length, whole.refunds.at(-1)?.amount, whole.refunds.at(-1)?.type, whole.status]).toEqual([
    501,
    "20.00",
    "full",
    "REFUNDED"
  ])
  expect(
    await rowsOf(shop, "SELECT sum(amount)::int AS sum, count(*)::int AS n FROM refund WHERE order_id = $1", [orderId])
  ).toEqual([{ sum: 2_500, n: 501 }])
  // Each look is announced, also where it found a part of the sum.
  expect(
    await rowsOf(
      shop,
      "SELECT count(*)::int AS n FROM event WHERE type = 'order.refunded' AND data ->> 'orderId' = $1",
      [orderId]
    )
  ).toEqual([{ n: 7 }])
})

it("an order has 100 disputes, and a warning of 2,000 characters", async () => {
  const orderId = await bought(1_000n)
  const disputes = Array.from({ length: 150 }, (_, n) => ({
    id: `dp_${n}`,
    amount: BigInt(n),
    status: "open" as const,
    reason: "fraudulent",
    dueAt: null
  }))
  await follow(shop, orderId, { ...(await chargeOf(shop, orderId)), disputes })
  const order = await orderOf(orderId)
  expect(order.disputes.length).toBe(100)
  expect(order.syncWarning.length).toBeLessThanOrEqual(2_000)
  expect(order.syncWarning.length).toBeGreaterThan(1_900)
  expect(order.syncWarning).toContain("0.01 is disputed (fraudulent)")
})
