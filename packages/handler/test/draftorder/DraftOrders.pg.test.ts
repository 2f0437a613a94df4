import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, rowsOf } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { asDocumented } from "../system/documentedAnswers.ts"
import { draftsOf } from "./drafts.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let drafts: ReturnType<typeof draftsOf>
let lamp: string
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce())
  shopper = shopperOf(shop)
  drafts = draftsOf(shop)
  lamp = await shopper.product({ name: "Lamp", price: 1_000n, stock: 50 })
  await shop.call("POST", "/v1/tax/rates", { body: { name: "California", country: "US", region: "CA", rate: 10 } })
})
afterAll(() => shop.close())

const buyer = { email: " Ada@Example.com ", firstName: "Ada", lastName: "Byron" }
const custom = { name: "Engraving", price: "5.50", quantity: 2 }
const priceOf = (productId: string, basePrice: string) =>
  shop.call("PATCH", `/v1/products/${productId}`, { body: { basePrice } })
const typesOf = async (orderId: string) =>
  (await rowsOf(shop, "SELECT type FROM event WHERE data ->> 'orderId' = $1 ORDER BY seq", [orderId])).map(
    ({ type }) => type
  )

describe("a draft order", () => {
  it("is the order that it would be, without a number, and takes no stock", async () => {
    const before = await drafts.stockOf(lamp)
    const draft = await drafts.make({
      items: [{ productId: lamp, quantity: 2 }, custom],
      customer: buyer,
      shippingAmount: "4.00",
      discountAmount: "1.00",
      shippingAddress: addressIn("CA", "94105"),
      salesChannelId: shop.channelId,
      externalId: "quote-1",
      notes: "By Friday"
    })
    expect(draft).toMatchObject({
      orderNumber: null,
      draftStatus: "OPEN",
      orderId: null,
      invoiceSentAt: null,
      status: "PENDING",
      financialStatus: "pending",
      subtotal: "31.00",
      discountAmount: "1.00",
      shippingAmount: "4.00",
      taxAmount: "3.41",
      totalAmount: "37.41",
      currency: "USD",
      sourceName: "draft",
      externalId: "quote-1",
      notes: "By Friday",
      isTestOrder: true,
      salesChannelId: shop.channelId,
      customer: { email: "ada@example.com", name: "Ada Byron" },
      numberOfPayments: 0,
      paymentId: null,
      statusHistory: []
    })
    expect(draft.items.map((item: { name: string; price: string }) => [item.name, item.price])).toEqual([
      ["Lamp", "10.00"],
      ["Engraving", "5.50"]
    ])
    expect((await drafts.call("GET", draft.id)).body).toEqual(draft)
    expect([await drafts.stockOf(lamp), await drafts.ordersOf(draft.id)]).toEqual([before, 0])
  })

  it("keeps the prices that it was drafted with, while discounts and taxes follow each write", async () => {
    const desk = await shopper.product({ name: "Desk", price: 10_000n, stock: 5 })
    const draft = await drafts.make({ items: [{ productId: desk, quantity: 1 }] })
    await priceOf(desk, "120.00")
    const moved = await drafts.call("PATCH", draft.id, { shippingAddress: addressIn("CA", "94105") })
    expect(moved.body).toMatchObject({ subtotal: "100.00", taxAmount: "10.00", totalAmount: "110.00" })
    const replaced = await drafts.call("PATCH", draft.id, { items: [{ productId: desk, quantity: 1 }] })
    expect(replaced.body).toMatchObject({ subtotal: "120.00", totalAmount: "132.00" })
    await priceOf(desk, "90.00")
    const done = await drafts.call("POST", `${draft.id}/complete`)
    expect(done.body).toMatchObject({ subtotal: "120.00", totalAmount: "132.00" })
    expect(await drafts.stockOf(desk)).toBe(4)
  })

  it("is changed field by field: null clears, what is left out stays", async () => {
    const draft = await drafts.make({
      items: [custom],
      customer: buyer,
      notes: "Soon",
      discountAmount: "1.00",
      externalId: "quote-2",
      billingAddress: addressIn("CA", "94105")
    })
    const { body } = await drafts.call("PATCH", draft.id, { notes: null, discountAmount: null, externalId: "quote-3" })
    expect(body).toMatchObject({
      notes: null,
      discountAmount: "0.00",
      externalId: "quote-3",
      customer: { email: "ada@example.com", name: "Ada Byron" },
      billingAddress: { line1: "1 Main St" }
    })
    const ada = await customersOf(shop).known({ firstName: "Grace" })
    const named = await drafts.call("PATCH", draft.id, { customerId: ada.id })
    expect(named.body).toMatchObject({ customerId: ada.id, customer: { email: ada.email, name: "Grace" } })
    const back = await drafts.call("PATCH", draft.id, { customer: { name: "Nobody" } })
    expect(back.body).toMatchObject({ customerId: null, customer: { email: null, name: "Nobody" } })
  })

  it("can be sent back as it was read", async () => {
    const ada = await customersOf(shop).known({ firstName: "Ada" })
    for (const more of [{}, { customer: buyer }, { customerId: ada.id }]) {
      const terms = { notes: "Same", ...more }
      const draft = await drafts.make({ items: [{ productId: lamp, quantity: 1 }, custom], ...terms })
      const sent = await drafts.call("PATCH", draft.id, draft)
      expect([sent.status, sent.body]).toEqual([200, { ...draft, updatedAt: sent.body.updatedAt }])
      // Its tax is worked out still, and an item that is named by its id keeps its price.
      const [first] = draft.items
      const moved = await drafts.call("PATCH", draft.id, {
        items: [{ id: first.id, productId: lamp, quantity: 3 }],
        shippingAddress: addressIn("CA", "94105")
      })
      expect([moved.body.items[0].id, moved.body.subtotal, moved.body.taxAmount]).toEqual([first.id, "30.00", "3.00"])
    }
  })

  it("is listed by its state, newest first, a completed one as its order", async () => {
    const at = await shop.openStore()
    const mine = { key: at.apiKey }
    const make = async () =>
      (await drafts.call("POST", "", { items: [custom], customer: buyer }, mine)).body.id as string
    const [open, sent, done] = [await make(), await make(), await make()]
    await drafts.call("POST", `${sent}/send-invoice`, {}, mine)
    const { body: order } = await drafts.call("POST", `${done}/complete`, {}, mine)
    const listed = async (query: string) =>
      (await shop.call("GET", `/v1/orders/draft${query}`, mine)).body.data.map(
        (draft: { id: string; draftStatus: string; orderNumber: string | null }) => [
          draft.id,
          draft.draftStatus,
          draft.orderNumber
        ]
      )
    expect(await listed("")).toEqual([
      [done, "COMPLETED", order.orderNumber],
      [sent, "INVOICE_SENT", null],
      [open, "OPEN", null]
    ])
    for (const [status, ids] of [
      ["OPEN", [open]],
      ["INVOICE_SENT", [sent]],
      ["COMPLETED", [done]]
    ] as const)
      expect((await listed(`?status=${status}`)).map(([id]: [string]) => id)).toEqual(ids)
    const page = (await shop.call("GET", "/v1/orders/draft?limit=2&page=2", mine)).body
    expect([page.data.length, page.meta.total]).toEqual([1, 3])
  })

  it("is gone once it is deleted, and its second delete is 404", async () => {
    const draft = await drafts.make({ items: [custom] })
    expect((await drafts.call("DELETE", draft.id)).body).toEqual({ success: true })
    const answers = [
      drafts.call("GET", draft.id),
      drafts.call("DELETE", draft.id),
      drafts.call("PATCH", draft.id, { notes: "x" }),
      drafts.call("POST", `${draft.id}/complete`),
      drafts.call("POST", `${draft.id}/send-invoice`)
    ]
    for (const { status, body } of await Promise.all(answers))
      expect([status, body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await drafts.ordersOf(draft.id)).toBe(0)
  })
})

describe("completing a draft order", () => {
  it("makes a PENDING order that takes stock and a number, and a second call answers the same order", async () => {
    const before = await drafts.stockOf(lamp)
    const draft = await drafts.make({
      items: [{ productId: lamp, quantity: 3 }, custom],
      customer: buyer,
      externalId: "quote-9",
      salesChannelId: shop.channelId
    })
    const { status, body } = await drafts.call("POST", `${draft.id}/complete`, { paymentMethod: "bank_transfer" })
    expect([status, body.status, body.financialStatus, body.paymentMethod]).toEqual([
      200,
      "PENDING",
      "pending",
      "bank_transfer"
    ])
    expect(body).toMatchObject({ externalId: "quote-9", totalAmount: "41.00", isTestOrder: true, sourceName: "draft" })
    expect(body.orderNumber).toMatch(/^#\d+$/)
    expect(await drafts.stockOf(lamp)).toBe(before - 3)
    const again = await drafts.call("POST", `${draft.id}/complete`, { paid: true })
    expect([again.status, again.body]).toEqual([200, body])
    expect(await drafts.ordersOf(draft.id)).toBe(1)
    expect(await drafts.stockOf(lamp)).toBe(before - 3)
    expect(await typesOf(body.id)).toEqual(["order.created"])
    const shown = (await drafts.call("GET", draft.id)).body
    expect(shown).toMatchObject({
      id: draft.id,
      draftStatus: "COMPLETED",
      orderId: body.id,
      orderNumber: body.orderNumber
    })
  })

  it("records the payment outside of a checkout where it is paid: order.paid", async () => {
    const draft = await drafts.make({ items: [custom] })
    const done = await drafts.call("POST", `${draft.id}/complete`, {
      paid: true,
      paymentMethod: "cash",
      reference: "till 4"
    })
    expect(done.body).toMatchObject({ status: "PAID", financialStatus: "paid", paymentStatus: "paid" })
    expect(done.body.tenders).toMatchObject([{ type: "cash", amountBase: "11.00" }])
    expect(await typesOf(done.body.id)).toEqual(["order.created", "order.paid"])
    const rows = await rowsOf(shop, "SELECT reference, captured FROM payment WHERE order_id = $1", [done.body.id])
    expect(rows).toEqual([{ reference: "till 4", captured: "1100" }])
  })

  it("of nothing that is due is PAID where it is said to be, else PENDING", async () => {
    for (const [paid, status] of [
      [true, "PAID"],
      [false, "PENDING"]
    ] as const) {
      const draft = await drafts.make({ items: [{ name: "Sample", price: 0, quantity: 1 }] })
      const done = await drafts.call("POST", `${draft.id}/complete`, { paid })
      expect([done.body.status, done.body.financialStatus]).toEqual([status, "paid"])
      expect(await typesOf(done.body.id)).toEqual(["order.created", "order.paid"])
    }
  })

  it("is refused where the stock is short or gone, and writes nothing", async () => {
    const few = await shopper.product({ price: 500n, stock: 2 })
    for (const [quantity, left, code] of [
      [3, 2, "INSUFFICIENT_STOCK"],
      [1, 0, "OUT_OF_STOCK"]
    ] as const) {
      if (left === 0) await shop.call("PUT", `/v1/products/${few}/inventory`, { body: { total: 0 } })
      const draft = await drafts.make({ items: [{ productId: few, quantity }] })
      const { status, body } = await drafts.call("POST", `${draft.id}/complete`, { paid: true })
      expect([status, body.code]).toEqual([code === "OUT_OF_STOCK" ? 409 : 400, code])
      expect([await drafts.stockOf(few), await drafts.ordersOf(draft.id)]).toEqual([left, 0])
      expect((await drafts.call("GET", draft.id)).body.draftStatus).toBe("OPEN")
    }
  })

  it("is refused where an external id is taken, or nobody is known to be billed for a download", async () => {
    await shop.call("POST", "/v1/orders", { body: { items: [custom], externalId: "taken" } })
    const taken = await drafts.make({ items: [custom], externalId: "taken" })
    const conflict = await drafts.call("POST", `${taken.id}/complete`)
    expect([conflict.status, conflict.body.code]).toEqual([409, "CONFLICT"])
    const song = await shopper.product({ price: 100n, isDownloadable: true })
    const download = await drafts.make({ items: [{ productId: song, quantity: 1 }] })
    const unbilled = await drafts.call("POST", `${download.id}/complete`)
    expect([unbilled.status, Object.keys(unbilled.body.details.errors)]).toEqual([400, ["billingAddress"]])
    expect([await drafts.ordersOf(taken.id), await drafts.ordersOf(download.id)]).toEqual([0, 0])
  })

  it("ends its changes: a PATCH, an invoice and a delete are 409", async () => {
    const draft = await drafts.make({ items: [custom], customer: buyer })
    const { body: order } = await drafts.call("POST", `${draft.id}/complete`)
    for (const { status, body } of [
      await drafts.call("PATCH", draft.id, { notes: "x" }),
      await drafts.call("POST", `${draft.id}/send-invoice`),
      await drafts.call("DELETE", draft.id)
    ])
      expect([status, body.code, body.details]).toEqual([409, "CONFLICT", { reason: "completed", orderId: order.id }])
    expect((await drafts.call("GET", draft.id)).body.notes).toBeNull()
  })
})

describe("what a draft order refuses", () => {
  it("is what an order refuses, with every field named", async () => {
    const bad = await drafts.call("POST", "", {
      items: [{ quantity: 1 }, { ...custom, price: "1.001" }],
      salesChannelId: "vc_none",
      taxAmount: "x"
    })
    expect([bad.status, bad.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect(Object.keys(bad.body.details.errors).sort()).toEqual(["items.1.price", "salesChannelId", "taxAmount"])
    const both = await drafts.call("POST", "", { items: [custom], customer: buyer, customerId: "cus_none" })
    expect(Object.keys(both.body.details.errors)).toEqual(["customerId"])
    const channel = await drafts.call("POST", "", { items: [{ quantity: 1 }], salesChannelId: "vc_none" })
    expect(Object.keys(channel.body.details.errors).sort()).toEqual(["items.0.productId", "salesChannelId"])
    const unknown = await drafts.call("POST", "", { items: [{ productId: "prod_none", quantity: 1 }] })
    expect([unknown.status, unknown.body.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
    const many = await drafts.call("POST", "", { items: Array.from({ length: 501 }, () => custom) })
    expect(many.status).toBe(400)
    const more = await drafts.call("POST", "", { items: [custom], discountAmount: "11.01" })
    expect(Object.keys(more.body.details.errors)).toEqual(["discountAmount"])
  })

  it("is another version than the one that was read", async () => {
    const draft = await drafts.make({ items: [custom] })
    const stale = { headers: { "if-match": '"2020-01-01T00:00:00.000Z"' } }
    for (const [method, id, body] of [
      ["PATCH", draft.id, { notes: "x" }],
      ["POST", `${draft.id}/complete`, {}],
      ["POST", `${draft.id}/send-invoice`, { to: "ada@example.com" }],
      ["DELETE", draft.id, undefined]
    ] as const)
      expect((await drafts.call(method, id, body, stale)).status).toBe(409)
    expect(await drafts.ordersOf(draft.id)).toBe(0)
    const fresh = { headers: { "if-match": `"${draft.updatedAt}"` } }
    const changed = await drafts.call("PATCH", draft.id, { notes: "x" }, fresh)
    expect([changed.status, changed.body.updatedAt > draft.updatedAt]).toEqual([200, true])
  })

  it("is a currency that is not the draft's, or that the store does not sell in any more", async () => {
    const at = await shop.openStore({ currency: "USD" })
    const key = { key: at.apiKey }
    const { body: draft } = await drafts.call("POST", "", { items: [custom], customer: buyer }, key)
    const other = await drafts.call("PATCH", draft.id, { currency: "EUR" }, key)
    expect([other.status, Object.keys(other.body.details.errors)]).toEqual([400, ["currency"]])
    const changed = await shop.call("PATCH", "/v1/store", { ...key, body: { currency: "EUR" } })
    expect(changed.status).toBe(200)
    for (const [method, id, body] of [
      ["PATCH", draft.id, { notes: "x" }],
      ["POST", `${draft.id}/complete`, {}],
      ["POST", `${draft.id}/send-invoice`, {}]
    ] as const) {
      const refused = await drafts.call(method, id, body, key)
      expect([refused.status, refused.body.code, refused.body.details.reason]).toEqual([
        409,
        "CONFLICT",
        "currency_changed"
      ])
    }
    expect((await drafts.call("GET", draft.id, undefined, key)).body).toMatchObject({ currency: "USD", notes: null })
    expect((await drafts.call("DELETE", draft.id, undefined, key)).status).toBe(200)
  })

  it("says nothing of the draft of another store", async () => {
    const at = await shop.openStore()
    const draft = await drafts.make({ items: [custom] })
    const key = { key: at.apiKey }
    for (const [method, id, body] of [
      ["GET", draft.id, undefined],
      ["PATCH", draft.id, { notes: "x" }],
      ["POST", `${draft.id}/complete`, {}],
      ["POST", `${draft.id}/send-invoice`, { to: "eve@example.com" }],
      ["DELETE", draft.id, undefined]
    ] as const)
      expect((await drafts.call(method, id, body, key)).status).toBe(404)
    const foreign = await drafts.call("POST", "", { items: [custom], salesChannelId: shop.channelId }, key)
    expect([foreign.status, Object.keys(foreign.body.details.errors)]).toEqual([400, ["salesChannelId"]])
    expect((await drafts.call("GET", draft.id)).body).toEqual(draft)
  })
})

it("a draft of a customer who is deleted says no more whose it was", async () => {
  const ada = await customersOf(shop).known({ firstName: "Ada" })
  const draft = await drafts.make({
    items: [custom],
    customerId: ada.id,
    shippingAddress: addressIn("CA", "94105"),
    notes: "Ring at Ada's"
  })
  await drafts.invoiced(draft.id)
  expect((await shop.call("DELETE", `/v1/customers/${ada.id}`)).status).toBe(200)
  expect((await drafts.call("GET", draft.id)).body).toMatchObject({
    customerId: null,
    customer: { email: null, name: null },
    shippingAddress: null,
    notes: null,
    draftStatus: "OPEN",
    totalAmount: "12.10"
  })
  const stored = await rowsOf(shop, "SELECT body::text || priced::text AS text FROM draft_order WHERE id = $1", [
    draft.id
  ])
  expect(String(stored[0]?.["text"])).not.toMatch(/Ada|94105/)
})

it("the books agree", async () => {
  expect(await drafts.audited()).toEqual([])
})
