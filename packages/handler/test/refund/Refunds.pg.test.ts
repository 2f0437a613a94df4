/** Refunds through the API: what they give back, of which payments, and what refuses them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { giftCardsOf } from "../giftcard/giftCards.ts"
import { refundShopOf } from "./refundShop.ts"

let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
let cards: ReturnType<typeof giftCardsOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  at = refundShopOf(shop)
  cards = giftCardsOf(shop)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
})

const lampOf = (order: { readonly items: ReadonlyArray<{ readonly id: string }> }) => order.items[0]?.id
let paid = 0
/** An order of 25.00 of which a gift card pays 10.00, and the provider the rest. */
const boughtWithCard = async (reference = "approve") => {
  const card = await cards.issue("10.00")
  const lamp = await at.shopper.product({ name: "Lamp", price: 2_500n, stock: 5 })
  const checkoutId = await at.shopper.checkout(await at.shopper.cart([lamp, 1]))
  await cards.enter(checkoutId, card.code)
  const done = await at.shopper.complete(checkoutId, `with-card-${paid++}`, {
    paymentMethod: "test",
    paymentReference: reference
  })
  expect(done.status).toBe(200)
  return { card, checkoutId, orderId: done.body.orderId as string }
}

describe("a refund of a card payment", () => {
  it("gives money back at the provider, and shows it on the order, in its history and in one event", async () => {
    const { orderId, checkoutId, products } = await at.bought("approve", [1_250n, 2])
    const before = await at.order(orderId)
    const made = await at.refund(orderId, { items: [{ itemId: lampOf(before), quantity: 1 }], reason: "Damaged" })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^rfd_/),
        amount: "12.50",
        reason: "Damaged",
        status: "succeeded",
        type: "partial",
        source: "service",
        createdAt: expect.any(String)
      }
    ])
    expect(await at.chargeOf(checkoutId)).toEqual({ status: "captured", captured: 2_500, refunded: 1_250 })
    const order = await at.order(orderId)
    expect(order).toMatchObject({
      status: "PAID",
      financialStatus: "partially_refunded",
      paymentRefundedAmount: "12.50",
      refunds: [made.body],
      paymentCapabilities: { refund: true, manualRefundUrl: null },
      items: [{ quantity: 2, refundedQuantity: 1 }]
    })
    expect(order.statusHistory.at(-1)).toMatchObject({ from: "PAID", to: "PAID", reason: "refunded" })
    const events = (await at.eventsOf(orderId)).filter(({ type }) => type.includes("refund"))
    expect(events.map(({ type, data }) => [type, data.refundType, data.refundId, data.source])).toEqual([
      ["order.refunded", "partial", made.body.id, undefined],
      ["payment.refunded", undefined, undefined, undefined]
    ])
    expect(events[1]?.data.payment).toMatchObject({ captured: "25.00", refunded: "12.50" })
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
    const rest = await at.refund(orderId, { items: [{ itemId: lampOf(before), quantity: 1, restock: false }] })
    expect([rest.body.amount, rest.body.type]).toEqual(["12.50", "full"])
    expect(await at.order(orderId)).toMatchObject({
      status: "REFUNDED",
      financialStatus: "refunded",
      paymentCapabilities: { refund: false, manualRefundUrl: null }
    })
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
    expect(await at.refundsOf(orderId)).toEqual([made.body, rest.body])
  })

  it("names who asked for it in the history of the order", async () => {
    const { orderId } = await at.bought()
    const made = await at.refund(orderId, { amount: "5.00", reason: "Damaged" })
    const { body } = await shop.call("GET", `/v1/orders/${orderId}/history`)
    const [refund, ...others] = body.filter(({ type }: { readonly type: string }) => type === "refund")
    const status = body.findLast(({ type }: { readonly type: string }) => type === "status")
    const by = { actor: { type: "key", id: expect.any(String), name: expect.any(String) }, source: "service" }
    expect(refund).toMatchObject({ type: "refund", ...by, amount: "5.00", reason: "Damaged" })
    expect(status).toMatchObject({ type: "status", ...by, message: "refunded" })
    expect(status.actor).toEqual(refund.actor)
    expect([refund.id, others]).toEqual([made.body.id, []])
  })

  it("is answered once for a key, and the dashboard's path makes the same", async () => {
    const { orderId } = await at.bought()
    const [one, two] = [
      await at.refund(orderId, { amount: "5.00" }, "same"),
      await at.refund(orderId, { amount: "5.00" }, "same")
    ]
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body])
    const third = await shop.call("POST", `/orders/${orderId}/refunds`, { body: { amount: 1 }, key: shop.apiKey })
    expect([third.status, third.body.amount]).toEqual([201, "1.00"])
    expect((await at.refundsOf(orderId)).map(({ amount }: { amount: string }) => amount)).toEqual(["5.00", "1.00"])
  })

  it("that the provider refuses is 500, gives nothing back and stays as failed; another one can follow", async () => {
    const { orderId, products } = await at.bought("refund_refused")
    const before = await at.order(orderId)
    const failed = await at.refund(orderId, { items: [{ itemId: lampOf(before), quantity: 1 }] })
    expect([failed.status, failed.body.code, failed.body.details.reason]).toEqual([
      500,
      "REFUND_PROCESSING_ERROR",
      expect.any(String)
    ])
    const order = await at.order(orderId)
    expect(order).toMatchObject({
      status: "PAID",
      financialStatus: "paid",
      paymentRefundedAmount: "0.00",
      refunds: [{ id: failed.body.details.refundId, amount: "25.00", status: "failed" }],
      items: [{ refundedQuantity: 0 }],
      syncWarning: expect.stringContaining("25.00 failed"),
      paymentCapabilities: { refund: true }
    })
    expect(order.statusHistory.at(-1)).toMatchObject({ reason: "a refund of 25.00 failed" })
    expect((await at.eventsOf(orderId)).map(({ type }) => type).slice(-2)).toEqual([
      "order.updated",
      "internal.order_attention"
    ])
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
    expect((await at.refund(orderId, { amount: "25.00" })).status).toBe(500)
  })

  it("that the provider takes its time for is pending, counts, and succeeds or fails later", async () => {
    const { orderId, products } = await at.bought("refund_pends")
    const item = lampOf(await at.order(orderId))
    const made = await at.refund(orderId, { items: [{ itemId: item, quantity: 1 }] })
    expect([made.status, made.body.status]).toEqual([201, "pending"])
    expect(await at.order(orderId)).toMatchObject({
      financialStatus: "paid",
      items: [{ refundedQuantity: 1 }],
      paymentCapabilities: { refund: false }
    })
    const over = await at.refund(orderId, { amount: "0.01" })
    expect([over.status, over.body.code, over.body.details]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { amount: "0.01", maxRefundable: "0.00" }
    ])
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
    await at.atProvider(orderId, "refund_succeeded")
    expect(await at.order(orderId)).toMatchObject({ status: "REFUNDED", refunds: [{ status: "succeeded" }] })
    expect(await at.totalOf(products[0] ?? "")).toBe(100)
    const other = await at.bought("refund_pends")
    await at.refund(other.orderId, { amount: "25.00" })
    await at.atProvider(other.orderId, "refund_failed")
    expect(await at.order(other.orderId)).toMatchObject({
      status: "PAID",
      financialStatus: "paid",
      refunds: [{ status: "failed" }],
      syncWarning: expect.stringContaining("25.00 failed")
    })
  })

  it("whose answer is lost is pending until it is found out, and made once", async () => {
    const { orderId, checkoutId } = await at.bought("refund_lost")
    const made = await at.refund(orderId, { amount: "7.00" })
    expect([made.status, made.body.status]).toEqual([201, "pending"])
    await at.advance(61_000)
    await at.pass()
    expect(await at.refundsOf(orderId)).toEqual([{ ...made.body, status: "succeeded" }])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 700 })
    expect((await at.eventsOf(orderId)).filter(({ type }) => type === "order.refunded")).toHaveLength(1)
  })
})

describe("a refund over several payments", () => {
  it("gives back in proportion to what each has captured, as one refund with one event", async () => {
    const { orderId, checkoutId, card } = await boughtWithCard()
    const { tenders } = await at.order(orderId)
    const preview = await at.preview(orderId, { amount: "5.00" })
    expect([preview.status, preview.body]).toEqual([
      200,
      {
        amount: "5.00",
        items: [],
        shipping: "0.00",
        tax: "0.00",
        maxRefundable: "25.00",
        tenders: [
          { tenderId: tenders[0].id, type: "test", amount: "3.00" },
          { tenderId: tenders[1].id, type: "gift_card", amount: "2.00" }
        ]
      }
    ])
    const made = await at.refund(orderId, { amount: "5.00", reason: "Late" })
    expect([made.status, made.body.amount]).toEqual([201, "5.00"])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 300 })
    expect(await cards.get(card.id)).toMatchObject({ balance: "2.00", status: "ACTIVE" })
    expect((await cards.transactions(card.id)).data[0]).toMatchObject({
      type: "REFUND",
      amount: "2.00",
      orderId,
      reason: "Late"
    })
    expect((await at.order(orderId)).refunds).toEqual([made.body])
    const history = (await shop.call("GET", `/v1/orders/${orderId}/history`)).body
    expect(history.filter(({ type }: { readonly type: string }) => type === "refund")).toMatchObject([
      { id: made.body.id, amount: "5.00", message: "Refund of 5.00: succeeded" }
    ])
    expect((await at.eventsOf(orderId)).filter(({ type }) => type === "order.refunded")).toHaveLength(1)
  })

  it("goes by tenderAllocations where they are given, which are all of it", async () => {
    const { orderId, checkoutId, card } = await boughtWithCard()
    const [charge, gift] = (await at.order(orderId)).tenders
    const short = await at.refund(orderId, {
      amount: "5.00",
      tenderAllocations: [{ tenderId: gift.id, amount: "4.99" }]
    })
    expect([short.status, Object.keys(short.body.details.errors)]).toEqual([400, ["tenderAllocations"]])
    const unknown = await at.refund(orderId, {
      amount: "5.00",
      tenderAllocations: [{ tenderId: "pay_x", amount: "5.00" }]
    })
    expect([unknown.status, Object.keys(unknown.body.details.errors)]).toEqual([400, ["tenderAllocations.0.tenderId"]])
    const over = await at.refund(orderId, {
      amount: "11.00",
      tenderAllocations: [{ tenderId: gift.id, amount: "11.00" }]
    })
    expect([over.status, over.body.details]).toEqual([
      422,
      { amount: "11.00", maxRefundable: "10.00", tenderId: gift.id }
    ])
    const made = await at.refund(orderId, {
      amount: "12.00",
      tenderAllocations: [
        { tenderId: gift.id, amount: "10.00" },
        { tenderId: charge.id, amount: "2.00" }
      ]
    })
    expect(made.body.amount).toBe("12.00")
    expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 200 })
    expect(await cards.get(card.id)).toMatchObject({ balance: "10.00" })
  })

  it("gives nothing back to a gift card where the provider has failed", async () => {
    const { orderId, card } = await boughtWithCard("refund_refused")
    expect((await at.refund(orderId, { amount: "25.00" })).status).toBe(500)
    expect(await cards.get(card.id)).toMatchObject({ balance: "0.00", status: "REDEEMED" })
    expect(await at.order(orderId)).toMatchObject({ financialStatus: "paid", refunds: [{ status: "failed" }] })
  })

  it("books what goes back to a disabled card, which stays so, and warns the merchant", async () => {
    const { orderId, card } = await boughtWithCard()
    await cards.disable(card.id)
    expect((await at.refund(orderId, { amount: "25.00" })).status).toBe(201)
    expect(await cards.get(card.id)).toMatchObject({ balance: "10.00", status: "DISABLED" })
    expect((await at.order(orderId)).syncWarning).toBe(
      `10.00 went back to the gift card ending in ${card.codeLast4}, which is disabled`
    )
  })
})

describe("what refuses a refund writes nothing", () => {
  it("more than is left, units not bought or refunded already, another order's line, another currency", async () => {
    const { orderId } = await at.bought("approve", [1_000n, 2])
    const other = await at.order((await at.bought()).orderId)
    const item = lampOf(await at.order(orderId))
    await at.refund(orderId, { items: [{ itemId: item, quantity: 1 }] })
    const before = await at.writtenOf(orderId)
    const units = (itemId: unknown, quantity: unknown) => ({ items: [{ itemId, quantity }] })
    const refused = async (body: object) => {
      const { status, body: answer } = await at.refund(orderId, body)
      const preview = await at.preview(orderId, body)
      expect([preview.status, preview.body.code, preview.body.details]).toEqual([status, answer.code, answer.details])
      return [
        status,
        answer.code,
        answer.details?.errors === undefined ? answer.details : Object.keys(answer.details.errors)
      ]
    }
    const rule = "BUSINESS_RULE_VIOLATION"
    const invalid = "VALIDATION_FAILED"
    expect(await refused({ amount: "10.01" })).toEqual([422, rule, { amount: "10.01", maxRefundable: "10.00" }])
    expect(await refused(units(item, 2))).toEqual([422, rule, { itemId: item, quantity: 2, refundable: 1 }])
    expect(await refused({ shippingAmount: "1.00" })).toEqual([
      422,
      rule,
      { shippingAmount: "1.00", refundable: "0.00" }
    ])
    expect(await refused(units(lampOf(other), 1))).toEqual([400, invalid, ["items.0.itemId"]])
    expect(await refused({ amount: "1.00", currency: "EUR" })).toEqual([400, invalid, ["currency"]])
    expect(await refused({ amount: "1.001" })).toEqual([400, invalid, ["amount"]])
    expect(await refused({ amount: 0 })).toEqual([400, invalid, ["amount"]])
    expect(await refused({})).toEqual([400, invalid, ["amount"]])
    expect(await refused({ amount: "1.00", ...units(item, 1) })).toEqual([400, invalid, ["amount"]])
    expect(await refused(units(item, 0))).toEqual([400, invalid, ["items.0.quantity"]])
    expect(await refused(units(item, 1.5))).toEqual([400, invalid, ["items.0.quantity"]])
    expect(
      await refused({
        items: [
          { itemId: item, quantity: 1 },
          { itemId: item, quantity: 1 }
        ]
      })
    ).toEqual([400, invalid, ["items.1.itemId"]])
    expect(await at.writtenOf(orderId)).toEqual(before)
    const unknown = await at.refund("ord_unknown", { amount: 1 })
    expect([unknown.status, unknown.body.code]).toEqual([404, "ORDER_NOT_FOUND"])
    expect((await shop.call("GET", "/v1/orders/ord_unknown/refunds")).body.code).toBe("ORDER_NOT_FOUND")
  })

  it("one more than an order can have, also where it is only asked what it would be", async () => {
    const { orderId } = await at.bought()
    await at.rows(
      `INSERT INTO refund (store_id, id, order_id, payment_id, amount, status, type, source, external_id, created_at)
        SELECT store_id, 'ref_' || n, order_id, id, 1, 'failed', 'partial', 'provider', 'elsewhere_' || n, now()
        FROM payment, generate_series(1, 500) n WHERE order_id = $1`,
      [orderId]
    )
    const before = await at.writtenOf(orderId)
    for (const asked of [at.preview, at.refund]) {
      const { status, body } = await asked(orderId, { amount: "1.00" })
      expect([status, body.code, body.details.errors]).toEqual([
        400,
        "VALIDATION_FAILED",
        { amount: "an order has at most 500 refunds" }
      ])
    }
    expect(await at.writtenOf(orderId)).toEqual(before)
  })

  it("an order of which nothing was captured", async () => {
    const made = await at.paidByHand({ items: [{ name: "Lamp", price: "10.00", quantity: 1 }] }, false)
    const { status, body } = await at.refund(made.id, { amount: "10.00" })
    expect([status, body.code, body.details.maxRefundable]).toEqual([422, "BUSINESS_RULE_VIOLATION", "0.00"])
  })
})

describe("a refund of an order that was paid by hand", () => {
  it("is recorded at once; shipping alone can be given back, and a cancelled order keeps its status", async () => {
    const made = await at.paidByHand({
      items: [{ name: "Lamp", price: "10.00", quantity: 3 }],
      shippingAmount: "5.00",
      customer: { email: "ada@example.com" }
    })
    const shipping = await at.refund(made.id, { shippingAmount: "2.00" })
    expect([shipping.status, shipping.body.amount, shipping.body.status]).toEqual([201, "2.00", "succeeded"])
    const over = await at.refund(made.id, { shippingAmount: "3.01" })
    expect([over.status, over.body.details]).toEqual([422, { shippingAmount: "3.01", refundable: "3.00" }])
    const mails = await at.rows<{ data: { mail: string; details: object } }>(
      "SELECT data FROM event WHERE type = 'internal.order_mail' AND data->>'orderId' = $1",
      [made.id]
    )
    expect(mails.map(({ data }) => [data.mail, data.details])).toEqual([
      ["ORDER_REFUNDED", { reason: null, refundAmount: "2.00", items: [] }]
    ])
    await at.refund(made.id, { items: [{ itemId: made.items[0].id, quantity: 3 }], notifyCustomer: false })
    const order = await at.order(made.id)
    expect([order.status, order.financialStatus, order.paymentRefundedAmount]).toEqual([
      "PAID",
      "partially_refunded",
      "32.00"
    ])
    expect(
      await at.rows("SELECT 1 FROM event WHERE type = 'internal.order_mail' AND data->>'orderId' = $1", [made.id])
    ).toHaveLength(1)
  })
})

describe("refunds taken in the provider's dashboard", () => {
  it("come beside ours: both count, and ours has no more than what is left", async () => {
    const { orderId, products } = await at.bought()
    await at.refund(orderId, { amount: "5.00" })
    await at.atProvider(orderId, "refunded", "15.00")
    const order = await at.order(orderId)
    expect(order.refunds.map(({ amount, source }: Record<string, string>) => [amount, source])).toEqual([
      ["5.00", "service"],
      ["15.00", "provider"]
    ])
    const events = (await at.eventsOf(orderId)).filter(({ type }) => type === "order.refunded")
    expect(events.map(({ data }) => [data.refundType, data.source, data.refundId])).toEqual([
      ["partial", undefined, order.refunds[0].id],
      ["partial", "provider", undefined]
    ])
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
    expect((await at.refund(orderId, { amount: "5.01" })).status).toBe(422)
    expect((await at.refund(orderId, { amount: "5.00" })).body.type).toBe("full")
    expect(await at.order(orderId)).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
  })
})
