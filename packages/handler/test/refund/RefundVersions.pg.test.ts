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
