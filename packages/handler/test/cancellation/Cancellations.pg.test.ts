/** Orders that are cancelled: money, stock, discounts, mails, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { orderCareOf } from "../orderedit/orderCare.ts"
import { chargeOf, follow } from "../settlement/looks.ts"

let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

const cancel = (id: string, body: object = {}) => care.post(`/v1/orders/${id}/cancel`, body)
const lampOf = (stock = 10) => care.shopper.product({ name: "Lamp", price: 2_500n, stock })
const movementsOf = (id: string) =>
  rowsOf(shop, "SELECT key, delta, reason FROM stock_movement WHERE reference = $1 ORDER BY created_at, id", [id])

const refused = async (id: string, body: object, details: object) => {
  const before = [await care.orderOf(id), await care.eventsOf(id), await movementsOf(id)]
  const { status, body: error } = await cancel(id, body)
  expect([status, error.code, error.details]).toEqual([409, "ORDER_INVALID_STATE", details])
  expect([await care.orderOf(id), await care.eventsOf(id), await movementsOf(id)]).toEqual(before)
}

describe("an order that nobody has paid", () => {
  it("is cancelled: its goods are back, its payment is void, its buyer is told", async () => {
    const lamp = await lampOf()
    const { id } = await care.placed([{ productId: lamp, quantity: 3 }])
    expect(await care.stockOf(lamp)).toBe(7)
    const { status, body } = await cancel(id, { reason: "inventory" })
    expect([status, body.status, body.financialStatus, body.fulfillmentStatus]).toEqual([
      200,
      "CANCELLED",
      "voided",
      "unfulfilled"
    ])
    expect(body.statusHistory.at(-1)).toMatchObject({
      from: "PENDING",
      to: "CANCELLED",
      reason: "inventory",
      source: "service",
      actor: { type: "key", name: "test" }
    })
    expect(await care.orderOf(id)).toEqual(body)
    expect(await care.stockOf(lamp)).toBe(10)
    expect(await movementsOf(id)).toEqual([
      { key: lamp, delta: -3, reason: "sale" },
      { key: lamp, delta: 3, reason: "return" }
    ])
    expect(await care.eventsOf(id)).toEqual(["order.created", "order.cancelled", "ORDER_CANCELLED"])
  })

  it("keeps its goods out of stock without restock, and tells nobody without notifyCustomer", async () => {
    const lamp = await lampOf()
    const { id } = await care.placed([{ productId: lamp, quantity: 3 }])
    expect((await cancel(id, { restock: false, notifyCustomer: false })).status).toBe(200)
    expect(await care.stockOf(lamp)).toBe(7)
    expect(await care.eventsOf(id)).toEqual(["order.created", "order.cancelled"])
  })

  it("cannot be paid any more", async () => {
    const { id, totalAmount } = await care.placed([{ productId: await lampOf(), quantity: 1 }])
    await cancel(id)
    const { status, body } = await care.post(`/v1/orders/${id}/payments`, { amount: totalAmount, method: "cash" })
    expect([status, body.code]).toEqual([409, "ORDER_INVALID_STATE"])
  })

  it("is cancelled once", async () => {
    const { id } = await care.placed([{ productId: await lampOf(), quantity: 1 }])
    await cancel(id)
    await refused(id, {}, { status: "CANCELLED" })
  })
})

describe("goods go back as they were taken", () => {
  it("a kit's by the components that it had when it was sold", async () => {
    const [lamp, mug] = [await lampOf(), await care.shopper.product({ name: "Mug", price: 500n, stock: 20 })]
    const kit = await care.post("/v1/products", {
      name: "Set",
      type: "KIT",
      status: "active",
      basePrice: "30.00",
      kitComponents: [
        { productId: lamp, quantity: 1 },
        { productId: mug, quantity: 2 }
      ]
    })
    const { id } = await care.placed([{ productId: kit.body.id, quantity: 2 }])
    expect([await care.stockOf(lamp), await care.stockOf(mug)]).toEqual([8, 16])
    const changed = await care.patch(`/v1/products/${kit.body.id}`, {
      kitComponents: [{ productId: lamp, quantity: 3 }]
    })
    expect(changed.status).toBe(200)
    await cancel(id)
    expect([await care.stockOf(lamp), await care.stockOf(mug)]).toEqual([10, 20])
  })

  it("what was sold below zero too", async () => {
    const lamp = await lampOf(1)
    await shop.call("PUT", `/v1/products/${lamp}/inventory`, { body: { backorderMode: "ALLOW" } })
    const { id } = await care.placed([{ productId: lamp, quantity: 4 }])
    expect(await care.stockOf(lamp)).toBe(-3)
    await cancel(id)
    expect(await care.stockOf(lamp)).toBe(1)
  })

  it("nothing of what was not counted when it was sold, and nothing where there is no product", async () => {
    const lamp = await lampOf(5)
    await shop.call("PUT", `/v1/products/${lamp}/inventory`, { body: { trackingMode: "UNTRACKED" } })
    const { id } = await care.placed([
      { productId: lamp, quantity: 2 },
      { name: "Engraving", price: "5.00", quantity: 1 }
    ])
    await shop.call("PUT", `/v1/products/${lamp}/inventory`, { body: { trackingMode: "TRACKED" } })
    expect((await cancel(id)).status).toBe(200)
    expect(await movementsOf(id)).toEqual([])
    expect(await care.stockOf(lamp)).toBe(5)
  })
})

describe("units about which a refund has decided", () => {
  it("stay where it has put them: what was kept out of stock is not put back by the cancellation", async () => {
    const lamp = await lampOf()
    const { id, items } = await care.paid([{ productId: lamp, quantity: 4 }])
    const refund = (restock: boolean) =>
      care.post(`/v1/orders/${id}/refunds`, { items: [{ itemId: items[0].id, quantity: 1, restock }] })
    expect([(await refund(false)).status, (await refund(true)).status]).toEqual([201, 201])
    expect(await care.stockOf(lamp)).toBe(7)
    expect((await cancel(id, { refund: true })).body.status).toBe("CANCELLED")
    expect(await care.stockOf(lamp)).toBe(9)
    expect(await movementsOf(id)).toEqual([
      { key: lamp, delta: -4, reason: "sale" },
      { key: lamp, delta: 1, reason: "return" },
      { key: lamp, delta: 2, reason: "return" }
    ])
  })

  it("are whole kits: each component of a unit that was kept out stays out", async () => {
    const [lamp, mug] = [await lampOf(), await care.shopper.product({ name: "Mug", price: 500n, stock: 20 })]
    const kit = await care.post("/v1/products", {
      name: "Set",
      type: "KIT",
      status: "active",
      basePrice: "30.00",
      kitComponents: [
        { productId: lamp, quantity: 1 },
        { productId: mug, quantity: 2 }
      ]
    })
    const { id, items } = await care.paid([{ productId: kit.body.id, quantity: 3 }])
    await care.post(`/v1/orders/${id}/refunds`, { items: [{ itemId: items[0].id, quantity: 1, restock: false }] })
    expect((await cancel(id, { refund: true })).status).toBe(200)
    expect([await care.stockOf(lamp), await care.stockOf(mug)]).toEqual([9, 18])
  })
})

describe("discounts", () => {
  const couponOf = async () => {
    const code = `SAVE${Date.now()}${Math.floor(Math.random() * 1e6)}`
    const { body } = await care.post("/v1/coupons", { code, type: "PERCENTAGE", value: "10", usageLimit: 1 })
    return body
  }
  const usesOf = async (id: string) => (await shop.call("GET", `/v1/coupons/${id}`)).body.usageCount

  it("a coupon of an order that was never paid can be used again", async () => {
    const coupon = await couponOf()
    const { id } = await care.placed([{ productId: await lampOf(), quantity: 1 }], { couponCode: coupon.code })
    expect(await usesOf(coupon.id)).toBe(1)
    await cancel(id)
    expect(await usesOf(coupon.id)).toBe(0)
    const again = await care.placed([{ productId: await lampOf(), quantity: 1 }], { couponCode: coupon.code })
    expect(again.couponDiscount).toBe("2.50")
  })

  it("a coupon of an order that was paid stays used", async () => {
    const coupon = await couponOf()
    const { id } = await care.paid([{ productId: await lampOf(), quantity: 1 }], { couponCode: coupon.code })
    expect((await cancel(id, { refund: true })).status).toBe(200)
    expect(await usesOf(coupon.id)).toBe(1)
  })
})

describe("money", () => {
  it("that is not refunded keeps an order from being cancelled, by hand and by its status", async () => {
    const { id, totalAmount } = await care.paid([{ productId: await lampOf(), quantity: 1 }])
    await refused(id, {}, { status: "PAID", reason: "unrefunded", amount: totalAmount })
    const { status, body } = await care.patch(`/v1/orders/${id}/status`, { status: "CANCELLED" })
    expect([status, body.code, body.details.reason]).toEqual([409, "ORDER_INVALID_STATE", "unrefunded"])
  })

  it("that was paid in part as well", async () => {
    const { id } = await care.placed([{ productId: await lampOf(), quantity: 1 }])
    await care.post(`/v1/orders/${id}/payments`, { amount: "1.00", method: "cash" })
    await refused(id, {}, { status: "PENDING", reason: "unrefunded", amount: "1.00" })
  })

  it("that is only reserved is released, and void once the provider says so; a capture that comes is warned of", async () => {
    const { id, totalAmount } = await care.bought(await lampOf(), 1)
    const charge = await chargeOf(shop, id)
    await rowsOf(shop, "UPDATE payment SET status = 'authorized', captured = 0, paid_at = NULL WHERE order_id = $1", [
      id
    ])
    await rowsOf(
      shop,
      `UPDATE orders SET status = 'PENDING', financial_status = 'authorized', captured_amount = 0, paid_at = NULL,
        status_history = '[{"from": null, "to": "PENDING", "reason": null, "at": "2026-01-01T00:00:00.000Z"}]' WHERE id = $1`,
      [id]
    )
    await rowsOf(shop, "DELETE FROM event WHERE data ->> 'orderId' = $1 AND type = 'order.paid'", [id])
    const { status, body } = await cancel(id)
    expect([status, body.status, body.financialStatus]).toEqual([200, "CANCELLED", "authorized"])
    const released = await rowsOf(
      shop,
      "SELECT o.released_at FROM provider_operation o JOIN orders r ON r.checkout_id = o.subject_id WHERE r.id = $1",
      [id]
    )
    expect(released).toEqual([{ released_at: new Date(body.statusHistory.at(-1).at) }])
    await follow(shop, id, { ...charge, state: "voided", captured: 0n })
    expect(await care.orderOf(id)).toMatchObject({ status: "CANCELLED", financialStatus: "voided", syncWarning: null })
    await follow(shop, id, charge)
    expect(await care.orderOf(id)).toMatchObject({
      status: "CANCELLED",
      financialStatus: "paid",
      syncWarning: `${totalAmount} came after the order was cancelled and is not refunded`
    })
  })

  it("that came by hand is refunded by hand with the order, and both are told", async () => {
    const lamp = await lampOf()
    const { id, totalAmount } = await care.paid([{ productId: lamp, quantity: 2 }])
    const { status, body } = await cancel(id, { reason: "customer", refund: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: "CANCELLED",
      financialStatus: "refunded",
      syncWarning: null,
      refunds: [{ amount: totalAmount, status: "succeeded", type: "full", source: "service" }]
    })
    expect(await care.orderOf(id)).toEqual(body)
    expect(await care.stockOf(lamp)).toBe(10)
    expect((await care.eventsOf(id)).slice(2)).toEqual([
      "order.cancelled",
      "ORDER_CANCELLED",
      "order.refunded",
      "ORDER_REFUNDED"
    ])
  })

  it("that a provider has taken is given back by it, once the order is cancelled", async () => {
    const lamp = await lampOf()
    const { id, totalAmount } = await care.bought(lamp, 2)
    const { status, body } = await cancel(id, { refund: true, notifyCustomer: false })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: "CANCELLED",
      financialStatus: "refunded",
      paymentRefundedAmount: totalAmount,
      refunds: [{ amount: totalAmount, status: "succeeded", type: "full", source: "service" }]
    })
    expect(await care.stockOf(lamp)).toBe(10)
    const [charge] = await rowsOf(
      shop,
      "SELECT captured - refunded AS kept FROM test_charge WHERE checkout_id = (SELECT checkout_id FROM orders WHERE id = $1)",
      [id]
    )
    expect(Number(charge?.["kept"])).toBe(0)
  })
})

describe("what was sent", () => {
  it("keeps an order from being cancelled from the first unit on", async () => {
    const { id, items } = await care.placed([{ productId: await lampOf(), quantity: 2 }])
    await care.patch(`/v1/orders/${id}/status`, { status: "PROCESSING" })
    await care.post(`/v1/orders/${id}/fulfill`, { items: [{ itemId: items[0].id, quantity: 1 }] })
    await refused(id, {}, { status: "PROCESSING", reason: "fulfilled" })
    const { body } = await care.patch(`/v1/orders/${id}/status`, { status: "CANCELLED" })
    expect([body.code, body.details.reason]).toEqual(["ORDER_INVALID_STATE", "fulfilled"])
    await care.post(`/v1/orders/${id}/fulfill`, {})
    await refused(id, {}, { status: "SHIPPED" })
  })
})

it("a reason that there is not, and an unknown key, are 400", async () => {
  const { id } = await care.placed([{ productId: await lampOf(), quantity: 1 }])
  for (const body of [{ reason: "mood" }, { restok: true }, { restock: "yes" }]) {
    const { status, body: error } = await cancel(id, body)
    expect([status, error.code]).toEqual([400, "VALIDATION_FAILED"])
  }
  expect((await care.orderOf(id)).status).toBe("PENDING")
})
