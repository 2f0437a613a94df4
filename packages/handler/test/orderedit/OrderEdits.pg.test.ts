/** Fields that a merchant changes of an order, notes, and the history. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { orderCareOf } from "./orderCare.ts"

let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
  lamp = await care.shopper.product({ name: "Lamp", price: 2_500n, stock: 500 })
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

const one = () => [{ productId: lamp, quantity: 1 }]
const address = { line1: "1 Main St", city: "Town", country: "US", name: "Ada Byron" }
const edit = (id: string, body: object, headers = {}) => care.patch(`/v1/orders/${id}`, body, headers)

describe("a change of an order", () => {
  it("is written and told once; what is left out stays", async () => {
    const before = await care.placed(one(), { shippingAddress: address, notes: "first" })
    const { status, body } = await edit(before.id, {
      notes: "Ring twice.",
      adminFieldValues: { shelf: "B4" },
      isRead: true,
      shippingAddress: { ...address, line1: "2 Side St" }
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      notes: "Ring twice.",
      adminFieldValues: { shelf: "B4" },
      isRead: true,
      shippingAddress: { ...before.shippingAddress, line1: "2 Side St" },
      updatedAt: body.updatedAt
    })
    expect(await care.orderOf(before.id)).toEqual(body)
    expect(await care.eventsOf(before.id)).toEqual(["order.created", "order.updated"])
    const cleared = await edit(before.id, { notes: null })
    expect([cleared.body.notes, cleared.body.adminFieldValues]).toEqual([null, { shelf: "B4" }])
  })

  it("that changes nothing writes and tells nothing: an order can be sent back as it was read", async () => {
    const { id } = await care.paid(one(), { shippingAddress: address })
    await care.post(`/v1/orders/${id}/fulfill`, {})
    const read = await care.orderOf(id)
    const events = await care.eventsOf(id)
    const { status, body } = await edit(id, read)
    expect([status, body]).toEqual([200, read])
    expect(await care.eventsOf(id)).toEqual(events)
  })

  it("of the address is too late once everything is shipped, and it cannot be cleared", async () => {
    const { id } = await care.paid(one(), { shippingAddress: address })
    const cleared = await edit(id, { shippingAddress: null })
    expect([cleared.status, cleared.body.details.errors]).toEqual([400, { shippingAddress: "cannot be cleared" }])
    await care.post(`/v1/orders/${id}/fulfill`, {})
    const late = await edit(id, { shippingAddress: { ...address, line1: "2 Side St" }, notes: "late" })
    expect([late.status, late.body.code]).toEqual([409, "ORDER_INVALID_STATE"])
    expect((await care.orderOf(id)).notes).toBeNull()
    await care.patch(`/v1/orders/${id}/status`, { status: "DELIVERED" })
    expect((await edit(id, { shippingAddress: { ...address, city: "Elsewhere" } })).status).toBe(409)
  })

  it("has its bounds, and names what it does not know", async () => {
    const { id } = await care.placed(one())
    for (const [body, field] of [
      [{ adminFieldValues: { x: "y".repeat(65_536) } }, "adminFieldValues"],
      [{ notes: "x".repeat(2_001) }, "notes"],
      [{ statusLabelId: "olabel_none" }, "statusLabelId"],
      [{ shippingAddress: { ...address, zip: "1" } }, "shippingAddress.zip"],
      [{ isRed: true }, "isRed"]
    ] as const) {
      const { status, body: error } = await edit(id, body)
      expect([status, error.code, Object.keys(error.details.errors)]).toEqual([400, "VALIDATION_FAILED", [field]])
    }
    const most = { x: "y".repeat(65_536 - '{"x":""}'.length) }
    expect((await edit(id, { adminFieldValues: most })).status).toBe(200)
  })

  it("follows the version that its caller has read", async () => {
    const { id, updatedAt } = await care.placed(one())
    const ifMatch = { "if-match": `"${updatedAt}"` }
    expect((await edit(id, { notes: "a" }, ifMatch)).status).toBe(200)
    const { status, body } = await edit(id, { notes: "b" }, ifMatch)
    expect([status, body.code]).toEqual([409, "CONFLICT"])
    for (const [method, path, body] of [
      ["PATCH", "status", { status: "PAID" }],
      ["PATCH", "status", { status: "CANCELLED" }],
      ["POST", "fulfill", {}],
      ["POST", "cancel", {}],
      ["POST", "notes", { text: "late" }]
    ] as const) {
      const answer = await shop.call(method, `/v1/orders/${id}/${path}`, { body, headers: ifMatch })
      expect([path, answer.status, answer.body.code]).toEqual([path, 409, "CONFLICT"])
    }
    expect((await care.orderOf(id)).status).toBe("PENDING")
  })
})

describe("a note", () => {
  it("is in the history, and with notifyCustomer in a mail", async () => {
    const before = await care.placed(one())
    const { status, body } = await care.post(`/v1/orders/${before.id}/notes`, { text: " The mugs arrive on Monday. " })
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^onote_/),
        orderId: before.id,
        text: "The mugs arrive on Monday.",
        notifyCustomer: false,
        actor: { type: "key", id: expect.any(String), name: "test" },
        createdAt: expect.any(String)
      }
    ])
    await care.post(`/v1/orders/${before.id}/notes`, { text: "Soon.", notifyCustomer: true })
    expect(await care.orderOf(before.id)).toEqual(before)
    expect(await care.eventsOf(before.id)).toEqual(["order.created", "ORDER_NOTE"])
    const [mail] = await rowsOf(
      shop,
      "SELECT data -> 'details' AS details FROM event WHERE type = 'internal.order_mail' AND data ->> 'orderId' = $1",
      [before.id]
    )
    expect(mail?.["details"]).toEqual({ note: "Soon." })
    const history = await shop.call("GET", `/v1/orders/${before.id}/history`)
    expect(history.body.map(({ type, message }: { type: string; message: string }) => [type, message])).toEqual([
      ["status", "Placed as PENDING"],
      ["note", "The mugs arrive on Monday."],
      ["note", "Soon."]
    ])
  })

  it("is not empty, not too long, and not one too many", async () => {
    const { id } = await care.placed(one())
    for (const text of ["", "  ", "x".repeat(2_001)])
      expect((await care.post(`/v1/orders/${id}/notes`, { text })).body.code).toBe("VALIDATION_FAILED")
    await rowsOf(
      shop,
      `INSERT INTO order_note (store_id, id, order_id, text, notified, actor, created_at)
        SELECT store_id, 'onote_' || n, id, 'x', false, '{"type": "system", "id": null, "name": null}', created_at
        FROM orders, generate_series(1, 500) n WHERE id = $1`,
      [id]
    )
    const { status, body } = await care.post(`/v1/orders/${id}/notes`, { text: "one more" })
    expect([status, body.details.errors]).toEqual([400, { text: "an order has at most 500 notes" }])
  })
})

describe("the history of an order", () => {
  it("is what its rows say, the oldest first, with who did it and where it came from", async () => {
    const { id, totalAmount } = await care.bought(lamp)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_000 } })
    const refunded = await shop.call("POST", "/test/provider-events", {
      body: { orderId: id, type: "refunded", amount: "5.00" }
    })
    expect(refunded.status).toBe(200)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_000 } })
    await care.post(`/v1/orders/${id}/fulfill`, { carrier: "UPS", trackingNumber: "1Z1" })
    const { status, body } = await shop.call("GET", `/v1/orders/${id}/history`)
    expect(status).toBe(200)
    const told = body.map(({ type, source, message, actor, amount }: Record<string, { type: string }>) => ({
      type,
      source,
      message,
      by: actor?.type,
      amount
    }))
    const guest = { source: "storefront", by: "customer" }
    const provider = { source: "provider", by: "provider" }
    const merchant = { source: "service", by: "key", amount: null }
    expect(told).toEqual([
      { type: "status", ...guest, message: "Placed as PAID", amount: null },
      { type: "payment", ...provider, message: `${totalAmount} paid by test`, amount: totalAmount },
      { type: "status", ...provider, message: "refunded at the provider", amount: null },
      { type: "refund", ...provider, message: "Refund of 5.00: succeeded", amount: "5.00" },
      { type: "status", ...merchant, message: "PAID to SHIPPED" },
      { type: "fulfillment", ...merchant, message: "1 unit sent with UPS 1Z1" }
    ])
  })

  it("has one entry for a refund, by its id and with who asked for it, whatever payments give it back", async () => {
    const { id, totalAmount } = await care.placed(one())
    for (const amount of ["10.00", Number(totalAmount) - 10])
      await care.post(`/v1/orders/${id}/payments`, { amount, method: "cash" })
    const refund = await care.post(`/v1/orders/${id}/refunds`, { amount: "5.00", reason: "Scratched" })
    const { body } = await shop.call("GET", `/v1/orders/${id}/history`)
    expect(body.filter(({ type }: { type: string }) => type === "refund")).toMatchObject([
      {
        id: refund.body.id,
        actor: { type: "key", name: "test" },
        source: "service",
        amount: "5.00",
        reason: "Scratched",
        message: "Refund of 5.00: succeeded"
      }
    ])
  })

  it("of a payment by hand names who recorded it; of an unknown order there is none", async () => {
    const { id } = await care.paid(one())
    const { body } = await shop.call("GET", `/v1/orders/${id}/history`)
    expect(body.find(({ type }: { type: string }) => type === "payment")).toMatchObject({
      actor: { type: "key", name: "test" },
      source: "service",
      message: "25.00 paid by cash"
    })
    const other = await shop.openStore()
    for (const [at, key] of [
      ["ord_none", shop.apiKey],
      [id, other.apiKey]
    ] as const) {
      const { status, body: error } = await shop.call("GET", `/v1/orders/${at}/history`, { key })
      expect([status, error.code]).toEqual([404, "ORDER_NOT_FOUND"])
    }
  })
})

it("a status history by hand has an end", async () => {
  const { id } = await care.placed(one())
  await care.patch(`/v1/orders/${id}/status`, { status: "PROCESSING" })
  await rowsOf(
    shop,
    `UPDATE orders SET status_history = (SELECT jsonb_agg(h) FROM (SELECT o.status_history -> -1 AS h FROM orders o, generate_series(1, 1000) WHERE o.id = $1) l) WHERE id = $1`,
    [id]
  )
  const { status, body } = await care.patch(`/v1/orders/${id}/status`, { status: "PAID" })
  expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"])
  expect((await care.patch(`/v1/orders/${id}/status`, { status: "CANCELLED" })).status).toBe(200)
})
