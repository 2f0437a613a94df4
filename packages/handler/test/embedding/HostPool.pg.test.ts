/** A host application with a node-postgres pool and tables of its own, some of them named like ours. */
import { Database } from "@effect-commerce/core/database/Database"
import * as HostDatabase from "@effect-commerce/core/host/HostDatabase"
import { NeedsOwnTransaction } from "@effect-commerce/core/database/DatabaseErrors"
import { Completion } from "@effect-commerce/core/completion/Completion"
import { Products } from "@effect-commerce/core/product/Products"
import { StorefrontStock } from "@effect-commerce/core/inventory/StorefrontStock"
import { OrderStockInsufficient } from "@effect-commerce/core/order/OrderErrors"
import { OrderEntry } from "@effect-commerce/core/orderentry/OrderEntry"
import { Stores } from "@effect-commerce/core/store/Stores"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { Effect, Fiber } from "effect"
import pg, { type Pool, type PoolClient } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { main } from "../../../../examples/host-transaction/main.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let pool: Pool
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>

beforeAll(async () => {
  shop = await openTestCommerce({
    reach: async ({ nodePostgres }) => {
      pool = new pg.Pool({ ...nodePostgres, max: 6 })
      pool.on("error", () => undefined)
      await pool.query(
        "DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE orders (id int PRIMARY KEY, note text NOT NULL)"
      )
      return { pool, schema: "shop's tables" }
    }
  })
  shopper = shopperOf(shop)
})

afterAll(async () => {
  await shop.close()
  await pool.end().catch(() => undefined)
})

const rows = async (text: string, values: ReadonlyArray<unknown> = []) => (await pool.query(text, values)).rows
const inShop = `"shop's tables"`
const unitsOf = async (productId: string) =>
  (await rows(`SELECT total FROM ${inShop}.stock WHERE key = $1`, [productId]))[0]?.["total"]
const eventsOf = (orderId: string) => rows(`SELECT type FROM ${inShop}.event WHERE data->>'orderId' = $1`, [orderId])

const placeOrder = (productId: string, quantity: number) =>
  Effect.gen(function* () {
    const store = yield* (yield* Stores).context(shop.storeId)
    return yield* (yield* OrderEntry).create(store, {
      currency: "USD",
      items: [{ productId, quantity }],
      customer: { email: "ada@example.com" }
    })
  })

const transaction = async <A>(end: "COMMIT" | "ROLLBACK", body: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const done = await body(client)
    await client.query(end)
    return done
  } finally {
    client.release()
  }
}

describe("commerce over a host's pool", () => {
  it("keeps its tables in a schema of its own, beside the host's", async () => {
    const tables = await rows(
      "SELECT n.nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = 'orders' ORDER BY 1"
    )
    expect(tables).toEqual([{ schema: "public" }, { schema: "shop's tables" }])
    expect(
      await rows("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'")
    ).toEqual([{ relname: "orders" }])
  })

  it("sells over HTTP, and gives every client back with the host's search_path", async () => {
    const product = await shopper.product({ price: 1_250n, stock: 5 })
    const completed = await shopper.complete(await shopper.checkout(await shopper.cart([product, 2])), "one")
    expect([completed.status, completed.body.total]).toEqual([200, "25.00"])
    expect(await unitsOf(product)).toBe(3)
    expect(await rows("SELECT * FROM orders")).toEqual([])
    const clients = await Promise.all([1, 2, 3, 4].map(() => pool.connect()))
    for (const client of clients) {
      expect((await client.query("SHOW search_path")).rows).toEqual([{ search_path: '"$user", public' }])
      expect((await client.query("SELECT current_user AS me")).rows).toEqual([{ me: "postgres" }])
      client.release()
    }
  })

  it("gives every client back as it was, also where whoever asked has gone, and piles nothing up on it", async () => {
    const warned: Array<string> = []
    const note = ({ name }: Error) => void warned.push(name)
    process.on("warning", note)
    const asking = Effect.gen(function* () {
      const { sql, write } = yield* Database
      const asks = [
        sql`SELECT id FROM store`,
        write(shop.storeId)(sql`UPDATE stock SET total = total WHERE store_id = ${shop.storeId}`)
      ]
      for (let i = 0; i < 200; i++) {
        const asked = yield* Effect.forkChild(Effect.exit(asks[i % 2]!))
        for (let turn = 0; turn < i % 37; turn++) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
        yield* Fiber.interrupt(asked)
      }
    })
    await Effect.runPromise(Effect.provide(asking, HostDatabase.layer({ pool, schema: "shop's tables" })))
    const clients = await Promise.all([1, 2, 3, 4].map(() => pool.connect()))
    const state =
      "SELECT current_setting('search_path') AS path, current_user AS me, now() = statement_timestamp() AS fresh"
    const states = await Promise.all(clients.map(async (client) => (await client.query(state)).rows[0]))
    for (const client of clients) client.release()
    expect(states).toEqual(clients.map(() => ({ path: '"$user", public', me: "postgres", fresh: true })))
    process.removeListener("warning", note)
    expect(warned).toEqual([])
  })

  it("commits an order with the host's own row, or neither", async () => {
    const product = await shopper.product({ stock: 10 })
    const order = await transaction("COMMIT", async (client) => {
      await client.query("INSERT INTO orders VALUES (1, 'before')")
      const made = await shop.commerce.inTransaction(client, placeOrder(product, 4))
      await client.query("INSERT INTO orders VALUES (2, $1)", [made.id])
      return made
    })
    expect(await rows("SELECT id, note FROM orders ORDER BY id")).toEqual([
      { id: 1, note: "before" },
      { id: 2, note: order.id }
    ])
    expect((await shop.call("GET", `/v1/orders/${order.id}`)).status).toBe(200)
    expect(await unitsOf(product)).toBe(6)
    expect(await eventsOf(order.id)).toEqual([{ type: "order.created" }])

    const gone = await transaction("ROLLBACK", async (client) => {
      await client.query("INSERT INTO orders VALUES (3, 'never')")
      return shop.commerce.inTransaction(client, placeOrder(product, 5))
    })
    expect((await shop.call("GET", `/v1/orders/${gone.id}`)).body.code).toBe("ORDER_NOT_FOUND")
    expect([await unitsOf(product), await eventsOf(gone.id)]).toEqual([6, []])
    expect(await rows("SELECT id FROM orders WHERE id = 3")).toEqual([])
    // The number of what was taken back is given to the next order.
    const next = await shop.commerce.fetch(
      new Request("http://shop/api/v1/orders", {
        method: "POST",
        headers: { authorization: `Bearer ${shop.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ items: [{ productId: product, quantity: 1 }] })
      })
    )
    expect(((await next.json()) as { readonly orderNumber: string }).orderNumber).toBe(gone.orderNumber)
  })

  it("rejects with the use case's own error, takes back that call alone and leaves the host's transaction usable", async () => {
    const product = await shopper.product({ stock: 3 })
    await transaction("COMMIT", async (client) => {
      const first = await shop.commerce.inTransaction(client, placeOrder(product, 2))
      await expect(shop.commerce.inTransaction(client, placeOrder(product, 2))).rejects.toBeInstanceOf(
        OrderStockInsufficient
      )
      await client.query("INSERT INTO orders VALUES (4, $1)", [first.id])
      expect((await client.query("SHOW search_path")).rows).toEqual([{ search_path: '"$user", public' }])
    })
    expect(await unitsOf(product)).toBe(1)
    expect(await rows("SELECT id FROM orders WHERE id = 4")).toEqual([{ id: 4 }])
  })

  it("shows its transaction what it has written, and nobody else, however many ask", async () => {
    const product = await shopper.product({ stock: 3 })
    const toldOf = Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const stock = yield* (yield* StorefrontStock).inventory(store, shop.channelId, [product])
      return stock[0]?.inventory.total
    })
    await transaction("ROLLBACK", async (client) => {
      await client.query(`UPDATE ${inShop}.stock SET total = 7 WHERE key = $1`, [product])
      const told = new Set<number | undefined>()
      let isAsking = true
      const others = Array.from({ length: 20 }, async () => {
        while (isAsking) told.add(await shop.run(toldOf as unknown as Effect.Effect<number | undefined>))
      })
      for (let i = 0; i < 10; i += 1) expect(await shop.commerce.inTransaction(client, toldOf)).toBe(7)
      isAsking = false
      await Promise.all(others)
      expect(told).toEqual(new Set([3]))
    })
  })

  it("shows what the host writes of a product behind a change of it, in one transaction", async () => {
    const product = await shopper.product({ stock: 3 })
    const change = (basePrice: string) =>
      Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        return yield* (yield* Products).update(store, product, { basePrice })
      })
    await transaction("COMMIT", async (client) => {
      await shop.commerce.inTransaction(client, change("8.00"))
      await client.query(`UPDATE ${inShop}.product SET name = 'Renamed by the host' WHERE id = $1`, [product])
      await client.query(`UPDATE ${inShop}.stock SET total = 0 WHERE key = $1`, [product])
    })
    const { body } = await shop.call("GET", `/vc/${shop.channelId}/products/${product}`)
    expect([body.name, body.basePrice]).toEqual(["Renamed by the host", "8.00"])
    const { body: inStock } = await shop.call("GET", `/vc/${shop.channelId}/products?inStock=true`)
    expect(inStock.data.map(({ id }: { readonly id: string }) => id)).not.toContain(product)
  })

  it("leaves how the host's statements are planned as it was", async () => {
    const create = (count: number) =>
      Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        const inputs = Array.from({ length: count }, (_, i) => ({ name: `One of a set ${i}` }))
        return yield* (yield* Products).createMany(store, inputs)
      })
    await transaction("COMMIT", async (client) => {
      const planning = async () =>
        (
          await client.query(
            "SELECT name, setting FROM pg_settings WHERE name LIKE 'enable_%' OR name = 'plan_cache_mode'"
          )
        ).rows
      await client.query("SET LOCAL enable_material = off")
      const before = await planning()
      expect(await shop.commerce.inTransaction(client, create(3))).toHaveLength(3)
      expect(await planning()).toEqual(before)
    })
  })

  it("completes a checkout that nobody has to be asked about, and refuses one that a provider must be paid for", async () => {
    const product = await shopper.product({ price: 700n, stock: 9 })
    const [manual, paid] = [
      await shopper.checkout(await shopper.cart([product, 1])),
      await shopper.checkout(await shopper.cart([product, 1]))
    ]
    const access = { salesChannelId: shop.channelId, isStorefront: true, isTest: true, customerId: null }
    const complete = (checkoutId: string, input: Parameters<(typeof Completion)["Service"]["complete"]>[3]) =>
      Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        return yield* (yield* Completion).complete(store, access, checkoutId, input)
      })
    await transaction("COMMIT", async (client) => {
      expect((await shop.commerce.inTransaction(client, complete(manual, {}))).total).toBe("7.00")
      const asked = shop.commerce.inTransaction(
        client,
        complete(paid, { paymentMethod: "test", paymentReference: "approve" })
      )
      const refusal = await asked.then(
        () => undefined,
        (error: unknown) => error
      )
      expect(refusal).toBeInstanceOf(NeedsOwnTransaction)
      expect(String(refusal)).toContain(
        "completing a checkout through the payment provider test calls out over the network and cannot run inside a host's transaction: run it before BEGIN or after COMMIT"
      )
    })
    expect(await unitsOf(product)).toBe(8)
    expect(await rows(`SELECT charge_key FROM ${inShop}.test_charge`)).toEqual([])
    expect(
      await rows(`SELECT status FROM ${inShop}.checkout WHERE id = ANY($1) ORDER BY status`, [[manual, paid]])
    ).toEqual([{ status: "COMPLETED" }, { status: "PENDING" }])
  })

  it("keeps the tenants apart inside the host's transaction, although its user is a superuser", async () => {
    const theirs = (await shop.openStore()).storeId
    const product = await shopper.product({ stock: 3 })
    const across = Effect.gen(function* () {
      const store = yield* (yield* Stores).context(theirs)
      return yield* (yield* OrderEntry).create(store, { currency: "USD", items: [{ productId: product, quantity: 1 }] })
    })
    await transaction("COMMIT", (client) =>
      expect(shop.commerce.inTransaction(client, across)).rejects.toMatchObject({ _tag: "OrderProductUnknown" })
    )
    expect(await unitsOf(product)).toBe(3)
  })

  it("leaves the pool to the host when it closes, and begins again on the same tables", async () => {
    await shop.commerce.close()
    expect(await rows("SELECT 1 AS one")).toEqual([{ one: 1 }])
    const { createCommerce } = await import("../../src/createCommerce.ts")
    const again = await createCommerce({
      database: { pool, schema: "shop's tables" },
      secret: "the host's root secret, of 32 bytes or more"
    })
    const ready = await again.fetch(new Request("http://shop/api/health/ready"))
    expect(ready.status).toBe(200)
    await again.close()
  })

  it("says what is missing where it may not migrate and nobody has", async () => {
    const { createCommerce } = await import("../../src/createCommerce.ts")
    const bare = await createCommerce({
      database: { pool, schema: "elsewhere", migrate: false },
      secret: "the host's root secret, of 32 bytes or more",
      role: "api"
    })
    expect((await bare.fetch(new Request("http://shop/api/health/ready"))).status).toBe(503)
    await bare.close()
    await expect(createCommerce({ database: { pool } })).rejects.toThrow("`secret` is required")
    const beside = createCommerce({ database: { pool }, secret: "the host's root secret, of 32 bytes or more" })
    await expect(beside).rejects.toThrow(
      "the schema public has tables that are named like ours and are not ours (orders): give ours a schema of their own"
    )
    expect(
      await rows("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'")
    ).toEqual([{ relname: "orders" }])
    const small = new pg.Pool({ ...shop.database.nodePostgres, max: 1 })
    const refused = createCommerce({ database: { pool: small }, secret: "the host's root secret, of 32 bytes or more" })
    await expect(refused).rejects.toThrow("createCommerce: a pool needs `max` of 2 or more")
  })

  it("joins a host's transaction also where it has connections of its own", async () => {
    const [before] = await rows(`SELECT key, total FROM ${inShop}.stock WHERE total > 2 ORDER BY key LIMIT 1`)
    const product = String(before?.["key"])
    await pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = %I', current_database(), 'shop''s tables'); END $$`
    )
    const { createCommerce } = await import("../../src/createCommerce.ts")
    const own = await createCommerce({
      database: { connection: shop.database.connection },
      secret: "the host's root secret, of 32 bytes or more",
      role: "api"
    })
    const client = new pg.Client(shop.database.nodePostgres)
    await client.connect()
    const known = async (id: string) => (await rows(`SELECT 1 FROM ${inShop}.orders WHERE id = $1`, [id])).length
    for (const [end, kept] of [
      ["ROLLBACK", 0],
      ["COMMIT", 1]
    ] as const) {
      await client.query("BEGIN")
      const { id } = await own.inTransaction(client, placeOrder(product, 1))
      expect(await known(id)).toBe(0)
      await client.query(end)
      expect(await known(id)).toBe(kept)
    }
    expect(await unitsOf(product)).toBe(Number(before?.["total"]) - 1)
    await client.end()
    await own.close()
  })
})

it("the example of a host's transaction tells what its README promises", async () => {
  const database = await TestDatabase.open({ template: false })
  const school = new pg.Pool(database.nodePostgres)
  school.on("error", () => undefined)
  expect(await main(school)).toEqual([
    "ada@example.com: a seat and order #1001",
    "ada@example.com: has a seat already",
    "emmy@example.com: a seat and order #1002",
    "sofia@example.com: a seat and no book",
    "2 orders, 0 books left"
  ])
  await school.end()
  await database.close()
})
