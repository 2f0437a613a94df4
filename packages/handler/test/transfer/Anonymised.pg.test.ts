/** A copy for staging: nobody is in it who exists, and nothing in it opens anything of the original. */
import type { Imported } from "@effect-commerce/core/transfer/StoreImport"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import {
  birthday,
  exported,
  fillWithPeople,
  findingsIn,
  imported,
  keyOf,
  linesOf,
  openClient,
  person,
  rowsIn,
  tablesIn,
  traces
} from "./transferShops.ts"

let shop: TestCommerce
let staging: TestCommerce
let made: Awaited<ReturnType<typeof fillWithPeople>>
let whole: string
let file: string
let done: Imported

beforeAll(async () => {
  shop = await openTestCommerce()
  staging = await openTestCommerce()
  made = await fillWithPeople(shop)
  whole = await exported(shop)
  file = await exported(shop, { anonymised: true, media: true })
})
afterAll(async () => {
  await shop.close()
  await staging.close()
})

const lower = (text: string) => text.toLowerCase()

describe("an export whose people are made up", () => {
  it("has nothing of them, in whatever table or document, while the whole export has all of it", () => {
    for (const trace of traces) {
      expect(lower(whole), trace).toContain(lower(trace))
      expect(lower(file), trace).not.toContain(lower(trace))
    }
    const addresses = [...whole.matchAll(/[\w.+-]+@[\w-]+\.[\w.-]+/g)].map(([address]) => address)
    const kept = addresses.filter((address) => file.includes(address) && !address.startsWith("no-reply@"))
    expect([...new Set(kept)]).toEqual([])
  })

  it("has no birthday, in columns and in events", () => {
    const born = `"birthDay":${birthday.birthDay}`
    const inEvents = (text: string) => rowsIn(text, "event").filter((row) => JSON.stringify(row["data"]).includes(born))
    expect(inEvents(whole).length).toBeGreaterThan(0)
    expect(file).not.toContain(born)
    expect(file).not.toMatch(/"birth(Month|Day|_month|_day)": ?\d/)
  })

  it("keeps of references to orders what they name, and of reasons of ours the word", () => {
    const sold = rowsIn(whole, "stock_movement").filter((row) => row["reference"] === made.orderId)
    expect(sold.length).toBeGreaterThan(0)
    expect(rowsIn(file, "stock_movement").filter((row) => row["reference"] === made.orderId)).toEqual(sold)
  })

  it("has every row but those of people alone, and of what they have sent", () => {
    const gone = ["oauth_provider", "app_secret", "email_domain", "app_inbound", "customer_logout", "oauth_identity"]
    expect(tablesIn(whole).filter((table) => !tablesIn(file).includes(table))).toEqual(
      tablesIn(whole).filter((table) => gone.includes(table))
    )
    // Mails and deliveries are made meanwhile, and sent.
    for (const table of tablesIn(file))
      if (!["media_file", "email_message", "webhook_delivery", "event"].includes(table))
        expect([table, rowsIn(file, table).length]).toEqual([table, rowsIn(whole, table).length])
  })

  it("makes the same person of the same one everywhere, and in each export", async () => {
    const [customer] = rowsIn(whole, "customer").flatMap((row, i) =>
      row["email"] === person.email ? [rowsIn(file, "customer")[i]] : []
    )
    const email = String(customer?.["email"])
    expect(email).toMatch(/^person-[0-9a-f]{16}@example\.invalid$/)
    const order = rowsIn(file, "orders").find((row) => row["id"] === made.orderId)
    expect(order?.["email"]).toBe(email)
    expect(rowsIn(file, "event").some((row) => JSON.stringify(row["data"]).includes(email))).toBe(true)
    expect(rowsIn(await exported(shop, { anonymised: true }), "customer")).toEqual(rowsIn(file, "customer"))
    expect(new Set(rowsIn(file, "customer").map((row) => row["email"])).size).toBe(rowsIn(file, "customer").length)
  })

  it("keeps what prices and books depend on: country, region, amounts, numbers, products", () => {
    const before = rowsIn(whole, "orders").find((row) => row["id"] === made.orderId)
    const after = rowsIn(file, "orders").find((row) => row["id"] === made.orderId)
    for (const column of ["total_amount", "tax_amount", "order_number", "status", "created_at", "tax_breakdown"])
      expect(after?.[column]).toEqual(before?.[column])
    expect(after?.["shipping_address"]).toMatchObject({ country: "US", region: "CA" })
    const shipping = after?.["shipping_address"] as { readonly postalCode: string; readonly phone: string }
    expect(shipping.postalCode).toMatch(/^\d{5}$/)
    expect(shipping.phone).toMatch(/^\+1555\d{7}$/)
    expect(rowsIn(file, "product")).toEqual(rowsIn(whole, "product"))
  })

  it("has no id, token or hash that opens something of the original", () => {
    const secretsOf = (table: string, column: string) =>
      rowsIn(whole, table).flatMap((row) => (typeof row[column] === "string" ? [String(row[column])] : []))
    const secrets = [
      ...secretsOf("cart", "id"),
      ...secretsOf("cart", "session_token"),
      ...secretsOf("checkout", "id"),
      ...secretsOf("gift_card", "code_hash"),
      ...secretsOf("customer", "password_hash"),
      ...secretsOf("webhook_subscription", "secret"),
      ...secretsOf("email_domain", "private_key"),
      ...secretsOf("app_secret", "value"),
      ...secretsOf("oauth_provider", "client_secret")
    ]
    expect(secrets.length).toBeGreaterThan(8)
    expect(secrets.filter((secret) => file.includes(secret))).toEqual([])
    expect(JSON.parse(file.slice(0, file.indexOf("\n")))).toMatchObject({ anonymised: true, seal: null })
    for (const row of rowsIn(file, "orders"))
      if (row["checkout_id"] !== null)
        expect(rowsIn(file, "checkout").some((checkout) => checkout["id"] === row["checkout_id"])).toBe(true)
  })

  it("makes a store whose books agree, which calls nobody and takes no real money, and sells", async () => {
    done = await imported(staging, file)
    expect(done.anonymised).toBe(true)
    expect(await findingsIn(staging)).toEqual([])
    const client = await openClient(staging)
    const rows = (sql: string) => client.rows(sql, [shop.storeId])
    expect(await rows("SELECT DISTINCT mode FROM sales_channel WHERE store_id = $1")).toEqual([{ mode: "test" }])
    expect(await rows("SELECT 1 FROM webhook_subscription WHERE store_id = $1 AND is_active")).toEqual([])
    expect(await rows("SELECT 1 FROM payment_provider WHERE store_id = $1 AND credentials IS NOT NULL")).toEqual([])
    const asked = "SELECT 1 FROM provider_operation WHERE store_id = $1 AND check_at < now() + interval '100 years'"
    expect(await rows(asked)).toEqual([])
    const outside = "SELECT email FROM customer WHERE store_id = $1 AND email NOT LIKE '%@example.invalid'"
    expect(await rows(outside)).toEqual([])
    await client.end()
    const there = shopperOf({ ...shop, call: staging.call, run: staging.run } as TestCommerce)
    const checkout = await there.checkout(await there.cart([made.lamp, 1]))
    const sold = await there.complete(checkout, "staged", { paymentMethod: "test", paymentReference: "approve" })
    expect(sold.status, sold.text).toBe(200)
    expect(await findingsIn(staging)).toEqual([])
  })

  it("is shown by the routes: what is stored of made-up people can be read", async () => {
    const key = await keyOf(staging, done, ["orders:read", "customers:read", "events:read"])
    for (const path of [
      `/v1/orders/${made.orderId}`,
      `/v1/customers/${made.customerId}`,
      "/v1/orders",
      "/v1/events?limit=100"
    ]) {
      const answer = await staging.call("GET", path, { key })
      expect(answer.status, answer.text).toBe(200)
    }
    const feed = await staging.call("GET", "/v1/events?limit=100", { key })
    expect(feed.body.data.length).toBeGreaterThan(5)
    expect(linesOf(file).length).toBeGreaterThan(100)
  })
})
