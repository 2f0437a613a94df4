import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let twin: Commerce
let at: ReturnType<typeof customersOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  twin = await shop.openTwin()
  at = customersOf(shop)
  lamp = await shopperOf(shop).product({ stock: 10_000 })
})
afterAll(() => shop.close())

const send = async (commerce: Commerce, path: string, body: object, token?: string) => {
  const response = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
      },
      body: JSON.stringify(body)
    })
  )
  return { status: response.status, body: await response.json() }
}
const place = (commerce: Commerce, email: string) =>
  send(commerce, "/v1/orders", { customer: { email }, items: [{ productId: lamp, quantity: 1 }] }, shop.apiKey)

describe("at the moment at which a mailbox is proved, twice and in two processes", () => {
  it("each order is linked and counted once, or is a guest's still and linked at the next proof; none is lost", async () => {
    for (const _ of [1, 2, 3]) {
      const customer = await at.known()
      for (const __ of [1, 2, 3]) await place(shop.commerce, customer.email)
      for (const __ of [1, 2]) await at.post("resend-verification", { email: customer.email })
      await at.post("forgot-password", { email: customer.email })
      const tokens = await at.mailed(customer.id, "verification")
      const [reset] = await at.mailed(customer.id, "reset")
      const answers = await Promise.all([
        place(twin, customer.email),
        send(shop.commerce, `${at.at}/verify-email`, { token: tokens[0] }),
        place(shop.commerce, customer.email),
        send(twin, `${at.at}/verify-email`, { token: tokens[1] }),
        place(twin, customer.email)
      ])
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
      expect([answers[1]?.status, answers[3]?.status].toSorted()).toEqual([200, 400])
      const linked = async () =>
        (
          await rowsOf(shop, "SELECT count(*)::int AS n FROM orders WHERE customer_id = $1 AND email = $2", [
            customer.id,
            customer.email
          ])
        )[0]?.["n"] as number
      const counted = async () =>
        (await at.told(customer.id, "internal.orders_linked")).map(({ data }) => data.orderCount as number)
      const atFirst = await linked()
      expect(atFirst).toBeGreaterThanOrEqual(3)
      expect(await counted()).toEqual([atFirst])
      await at.post("reset-password", { token: reset, newPassword: "N3w-Battery!" })
      expect(await linked()).toBe(6)
      expect(await counted()).toEqual(atFirst === 6 ? [6] : [atFirst, 6 - atFirst])
      const told = (await at.events("order.updated")).filter(({ data }) => data.order.customerId === customer.id)
      expect(new Set(told.map(({ data }) => data.orderId)).size).toBe(6)
      expect(told).toHaveLength(6)
    }
  })

  it("a deletion and a proof leave the orders with one of them, and no mail to an address that is gone", async () => {
    const customer = await at.known()
    await place(shop.commerce, customer.email)
    await at.post("resend-verification", { email: customer.email })
    const [token] = await at.mailed(customer.id, "verification")
    const [verified, deleted] = await Promise.all([
      send(twin, `${at.at}/verify-email`, { token }),
      at.admin("DELETE", `/customers/${customer.id}`)
    ])
    expect(deleted.status).toBe(200)
    const [row] = await rowsOf(shop, "SELECT customer_id FROM orders WHERE email = $1", [customer.email])
    expect(row?.["customer_id"]).toBe(verified.status === 200 ? customer.id : null)
    expect(await at.told(customer.id, "internal.orders_linked")).toHaveLength(verified.status === 200 ? 1 : 0)
  })
})
