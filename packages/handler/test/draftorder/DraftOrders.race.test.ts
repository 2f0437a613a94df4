import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { draftsOf } from "./drafts.ts"

let shop: TestCommerce
let twin: Commerce
let drafts: ReturnType<typeof draftsOf>
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
  drafts = draftsOf(shop)
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const on = (i: number) => (i % 2 === 0 ? shop.commerce : twin)
const send = async (i: number, method: string, path: string, body: object) => {
  const answer = await on(i).fetch(
    new Request(`http://commerce.test/api${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        "idempotency-key": `race-${path}-${i}`,
        ...(path.startsWith("/v1/") ? { authorization: `Bearer ${shop.apiKey}` } : {})
      },
      body: JSON.stringify(body)
    })
  )
  return { status: answer.status, body: (await answer.json()) as { id?: string; orderId?: string; code?: string } }
}
const drafted = async (stock = 10) => {
  const lamp = await shopper.product({ price: 1_000n, stock })
  const draft = await drafts.make({
    items: [{ productId: lamp, quantity: 2 }],
    customer: { email: "ada@example.com", name: "Ada" },
    shippingAddress: addressIn("CA", "94105")
  })
  return { lamp, id: draft.id as string, path: `/v1/orders/draft/${draft.id}` }
}
const eventsOf = async (orderId: string) =>
  (await rowsOf(shop, "SELECT type FROM event WHERE data ->> 'orderId' = $1", [orderId])).length

describe("a draft that many complete at once, through two instances", () => {
  it("becomes one order, which every call answers", async () => {
    const { lamp, id, path } = await drafted()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => send(i, "POST", `${path}/complete`, { paid: i % 3 === 0 }))
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    const ids = new Set(answers.map(({ body }) => body.id))
    expect([ids.size, await drafts.ordersOf(id), await drafts.stockOf(lamp)]).toEqual([1, 1, 8])
  })

  it("becomes one order where the buyer completes the invoice's checkout at the same time", async () => {
    for (let round = 0; round < 6; round++) {
      const { lamp, id, path } = await drafted()
      const token = await drafts.invoiced(id)
      const { body: checkout } = await drafts.open(token)
      const [byMerchant, byBuyer] = await Promise.all([
        send(round, "POST", `${path}/complete`, {}),
        send(round + 1, "POST", `${shopper.at}/checkout/${checkout.id}/complete`, {})
      ])
      expect([await drafts.ordersOf(id), await drafts.stockOf(lamp)]).toEqual([1, 8])
      expect(byMerchant.status).toBe(200)
      // The buyer was first, and the merchant got that order; or the checkout was cancelled by the merchant.
      if (byBuyer.status === 200) expect(byBuyer.body.orderId).toBe(byMerchant.body.id)
      else expect(byBuyer.status).toBe(409)
      expect(await eventsOf(String(byMerchant.body.id))).toBe(byBuyer.status === 200 ? 2 : 1)
    }
  })

  it("has one checkout that is open, however many open the invoice at once", async () => {
    const { id } = await drafted()
    const token = await drafts.invoiced(id)
    const opened = await Promise.all(
      Array.from({ length: 8 }, (_, i) => send(i, "POST", `${shopper.at}/checkout/draft`, { token }))
    )
    expect(new Set(opened.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  })

  it("is either changed or completed: the order has what the draft shows", async () => {
    for (let round = 0; round < 6; round++) {
      const { id, path } = await drafted()
      const [changed, done] = await Promise.all([
        send(round, "PATCH", path, { shippingAmount: "7.00" }),
        send(round + 1, "POST", `${path}/complete`, {})
      ])
      expect(done.status).toBe(200)
      expect([200, 409]).toContain(changed.status)
      const { body } = await shop.call("GET", `/v1/orders/${done.body.id}`)
      expect(body.shippingAmount).toBe(changed.status === 200 ? "7.00" : "0.00")
      expect(await drafts.ordersOf(id)).toBe(1)
    }
  })
})

it("the books agree", async () => {
  expect(await drafts.audited()).toEqual([])
})
