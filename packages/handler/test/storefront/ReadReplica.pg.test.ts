/** Storefronts that read from a real replica: which statements go there, and what a cache may not learn from it. */
import { ReadReplica } from "@effect-commerce/core/replica/ReadReplica"
import * as TestServer from "@effect-commerce/core/testing/TestServer"
import { loggedStatements, startTestReplica, type TestReplica } from "@effect-commerce/core/testservers/TestReplica"
import { Context, Effect } from "effect"
import { dirname, join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let server: { readonly server: TestServer.TestServer; readonly stop: () => Promise<void> }
let replica: TestReplica
let shop: TestCommerce
let twin: Commerce

beforeAll(async () => {
  server = await TestServer.startTestServer()
  replica = await startTestReplica(server.server)
  shop = await openTestCommerce({
    server: server.server,
    // Workers ask for themselves: what is counted here is what requests ask.
    role: "api",
    rateLimit: { store: "memory", perMinute: "off" },
    reach: async ({ connection }) => {
      await replica.caughtUp()
      return {
        connection,
        replica: { connection: replica.connectionTo(String(connection.database)), maxLagMillis: 60_000 }
      }
    }
  })
  twin = await shop.openTwin()
}, 120_000)
afterEach(() => replica.run("SELECT pg_wal_replay_resume()"))
afterAll(async () => {
  await shop?.close()
  await replica?.close()
  await server?.stop()
})

const replicaOf = (commerce: Commerce) => Context.get(commerce.services as never, ReadReplica)

const read = async (commerce: Commerce, path: string) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, { headers: { origin: "https://shop.example" } })
  )
  return { status: answer.status, tag: answer.headers.get("etag"), body: JSON.parse(await answer.text()) }
}
/** Until the store is read from the replica again, in this process. */
const settled = async (commerce: Commerce, path = `/vc/${shop.channelId}/brands`) => {
  for (let i = 0; i < 20; i++) {
    await replica.caughtUp()
    await Effect.runPromise(replicaOf(commerce).look)
    const before = replicaOf(commerce).state()?.byReplica ?? 0
    await read(commerce, path)
    if ((replicaOf(commerce).state()?.byReplica ?? 0) > before) return
  }
  throw new Error(`not read from the replica: ${JSON.stringify(replicaOf(commerce).state())}`)
}

const newProduct = async (name: string, body: object = {}) => {
  const made = await shop.call("POST", "/v1/products", {
    body: { name, basePrice: "10.00", status: "active", inventory: { total: 5 }, ...body }
  })
  expect(made.status).toBe(201)
  return made.body as { readonly id: string; readonly slug: string }
}
const rename = async (id: string, name: string) =>
  expect((await shop.call("PATCH", `/v1/products/${id}`, { body: { name } })).status).toBe(200)
const channel = () => `/vc/${shop.channelId}`

describe("a storefront beside a replica", () => {
  it("reads the catalogue there, and everything of carts, orders and admins from the primary", async () => {
    const { id, slug } = await newProduct("Lamp")
    const { body: category } = await shop.call("POST", "/v1/categories", { body: { name: "Lamps" } })
    await settled(shop.commerce)
    const before = replicaOf(shop.commerce).state()
    const paths = [
      `${channel()}/products`,
      `${channel()}/products?search=lamp`,
      `${channel()}/products/${id}`,
      `${channel()}/products/slug/${slug}`,
      `${channel()}/products/${id}/recommendations`,
      `${channel()}/products/${id}/reviews`,
      `${channel()}/categories`,
      `${channel()}/categories/slug/${category.slug}`,
      `${channel()}/brands`,
      `${channel()}/metafield-definitions`,
      `${channel()}/metafield-filters`,
      `/stores/${shop.storeId}/products`,
      `/stores/${shop.storeId}/products/${id}`,
      `/stores/${shop.storeId}/categories`,
      `/stores/${shop.storeId}/brands`
    ]
    for (const path of paths) expect([path, (await read(shop.commerce, path)).status]).toEqual([path, 200])
    const after = replicaOf(shop.commerce).state()
    expect(after?.byPrimary).toBe(before?.byPrimary)
    expect((after?.byReplica ?? 0) - (before?.byReplica ?? 0)).toBeGreaterThanOrEqual(paths.length)
    const shopper = shopperOf(shop)
    const cart = await shopper.cart([id, 1])
    await shop.call("GET", `${channel()}/cart/${cart}`)
    await shop.call("GET", `/v1/products/${id}`)
    await shop.call("GET", `${channel()}/inventory?productIds=${id}`)
    expect(replicaOf(shop.commerce).state()).toMatchObject({ byReplica: after?.byReplica, byPrimary: after?.byPrimary })
  })

  it("takes at least 95 of 100 statements of storefront reads off the primary, as both servers have logged them", async () => {
    const { id } = await newProduct("Counted")
    await settled(shop.commerce)
    const admin = TestServer.connectionOf(server.server, "postgres")
    const run = (statement: string) => Effect.runPromise(TestServer.runStatement(admin, statement))
    const { rows } = await run("SELECT current_setting('data_directory') AS place")
    const log = join(dirname(String((rows[0] as { readonly place: string }).place)), "postgres.log")
    // A statement that marks the place: sessions take a reload over one after another.
    const marked = async (mark: string) => {
      for (;;) {
        await run(`SELECT '${mark}'`)
        if (loggedStatements(log).some((line) => line.includes(mark))) return
      }
    }
    const reads = (statements: ReadonlyArray<string>) =>
      statements.filter((text) => /\b(product|category|brand|catalog_version)/.test(text)).length
    await run("ALTER SYSTEM SET log_statement = 'all'")
    await run("SELECT pg_reload_conf()")
    await marked("the reload is read")
    const before = [reads(loggedStatements(log)), reads(replica.statements())] as const
    for (let i = 0; i < 25; i++) {
      await read(shop.commerce, `${channel()}/products?page=${1 + (i % 3)}&limit=2`)
      await read(shop.commerce, `${channel()}/products/${id}`)
      await read(shop.commerce, `${channel()}/categories`)
      await read(shop.commerce, `${channel()}/products?search=count${"x".repeat(i % 5)}`)
    }
    const [primary, there] = [reads(loggedStatements(log)) - before[0], reads(replica.statements()) - before[1]]
    await run("ALTER SYSTEM RESET log_statement")
    await run("SELECT pg_reload_conf()")
    expect(there).toBeGreaterThanOrEqual(100)
    expect(there / (there + primary)).toBeGreaterThanOrEqual(0.95)
  })

  it("shows a merchant's write at once in the process that made it, and elsewhere when the replica has it", async () => {
    const { id } = await newProduct("First name")
    await settled(shop.commerce)
    await settled(twin)
    await replica.run("SELECT pg_wal_replay_pause()")
    await rename(id, "Second name")
    const nameIn = async (commerce: Commerce) => (await read(commerce, `${channel()}/products/${id}`)).body.name
    expect(await nameIn(shop.commerce)).toBe("Second name")
    expect(await nameIn(twin)).toBe("First name")
    await replica.run("SELECT pg_wal_replay_resume()")
    await settled(twin)
    expect(await nameIn(twin)).toBe("Second name")
  })

  it("never keeps a page of an older state: neither where a newer one is kept, nor for when the newer one is read", async () => {
    const { id } = await newProduct("Old name")
    await settled(shop.commerce)
    await settled(twin)
    const list = `${channel()}/products?search=name&sortBy=name&limit=50`
    const names = async (commerce: Commerce) =>
      (await read(commerce, list)).body.data.map(({ name }: { readonly name: string }) => name) as ReadonlyArray<string>
    // Asked until every step of the list is remembered.
    for (let i = 0; i < 3; i++)
      for (const commerce of [shop.commerce, twin]) expect(await names(commerce)).toContain("Old name")
    await replica.run("SELECT pg_wal_replay_pause()")
    await rename(id, "New name")
    for (let i = 0; i < 3; i++) {
      expect(await names(shop.commerce)).toContain("New name")
      expect(await names(twin)).toContain("Old name")
    }
    await replica.run("SELECT pg_wal_replay_resume()")
    for (const commerce of [shop.commerce, twin]) {
      await settled(commerce)
      for (let i = 0; i < 3; i++) {
        const shown = await names(commerce)
        expect(shown).toContain("New name")
        expect(shown).not.toContain("Old name")
      }
    }
  })

  it("keeps the newer labels where the replica shows an older state, and shows it again once they are there", async () => {
    const { body: brand } = await shop.call("POST", "/v1/brands", { body: { name: "Old brand" } })
    const { id } = await newProduct("Branded", { brands: [brand.id] })
    await settled(shop.commerce)
    await settled(twin)
    const brandIn = async (commerce: Commerce) =>
      (await read(commerce, `${channel()}/products/${id}`)).body.brands[0].name as string
    for (let i = 0; i < 3; i++)
      expect([await brandIn(shop.commerce), await brandIn(twin)]).toEqual(["Old brand", "Old brand"])
    await replica.run("SELECT pg_wal_replay_pause()")
    expect((await shop.call("PATCH", `/v1/brands/${brand.id}`, { body: { name: "New brand" } })).status).toBe(200)
    for (let i = 0; i < 3; i++)
      expect([await brandIn(shop.commerce), await brandIn(twin)]).toEqual(["New brand", "Old brand"])
    await replica.run("SELECT pg_wal_replay_resume()")
    await settled(twin)
    await settled(shop.commerce)
    for (let i = 0; i < 3; i++)
      expect([await brandIn(shop.commerce), await brandIn(twin)]).toEqual(["New brand", "New brand"])
  })

  it("composes products that are marked on the primary, and shows them as composed while the replica is behind", async () => {
    const { id } = await newProduct("Marked")
    const own = (statement: string) => Effect.runPromise(TestServer.runStatement(shop.database.connection, statement))
    await own(`UPDATE product SET name = 'Written by hand' WHERE id = '${id}'`)
    await settled(shop.commerce)
    await replica.run("SELECT pg_wal_replay_pause()")
    for (let i = 0; i < 3; i++)
      expect((await read(shop.commerce, `${channel()}/products/${id}`)).body.name).toBe("Written by hand")
    await replica.run("SELECT pg_wal_replay_resume()")
  })

  it("shows a product whose document cannot be read as the primary composes it, while the replica is behind", async () => {
    const { id } = await newProduct("Spoilt")
    const own = (statement: string) => Effect.runPromise(TestServer.runStatement(shop.database.connection, statement))
    await own(`UPDATE product_document SET document = 'not JSON' WHERE product_id = '${id}'`)
    await settled(shop.commerce)
    await replica.run("SELECT pg_wal_replay_pause()")
    for (let i = 0; i < 3; i++) {
      const shown = await read(shop.commerce, `${channel()}/products/${id}`)
      expect([shown.status, shown.body.name]).toEqual([200, "Spoilt"])
    }
    await replica.run("SELECT pg_wal_replay_resume()")
  })

  it("goes on from the replica while stock is synchronised and writes are refused", async () => {
    const { id } = await newProduct("Synchronised")
    await settled(shop.commerce)
    const before = replicaOf(shop.commerce).state()
    const stock = { items: [{ productId: id, total: 7 }] }
    expect((await shop.call("PUT", "/v1/inventory/bulk", { body: stock })).status).toBe(200)
    expect((await shop.call("PATCH", `/v1/products/${id}`, { body: { name: 7 } })).status).toBe(400)
    expect((await shop.call("PATCH", "/v1/products/prod_none", { body: { name: "Nobody" } })).status).toBe(404)
    await read(shop.commerce, `${channel()}/brands`)
    const after = replicaOf(shop.commerce).state()
    expect([after?.byReplica, after?.byPrimary]).toEqual([(before?.byReplica ?? 0) + 1, before?.byPrimary])
  })

  it("tells the metrics who answers, and goes on from the primary when the replica is stopped", async () => {
    await settled(shop.commerce)
    const metric = async (name: string) => {
      const text = (await shop.call("GET", "/metrics")).text
      return Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")
          .at(-1)
      )
    }
    const byReplica = 'commerce_storefront_reads_total{server="replica"}'
    expect(await metric("commerce_replica_up")).toBe(1)
    expect(await metric("commerce_replica_lag_seconds")).toBeLessThan(60)
    const before = await metric(byReplica)
    expect((await read(shop.commerce, `${channel()}/brands`)).status).toBe(200)
    expect(await metric(byReplica)).toBe(before + 1)
    await replica.stop()
    for (let i = 0; i < 5; i++)
      expect((await read(shop.commerce, `${channel()}/products?limit=${i + 1}`)).status).toBe(200)
    await expect.poll(() => metric("commerce_replica_up"), { timeout: 20_000 }).toBe(0)
    expect(await metric("commerce_replica_reads_asked_again_total")).toBeGreaterThanOrEqual(0)
    await replica.start()
    await settled(shop.commerce)
    expect(await metric("commerce_replica_up")).toBe(1)
  })
})
