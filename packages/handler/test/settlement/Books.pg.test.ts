/** The money of an order as it is stored, shown and announced when looks at its charge find captures, refunds, disputes. */
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { ShopperOrderView } from "@effect-commerce/core/order/ShopperOrderView"
import type { Charge, ChargeRefund } from "@effect-commerce/core/payment/PaymentProvider"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { anyHistory } from "../../../core/test/settlement/truths.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"
import { chargeOf, follow } from "./looks.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
  lamp = await shopper.product({ price: 2_500n, stock: 500 })
})
afterAll(() => shop.close())

const bought = async () => {
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
  const done = await shopper.complete(checkoutId, checkoutId, { paymentMethod: "test", paymentReference: "approve" })
  return { checkoutId, orderId: done.body.orderId as string }
}
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
const eventsOf = async (orderId: string) =>
  (
    await rowsOf(
      shop,
      `SELECT type, data - 'order' AS data FROM event WHERE data ->> 'orderId' = $1 OR data -> 'payment' ->> 'orderId' = $1
        OR data ->> 'checkoutId' = (SELECT checkout_id FROM orders WHERE id = $1) ORDER BY seq`,
      [orderId]
    )
  ).map(({ type, data }) => ({ type: String(type), data: data as Record<string, unknown> }))
const typesOf = async (orderId: string) => (await eventsOf(orderId)).map(({ type }) => type).slice(3)
const refund = (more: Partial<ChargeRefund> = {}): ChargeRefund => ({
  id: "re_1",
  key: null,
  amount: 1_000n,
  status: "succeeded",
  ...more
})
/** An order whose payment is reserved and not captured yet. */
const reserved = async () => {
  const made = await bought()
  const charge = await chargeOf(shop, made.orderId)
  await rowsOf(shop, "UPDATE payment SET status = 'authorized', captured = 0, paid_at = NULL WHERE order_id = $1", [
    made.orderId
  ])
  await rowsOf(
    shop,
    `UPDATE orders SET status = 'PENDING', financial_status = 'authorized', captured_amount = 0, paid_at = NULL,
      status_history = '[{"from": null, "to": "PENDING", "reason": null, "at": "2026-01-01T00:00:00.000Z"}]' WHERE id = $1`,
    [made.orderId]
  )
  await rowsOf(shop, "DELETE FROM event WHERE type = 'order.paid' AND data ->> 'orderId' = $1", [made.orderId])
  return { ...made, charge: { ...charge, state: "authorized", captured: 0n } as Charge }
}

describe("a refund in the provider's dashboard", () => {
  it("is shown while it is pending, counts and is announced when it succeeds, and comes back when it fails", async () => {
    const { orderId } = await bought()
    const charge = await chargeOf(shop, orderId)
    expect(await follow(shop, orderId, { ...charge, refunds: [refund({ status: "pending" })] })).toBe(true)
    expect(await orderOf(orderId)).toMatchObject({
      financialStatus: "paid",
      paymentRefundedAmount: "0.00",
      refunds: [{ amount: "10.00", status: "pending", source: "provider", type: "partial" }]
    })
    await follow(shop, orderId, { ...charge, refunds: [refund()] })
    expect(await orderOf(orderId)).toMatchObject({
      status: "PAID",
      financialStatus: "partially_refunded",
      paymentRefundedAmount: "10.00",
      refunds: [{ status: "succeeded" }]
    })
    expect(await follow(shop, orderId, { ...charge, refunds: [refund()] })).toBe(false)
    await follow(shop, orderId, { ...charge, refunds: [refund({ status: "failed" })] })
    expect(await orderOf(orderId)).toMatchObject({
      financialStatus: "paid",
      paymentRefundedAmount: "0.00",
      refunds: [{ status: "failed" }],
      syncWarning: "A refund of 10.00 failed: the money is at test again"
    })
    expect(await typesOf(orderId)).toEqual([
      "order.refunded",
      "payment.refunded",
      "order.updated",
      "internal.order_attention"
    ])
    const refunded = (await eventsOf(orderId)).find(({ type }) => type === "order.refunded")
    expect(refunded?.data).toEqual({ orderId, refundType: "partial", source: "provider" })
  })

  it("is another row than one of ours, whose key it names", async () => {
    const { orderId } = await bought()
    const charge = await chargeOf(shop, orderId)
    await rowsOf(
      shop,
      `INSERT INTO refund (store_id, id, order_id, payment_id, amount, status, type, source, key, created_at)
        SELECT store_id, 'ref_ours', order_id, id, 1500, 'pending', 'partial', 'service', 'refund:pop_1', now()
        FROM payment WHERE order_id = $1`,
      [orderId]
    )
    const ours = refund({ id: "re_2", key: "refund:pop_1", amount: 1_500n })
    await follow(shop, orderId, { ...charge, refunds: [ours] })
    const [event] = (await eventsOf(orderId)).filter(({ type }) => type === "order.refunded")
    expect(event?.data).toEqual({ orderId, refundType: "partial", refundId: "ref_ours" })
    await follow(shop, orderId, { ...charge, refunds: [ours, refund()] })
    expect(
      await rowsOf(
        shop,
        "SELECT id, amount::int, status, source, external_id FROM refund WHERE order_id = $1 AND key IS NOT NULL",
        [orderId]
      )
    ).toEqual([{ id: "ref_ours", amount: 1_500, status: "succeeded", source: "service", external_id: "re_2" }])
    expect(await orderOf(orderId)).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
  })
})

describe("a dispute", () => {
  it("is shown to the merchant with a warning while it is open, and never to shoppers", async () => {
    const { orderId } = await bought()
    const charge = await chargeOf(shop, orderId)
    const dispute = { id: "dp_1", amount: 2_500n, reason: "fraudulent", dueAt: new Date("2026-02-01T00:00:00.000Z") }
    await follow(shop, orderId, { ...charge, disputes: [{ ...dispute, status: "open" }] })
    const open = await orderOf(orderId)
    expect(open.disputes).toEqual([
      {
        id: expect.stringMatching(/^dsp_/),
        amount: "25.00",
        status: "open",
        reason: "fraudulent",
        dueAt: "2026-02-01T00:00:00.000Z",
        createdAt: open.updatedAt,
        updatedAt: open.updatedAt
      }
    ])
    expect([open.syncWarning, open.statusLabel.name]).toEqual([
      "25.00 is disputed (fraudulent): evidence is due by 2026-02-01T00:00:00.000Z",
      "Needs attention"
    ])
    await follow(shop, orderId, { ...charge, disputes: [{ ...dispute, status: "lost" }] })
    expect(await orderOf(orderId)).toMatchObject({
      financialStatus: "paid",
      syncWarning: null,
      disputes: [{ status: "lost", createdAt: open.updatedAt }]
    })
    const once = ["order.updated", "internal.order_attention"]
    expect(await typesOf(orderId)).toEqual([...once, ...once])
    expect(Object.keys(ShopperOrderView.fields)).not.toContain("disputes")
  })
})

describe("a charge that ends after its order was placed", () => {
  it("leaves the order open with its units sold, and is told once", async () => {
    const { orderId, checkoutId, charge } = await reserved()
    const stock = (await shop.call("GET", `/v1/products/${lamp}/inventory`)).body
    const failed: Charge = { ...charge, state: "failed", reason: "insufficient_funds" }
    await follow(shop, orderId, failed)
    await follow(shop, orderId, failed)
    expect(await orderOf(orderId)).toMatchObject({
      status: "PENDING",
      financialStatus: "voided",
      syncWarning: "The payment failed: insufficient_funds"
    })
    expect((await shop.call("GET", `/v1/products/${lamp}/inventory`)).body).toEqual(stock)
    const told = (await eventsOf(orderId)).slice(2)
    expect(told.map(({ type }) => type)).toEqual(["order.updated", "payment.failed", "internal.order_attention"])
    expect(told[1]?.data).toEqual({ checkoutId, error: "insufficient_funds" })
    await shop.call("POST", `/v1/orders/${orderId}/payments`, { body: { amount: "25.00", method: "cash" } })
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid", syncWarning: null })
  })

  it("says that what was reserved expired", async () => {
    const { orderId, charge } = await reserved()
    await follow(shop, orderId, { ...charge, state: "voided", reason: "expired" })
    expect(await orderOf(orderId)).toMatchObject({
      financialStatus: "voided",
      syncWarning: "The authorisation expired before it was captured"
    })
  })
})

describe("whatever looks were missed", () => {
  const shown = async (orderId: string) => {
    const { financialStatus, paymentRefundedAmount, refunds, disputes, tenders } = await orderOf(orderId)
    const plain = (rows: ReadonlyArray<Record<string, unknown>>) =>
      rows.map(({ id: _, createdAt: __, updatedAt: ___, ...row }) => row)
    const [sums] = await rowsOf(
      shop,
      "SELECT status, amount, captured, surplus, refunded, failure FROM payment WHERE order_id = $1",
      [orderId]
    )
    return {
      financialStatus,
      paymentRefundedAmount,
      refunds: plain(refunds),
      disputes: plain(disputes),
      tenders: plain(tenders),
      sums
    }
  }

  it("the stored books are those of the last look, and every law holds", async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async ({ seen, last }) => {
        const [all, one] = [await reserved(), await reserved()]
        const of = (charge: Charge, externalId: string): Charge => ({ ...charge, externalId })
        for (const charge of seen) await follow(shop, all.orderId, of(charge, all.charge.externalId))
        await follow(shop, one.orderId, of(last, one.charge.externalId))
        expect(await shown(all.orderId)).toEqual(await shown(one.orderId))
      }),
      { numRuns: 15 }
    )
    const owned = laws.filter(({ law }) => /^(order|payment|refund|dispute|event)\./.test(law))
    for (const law of owned) {
      // The test has taken back what the events of reserved orders had announced.
      const found = findingsOf(law, shop.storeId, await rowsOf(shop, questionOf(law), [shop.storeId]))
      expect(found).toEqual([])
    }
  }, 60_000)
})
