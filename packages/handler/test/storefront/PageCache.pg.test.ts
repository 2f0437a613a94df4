/**
 * Pages of lists that a process has answered before: they cost one statement, which callers of the same moment share,
 * and they are never what the rows do not say any more, whoever has changed them and by what way.
 */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let twin: Commerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  // No workers: what is right here is right without one.
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  twin = await shop.openTwin()
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

/** A store of its own with 45 products, 20 of which are bought by their variants. */
const openShop = async () => {
  const { apiKey: key, channelId, storeId } = await shop.openStore()
  const products = Array.from({ length: 45 }, (_, i) => ({
    name: `Lamp ${i}`,
    basePrice: `${i + 1}.00`,
    status: "active",
    menuOrder: i,
    ...(i < 20
      ? { type: "VARIABLE", variants: [{ attributes: { Size: "S" }, inventory: { total: 3 } }] }
      : { inventory: { total: 5 } })
  }))
  const made: Array<string> = []
  for (const body of products) {
    const answer = await shop.call("POST", "/v1/products", { key, body })
    if (answer.status !== 201) throw new Error(answer.text)
    made.push(answer.body.id)
  }
  const get = (query: string, headers = {}) => shop.call("GET", `/vc/${channelId}/products?${query}`, { headers })
  const setStock = async (id: string | undefined, total: number) => {
    const answer = await shop.call("PUT", `/v1/products/${id}/inventory`, { key, body: { total } })
    if (answer.status !== 200) throw new Error(answer.text)
  }
  /** Asked until the page is remembered. */
  const warm = async (query: string) => {
    for (let i = 0; i < 3; i++) await get(query)
    return get(query)
  }
  const cost = async (work: () => Promise<unknown>) => {
    const before = statements.statements().length
    await work()
    return statements.statements().length - before
  }
  return { key, channelId, storeId, made, get, setStock, warm, cost }
}

describe("a page that was answered before", () => {
  it("is one statement, and two when its products, its stock or anything of its list has changed", async () => {
    const { key, made, get, setStock, warm, cost } = await openShop()
    await warm("page=3&limit=10")
    const again = () => cost(() => get("page=3&limit=10"))
    expect(await again()).toBe(1)
    await setStock(made[30], 4)
    expect([await again(), await again()]).toEqual([1, 1])
    await setStock(made[20], 4)
    expect([await again(), await again()]).toEqual([2, 1])
    await shop.call("PATCH", `/v1/products/${made[21]}`, { key, body: { name: "Changed" } })
    expect([await again(), await again(), await again()]).toEqual([2, 1, 1])
    expect((await get("page=3&limit=10")).body.data[1].name).toBe("Changed")
  })

  it("answers many who ask at the same moment, each by a check of its own, with one statement each", async () => {
    const { get, warm, cost } = await openShop()
    const pages = ["page=1&limit=10", "page=2&limit=10", "search=lamp&limit=5", "facets=true&limit=3"]
    const expected: Array<string> = []
    for (const page of pages) expected.push((await warm(page)).text)
    const many = Array.from({ length: 40 }, (_, i) => pages[i % pages.length] ?? "")
    let answers: ReadonlyArray<string> = []
    const spent = await cost(async () => {
      answers = await Promise.all(many.map(async (page) => (await get(page)).text))
    })
    expect(answers).toEqual(many.map((_, i) => expected[i % pages.length]))
    expect(spent).toBe(40)
  })

  it("shows stock as it is, whoever has changed it: the API, a cart, SQL, another process, the time", async () => {
    const { key, storeId, made, get, setStock, warm } = await openShop()
    const stockOf = async (at: number) => {
      const { inventory } = (await get("page=3&limit=10")).body.data[at]
      return [inventory.total, inventory.available]
    }
    await warm("page=3&limit=10")
    expect(await stockOf(0)).toEqual([5, 5])
    await setStock(made[20], 9)
    expect(await stockOf(0)).toEqual([9, 9])
    await owner.query("UPDATE stock SET total = 8 WHERE store_id = $1 AND key = $2", [storeId, made[20]])
    expect(await stockOf(0)).toEqual([8, 8])
    const body = JSON.stringify({ total: 7 })
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const elsewhere = `http://commerce.test/api/v1/products/${made[20]}/inventory`
    expect((await twin.fetch(new Request(elsewhere, { method: "PUT", headers, body }))).status).toBe(200)
    expect(await stockOf(0)).toEqual([7, 7])
    // Somebody holds two units, for a time that then passes without a write.
    await owner.query("UPDATE stock SET reserved = 2 WHERE store_id = $1 AND key = $2", [storeId, made[20]])
    const { now } = (await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body
    await owner.query(
      "INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at) VALUES ($1, 'cart_gone', $2, 2, $3)",
      [storeId, made[20], new Date(Date.parse(now) + 60_000)]
    )
    expect(await stockOf(0)).toEqual([7, 5])
    expect(await stockOf(0)).toEqual([7, 5])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 60_000 } })
    expect(await stockOf(0)).toEqual([7, 7])
  })

  it("shows stock that begins to be counted, and stock whose rows were moved", async () => {
    const { storeId, made, get, warm } = await openShop()
    const totals = async () => {
      const { data } = (await get("page=3&limit=10")).body
      return (data as ReadonlyArray<{ readonly inventory: { readonly total: number } }>).map(
        (one) => one.inventory.total
      )
    }
    const stockOf = [storeId, made[22]]
    await owner.query("DELETE FROM stock WHERE store_id = $1 AND key = $2", stockOf)
    await warm("page=3&limit=10")
    expect(await totals()).toEqual([5, 5, 0, 5, 5, 5, 5, 5, 5, 5])
    await owner.query(
      "INSERT INTO stock (store_id, key, product_id, total, updated_at) VALUES ($1, $2, $2, 6, now())",
      stockOf
    )
    expect(await totals()).toEqual([5, 5, 6, 5, 5, 5, 5, 5, 5, 5])
    await warm("page=3&limit=10")
    // Each row lies elsewhere then, and one in the place of another.
    await owner.query("UPDATE stock SET total = total WHERE store_id = $1", [storeId])
    await owner.query("VACUUM FULL stock")
    expect(await totals()).toEqual([5, 5, 6, 5, 5, 5, 5, 5, 5, 5])
    await owner.query("UPDATE stock SET total = 7 WHERE store_id = $1 AND key = $2", stockOf)
    expect(await totals()).toEqual([5, 5, 7, 5, 5, 5, 5, 5, 5, 5])
  })

  it("shows products, names and prices as they are, also where SQL or another process has changed them", async () => {
    const { key, storeId, made, get, warm } = await openShop()
    const category = (await shop.call("POST", "/v1/categories", { key, body: { name: "Rooms" } })).body.id
    await shop.call("PATCH", `/v1/products/${made[0]}`, { key, body: { categories: [category] } })
    const first = async () => {
      const { name, categories, displayPrice, variants } = (await get("limit=4")).body.data[0]
      return [name, categories[0]?.name, displayPrice, variants[0]?.inventory.total]
    }
    await warm("limit=4")
    expect(await first()).toEqual(["Lamp 0", "Rooms", "1.00", 3])
    await owner.query("UPDATE category SET name = 'Halls' WHERE store_id = $1 AND id = $2", [storeId, category])
    expect(await first()).toEqual(["Lamp 0", "Halls", "1.00", 3])
    await owner.query("UPDATE product SET name = 'Lamp zero' WHERE store_id = $1 AND id = $2", [storeId, made[0]])
    expect(await first()).toEqual(["Lamp zero", "Halls", "1.00", 3])
    const { now } = (await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body
    const time = (millis: number) => new Date(Date.parse(now) + millis).toISOString()
    const sale = { salePrice: "0.50", salePriceStartsAt: time(1_000_000), salePriceEndsAt: time(2_000_000) }
    expect((await shop.call("PATCH", `/v1/products/${made[40]}`, { key, body: sale })).status).toBe(200)
    const onSale = async () => (await get("page=5&limit=10")).body.data[0].displaySalePrice
    await warm("page=5&limit=10")
    expect(await onSale()).toBe(null)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 500_000 } })
    expect(await onSale()).toBe(null)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_000_000 } })
    expect([await onSale(), await onSale()]).toEqual(["0.50", "0.50"])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_000_000 } })
    expect(await onSale()).toBe(null)
  })

  it("shows texts that nothing is listed by, once another process has composed them too", async () => {
    const { channelId, storeId, made, get, warm } = await openShop()
    const ofTwin = async (): Promise<string> => {
      const answer = await twin.fetch(new Request(`http://shop/api/vc/${channelId}/products?limit=4`))
      return (
        ((await answer.json()) as { data: ReadonlyArray<{ metaDescription: string }> }).data[1]?.metaDescription ?? ""
      )
    }
    const ofThis = async () => (await get("limit=4")).body.data[1].metaDescription
    await warm("limit=4")
    for (let i = 0; i < 3; i++) await ofTwin()
    const describe = "UPDATE product SET meta_description = $3 WHERE store_id = $1 AND id = $2"
    await owner.query(describe, [storeId, made[1], "Warm light"])
    expect([await ofThis(), await ofTwin()]).toEqual(["Warm light", "Warm light"])
    await owner.query(describe, [storeId, made[1], "Cold light"])
    expect([await ofTwin(), await ofThis()]).toEqual(["Cold light", "Cold light"])
  })

  it("keeps its ETag for as long as it stays the same, and has the same one in every process", async () => {
    const { key, channelId, made, get, setStock, warm } = await openShop()
    const { headers, text } = await warm("limit=5")
    const etag = headers.get("etag") ?? ""
    const other = await twin.fetch(
      new Request(`http://commerce.test/api/vc/${channelId}/products?limit=5`, {
        headers: { origin: "https://shop.test" }
      })
    )
    expect([other.headers.get("etag"), await other.text()]).toEqual([etag, text])
    expect((await get("limit=5", { "if-none-match": etag })).status).toBe(304)
    await setStock(made[20], 1)
    expect((await get("limit=5", { "if-none-match": etag })).status).toBe(304)
    await shop.call("PATCH", `/v1/products/${made[2]}`, { key, body: { name: "Other" } })
    expect((await get("limit=5", { "if-none-match": etag })).status).toBe(200)
  })

  it("is one statement for a product too, and another product where its address leads there now", async () => {
    const { key, channelId, made, cost } = await openShop()
    const translate = (id: string | undefined, language: string) =>
      shop.call("PATCH", `/v1/products/${id}`, { key, body: { translations: { [language]: { slug: "lampe" } } } })
    const read = async () => {
      const { body } = await shop.call("GET", `/vc/${channelId}/products/slug/lampe?locale=de`)
      return body.id
    }
    expect((await translate(made[30], "fr")).status).toBe(200)
    expect([await read(), await read()]).toEqual([made[30], made[30]])
    expect(await cost(read)).toBe(1)
    expect((await translate(made[31], "de")).status).toBe(200)
    expect([await read(), await read()]).toEqual([made[31], made[31]])
    expect((await shop.call("DELETE", `/v1/products/${made[31]}`, { key })).status).toBe(200)
    expect(await read()).toBe(made[30])
  })
})
