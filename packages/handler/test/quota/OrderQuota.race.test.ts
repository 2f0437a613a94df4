/** Many buy at once in two processes: exactly the quota becomes orders, and only their money is taken. */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { heldRow } from "../heldRow.ts"
import { sessionsOf } from "../payment/sessions.ts"
import { quotasOf } from "./quotas.ts"

let shop: TestCommerce
let twin: Commerce
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
})
afterAll(() => shop.close())

const quota = 5

it("twenty buyers, by hand and by card, with a limited coupon or without, make exactly as many orders as the quota", async () => {
  const of = sessionsOf(shop)
  const quotas = quotasOf(shop)
  const lamp = await of.shopper.product({ price: 2_500n, stock: 100 })
  const coupon = { code: "RACE", type: "PERCENTAGE", value: 10, usageLimit: 100 }
  expect((await shop.call("POST", "/v1/coupons", { body: coupon })).status).toBe(201)
  const ids: Array<string> = []
  for (let i = 0; i < 20; i++) {
    const id = await of.shopper.checkout(await of.shopper.cart([lamp, 1]))
    // Its counter is locked as well.
    if (i % 4 < 2) await shop.call("POST", `${of.pathOf(id)}/coupon`, { body: { code: coupon.code } })
    ids.push(id)
  }
  await quotas.set({ maxOrdersPerMonth: quota })
  const buy = async (id: string, i: number) => {
    const commerce = i % 2 === 0 ? shop.commerce : twin
    const body = i % 3 === 0 ? {} : { paymentMethod: "test", paymentReference: "approve" }
    const headers = { "content-type": "application/json", "idempotency-key": `race-${i}` }
    const request = new Request(`http://commerce.test/api${of.pathOf(id)}/complete`, {
      method: "POST",
      headers,
      body: JSON.stringify(body)
    })
    const response = await commerce.fetch(request)
    const { code } = (await response.json()) as { readonly code?: string }
    return `${response.status} ${code ?? ""}`
  }
  const answers = await Promise.all(ids.map(buy))
  expect(answers.toSorted()).toEqual([...Array(quota).fill("200 "), ...Array(15).fill("402 PLAN_ORDERS_EXHAUSTED")])
  expect(await quotas.used()).toEqual({ products: 1, orders: quota })
  const [charges, orders] = [(await Promise.all(ids.map(of.chargesOf))).flat(), await of.ordersOf(...ids)]
  expect(orders).toHaveLength(quota)
  expect(charges).toHaveLength(orders.filter((order) => order.startsWith("test")).length)
  expect(await of.stockOf(lamp)).toEqual([95, 0, 95])
  expect(await quotas.findings()).toEqual([])
})

it("two buyers of the last order, of products that have nothing in common, make one: the second counts when the first has ended", async () => {
  const store = await shop.openStore()
  const at: TestCommerce = {
    ...shop,
    ...store,
    call: (method, path, options) =>
      shop.call(method, path, { key: path.startsWith("/v1/") ? store.apiKey : null, ...options })
  }
  const [of, quotas] = [sessionsOf(at), quotasOf(at)]
  const buyable = async () => of.shopper.checkout(await of.shopper.cart([await of.shopper.product({ stock: 5 }), 1]))
  const [first, one, other] = [await buyable(), await buyable(), await buyable()]
  expect((await of.complete(first)).status).toBe(200)
  await quotas.set({ maxOrdersPerMonth: 2 })
  // A sale counts the orders before it takes its number.
  const counter = await heldRow(at, "order_counter", store.storeId, "store_id")
  const answers = Promise.all([of.complete(one), of.complete(other)])
  await counter.awaited(2)
  await counter.free()
  expect((await answers).map(({ status }) => status).toSorted()).toEqual([200, 402])
  expect([(await quotas.used()).orders, await quotas.findings()]).toEqual([2, []])
})
