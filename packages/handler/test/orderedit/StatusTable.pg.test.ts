/** Every move of an order's status through the route: 8 by 8. */
import { orderStatuses } from "@effect-commerce/core/order/Order"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { orderCareOf, type OrderStatusName } from "./orderCare.ts"

let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
  lamp = await care.shopper.product({ price: 2_500n, stock: 500 })
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

/** How a fresh order gets there. */
const ways: Record<OrderStatusName, ReadonlyArray<OrderStatusName>> = {
  PENDING: [],
  PROCESSING: ["PROCESSING"],
  PAID: ["PAID"],
  SHIPPED: ["PAID", "SHIPPED"],
  DELIVERED: ["PAID", "DELIVERED"],
  PARTIALLY_REFUNDED: ["PROCESSING", "PARTIALLY_REFUNDED"],
  CANCELLED: ["CANCELLED"],
  REFUNDED: ["PAID", "REFUNDED"]
}

/** The contract's table, written out a second time. */
const allowed: Record<OrderStatusName, ReadonlyArray<OrderStatusName>> = {
  PENDING: ["PROCESSING", "PAID", "CANCELLED"],
  PAID: ["PROCESSING", "SHIPPED", "DELIVERED", "CANCELLED", "REFUNDED"],
  PROCESSING: ["PAID", "SHIPPED", "DELIVERED", "CANCELLED", "PARTIALLY_REFUNDED", "REFUNDED"],
  SHIPPED: ["DELIVERED", "PARTIALLY_REFUNDED", "REFUNDED"],
  DELIVERED: ["PARTIALLY_REFUNDED", "REFUNDED"],
  PARTIALLY_REFUNDED: ["SHIPPED", "DELIVERED", "PARTIALLY_REFUNDED", "REFUNDED"],
  CANCELLED: [],
  REFUNDED: []
}

/** The event of each move. */
const told: Partial<Record<OrderStatusName, string>> = {
  SHIPPED: "order.fulfilled",
  DELIVERED: "order.fulfilled",
  CANCELLED: "order.cancelled"
}

const orderIn = async (status: OrderStatusName) => {
  const { id } = await care.placed([{ productId: lamp, quantity: 2 }])
  for (const step of ways[status]) {
    const moved = await care.patch(`/v1/orders/${id}/status`, { status: step })
    if (moved.status !== 200) throw new Error(moved.text)
  }
  return id as string
}

describe.each(orderStatuses)("an order that is %s", (from) => {
  it.each(orderStatuses)("moves to %s as the table says, and else stays as it is", async (to) => {
    const id = await orderIn(from)
    const before = await care.orderOf(id)
    const events = await care.eventsOf(id)
    const answer = await care.patch(`/v1/orders/${id}/status`, { status: to, reason: "because" })
    const after = await care.orderOf(id)
    const news = (await care.eventsOf(id)).slice(events.length)
    if (!allowed[from].includes(to)) {
      expect([answer.status, answer.body.code, answer.body.details]).toEqual([
        409,
        "ORDER_INVALID_STATE",
        { status: from }
      ])
      expect(after).toEqual(before)
      expect(news).toEqual([])
      return
    }
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(after)
    expect(after.status).toBe(to)
    if (from === to) {
      expect(after).toEqual(before)
      expect(news).toEqual([])
      return
    }
    expect(after.statusHistory.at(-1)).toMatchObject({ from, to, reason: "because", source: "service" })
    const event = from === "SHIPPED" && to === "DELIVERED" ? "order.updated" : (told[to] ?? "order.updated")
    const mails: Partial<Record<OrderStatusName, string>> = {
      SHIPPED: "ORDER_SHIPPED",
      DELIVERED: "ORDER_COMPLETED",
      CANCELLED: "ORDER_CANCELLED"
    }
    expect(news).toEqual([event, ...(mails[to] === undefined ? [] : [mails[to]])])
    expect(after.fulfillmentStatus).toBe(
      to === "SHIPPED" || to === "DELIVERED" || from === "SHIPPED" || from === "DELIVERED" ? "fulfilled" : "unfulfilled"
    )
    // Who moves a status moves no money.
    expect([after.financialStatus, after.numberOfPayments]).toEqual([to === "CANCELLED" ? "voided" : "pending", 1])
  })
})

it("a status that there is not is refused, and so is a reason that is too long", async () => {
  const id = await orderIn("PENDING")
  for (const body of [{ status: "LOST" }, { status: "PAID", reason: "x".repeat(501) }, {}]) {
    const { status, body: error } = await care.patch(`/v1/orders/${id}/status`, body)
    expect([status, error.code]).toEqual([400, "VALIDATION_FAILED"])
  }
  expect((await care.orderOf(id)).status).toBe("PENDING")
})
