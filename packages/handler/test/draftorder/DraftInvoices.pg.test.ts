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
  lamp = await shopper.product({ name: "Lamp", price: 1_000n, stock: 500 })
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "United States", countries: ["US"] } })
  await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, {
    body: { name: "Standard", type: "FLAT", rateConfig: { amount: "9.00" } }
  })
})
afterAll(() => shop.close())

const custom = { name: "Engraving", price: "5.50", quantity: 2 }
const buyer = { email: "ada@example.com", firstName: "Ada", lastName: "Byron" }
/** 20.00 of lamps at half their price, 11.00 of work, 4.00 of shipping. */
const offered = () => ({
  items: [{ productId: lamp, quantity: 4, price: "5.00" }, custom],
  customer: buyer,
  shippingAmount: "4.00",
  discountAmount: "1.00",
  shippingAddress: addressIn("CA", "94105"),
  notes: "For the office"
})
const complete = (checkoutId: string, body: object = {}) =>
  shopper.complete(checkoutId, `key-${checkoutId}-${JSON.stringify(body)}`, body)
const chargesOf = (checkoutId: string) =>
  rowsOf(shop, "SELECT state FROM provider_operation WHERE subject_id = $1 AND kind = 'authorize'", [checkoutId])
const patient = { timeout: 20_000, interval: 50 }
const mailsTo = async (address: string) => {
  const { data } = (await shop.call("GET", "/v1/email/messages?limit=100")).body
  return (data as ReadonlyArray<{ to: string; eventType: string; subject: string; text: string }>).filter(
    ({ to }) => to === address
  )
}

describe("the invoice of a draft order", () => {
  it("is a mail to the buyer with what was drafted, a message and a link whose token only the mail has", async () => {
    const draft = await drafts.make({ ...offered(), customer: { ...buyer, email: "invoice@example.com" } })
    const sent = await drafts.call("POST", `${draft.id}/send-invoice`, {
      subject: "Your lamps",
      message: "As we talked about."
    })
    expect([sent.status, sent.body.draftStatus, typeof sent.body.invoiceSentAt]).toEqual([
      200,
      "INVOICE_SENT",
      "string"
    ])
    await expect.poll(async () => (await mailsTo("invoice@example.com")).length, patient).toBe(1)
    const [mail] = await mailsTo("invoice@example.com")
    expect([mail?.eventType, mail?.subject]).toEqual(["DRAFT_INVOICE", "Your lamps"])
    for (const words of ["As we talked about.", "Lamp", "Engraving", "$34.00", "/checkout/invoice?token="])
      expect(mail?.text).toContain(words)
    const token = await drafts.tokenOf(draft.id)
    const stored = await rowsOf(shop, "SELECT d::text AS row FROM draft_order d WHERE id = $1", [draft.id])
    expect(String(stored[0]?.["row"])).not.toContain(token)
    expect((await drafts.open(token)).status).toBe(200)
  })

  it("goes to the address that is named, and nowhere without one", async () => {
    const draft = await drafts.make({ items: [custom] })
    const refused = await drafts.call("POST", `${draft.id}/send-invoice`)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { reason: "no_email" }
    ])
    expect((await drafts.call("GET", draft.id)).body.draftStatus).toBe("OPEN")
    expect(await drafts.invoices(draft.id)).toEqual([])
    await drafts.invoiced(draft.id, { to: " Grace@Example.com " })
    expect((await drafts.invoices(draft.id)).map(({ email }) => email)).toEqual(["grace@example.com"])
  })

  it("is refused where no channel could take the money, and in a currency of its own", async () => {
    const foreign = await drafts.make({ items: [custom], currency: "EUR", customer: buyer })
    const refused = await drafts.call("POST", `${foreign.id}/send-invoice`)
    expect([refused.status, refused.body.details]).toEqual([422, { reason: "other_currency" }])
    const at = await shop.openStore()
    await shop.call("DELETE", `/v1/sales-channels/${at.channelId}`, { key: at.apiKey })
    const { body: draft } = await drafts.call("POST", "", { items: [custom], customer: buyer }, { key: at.apiKey })
    const nowhere = await drafts.call("POST", `${draft.id}/send-invoice`, {}, { key: at.apiKey })
    expect([nowhere.status, nowhere.body.details]).toEqual([422, { reason: "no_channel" }])
  })

  it("stands until the draft is changed, another is sent, its time is over, or the draft is gone", async () => {
    const draft = await drafts.make(offered())
    const first = await drafts.invoiced(draft.id)
    const second = await drafts.invoiced(draft.id)
    expect([(await drafts.open(first)).status, (await drafts.open(second)).status]).toEqual([404, 200])
    const changed = await drafts.call("PATCH", draft.id, { notes: "Another" })
    expect([changed.body.draftStatus, changed.body.invoiceSentAt]).toEqual(["OPEN", null])
    expect((await drafts.open(second)).status).toBe(404)
    const third = await drafts.invoiced(draft.id)
    await drafts.call("DELETE", draft.id)
    const gone = await drafts.open(third)
    expect([gone.status, gone.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect((await drafts.open("unknown")).status).toBe(404)
    const late = await drafts.invoiced((await drafts.make(offered())).id)
    await rowsOf(shop, "UPDATE draft_order SET invoice_expires_at = invoice_sent_at WHERE invoice_sent_at IS NOT NULL")
    expect((await drafts.open(late)).status).toBe(404)
  })

  it("is paid on its channel alone: the one that is named, else the store's first", async () => {
    const { body: other } = await shop.call("POST", "/v1/sales-channels", { body: { name: "Second", mode: "test" } })
    const first = await drafts.invoiced((await drafts.make(offered())).id)
    expect([(await drafts.open(first, other.id)).status, (await drafts.open(first)).status]).toEqual([404, 200])
    const named = await drafts.invoiced((await drafts.make({ ...offered(), salesChannelId: other.id })).id)
    expect([(await drafts.open(named)).status, (await drafts.open(named, other.id)).status]).toEqual([404, 200])
    const at = await shop.openStore()
    expect((await drafts.open(first, at.channelId)).status).toBe(404)
  })
})

describe("the checkout of an invoice", () => {
  it("has what was drafted, at the prices of then, and answers the same checkout while it is open", async () => {
    const draft = await drafts.make(offered())
    const token = await drafts.invoiced(draft.id)
    const { status, body } = await drafts.open(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: "PENDING",
      email: "ada@example.com",
      customerId: null,
      subtotal: "31.00",
      discountAmount: "1.00",
      shippingAmount: "4.00",
      total: "34.00",
      providerAmountDue: "34.00",
      notes: "For the office",
      availableShippingRates: [],
      shippingAddress: { line1: "1 Main St" }
    })
    expect(
      body.lineItems.map((line: { productId: string; product: { name: string }; unitPrice: string }) => [
        line.productId,
        line.product.name,
        line.unitPrice
      ])
    ).toEqual([
      [lamp, "Lamp", "5.00"],
      [null, "Engraving", "5.50"]
    ])
    expect((await drafts.open(token)).body.id).toBe(body.id)
    const cancelled = await shop.call("DELETE", `${shopper.at}/checkout/${body.id}`)
    expect(cancelled.status).toBe(200)
    expect((await drafts.open(token)).body.id).not.toBe(body.id)
  })

  it("is the hundredth of its draft at most: then the link works no more, and the merchant is told why", async () => {
    const draft = await drafts.make(offered())
    const token = await drafts.invoiced(draft.id)
    const opened = new Set<string>()
    for (let i = 0; i < 100; i++) {
      opened.add((await drafts.open(token)).body.id)
      if (i < 99) await rowsOf(shop, "UPDATE checkout SET status = 'CANCELLED' WHERE draft_id = $1", [draft.id])
    }
    expect(opened.size).toBe(100)
    expect(opened).toContain((await drafts.open(token)).body.id)
    await rowsOf(shop, "UPDATE checkout SET status = 'CANCELLED' WHERE draft_id = $1", [draft.id])
    const refused = await drafts.open(token)
    expect([refused.status, refused.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await rowsOf(shop, "SELECT id FROM checkout WHERE draft_id = $1", [draft.id])).toHaveLength(100)
    const sent = await drafts.call("POST", `${draft.id}/send-invoice`)
    expect([sent.status, sent.body.details]).toEqual([422, { reason: "too_many_checkouts" }])
    expect((await drafts.call("POST", `${draft.id}/complete`)).status).toBe(200)
  })

  it("becomes the order of the draft: one, whoever completes again", async () => {
    const before = await drafts.stockOf(lamp)
    const ada = await customersOf(shop).known({ firstName: "Ada" })
    const { customer: _, ...terms } = offered()
    const draft = await drafts.make({ ...terms, customerId: ada.id })
    const token = await drafts.invoiced(draft.id)
    const { body: checkout } = await drafts.open(token)
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { basePrice: "12.00" } })
    const done = await complete(checkout.id, { expectedTotal: "34.00" })
    expect([done.status, done.body.status, done.body.total]).toEqual([200, "PENDING", "34.00"])
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(order).toMatchObject({
      customerId: ada.id,
      totalAmount: "34.00",
      discountAmount: "1.00",
      shippingAmount: "4.00",
      isTestOrder: true
    })
    expect(
      order.items.map((item: { name: string; price: string; quantity: number }) => [
        item.name,
        item.price,
        item.quantity
      ])
    ).toEqual([
      ["Lamp", "5.00", 4],
      ["Engraving", "5.50", 2]
    ])
    expect(await drafts.stockOf(lamp)).toBe(before - 4)
    const again = await drafts.call("POST", `${draft.id}/complete`, { paid: true })
    expect([again.status, again.body.id, again.body.financialStatus]).toEqual([200, order.id, "pending"])
    expect(await drafts.ordersOf(draft.id)).toBe(1)
    const shown = (await drafts.call("GET", draft.id)).body
    expect([shown.draftStatus, shown.orderId, shown.totalAmount]).toEqual(["COMPLETED", order.id, "34.00"])
    const seen = await drafts.open(token)
    expect([seen.status, seen.body.id, seen.body.status]).toEqual([200, checkout.id, "COMPLETED"])
  })

  it("makes an order that says of its buyer and where it comes from what the draft says", async () => {
    const draft = await drafts.make({ ...offered(), externalId: "quote-1", sourceName: "telephone" })
    const { body: checkout } = await drafts.open(await drafts.invoiced(draft.id))
    const done = await complete(checkout.id)
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect([order.externalId, order.sourceName, order.customer, order.syncWarning]).toEqual([
      "quote-1",
      "telephone",
      { email: "ada@example.com", name: "Ada Byron" },
      null
    ])
    const named = { email: "ada@example.com", name: "Ada King, Countess of Lovelace" }
    const { body: other } = await drafts.open(
      await drafts.invoiced((await drafts.make({ ...offered(), customer: named })).id)
    )
    const { body: second } = await shop.call("GET", `/v1/orders/${(await complete(other.id)).body.orderId}`)
    expect([second.customer, second.externalId, second.sourceName]).toEqual([named, null, "draft"])
  })

  it("makes an order without the draft's external id where another order has got it, and warns of it", async () => {
    for (const [externalId, payment] of [
      ["quote-2", {}],
      ["quote-3", { paymentMethod: "test", paymentReference: "approve" }]
    ] as const) {
      const draft = await drafts.make({ ...offered(), externalId })
      const { body: checkout } = await drafts.open(await drafts.invoiced(draft.id))
      expect((await shop.call("POST", "/v1/orders", { body: { items: [custom], externalId } })).status).toBe(201)
      const done = await complete(checkout.id, payment)
      expect(done.status).toBe(200)
      const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
      expect([order.externalId, order.syncWarning]).toEqual([
        null,
        `The external id ${externalId} is that of another order`
      ])
    }
  })

  it("is paid at a provider: the order is PAID", async () => {
    const draft = await drafts.make(offered())
    const { body: checkout } = await drafts.open(await drafts.invoiced(draft.id))
    const paid = await complete(checkout.id, { paymentMethod: "test", paymentReference: "approve" })
    expect([paid.status, paid.body.status]).toEqual([200, "PAID"])
    const { body } = await drafts.call("GET", draft.id)
    expect([body.draftStatus, body.orderId, body.financialStatus]).toEqual(["COMPLETED", paid.body.orderId, "paid"])
  })

  it("takes the buyer's address and taxes it there, but no pickup and no method of shipping", async () => {
    await shop.call("POST", "/v1/tax/rates", { body: { name: "New York", country: "US", region: "NY", rate: 10 } })
    const { shippingAddress: _, ...terms } = offered()
    const draft = await drafts.make({ ...terms, discountAmount: "0.00" })
    const { body: checkout } = await drafts.open(await drafts.invoiced(draft.id))
    const at = `${shopper.at}/checkout/${checkout.id}`
    const early = await complete(checkout.id)
    expect([early.status, early.body.details.fields]).toEqual([400, ["shippingAddress"]])
    const shipped = await shop.call("PATCH", `${at}/shipping`, { body: { shippingAddress: addressIn("NY", "10001") } })
    expect([shipped.body.taxAmount, shipped.body.total]).toEqual(["3.50", "38.50"])
    const picked = await shop.call("PATCH", `${at}/delivery`, { body: { deliveryType: "pickup" } })
    expect([picked.status, Object.keys(picked.body.details.errors)]).toEqual([400, ["deliveryType"]])
    const method = await shop.call("PATCH", `${at}/shipping-method`, { body: { shippingRateId: "rate_none" } })
    expect(method.status).toBe(400)
    const done = await complete(checkout.id, { expectedTotal: "38.50" })
    expect([done.status, done.body.total]).toEqual([200, "38.50"])
  })

  it("sells what no channel shows, and not what is gone or out of stock", async () => {
    const hidden = await shopper.product({ price: 700n, stock: 5 })
    await shop.call("PATCH", `/v1/products/${hidden}`, { body: { status: "draft" } })
    const terms = { ...offered(), items: [{ productId: hidden, quantity: 5 }] }
    const bought = await drafts.open(await drafts.invoiced((await drafts.make(terms)).id))
    const short = await drafts.open(await drafts.invoiced((await drafts.make(terms)).id))
    const gone = await drafts.open(
      await drafts.invoiced((await drafts.make({ ...terms, items: [{ productId: hidden, quantity: 1 }] })).id)
    )
    expect((await complete(bought.body.id)).status).toBe(200)
    const refused = await complete(short.body.id)
    expect([refused.status, refused.body.code]).toEqual([400, "INSUFFICIENT_STOCK"])
    await shop.call("DELETE", `/v1/products/${hidden}`)
    const unavailable = await complete(gone.body.id)
    expect([unavailable.status, unavailable.body.code]).toEqual([400, "PRODUCT_UNAVAILABLE"])
  })

  it("keeps its prices when the cart behind it takes today's", async () => {
    const draft = await drafts.make(offered())
    const { body: checkout } = await drafts.open(await drafts.invoiced(draft.id))
    const refreshed = await shop.call("POST", `${shopper.at}/cart/${checkout.cartId}/refresh-snapshots`)
    expect(refreshed.status).toBe(200)
    const { body } = await shop.call("GET", `${shopper.at}/checkout/${checkout.id}`)
    expect([body.subtotal, body.total]).toEqual(["31.00", "34.00"])
  })

  it("is cancelled by whatever the merchant writes of the draft", async () => {
    for (const write of [
      (id: string) => drafts.call("PATCH", id, { shippingAmount: "0.00" }),
      (id: string) => drafts.call("DELETE", id),
      (id: string) => drafts.call("POST", `${id}/complete`)
    ]) {
      const draft = await drafts.make(offered())
      const { body: checkout } = await drafts.open(await drafts.invoiced(draft.id))
      expect((await write(draft.id)).status).toBe(200)
      const { body } = await shop.call("GET", `${shopper.at}/checkout/${checkout.id}`)
      expect(body.status).toBe("CANCELLED")
      expect((await complete(checkout.id)).status).toBe(409)
    }
  })

  it("that waits for the shopper at a provider is given up by a write; one that is being charged is 409", async () => {
    const waiting = await drafts.make(offered())
    const { body: checkout } = await drafts.open(await drafts.invoiced(waiting.id))
    const begun = await shop.call("POST", `${shopper.at}/checkout/${checkout.id}/payment`, {
      body: { providerId: "test" },
      headers: { "idempotency-key": "begin" }
    })
    expect(begun.status).toBe(200)
    const done = await drafts.call("POST", `${waiting.id}/complete`)
    expect([done.status, done.body.status]).toEqual([200, "PENDING"])
    // The money comes all the same: the draft has its order, so it goes back.
    await shop.call("POST", "/test/provider-events", { body: { checkoutId: checkout.id, type: "captured" } })
    expect(await drafts.ordersOf(waiting.id)).toBe(1)
    await expect.poll(() => chargesOf(checkout.id), patient).toEqual([{ state: "refunded" }])
    const charged = await drafts.make(offered())
    const { body: paying } = await drafts.open(await drafts.invoiced(charged.id))
    await complete(paying.id, { paymentMethod: "test", paymentReference: "timeout" })
    expect((await shop.call("GET", `${shopper.at}/checkout/${paying.id}`)).body.status).toBe("PROCESSING")
    for (const { status, body } of [
      await drafts.call("PATCH", charged.id, { notes: "x" }),
      await drafts.call("DELETE", charged.id),
      await drafts.call("POST", `${charged.id}/complete`)
    ])
      expect([status, body.code, body.details]).toEqual([409, "CONFLICT", { reason: "being_paid" }])
    await shop.call("POST", "/test/provider-events", { body: { checkoutId: paying.id, type: "captured" } })
    const { body } = await drafts.call("GET", charged.id)
    expect([body.draftStatus, body.financialStatus]).toEqual(["COMPLETED", "paid"])
  })

  it("of a draft that the merchant has completed meanwhile says so", async () => {
    const draft = await drafts.make(offered())
    const token = await drafts.invoiced(draft.id)
    const { body: order } = await drafts.call("POST", `${draft.id}/complete`)
    const late = await drafts.open(token)
    expect([late.status, late.body.code, late.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "completed", orderId: order.id }
    ])
  })
})

it("late money for an expired checkout is refunded where another one has made the order of the draft", async () => {
  const draft = await drafts.make(offered())
  const token = await drafts.invoiced(draft.id)
  const { body: late } = await drafts.open(token)
  const at = `${shopper.at}/checkout/${late.id}`
  const begun = await shop.call("POST", `${at}/payment`, {
    body: { providerId: "test" },
    headers: { "idempotency-key": "late" }
  })
  expect(begun.status).toBe(200)
  await shop.call("POST", "/test/clock", { body: { advanceMs: 25 * 3_600_000 } })
  await expect.poll(async () => (await shop.call("GET", at)).body.status, patient).toBe("EXPIRED")
  const { body: next } = await drafts.open(token)
  expect(next.id).not.toBe(late.id)
  const done = await complete(next.id, { paymentMethod: "test", paymentReference: "approve" })
  expect([done.status, done.body.status]).toEqual([200, "PAID"])
  await shop.call("POST", "/test/provider-events", { body: { checkoutId: late.id, type: "captured" } })
  await expect.poll(() => chargesOf(late.id), patient).toEqual([{ state: "refunded" }])
  expect(await drafts.ordersOf(draft.id)).toBe(1)
})

it("the books agree", async () => {
  expect(await drafts.audited()).toEqual([])
})
