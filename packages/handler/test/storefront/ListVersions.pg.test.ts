/**
 * Lists that a process remembers, each by what it is sorted or filtered by: a change of that alone is seen by the next
 * reader, and lists that do not go by it stay as they are.
 */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
let store: Awaited<ReturnType<TestCommerce["openStore"]>>
let ids: ReadonlyArray<string>
let category: string

beforeAll(async () => {
  // No workers: what is right here is right without one.
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const admin = async (method: string, path: string, body: object) => {
  const answer = await shop.call(method, path, { key: store.apiKey, body })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

/** Three products a, b and c, in this order by everything that a list can be sorted by. */
beforeEach(async () => {
  store = await shop.openStore()
  category = (await admin("POST", "/v1/categories", { name: "Lamps" })).id
  const made: Array<string> = []
  for (const [i, name] of ["a", "b", "c"].entries()) {
    const prices = { basePrice: `${10 * (i + 1)}.00`, menuOrder: i, status: "active" }
    const body = { name, sku: name, slug: `p-${name}`, ...prices, inventory: { total: 1 } }
    made.push((await admin("POST", "/v1/products", body)).id)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_000 } })
  }
  ids = made
})

const list = async (asked: string) => {
  const answer = await shop.call("GET", `/vc/${store.channelId}/products?${asked}`)
  if (answer.status !== 200) throw new Error(answer.text)
  const { data } = answer.body as { readonly data: ReadonlyArray<{ readonly id: string }> }
  return data.map(({ id }) => "abc"[ids.indexOf(id)]).join("")
}
/** Asked until the page is remembered. */
const warm = async (asked: string) => {
  for (let i = 0; i < 3; i += 1) await list(asked)
  return list(asked)
}
const first = () => `/v1/products/${ids[0]}`
const bySql = (column: string, value: string) =>
  owner.query(`UPDATE product SET ${column} = ${value} WHERE store_id = $1 AND id = $2`, [store.storeId, ids[0]])

describe("a list that was found before", () => {
  it.each([
    ["sortBy=name", "abc", () => admin("PATCH", first(), { name: "z" }), "bca"],
    ["sortBy=slug", "abc", () => admin("PATCH", first(), { slug: "p-z" }), "bca"],
    ["sortBy=sku", "abc", () => admin("PATCH", first(), { sku: "z" }), "bca"],
    ["sortBy=basePrice", "abc", () => admin("PATCH", first(), { basePrice: "99.00" }), "bca"],
    ["sortBy=price", "abc", () => admin("PATCH", first(), { basePrice: "99.00" }), "bca"],
    ["sortBy=menuOrder", "abc", () => admin("PATCH", first(), { menuOrder: 9 }), "bca"],
    ["", "abc", () => admin("PATCH", first(), { menuOrder: 9 }), "bca"],
    ["sortBy=createdAt&sortOrder=asc", "abc", () => bySql("created_at", "created_at + interval '1 day'"), "bca"],
    ["sortBy=updatedAt&sortOrder=asc", "abc", () => admin("PATCH", first(), { description: "New" }), "bca"],
    ["search=a", "a", () => admin("PATCH", first(), { name: "Quartz", sku: "q", slug: "q" }), ""],
    ["minPrice=15.00", "bc", () => admin("PATCH", first(), { basePrice: "16.00" }), "abc"],
    ["maxPrice=15.00", "a", () => admin("PATCH", first(), { basePrice: "16.00" }), ""],
    ["category=lamps", "", () => admin("PATCH", first(), { categories: [category] }), "a"],
    ["inStock=true", "abc", () => admin("PUT", `${first()}/inventory`, { total: 0 }), "bc"],
    ["", "abc", () => admin("PATCH", first(), { status: "draft" }), "bc"],
    ["", "abc", () => shop.call("DELETE", first(), { key: store.apiKey }), "bc"]
  ] as const)("%s is %s, and after a change of that alone another one", async (asked, before, change, after) => {
    expect(await warm(asked)).toBe(before)
    await change()
    expect([await list(asked), await list(asked)]).toEqual([after, after])
  })

  it("is not found again for a change that it does not go by: its page alone is made anew", async () => {
    const finds = async (asked: string) => {
      const before = statements.statements().length
      await list(asked)
      const sent = statements.statements().slice(before)
      return [sent.length, sent.filter((statement) => statement.includes("product_listing l")).length]
    }
    const lists = ["sortBy=name", "sortBy=createdAt", "search=a", ""]
    for (const asked of [...lists, "sortBy=basePrice"]) await warm(asked)
    await admin("PATCH", first(), { basePrice: "99.00" })
    for (const asked of lists) expect([asked, await finds(asked), await finds(asked)]).toEqual([asked, [2, 0], [1, 0]])
    expect(await finds("sortBy=basePrice")).toEqual([2, 1])
  })
})
