/** Stock alerts: who is told of what, when, and how often. */
import { StockAlerts } from "@effect-commerce/core/inventory/StockAlerts"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", statementLog: statements })
  shopper = shopperOf(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})
beforeEach(async () => {
  await client.query("DELETE FROM stock_alert")
  await client.query("DELETE FROM stock_watch")
  await client.query("DELETE FROM event WHERE type LIKE 'internal.%'")
})

const minute = 60_000
const ask = (body: object) =>
  shop.call("POST", `/vc/${shop.channelId}/stock-alerts`, { body: { email: "ada@example.com", ...body } })
const alerts = async () => (await client.query("SELECT key, email, locale FROM stock_alert ORDER BY key, email")).rows
const set = (id: string, body: object) => shop.call("PUT", `/v1/products/${id}/inventory`, { body })
const forward = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
const work = (commerce = shop.commerce) => runWith(commerce, StockAlerts.use((all) => all.tellDue) as never)
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads any field of any event
const eventsOf = async (type: string): Promise<Array<any>> =>
  (await client.query("SELECT data FROM event WHERE type = $1 ORDER BY seq", [type])).rows.map((row) => row["data"])
const told = async () =>
  (await eventsOf("internal.back_in_stock")).map(({ email, productId, variantId }) => [email, variantId ?? productId])
/** Works as the worker does, over so many minutes. */
const during = async (minutes: number) => {
  for (let i = 0; i < minutes * 2; i++) {
    await forward(minute / 2)
    await work()
  }
}

describe("asking for a stock alert", () => {
  it("is answered alike for a new alert, a known one, nothing that is sold and what is there, with the same statements", async () => {
    const gone = await shopper.product({ stock: 0 })
    const there = await shopper.product({ stock: 3 })
    const hidden = await shopper.product({ stock: 0, status: "draft" })
    await ask({ productId: gone, email: "warm@example.com" })
    const seen: Array<readonly [number, string, number]> = []
    for (const body of [
      { productId: gone },
      { productId: gone },
      { productId: "prod_unknown" },
      { productId: hidden },
      { productId: there },
      { productId: gone, variantId: "var_unknown" }
    ]) {
      statements.reset()
      const before = performance.now()
      const { status, text } = await ask(body)
      expect(performance.now() - before).toBeGreaterThanOrEqual(99)
      seen.push([status, text, statements.statements().length])
    }
    const [first] = seen
    expect(first?.slice(0, 2)).toEqual([200, '{"ok":true}'])
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(await alerts()).toEqual([
      { key: gone, email: "ada@example.com", locale: null },
      { key: gone, email: "warm@example.com", locale: null }
    ])
    expect(await eventsOf("internal.back_in_stock")).toEqual([])
  })

  it("keeps the address trimmed and in lower case, and refuses a filled honeypot and what is too long", async () => {
    const productId = await shopper.product({ stock: 0 })
    expect((await ask({ productId, email: "  Ada@Example.COM ", locale: "de", honeypot: "" })).status).toBe(200)
    expect(await alerts()).toEqual([{ key: productId, email: "ada@example.com", locale: "de" }])
    const began = performance.now()
    const robot = await ask({ productId, email: "robot@example.com", honeypot: "http://spam.example" })
    // As long as every other answer takes at least: its time does not tell a robot from a shopper.
    expect(performance.now() - began).toBeGreaterThan(98)
    expect([robot.status, robot.body.code, robot.body.details.errors]).toEqual([
      400,
      "VALIDATION_FAILED",
      { honeypot: "must be empty" }
    ])
    const long = `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`
    expect(long.length).toBe(255)
    for (const body of [
      { email: long },
      { email: "nobody" },
      { email: undefined },
      { locale: "12345678901" },
      { productId: "" }
    ])
      expect((await ask({ productId, ...body })).status).toBe(400)
    expect((await ask({ productId, email: long.slice(1), locale: "1234567890" })).status).toBe(200)
    expect((await alerts()).length).toBe(2)
  })

  it("needs a channel and no credential, and is answered five times a minute", async () => {
    const limited = await openTestCommerce({ role: "api", rateLimit: { perMinute: 10_000, perHour: 100_000 } })
    try {
      const productId = await shopperOf(limited).product({ stock: 0 })
      const body = { email: "ada@example.com", productId }
      const answers: Array<number> = []
      for (let i = 0; i < 6; i++)
        answers.push((await limited.call("POST", `/vc/${limited.channelId}/stock-alerts`, { body, key: null })).status)
      expect(answers).toEqual([200, 200, 200, 200, 200, 429])
    } finally {
      await limited.close()
    }
    const body = { email: "ada@example.com", productId: "prod_none" }
    expect((await shop.call("POST", "/vc/vc_none/stock-alerts", { body })).status).toBe(404)
  })

  it("keeps at most 20 alerts of an address", async () => {
    const products: Array<string> = []
    for (let i = 0; i < 21; i++) products.push(await shopper.product({ stock: 0 }))
    for (const productId of products) expect((await ask({ productId })).text).toBe('{"ok":true}')
    expect((await alerts()).length).toBe(20)
  })

  it("keeps at most 50,000 of a store", async () => {
    const productId = await shopper.product({ stock: 0 })
    await ask({ productId })
    await client.query(
      "INSERT INTO stock_alert (store_id, sales_channel_id, key, email, created_at) SELECT $1, $2, $3, 'u' || n || '@example.com', now() FROM generate_series(1, 49998) n",
      [shop.storeId, shop.channelId, productId]
    )
    const count = async () => (await client.query("SELECT count(*)::int AS n FROM stock_alert")).rows[0]?.n
    await ask({ productId, email: "last@example.com" })
    expect(await count()).toBe(50_000)
    await ask({ productId, email: "over@example.com" })
    expect(await count()).toBe(50_000)
  })
})

describe("a stock alert", () => {
  it("gets one mail, when the item has stayed available for five minutes", async () => {
    const productId = await shopper.product({ stock: 0, name: "Lamp" })
    await ask({ productId })
    await ask({ productId, email: "bob@example.com", locale: "de" })
    await during(10)
    expect(await told()).toEqual([])
    await set(productId, { total: 1 })
    await work()
    await during(4.5)
    expect(await told()).toEqual([])
    await during(0.5)
    const events = await eventsOf("internal.back_in_stock")
    expect(events).toMatchObject([
      {
        email: "ada@example.com",
        locale: null,
        productName: "Lamp",
        variantName: null,
        salesChannelId: shop.channelId
      },
      { email: "bob@example.com", locale: "de" }
    ])
    await set(productId, { total: 0 })
    await set(productId, { total: 5 })
    await during(12)
    expect((await told()).length).toBe(2)
    const { rows } = await client.query(
      "SELECT (SELECT count(*)::int FROM stock_alert) + (SELECT count(*)::int FROM stock_watch) AS n"
    )
    expect(rows[0]).toEqual({ n: 0 })
  })

  it("counts from the moment at which the item came back, whoever looked when", async () => {
    const productId = await shopper.product({ stock: 0 })
    await ask({ productId })
    await set(productId, { total: 1 })
    await forward(5 * minute - 5_000)
    await work()
    expect(await told()).toEqual([])
    await forward(5_000)
    await work()
    expect(await told()).toEqual([["ada@example.com", productId]])
  })

  it("begins anew where the item was sold out for a moment, though nobody looked just then", async () => {
    const [alone, kitPart] = [await shopper.product({ stock: 0 }), await shopper.product({ stock: 0 })]
    const components = [{ productId: kitPart, quantity: 1 }]
    const kit = await shop.call("POST", "/v1/products", {
      body: { name: "Kit", type: "KIT", status: "active", kitComponents: components }
    })
    for (const productId of [alone, kit.body.id]) await ask({ productId })
    for (const id of [alone, kitPart]) await set(id, { total: 1 })
    await forward(3 * minute)
    await work()
    for (const id of [alone, kitPart]) for (const total of [0, 2]) await set(id, { total })
    await forward(5 * minute - 5_000)
    await work()
    expect(await told()).toEqual([])
    await forward(5_000)
    await work()
    expect((await told()).length).toBe(2)
  })

  it("stays due for any variant of a product while one of them is left", async () => {
    const made = await shop.call("POST", "/v1/products", {
      body: {
        name: "Shirt",
        status: "active",
        type: "VARIABLE",
        variants: [{ attributes: { Size: "S" } }, { attributes: { Size: "M" } }]
      }
    })
    const [small, medium] = made.body.variants.map((one: { id: string }) => one.id)
    await ask({ productId: made.body.id })
    await ask({ productId: made.body.id, variantId: small, email: "small@example.com" })
    for (const variantId of [small, medium]) await set(made.body.id, { variantId, total: 1 })
    await forward(3 * minute)
    await set(made.body.id, { variantId: small, total: 0 })
    await forward(2 * minute)
    await work()
    expect(await told()).toEqual([["ada@example.com", made.body.id]])
  })

  it("begins anew where the item is sold out or hidden within the five minutes", async () => {
    const productId = await shopper.product({ stock: 0 })
    await ask({ productId })
    await set(productId, { total: 1 })
    await during(3)
    await set(productId, { total: 0 })
    await during(1)
    await set(productId, { total: 1 })
    await during(4)
    expect(await told()).toEqual([])
    await shop.call("PATCH", `/v1/products/${productId}`, { body: { status: "draft" } })
    await during(3)
    await shop.call("PATCH", `/v1/products/${productId}`, { body: { status: "active" } })
    await during(5)
    expect(await told()).toEqual([])
    await during(0.5)
    expect(await told()).toEqual([["ada@example.com", productId]])
  })

  it("is for a variant, for any variant of a product, or for a kit and all that it is made of", async () => {
    const made = await shop.call("POST", "/v1/products", {
      body: {
        name: "Shirt",
        status: "active",
        type: "VARIABLE",
        variants: [{ attributes: { Size: "S" } }, { attributes: { Size: "M" } }]
      }
    })
    const shirt = made.body.id as string
    const [small, medium] = made.body.variants.map((one: { id: string }) => one.id)
    const [a, b] = [await shopper.product({ stock: 1 }), await shopper.product({ stock: 5 })]
    const kit = (
      await shop.call("POST", "/v1/products", {
        body: {
          name: "Kit",
          type: "KIT",
          status: "active",
          kitComponents: [
            { productId: a, quantity: 2 },
            { productId: b, quantity: 1 }
          ]
        }
      })
    ).body.id as string
    await ask({ productId: shirt, variantId: small })
    await ask({ productId: shirt, email: "any@example.com" })
    await ask({ productId: kit, email: "kit@example.com" })
    expect((await alerts()).length).toBe(3)
    await set(shirt, { variantId: medium, total: 1 })
    await during(6)
    expect(await told()).toEqual([["any@example.com", shirt]])
    await set(shirt, { variantId: small, total: 1 })
    await set(a, { total: 2 })
    await during(6)
    expect((await told()).slice(1).sort()).toEqual(
      [
        ["ada@example.com", small],
        ["kit@example.com", kit]
      ].sort()
    )
  })

  it("makes one mail of each of many, whoever of two workers is killed or meets the other", async () => {
    const productId = await shopper.product({ stock: 0 })
    await ask({ productId })
    await client.query(
      "INSERT INTO stock_alert (store_id, sales_channel_id, key, email, created_at) SELECT $1, $2, $3, 'u' || n || '@example.com', now() FROM generate_series(1, 449) n",
      [shop.storeId, shop.channelId, productId]
    )
    await set(productId, { total: 1 })
    await work()
    await forward(5 * minute)
    const twin = await shop.openTwin()
    // A worker that dies within its transaction has done nothing.
    await client.query("BEGIN")
    await client.query("SELECT FROM stock_watch WHERE key = $1 FOR UPDATE", [productId])
    await work()
    expect(await told()).toEqual([])
    await client.query("ROLLBACK")
    await Promise.all([work(), work(twin), work(), work(twin)])
    await Promise.all([work(), work(twin)])
    const all = (await told()).map(([email]) => email)
    expect([all.length, new Set(all).size]).toEqual([450, 450])
  })

  it("is forgotten after 90 days", async () => {
    const productId = await shopper.product({ stock: 0 })
    await ask({ productId })
    const sweep = () => runWith(shop.commerce, StockAlerts.use((all) => all.sweep) as never)
    await forward(89 * 24 * 60 * minute)
    await sweep()
    expect((await alerts()).length).toBe(1)
    await forward(24 * 60 * minute + 1_000)
    await sweep()
    expect(await alerts()).toEqual([])
    expect((await client.query("SELECT 1 FROM stock_watch")).rows).toEqual([])
  })
})
