/** Money of an order that is moved for who has read its current version: a stale one is refused, and moves nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { refundShopOf } from "./refundShop.ts"

let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  at = refundShopOf(shop)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
})

const post = (path: string, body: object, headers: Record<string, string>) =>
  shop.call("POST", path, { body, headers, key: shop.apiKey })
const stale = '"2001-01-01T00:00:00.000Z"'

/** Each write with a payment that allows it, and its path of an order. */
const writes = [
  ["a refund", "approve", "/v1/orders/:id/refunds", 201],
  ["a refund of the dashboard", "approve", "/orders/:id/refunds", 201],
  ["a capture", "authorize", "/v1/orders/:id/capture", 200],
  ["a void", "authorize", "/v1/orders/:id/void", 200]
] as const

describe("a version of an order", () => {
  it("is followed by a later one with each write of its money, also where the clock went back", async () => {
    const order = await at.paidByHand({ items: [{ name: "Lamp", price: "10.00", quantity: 1 }] }, false)
    const later = (writes: number) => new Date(new Date(order.updatedAt).getTime() + writes).toISOString()
    await at.advance(-3_600_000)
    const path = `/v1/orders/${order.id}/payments`
    const first = await post(path, { amount: "4.00", method: "cash" }, { "if-match": `"${order.updatedAt}"` })
    expect([first.status, first.body.updatedAt]).toEqual([200, later(1)])
    const second = await post(path, { amount: "6.00", method: "cash" }, { "if-match": `"${order.updatedAt}"` })
    expect([second.status, second.body.code, second.body.details]).toEqual([409, "CONFLICT", { updatedAt: later(1) }])
    const third = await post(path, { amount: "6.00", method: "cash" }, { "if-match": `"${later(1)}"` })
    expect([third.status, third.body.updatedAt]).toEqual([200, later(2)])
    expect((await at.refund(order.id, { amount: "1.00" })).status).toBe(201)
    expect((await at.order(order.id)).updatedAt).toBe(later(3))
    await at.advance(3_600_000)
  })
})

describe("If-Match", () => {
  it.each(writes)("of %s", async (_, reference, route, done) => {
    const { orderId } = await at.bought(reference)
    const path = route.replace(":id", orderId)
    const body = route.endsWith("refunds") ? { amount: "5.00" } : {}
    const { updatedAt } = await at.order(orderId)
    const before = await at.writtenOf(orderId)
    const refused = await post(path, body, { "if-match": stale })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, "CONFLICT", { updatedAt }])
    const since = await post(path, body, { "if-unmodified-since": "2001-01-01T00:00:00.000Z" })
    expect([since.status, since.body.code]).toEqual([409, "CONFLICT"])
    expect(await at.writtenOf(orderId)).toEqual(before)
    expect((await post(path, body, { "if-match": `"${updatedAt}"` })).status).toBe(done)
  })
})
