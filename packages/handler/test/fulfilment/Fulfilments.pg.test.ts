/** Orders that are sent: whole, in parts, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { orderCareOf } from "../orderedit/orderCare.ts"

let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
let lamp: string
let mug: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
  lamp = await care.shopper.product({ name: "Lamp", price: 2_500n, stock: 500 })
  mug = await care.shopper.product({ name: "Mug", price: 1_000n, stock: 500 })
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

const fulfil = (id: string, body: object = {}) => care.post(`/v1/orders/${id}/fulfill`, body)
const two = () => [
  { productId: lamp, quantity: 2 },
  { productId: mug, quantity: 1 }
]
const mailsOf = async (id: string) =>
  (
    await rowsOf(
      shop,
      "SELECT data -> 'mail' AS mail, data -> 'details' AS details FROM event WHERE type = 'internal.order_mail' AND data ->> 'orderId' = $1 ORDER BY seq",
      [id]
    )
  ).map(({ mail, details }) => ({ mail, ...(details as object) }))

/** A refusal writes nothing. */
const refused = async (id: string, body: object, expected: readonly [number, string, unknown]) => {
  const before = [await care.orderOf(id), await care.eventsOf(id)]
  const { status, body: error } = await fulfil(id, body)
  expect([status, error.code, error.details]).toEqual(expected)
  expect([await care.orderOf(id), await care.eventsOf(id)]).toEqual(before)
}

describe("an order that is sent whole", () => {
  it("is SHIPPED, shows its parcel and tracking, and tells its buyer", async () => {
    const { id, items } = await care.paid(two())
    const { status, body } = await fulfil(id, {
      trackingNumber: "1Z1",
      trackingUrl: "https://carrier.example/1Z1",
      carrier: "UPS"
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: "SHIPPED",
      fulfillmentStatus: "fulfilled",
      financialStatus: "paid",
      trackingNumber: "1Z1",
      trackingUrl: "https://carrier.example/1Z1",
      carrier: "UPS",
      items: [{ fulfilledQuantity: 2 }, { fulfilledQuantity: 1 }]
    })
    expect(body.fulfillments).toEqual([
      {
        id: expect.stringMatching(/^ful_/),
        items: [
          { itemId: items[0].id, quantity: 2 },
          { itemId: items[1].id, quantity: 1 }
        ],
        trackingNumber: "1Z1",
        trackingUrl: "https://carrier.example/1Z1",
        carrier: "UPS",
        deliveredAt: null,
        createdAt: body.updatedAt,
        actor: { type: "key", id: expect.stringMatching(/^key_/), name: "test" }
      }
    ])
    expect(body.statusHistory.at(-1)).toMatchObject({ from: "PAID", to: "SHIPPED", actor: { type: "key" } })
    expect(await care.orderOf(id)).toEqual(body)
    expect(await care.eventsOf(id)).toEqual(["order.created", "order.paid", "order.fulfilled", "ORDER_SHIPPED"])
    expect(await mailsOf(id)).toEqual([
      {
        mail: "ORDER_SHIPPED",
        carrier: "UPS",
        trackingNumber: "1Z1",
        trackingUrl: "https://carrier.example/1Z1",
        items: [
          { name: "Lamp", sku: lamp, quantity: 2 },
          { name: "Mug", sku: mug, quantity: 1 }
        ]
      }
    ])
  })

  it("is DELIVERED where it was handed over, and complete", async () => {
    const { id } = await care.paid(two())
    const { body } = await fulfil(id, { delivered: true })
    expect([body.status, body.fulfillments[0].deliveredAt]).toEqual(["DELIVERED", body.updatedAt])
    expect((await care.eventsOf(id)).slice(2)).toEqual(["order.fulfilled", "ORDER_COMPLETED"])
  })

  it("tells nobody where nobody is to be told", async () => {
    const { id } = await care.paid(two())
    expect((await fulfil(id, { notifyCustomer: false })).status).toBe(200)
    expect((await care.eventsOf(id)).slice(2)).toEqual(["order.fulfilled"])
  })

  it("and then delivered emits no second order.fulfilled, and its parcel is delivered", async () => {
    const { id } = await care.paid(two())
    await fulfil(id)
    const { body } = await care.patch(`/v1/orders/${id}/status`, { status: "DELIVERED" })
    expect(body.fulfillments).toMatchObject([{ deliveredAt: body.updatedAt }])
    expect(await care.orderOf(id)).toEqual(body)
    expect((await care.eventsOf(id)).slice(2)).toEqual([
      "order.fulfilled",
      "ORDER_SHIPPED",
      "order.updated",
      "ORDER_COMPLETED"
    ])
  })
})

describe("an order that is sent in parts", () => {
  it("keeps its status until nothing is left, and shows the tracking of its last parcel", async () => {
    const { id, items } = await care.paid(two())
    const [lamps, mugs] = items
    const first = await fulfil(id, { items: [{ itemId: lamps.id, quantity: 1 }], trackingNumber: "A" })
    expect(first.body).toMatchObject({
      status: "PAID",
      fulfillmentStatus: "partial",
      trackingNumber: "A",
      items: [{ fulfilledQuantity: 1 }, { fulfilledQuantity: 0 }]
    })
    const second = await fulfil(id, { items: [{ itemId: mugs.id, quantity: 1 }], delivered: true })
    expect(second.body).toMatchObject({ status: "PAID", fulfillmentStatus: "partial", trackingNumber: "A" })
    const third = await fulfil(id, { carrier: "DHL" })
    expect(third.body).toMatchObject({
      status: "SHIPPED",
      fulfillmentStatus: "fulfilled",
      trackingNumber: null,
      carrier: "DHL"
    })
    expect(third.body.fulfillments.map(({ items }: { items: unknown }) => items)).toEqual([
      [{ itemId: lamps.id, quantity: 1 }],
      [{ itemId: mugs.id, quantity: 1 }],
      [{ itemId: lamps.id, quantity: 1 }]
    ])
    expect(await care.eventsOf(id)).toEqual([
      "order.created",
      "order.paid",
      "order.updated",
      "ORDER_SHIPPED",
      "order.updated",
      "order.fulfilled",
      "ORDER_SHIPPED"
    ])
  })

  it("counts nothing that was refunded as left to send", async () => {
    const { id, items } = await care.paid(two())
    const refund = await care.post(`/v1/orders/${id}/refunds`, { items: [{ itemId: items[0].id, quantity: 1 }] })
    expect(refund.status).toBe(201)
    await refused(id, { items: [{ itemId: items[0].id, quantity: 2 }] }, [
      422,
      "BUSINESS_RULE_VIOLATION",
      { items: [{ itemId: items[0].id, open: 1, requested: 2 }] }
    ])
    const { body } = await fulfil(id)
    expect([body.status, body.fulfillmentStatus, body.fulfillments[0].items]).toEqual([
      "SHIPPED",
      "fulfilled",
      [
        { itemId: items[0].id, quantity: 1 },
        { itemId: items[1].id, quantity: 1 }
      ]
    ])
  })
})

it("what was left of an order and is refunded makes it complete, and it can still be said to be shipped", async () => {
  const { id, items } = await care.paid(two())
  await fulfil(id, { items: [{ itemId: items[1].id, quantity: 1 }] })
  await care.post(`/v1/orders/${id}/refunds`, { items: [{ itemId: items[0].id, quantity: 2 }] })
  const refunded = await care.orderOf(id)
  expect([refunded.status, refunded.fulfillmentStatus]).toEqual(["PAID", "fulfilled"])
  await refused(id, {}, [422, "BUSINESS_RULE_VIOLATION", { items: [] }])
  const { body } = await care.patch(`/v1/orders/${id}/status`, { status: "SHIPPED" })
  expect([body.status, body.fulfillments.length]).toEqual(["SHIPPED", 1])
  expect((await care.eventsOf(id)).filter((type) => type === "order.fulfilled")).toHaveLength(1)
})

describe("what cannot be sent", () => {
  it("more than is left: 422 that says how much is", async () => {
    const { id, items } = await care.paid(two())
    await refused(id, { items: [{ itemId: items[0].id, quantity: 3 }] }, [
      422,
      "BUSINESS_RULE_VIOLATION",
      { items: [{ itemId: items[0].id, open: 2, requested: 3 }] }
    ])
    await fulfil(id)
    await refused(id, {}, [422, "BUSINESS_RULE_VIOLATION", { items: [] }])
    await refused(id, { items: [{ itemId: items[1].id, quantity: 1 }] }, [
      422,
      "BUSINESS_RULE_VIOLATION",
      { items: [{ itemId: items[1].id, open: 0, requested: 1 }] }
    ])
  })

  it("an order that waits for its money, is cancelled or refunded: 409", async () => {
    for (const [status, ...ways] of [
      ["PENDING"],
      ["CANCELLED", "CANCELLED"],
      ["REFUNDED", "PAID", "REFUNDED"]
    ] as const) {
      const { id } = await care.placed(two())
      for (const step of ways) await care.patch(`/v1/orders/${id}/status`, { status: step })
      await refused(id, {}, [409, "ORDER_INVALID_STATE", { status }])
    }
  })

  it("an item of another order, one named twice, none, or a strange link: 400 that names the field", async () => {
    const other = await care.paid(two())
    const { id, items } = await care.paid(two())
    const one = { itemId: items[0].id, quantity: 1 }
    for (const [body, fields] of [
      [{ items: [one, { itemId: other.items[0].id, quantity: 1 }] }, ["items.1.itemId"]],
      [{ items: [one, one] }, ["items.1.itemId"]],
      [{ items: [] }, ["items"]],
      [{ items: [{ ...one, quantity: 0 }] }, ["items.0.quantity"]],
      [{ items: [{ ...one, quantity: 1.5 }] }, ["items.0.quantity"]],
      [{ trackingUrl: "javascript:alert(1)" }, ["trackingUrl"]],
      [{ trackingNumbr: "1" }, ["trackingNumbr"]]
    ] as const) {
      const { status, body: error } = await fulfil(id, body)
      expect([status, error.code, Object.keys(error.details.errors)]).toEqual([400, "VALIDATION_FAILED", fields])
    }
    expect((await care.orderOf(id)).fulfillments).toEqual([])
  })

  it("an unknown order, and one of another store: 404", async () => {
    const other = await shop.openStore()
    const { id } = await care.paid(two())
    for (const [at, key] of [
      ["ord_none", shop.apiKey],
      [id, other.apiKey]
    ] as const) {
      const { status, body } = await shop.call("POST", `/v1/orders/${at}/fulfill`, { body: {}, key })
      expect([status, body.code]).toEqual([404, "ORDER_NOT_FOUND"])
    }
  })

  it("more parcels than an order may have", async () => {
    const { id, items } = await care.paid([{ productId: lamp, quantity: 101 }])
    await rowsOf(
      shop,
      `INSERT INTO fulfilment (store_id, id, order_id, actor, created_at)
        SELECT store_id, 'ful_many_' || n, id, '{"type": "system", "id": null, "name": null}', created_at
        FROM orders, generate_series(1, 100) n WHERE id = $1`,
      [id]
    )
    await rowsOf(
      shop,
      `INSERT INTO fulfilment_item (store_id, fulfilment_id, order_id, item_id, position, quantity)
        SELECT store_id, 'ful_many_' || n, id, $2, 0, 1 FROM orders, generate_series(1, 100) n WHERE id = $1`,
      [id, items[0].id]
    )
    await rowsOf(shop, "UPDATE order_item SET fulfilled_quantity = 100 WHERE id = $1", [items[0].id])
    await rowsOf(shop, "UPDATE orders SET fulfillment_status = 'partial' WHERE id = $1", [id])
    const { status, body } = await fulfil(id)
    expect([status, body.details.errors]).toEqual([400, { items: "an order has at most 100 parcels" }])
  })
})

it("the buyer sees the parcels without who packed them", async () => {
  const { id, items } = await care.paid(two(), { customerId: undefined })
  await fulfil(id, { items: [{ itemId: items[0].id, quantity: 1 }] })
  const [{ customer }] = [{ customer: await care.post("/v1/customers", { email: "grace@example.com" }) }]
  await rowsOf(shop, "UPDATE orders SET customer_id = $2 WHERE id = $1", [id, customer.body.id])
  const { Orders } = await import("@effect-commerce/core/order/Orders")
  const { Stores } = await import("@effect-commerce/core/store/Stores")
  const { Effect } = await import("effect")
  const order = await shop.run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      return yield* (yield* Orders).getOfCustomer(store, customer.body.id, id)
    }) as never
  )
  expect(order).toMatchObject({ fulfillments: [{ items: [{ itemId: items[0].id, quantity: 1 }] }] })
  expect(JSON.stringify((order as { fulfillments: unknown }).fulfillments)).not.toContain("actor")
})
