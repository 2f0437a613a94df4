import { StockAlerts } from "@effect-commerce/core/inventory/StockAlerts"
import { afterAll, beforeAll, expect, it } from "vitest"
import { addOwner } from "../../../core/test/email/mailShop.ts"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
  await runWith(shop.commerce, addOwner({ id: shop.storeId, accountId: shop.accountId }, "owner@example.com") as never)
})
afterAll(() => shop.close())

it("mails of stock go to whoever waited and to the owner, once, and no subscriber hears of them", async () => {
  const productId = await shopperOf(shop).product({ stock: 0, name: "Wick lantern" })
  const set = (body: object) => shop.call("PUT", `/v1/products/${productId}/inventory`, { body })
  const asked = await shop.call("POST", `/vc/${shop.channelId}/stock-alerts`, {
    body: { email: "ada@example.com", productId }
  })
  expect(asked.text).toBe('{"ok":true}')
  await set({ total: 10, lowStockThreshold: 4 })
  await set({ total: 4 })
  const work = () => runWith(shop.commerce, StockAlerts.use((all) => all.tellDue) as never)
  await work()
  await shop.call("POST", "/test/clock", { body: { advanceMs: 5 * 60_000 } })
  await work()
  await work()
  const mails = async () =>
    (await shop.call("GET", "/v1/email/messages?limit=100")).body.data
      .map(({ to, subject, eventType }: { to: string; subject: string; eventType: string }) => [eventType, to, subject])
      .sort()
  await expect.poll(mails, { timeout: 20_000, interval: 100 }).toEqual([
    ["BACK_IN_STOCK", "ada@example.com", "Wick lantern is available again"],
    ["LOW_STOCK_ALERT", "owner@example.com", "Low stock: Wick lantern"]
  ])
  const feed = await shop.call("GET", "/v1/events?limit=100")
  const types = new Set(feed.body.data.map(({ type }: { type: string }) => type))
  expect([...types].filter((type) => String(type).startsWith("internal."))).toEqual([])
})
