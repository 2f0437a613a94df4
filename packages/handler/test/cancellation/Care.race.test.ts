/** Two callers who do something with the same order at once: exactly one of them does it. */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { orderCareOf } from "../orderedit/orderCare.ts"

let shop: TestCommerce
let twin: Commerce
let care: ReturnType<typeof orderCareOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  twin = await shop.openTwin()
  care = orderCareOf(shop)
  lamp = await care.shopper.product({ price: 2_500n, stock: 1_000 })
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

const on = async (commerce: Commerce, path: string, body: object) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${shop.apiKey}` },
      body: JSON.stringify(body)
    })
  )
  return { status: answer.status, body: (await answer.json()) as { readonly code?: string } }
}
const rounds = 12
/** Each round on an order of its own, the two calls at once, one by each process. */
const race = async (
  order: () => Promise<{
    readonly id: string
    readonly totalAmount: string
    readonly items: ReadonlyArray<{ id: string }>
  }>,
  calls: (
    made: Awaited<ReturnType<typeof order>>
  ) => readonly [path: string, body: object, path2: string, body2: object],
  judge: (id: string, first: number, second: number, codes: ReadonlyArray<string | undefined>) => Promise<void>
) => {
  for (let i = 0; i < rounds; i++) {
    const made = await order()
    const [path, body, path2, body2] = calls(made)
    const [a, b] = i % 2 === 0 ? [shop.commerce, twin] : [twin, shop.commerce]
    const at = `/v1/orders/${made.id}`
    const [first, second] = await Promise.all([on(a, `${at}/${path}`, body), on(b, `${at}/${path2}`, body2)])
    await judge(made.id, first.status, second.status, [first.body.code, second.body.code])
  }
}
const unpaid = () => care.placed([{ productId: lamp, quantity: 2 }])
const processing = async () => {
  const order = await unpaid()
  await care.patch(`/v1/orders/${order.id}/status`, { status: "PROCESSING" })
  return order
}

it("two cancels: one cancels, and the goods are back once", async () => {
  const before = await care.stockOf(lamp)
  await race(
    unpaid,
    () => ["cancel", {}, "cancel", {}],
    async (id, first, second) => {
      expect([first, second].toSorted()).toEqual([200, 409])
      expect((await care.eventsOf(id)).filter((type) => type === "order.cancelled")).toHaveLength(1)
      expect(await care.stockOf(lamp)).toBe(before)
    }
  )
})

it("a fulfilment and a cancel: it is sent or cancelled, never both", async () => {
  await race(
    processing,
    () => ["fulfill", {}, "cancel", {}],
    async (id, first, second, codes) => {
      expect([first, second].toSorted()).toEqual([200, 409])
      expect(codes).toContain("ORDER_INVALID_STATE")
      const { status, fulfillments } = await care.orderOf(id)
      expect([status, fulfillments.length]).toEqual(first === 200 ? ["SHIPPED", 1] : ["CANCELLED", 0])
    }
  )
})

it("two fulfilments of the same units: they are sent once", async () => {
  await race(
    processing,
    ({ items }) => {
      const body = { items: [{ itemId: items[0]?.id, quantity: 2 }] }
      return ["fulfill", body, "fulfill", body]
    },
    async (id, first, second, codes) => {
      expect([first, second].toSorted()).toEqual([200, 422])
      expect(codes).toContain("BUSINESS_RULE_VIOLATION")
      expect((await care.orderOf(id)).items[0].fulfilledQuantity).toBe(2)
    }
  )
})

it("a cancel and a payment that is recorded: it is paid or cancelled, never both", async () => {
  await race(
    unpaid,
    ({ totalAmount }) => ["cancel", {}, "payments", { amount: totalAmount, method: "cash" }],
    async (id, first, second) => {
      expect([first, second].toSorted()).toEqual([200, 409])
      const { status, financialStatus } = await care.orderOf(id)
      expect([status, financialStatus]).toEqual(first === 200 ? ["CANCELLED", "voided"] : ["PAID", "paid"])
    }
  )
})
