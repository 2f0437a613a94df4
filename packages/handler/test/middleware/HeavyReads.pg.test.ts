import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** A search that waits for a lock stands for one that takes long. */
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

it("a search that takes too long, and one that waits too long behind it, say what the shopper may do", async () => {
  await owner.query("BEGIN")
  await owner.query("LOCK TABLE product_listing")
  const search = (text: string) => shop.call("GET", `/vc/${shop.channelId}/products?search=${text}`)
  const refused = await Promise.all([search("lamp"), search("chair")])
  await owner.query("ROLLBACK")
  const told = refused.map(({ status, headers, body: { code, message } }) => {
    return { status, code, message, retryAfter: headers.get("retry-after") }
  })
  const unavailable = { status: 503, code: "SERVICE_TEMPORARILY_UNAVAILABLE" }
  expect(told.toSorted((one, other) => Number(other.retryAfter) - Number(one.retryAfter))).toEqual([
    {
      ...unavailable,
      message:
        "The search or list took too long and was given up: search for fewer or longer words, or narrow it by a " +
        "category, a brand or another filter",
      retryAfter: "5"
    },
    {
      ...unavailable,
      message: "Too many searches and lists of this store are under way; nothing was read. Retry shortly",
      retryAfter: "1"
    }
  ])
  expect((await search("lamp")).status).toBe(200)
})
