import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
const numbers = new Map<string, string>()
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce({ role: "api" }))
  for (const [externalId, price, email, name] of [
    ["EXT-1", "30.00", "ada@example.com", "Ada Byron"],
    ["EXT-2", "10.00", "bob_b@example.com", "Bob"],
    ["EXT-3", "20.00", "carl@other.example", "Carl Adams"]
  ] as const) {
    const { body } = await shop.call("POST", "/v1/orders", {
      body: { externalId, customer: { email, name }, items: [{ name: "Thing", quantity: 1, price }] }
    })
    numbers.set(externalId, body.orderNumber)
  }
})
afterAll(() => shop.close())

const listed = async (query: string) => {
  const { status, body } = await shop.call("GET", `/v1/orders${query}`)
  return status === 200 ? body.data.map((order: { externalId: string }) => order.externalId) : [status, body.code]
}

describe("an order that costs nothing", () => {
  it("is PENDING as every order by key, and owes nothing", async () => {
    const items = [{ name: "Gift", quantity: 1, price: 0 }]
    const free = await shop.openStore()
    const { body } = await shop.call("POST", "/v1/orders", { body: { items }, key: free.apiKey })
    expect(body).toMatchObject({ status: "PENDING", financialStatus: "paid", totalAmount: "0.00" })
    const again = await shop.call("POST", `/v1/orders/${body.id}/payments`, {
      body: { amount: 1, method: "cash" },
      key: free.apiKey
    })
    expect([again.status, again.body.code]).toEqual([409, "PAYMENT_ALREADY_CAPTURED"])
  })
})

describe("an order by key", () => {
  it("names no variant without its product", async () => {
    const refused = await shop.call("POST", "/v1/orders", {
      body: { items: [{ name: "Thing", quantity: 1, price: 1, variantId: "var_none" }] }
    })
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { "items.0.variantId": "goes with the productId of its product" }
    ])
  })
})

describe("the list of orders", () => {
  it("is newest first by default, and an unknown sortBy leaves it so", async () => {
    expect(await listed("")).toEqual(["EXT-3", "EXT-2", "EXT-1"])
    expect(await listed("?sortBy=customer")).toEqual(["EXT-3", "EXT-2", "EXT-1"])
    expect(await listed("?sortBy=totalAmount&sortOrder=asc")).toEqual(["EXT-2", "EXT-3", "EXT-1"])
    expect(await listed("?sortBy=orderNumber&sortOrder=asc")).toEqual(["EXT-1", "EXT-2", "EXT-3"])
  })

  it("is paged in the envelope, and filtered by statuses", async () => {
    const { body } = await shop.call("GET", "/v1/orders?limit=2&page=2")
    expect([body.meta, body.data.length]).toEqual([{ page: 2, limit: 2, total: 3, totalPages: 2 }, 1])
    expect(await listed("?status=PENDING,PAID")).toEqual(["EXT-3", "EXT-2", "EXT-1"])
    expect(await listed("?status=paid")).toEqual([])
    expect(await listed("?status=LOST")).toEqual([400, "VALIDATION_FAILED"])
  })

  it("is searched by number, external id, address and name; what means something in a pattern means itself", async () => {
    const number = numbers.get("EXT-2") ?? ""
    expect(await listed(`?search=${encodeURIComponent(number)}`)).toEqual(["EXT-2"])
    expect(await listed(`?search=${number.slice(1)}`)).toEqual(["EXT-2"])
    expect(await listed("?search=ext-3")).toEqual(["EXT-3"])
    expect(await listed("?search=@EXAMPLE.com")).toEqual(["EXT-2", "EXT-1"])
    expect(await listed("?search=ada")).toEqual(["EXT-3", "EXT-1"])
    expect(await listed("?search=_b@")).toEqual(["EXT-2"])
    expect(await listed("?search=%25")).toEqual([])
    expect(await listed("?search=%20")).toEqual(["EXT-3", "EXT-2", "EXT-1"])
  })

  it("has the exact total of every status after an order has moved", async () => {
    const { apiKey: key } = await shop.openStore()
    const place = async () => {
      const items = [{ name: "Thing", quantity: 1, price: 5 }]
      return (await shop.call("POST", "/v1/orders", { body: { items }, key })).body.id
    }
    const [paid] = [await place(), await place(), await place()]
    await shop.call("POST", `/v1/orders/${paid}/payments`, { body: { amount: 5, method: "cash" }, key })
    const totalOf = async (query: string) => (await shop.call("GET", `/v1/orders${query}`, { key })).body.meta.total
    expect(await totalOf("")).toBe(3)
    expect(await totalOf("?status=PENDING")).toBe(2)
    expect(await totalOf("?status=PAID")).toBe(1)
    expect(await totalOf("?status=PENDING,PAID")).toBe(3)
    expect(await totalOf("?status=SHIPPED")).toBe(0)
  })

  it("is sorted by status, and within one by time", async () => {
    const { apiKey: key } = await shop.openStore()
    const place = async (externalId: string) => {
      const items = [{ name: "Thing", quantity: 1, price: 5 }]
      return (await shop.call("POST", "/v1/orders", { body: { externalId, items }, key })).body.id
    }
    const [first] = [await place("1"), await place("2"), await place("3")]
    await shop.call("POST", `/v1/orders/${first}/payments`, { body: { amount: 5, method: "cash" }, key })
    const sorted = async (order: string) =>
      (await shop.call("GET", `/v1/orders?sortBy=status&sortOrder=${order}`, { key })).body.data.map(
        (row: { externalId: string }) => row.externalId
      )
    expect(await sorted("asc")).toEqual(["1", "3", "2"])
    expect(await sorted("desc")).toEqual(["2", "3", "1"])
  })
})
