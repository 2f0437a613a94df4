/** Orders after they are placed: payments, parcels, refunds, drafts, papers. */
import { expect } from "vitest"
import type { TestCommerce } from "../../../src/testing/TestCommerce.ts"
import { draftsOf } from "../../draftorder/drafts.ts"
import { type Ask, careOf } from "./asking.ts"
import { cartOf, checkoutOf, shippingAddress } from "./selling.ts"

const path = (url: string): string => new URL(url).pathname.replace("/api", "")
/** An order that an admin key enters, of two lamps. */
const entered = async (ask: Ask, lamp: string): Promise<string> => {
  const items = [{ productId: lamp, quantity: 2 }]
  const customer = { email: "ada@example.com" }
  return (await ask("POST /v1/orders", 201, { body: { items, customer, shippingAddress } })).body.id
}
/** An order that the test provider has charged, or has reserved money for. */
const charged = async (ask: Ask, lamp: string, paymentReference: string): Promise<string> => {
  const ids = [await checkoutOf(ask, (await cartOf(ask, lamp)).id)]
  const body = { paymentMethod: "test", paymentReference }
  return (await ask("POST /vc/{}/checkout/{}/complete", 200, { ids, body })).body.orderId
}

const care = async (ask: Ask, lamp: string) => {
  const label = await careOf(ask, "/v1/order-status-labels", {
    create: { name: "Packing", canonicalStatus: "PROCESSING", color: "#336699" },
    another: { name: "Spare" },
    change: { name: "Being packed" }
  })
  const id = await entered(ask, lamp)
  const ids = [id]
  expect((await ask("GET /v1/orders", 200)).text).toContain(id)
  const { totalAmount } = (await ask("GET /v1/orders/{}", 200, { ids })).body
  const paid = await ask("POST /v1/orders/{}/payments", 200, { ids, body: { amount: totalAmount, method: "cash" } })
  expect(paid.body.financialStatus).toBe("paid")
  const moved = await ask("PATCH /v1/orders/{}/status", 200, { ids, body: { status: "PROCESSING" } })
  expect(moved.body.status).toBe("PROCESSING")
  await ask("PATCH /v1/orders/{}", 200, { ids, body: { notes: "Fragile", statusLabelId: label } })
  await ask("POST /v1/orders/{}/notes", 200, { ids, body: { text: "Packed" } })
  const sent = await ask("POST /v1/orders/{}/fulfill", 200, { ids, body: { trackingNumber: "1Z", carrier: "UPS" } })
  expect(sent.body).toMatchObject({ status: "SHIPPED", trackingNumber: "1Z" })
  expect((await ask("GET /v1/orders/{}/history", 200, { ids })).text).toContain("SHIPPED")
  expect((await ask("GET /v1/orders/{}/explain", 200, { ids })).body.subject).toEqual({ type: "order", id })
  const other = await entered(ask, lamp)
  expect((await ask("POST /v1/orders/{}/cancel", 200, { ids: [other], body: {} })).body.status).toBe("CANCELLED")
  return id
}

const money = async (ask: Ask, lamp: string, storeId: string, session: string) => {
  const ids = [await charged(ask, lamp, "approve")]
  const body = { amount: "5.00" }
  expect((await ask("POST /v1/orders/{}/refunds/preview", 200, { ids, body })).body.amount).toBe("5.00")
  expect((await ask("POST /v1/orders/{}/refunds", 201, { ids, body })).body.amount).toBe("5.00")
  await ask("POST /orders/{}/refunds", 201, { ids, body, as: session, query: `?storeId=${storeId}` })
  expect((await ask("GET /v1/orders/{}/refunds", 200, { ids })).body).toHaveLength(2)
  const captured = [await charged(ask, lamp, "authorize")]
  expect((await ask("POST /v1/orders/{}/capture", 200, { ids: captured, body: {} })).body.financialStatus).toBe("paid")
  await ask("POST /v1/orders/{}/void", 200, { ids: [await charged(ask, lamp, "authorize")], body: {} })
}

const drafts = async (ask: Ask, shop: TestCommerce, lamp: string) => {
  const body = { items: [{ productId: lamp, quantity: 1, price: "9.00" }], customer: { email: "ada@example.com" } }
  const draft = async () => (await ask("POST /v1/orders/draft", 201, { body })).body.id as string
  const [first, second, third] = [await draft(), await draft(), await draft()]
  expect((await ask("GET /v1/orders/draft", 200)).body.meta.total).toBe(3)
  await ask("PATCH /v1/orders/draft/{}", 200, { ids: [first], body: { notes: "Agreed" } })
  const read = await ask("GET /v1/orders/draft/{}", 200, { ids: [first] })
  expect(read.body).toMatchObject({ draftStatus: "OPEN", notes: "Agreed" })
  const sent = await ask("POST /v1/orders/draft/{}/send-invoice", 200, { ids: [first], body: {} })
  expect(sent.body.draftStatus).toBe("INVOICE_SENT")
  const token = await draftsOf(shop).tokenOf(first)
  expect((await ask("POST /vc/{}/checkout/draft", 200, { body: { token } })).body.subtotal).toBe("9.00")
  const done = await ask("POST /v1/orders/draft/{}/complete", 200, { ids: [second], body: { paid: true } })
  expect(done.body.status).toEqual(expect.any(String))
  expect((await ask("DELETE /v1/orders/draft/{}", 200, { ids: [third] })).body).toMatchObject({ success: true })
}

const papers = async (ask: Ask, order: string, customer: { readonly id: string; readonly token: string }) => {
  expect((await ask("GET /v1/orders/{}/invoice", 200, { ids: [order] })).text).toContain("<html")
  const { invoiceUrl } = (await ask("GET /v1/orders/{}", 200, { ids: [order] })).body
  const shown = await ask("GET /invoices/{}", 200, { as: null, ids: [path(invoiceUrl).split("/").at(-1) ?? ""] })
  expect(shown.text).toContain("<html")
  const book = await ask("POST /v1/products", 201, {
    body: {
      name: "E-book",
      basePrice: "5.00",
      status: "active",
      isDownloadable: true,
      downloadData: { files: [{ name: "Book.pdf", storageKey: "book.pdf", mimeType: "application/pdf", size: 10 }] },
      inventory: { total: 9 }
    }
  })
  const items = [{ productId: book.body.id, quantity: 1 }]
  const buy = async (who: object) => {
    const made = await ask("POST /v1/orders", 201, { body: { items, ...who, billingAddress: shippingAddress } })
    const ids = [made.body.id]
    await ask("POST /v1/orders/{}/payments", 200, { ids, body: { amount: made.body.totalAmount, method: "cash" } })
    return made.body.orderNumber as string
  }
  const email = "reader@example.com"
  const orderNumber = await buy({ customer: { email } })
  const [file] = (await ask("POST /vc/{}/orders/guest/downloads", 200, { body: { orderNumber, email } })).body
  const ids = [path(file.downloadUrl).split("/").at(-1) ?? ""]
  expect((await ask("GET /downloads/{}", 200, { as: null, ids })).text).toBe("0123456789")
  await buy({ customerId: customer.id })
  expect((await ask("GET /vc/{}/customers/me/downloads", 200, { as: customer.token })).body.data).toHaveLength(1)
}

const exports = async (ask: Ask) => {
  const { body } = await ask("POST /v1/exports", 202, { body: { resource: "orders", format: "csv" } })
  const read = () => ask("GET /v1/exports/{}", 200, { ids: [body.id] })
  await expect.poll(async () => (await read()).body.status).toBe("DONE")
  const token =
    path((await read()).body.url)
      .split("/")
      .at(-1) ?? ""
  expect((await ask("GET /exports/{}", 200, { as: null, ids: [token] })).text.split("\n").length).toBeGreaterThan(3)
}

export const walkOrders = async (
  ask: Ask,
  shop: TestCommerce,
  {
    lamp,
    session,
    customer
  }: {
    readonly lamp: string
    readonly session: string
    readonly customer: { readonly id: string; readonly token: string }
  }
): Promise<void> => {
  const order = await care(ask, lamp)
  await money(ask, lamp, shop.storeId, session)
  await drafts(ask, shop, lamp)
  await papers(ask, order, customer)
  await exports(ask)
}
