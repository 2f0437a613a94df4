/** Invoices: their numbers, their page, and the links to them. */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { heldRow } from "../heldRow.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let client: InstanceType<typeof pg.Client>

beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const place = async (body: object = {}, key?: string): Promise<string> => {
  const items = [{ name: "Lamp", price: "10.00", quantity: 2 }]
  const made = await shop.call("POST", "/v1/orders", {
    body: { items, ...body },
    ...(key === undefined ? {} : { key })
  })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}
const invoice = (id: string, key?: string) =>
  shop.call("GET", `/v1/orders/${id}/invoice`, key === undefined ? {} : { key })
const read = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
/** The path below /api of the order's link. */
const linkOf = async (id: string): Promise<string> => new URL((await read(id)).invoiceUrl).pathname.replace("/api", "")
const issued = async (storeId = shop.storeId) =>
  (
    await client.query("SELECT series || '-' || number AS n FROM invoice WHERE store_id = $1 ORDER BY number", [
      storeId
    ])
  ).rows.map(({ n }) => String(n))
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const cancel = (id: string) =>
  client.query(
    `UPDATE orders SET status = 'CANCELLED', status_history = status_history || '[{"at": "2026-01-01T00:00:00.000Z",
      "to": "CANCELLED", "from": "PENDING", "reason": null}]' WHERE id = $1`,
    [id]
  )

describe("the number of an invoice", () => {
  it("is given by the first request and never changes", async () => {
    const [first, second, third] = [await place(), await place(), await place()]
    expect((await read(second)).invoiceNumber).toBeNull()
    expect((await invoice(second)).status).toBe(200)
    expect((await invoice(first)).text).toContain("INV-1002")
    for (let i = 0; i < 2; i++) expect((await invoice(second)).text).toContain("INV-1001")
    const numbers = [await read(first), await read(second), await read(third)].map((order) => order.invoiceNumber)
    expect(numbers).toEqual(["INV-1002", "INV-1001", null])
  })

  it("is one for each of twenty first requests at once, and one for one order", async () => {
    const other = await shop.openStore()
    const ids = await Promise.all(Array.from({ length: 10 }, () => place({}, other.apiKey)))
    const answers = await Promise.all([...ids, ...ids].map((id) => invoice(id, other.apiKey)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await issued(other.storeId)).toEqual(Array.from({ length: 10 }, (_, i) => `INV-${1_001 + i}`))
  })

  it("waits for whoever has the order, and the second request finds what the first has issued", async () => {
    const id = await place()
    const order = await heldRow(shop, "orders", id)
    const asked = [invoice(id), invoice(id)]
    await order.awaited(2)
    await order.free()
    const [first, second] = await Promise.all(asked)
    expect([first?.status, second?.status]).toEqual([200, 200])
    expect(second?.text).toContain((await read(id)).invoiceNumber)
  })

  it("of an order of a channel in test mode is of another series", async () => {
    const lamp = await shopper.product({ price: 2_500n })
    const done = await shopper.complete(await shopper.checkout(await shopper.cart([lamp, 1])), "test-mode")
    const before = (await issued()).filter((n) => n.startsWith("INV"))
    const page = (await invoice(done.body.orderId)).text
    expect(page).toContain("TEST-1001")
    expect(page).toContain("This is no invoice")
    expect((await issued()).filter((n) => n.startsWith("INV"))).toEqual(before)
  })

  it("stays with an order that is cancelled, and is not given to one afterwards", async () => {
    const [kept, never] = [await place(), await place()]
    await invoice(kept)
    const { invoiceNumber } = await read(kept)
    await cancel(kept)
    await cancel(never)
    expect((await invoice(kept)).text).toContain(invoiceNumber)
    expect((await invoice(kept)).text).toContain("This order was cancelled.")
    const before = await issued()
    const refused = await invoice(never)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "ORDER_INVALID_STATE",
      { status: "CANCELLED" }
    ])
    const { invoiceUrl, invoiceNumber: none } = await read(never)
    expect([invoiceUrl, none, await issued()]).toEqual([null, null, before])
  })
})

/** The rows of a table of the page, by its class: each its cells as text. */
const cellsOf = (html: string, table: string): ReadonlyArray<ReadonlyArray<string>> => {
  const whole = new RegExp(`<table class="${table}">(.*?)</table>`, "s").exec(html)?.[1] ?? ""
  return [...whole.replace(/<thead>.*<\/thead>/s, "").matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
      cell.replace(/<br>/g, "\n").replace(/<[^>]+>/g, "")
    )
  )
}

describe("the page of an invoice", () => {
  it("prints lines, discount, shipping, tax by rate and payments, which add up", async () => {
    await shop.call("POST", "/v1/tax/rates", { body: { name: "MwSt", country: "DE", rate: 19 } })
    await shop.call("PATCH", "/v1/store", { body: { languages: ["en", "de"], timezone: "Europe/Berlin" } })
    await shop.call("PUT", "/v1/email/settings", { body: { footerAddress: "Shop GmbH\nHauptstr. 1\n10115 Berlin" } })
    const id = await place({
      items: [
        { name: "Lamp", price: "1000.00", quantity: 2 },
        { name: "Bulb", price: "3.33", quantity: 3 }
      ],
      discountAmount: "9.99",
      shippingAmount: "4.90",
      customer: { email: "ada@example.com", name: "Ada Byron" },
      shippingAddress: {
        firstName: "Ada",
        lastName: "Byron",
        line1: "Allee 2",
        city: "Köln",
        postalCode: "50667",
        country: "DE"
      }
    })
    const order = await read(id)
    const paid = { amount: "100.00", method: "bank_transfer", paidAt: "2026-03-01T12:00:00Z" }
    expect((await shop.call("POST", `/v1/orders/${id}/payments`, { body: paid })).status).toBe(200)
    const { text, headers } = await invoice(id)
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(cellsOf(text, "items").map((row) => row.slice(0, 3))).toEqual([
      ["Lamp", "2", "1,000.00"],
      ["Bulb", "3", "3.33"]
    ])
    const sums = cellsOf(text, "sums")
    expect(sums).toEqual([
      ["Subtotal", "2,009.99"],
      ["Discount", "-9.99"],
      ["Shipping", "4.90"],
      ["Tax", "380.93"],
      ["Total (USD)", "2,385.83"]
    ])
    expect(order.totalAmount).toBe("2385.83")
    expect(cellsOf(text, "taxes")).toEqual([
      ["MwSt", "19 %", "380.93"],
      ["All tax", "", "380.93"],
      ["Net amount", "", "2,004.90"]
    ])
    expect(text).toContain("<td>Bank transfer, March 1, 2026</td>")
    expect(text).toContain('<td>Outstanding</td><td class="n">2,285.83</td>')
    for (const line of ["Shop GmbH<br>Hauptstr. 1<br>10115 Berlin", "Byron<br>Allee 2<br>50667 Köln<br>DE"])
      expect(text).toContain(line)
  })

  it("keeps who sold as it was issued", async () => {
    const id = await place()
    const before = (await invoice(id)).text
    await shop.call("PUT", "/v1/email/settings", { body: { footerAddress: "Elsewhere 7" } })
    await shop.call("PATCH", "/v1/store", { body: { name: "Renamed" } })
    expect((await invoice(id)).text).toBe(before)
    expect((await invoice(await place())).text).toContain("<strong>Renamed</strong><br>Elsewhere 7")
  })

  it("of a German order is German, and the tax that prices contain is said and not added", async () => {
    const lamp = await shopper.product({ price: 11_900n, name: "Lampe" })
    const body = { name: "VAT", country: "AT", rate: 19, isInclusive: true }
    await shop.call("POST", "/v1/tax/rates", { body })
    const address = {
      firstName: "Ada",
      lastName: "Byron",
      line1: "Ring 1",
      city: "Wien",
      postalCode: "1010",
      country: "AT"
    }
    const placed = await shop.call("POST", `${shopper.at}/orders?locale=de`, {
      body: {
        items: [{ productId: lamp, quantity: 10, price: "119.00" }],
        customer: { email: "ada@example.com" },
        shippingAddress: address
      }
    })
    expect(placed.status, placed.text).toBe(200)
    const { text } = await invoice(placed.body.orderId)
    expect(text).toContain('<html lang="de">')
    expect(text).toContain("<h1>Rechnung</h1>")
    expect(cellsOf(text, "sums").map(([, amount]) => amount)).toEqual(["1.190,00", "1.190,00", "190,00"])
    expect(cellsOf(text, "taxes").map(([label, , amount]) => [label, amount])).toEqual([
      ["VAT", "190,00"],
      ["Steuer gesamt", "190,00"],
      ["Nettobetrag", "1.000,00"]
    ])
  })

  it("runs nothing and loads nothing, whatever was written into the order", async () => {
    const evil = `<script>alert(1)</script>"'<img src=x onerror=alert(1)>`
    const id = await place({
      items: [{ name: evil, price: "1.00", quantity: 1 }],
      customer: { email: "ada@example.com", name: evil },
      billingAddress: { firstName: evil, line1: evil, city: evil, postalCode: "1", country: "US" }
    })
    const { text, headers } = await invoice(id)
    expect(text).not.toMatch(/<script|<img|<link rel="stylesheet|@import|url\(|https?:/)
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/
    )
    const opened = await shop.call("GET", await linkOf(id), { key: null })
    const told = ["cache-control", "x-content-type-options", "referrer-policy", "x-robots-tag"]
    expect(told.map((name) => opened.headers.get(name))).toEqual([
      "private, no-store",
      "nosniff",
      "no-referrer",
      "noindex"
    ])
  })
})

describe("the link to an invoice", () => {
  it("opens the page without a credential, and issues it like any first request", async () => {
    const id = await place()
    const opened = await shop.call("GET", await linkOf(id), { key: null })
    expect([opened.status, opened.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(opened.text).toBe((await invoice(id)).text)
    expect(opened.text).toContain((await read(id)).invoiceNumber)
  })

  it("is the same for a day, and opens nothing after thirty", async () => {
    const id = await place()
    const link = await linkOf(id)
    expect(await linkOf(id)).toBe(link)
    await advance(30 * 86_400_000)
    expect((await shop.call("GET", link, { key: null })).status).toBe(200)
    await advance(86_400_000)
    const late = await shop.call("GET", link, { key: null })
    expect([late.status, late.body.code, late.body.message]).toEqual([404, "RESOURCE_NOT_FOUND", "No such invoice"])
    expect((await shop.call("GET", await linkOf(id), { key: null })).status).toBe(200)
  })

  it("that was changed, or made for another order or store, opens nothing and says nothing", async () => {
    const [mine, yours] = [await place(), await place()]
    const [link, other] = [await linkOf(mine), await linkOf(yours)]
    const signature = link.split(".").at(-1) ?? ""
    const forged = [
      link.replace(mine, yours),
      link.replace(shop.storeId, "store_other"),
      link.replace(signature, other.split(".").at(-1) ?? ""),
      `${link}0`,
      "/invoices/x"
    ]
    const before = await issued()
    for (const path of forged) {
      const { status, body } = await shop.call("GET", path, { key: null })
      expect([status, body.code, body.message, body.details]).toEqual([
        404,
        "RESOURCE_NOT_FOUND",
        "No such invoice",
        undefined
      ])
    }
    expect(await issued()).toEqual(before)
  })

  it("is in answers to merchants and to the buyer, and in no event", async () => {
    const customers = customersOf(shop)
    const ada = await customers.known()
    const id = await place({ customerId: ada.id })
    const listed = (await shop.call("GET", "/v1/orders?limit=1")).body.data[0]
    const bearer = { key: null, headers: { authorization: `Bearer ${ada.token}` } }
    const own = await shop.call("GET", `${shopper.at}/customers/me/orders/${id}`, bearer)
    const owns = await shop.call("GET", `${shopper.at}/customers/me/orders`, bearer)
    expect([own.status, owns.status], own.text + owns.text).toEqual([200, 200])
    const urls = [listed.invoiceUrl, own.body.invoiceUrl, owns.body.data[0].invoiceUrl]
    for (const url of urls) expect(url).toBe((await read(id)).invoiceUrl)
    expect(urls[0]).toMatch(/^http:\/\/commerce\.test\/api\/invoices\/store_\w+\.ord_\w+\.\w+\.[0-9a-f]{64}$/)
    const { rows } = await client.query("SELECT count(*)::int AS n FROM event WHERE data::text LIKE '%/invoices/%'")
    expect(rows).toEqual([{ n: 0 }])
  })

  it("of a suspended store opens nothing", async () => {
    const other = await shop.openStore()
    const id = await place({}, other.apiKey)
    const { invoiceUrl } = (await shop.call("GET", `/v1/orders/${id}`, { key: other.apiKey })).body
    await client.query("UPDATE store SET suspended_at = now() WHERE id = $1", [other.storeId])
    await advance(6_000)
    const { status } = await shop.call("GET", new URL(invoiceUrl).pathname.replace("/api", ""), { key: null })
    expect(status).toBe(404)
  })
})
