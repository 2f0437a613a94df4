/** What lists are made of, where several write at once: nobody waits for anybody, and nothing that was written is missed. */
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import type { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

type Client = InstanceType<typeof pg.Client>
let shop: TestCommerce
let writers: ReadonlyArray<Client>
let reader: Client

beforeAll(async () => {
  // No workers: the test is one.
  shop = await openTestCommerce({ role: "api" })
  const clients = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const client = new pg.Client(shop.database.nodePostgres)
      await client.connect()
      // Who would wait for another fails.
      await client.query("SET lock_timeout = '2s'")
      return client
    })
  )
  reader = clients[0]!
  writers = clients.slice(1)
})
afterAll(async () => {
  await Promise.all([reader, ...writers].map((client) => client.end()))
  await shop.close()
})

const create = async (body: object = {}) => {
  const product = { name: "Lamp", basePrice: "1.00", status: "active", ...body }
  return (await shop.call("POST", "/v1/products", { body: product })).body
}
const versionOf = async (kind: string) => {
  const { rows } = await reader.query(
    "SELECT coalesce(sum(version), 0) AS version FROM catalog_version WHERE store_id = $1 AND kind = $2",
    [shop.storeId, kind]
  )
  return Number(rows[0]?.["version"])
}
const rank = (client: Client, id: string, place: number) =>
  client.query("UPDATE product_listing SET menu_order = $1 WHERE product_id = $2", [place, id])
const pass = () => shop.run(ListingRepair.use((stale) => stale.pass) as unknown as Effect.Effect<void>)
const listed = async (query: string) =>
  (await shop.call("GET", `/vc/${shop.channelId}/products?${query}`)).body.data.map(({ id }: { id: string }) => id)

describe("the version of a store's listing", () => {
  it.each(["READ COMMITTED", "REPEATABLE READ"])(
    "counts every one of several writers that are open at once, whose order of commits is any (%s)",
    async (isolation) => {
      const ids = await Promise.all(writers.map(async () => (await create()).id as string))
      for (const order of [
        [0, 1, 2],
        [2, 0, 1],
        [1, 2, 0]
      ]) {
        const before = await versionOf("members")
        for (const [i, writer] of writers.entries()) {
          await writer.query(`BEGIN ISOLATION LEVEL ${isolation}`)
          await rank(writer, ids[i] ?? "", before + i)
        }
        // Each writes twice, when all hold a version.
        for (const [i, writer] of writers.entries()) await rank(writer, ids[i] ?? "", before + i + 10)
        expect(await versionOf("members")).toBe(before)
        const seen: Array<number> = []
        for (const i of order) {
          await writers[i]?.query("COMMIT")
          seen.push((await versionOf("members")) - before)
        }
        expect(seen).toEqual([2, 4, 6])
      }
    }
  )

  it("is another one after each of two writers, so that no list that was found between them is taken for a later one", async () => {
    const [first, second] = await Promise.all(["A", "B"].map((name) => create({ name, menuOrder: -1 })))
    const top = () => listed("limit=1")
    const [one, other] = writers
    for (let i = 0; i < 5; i++) {
      await one?.query("BEGIN")
      await other?.query("BEGIN")
      await rank(one!, first.id, -100 - 2 * i)
      await rank(other!, second.id, -101 - 2 * i)
      await top()
      await one?.query("COMMIT")
      expect(await top()).toEqual([first.id])
      await other?.query("COMMIT")
      expect(await top()).toEqual([second.id])
    }
  })

  it("does not count a writer who gives up, and goes on behind it", async () => {
    const { id } = await create()
    const [one, other] = writers
    const before = await versionOf("members")
    await one?.query("BEGIN")
    await rank(one!, id, 1_000)
    await rank(other!, (await create()).id, 1_001)
    const between = await versionOf("members")
    expect(between).toBeGreaterThan(before)
    await one?.query("ROLLBACK")
    expect(await versionOf("members")).toBe(between)
    await rank(other!, id, 1_002)
    expect(await versionOf("members")).toBe(between + 1)
  })
})

describe("whether a product can be bought", () => {
  const variants = ["S", "M"].map((size) => ({ attributes: { Size: size }, inventory: { total: 1 } }))
  const make = async () => {
    const rug = await create({ name: "Rug", variants })
    await pass()
    const [small, medium] = rug.variants.map(({ id }: { id: string }) => id) as ReadonlyArray<string>
    return { id: rug.id as string, small: small ?? "", medium: medium ?? "" }
  }
  const stock = (client: Client | undefined, key: string, total: number) =>
    client?.query("UPDATE stock SET total = $1 WHERE key = $2", [total, key])
  const kept = async (id: string) =>
    (await reader.query("SELECT buyable FROM product_listing WHERE product_id = $1", [id])).rows[0]?.["buyable"]
  const isListed = async (id: string) => (await listed("inStock=true&limit=100")).includes(id)

  it.each([
    ["before both are done", []],
    ["after the first", [0]],
    ["after both", [0, 1]],
    ["at each step", [-1, 0, 1]]
  ])("ends right where its two variants run out and come back at once, with a worker %s", async (_, passes) => {
    const { id, small, medium } = await make()
    const [one, other] = writers
    for (const total of [0, 1, 0, 1]) {
      const step = async (at: number) => (passes.includes(at) ? pass() : undefined)
      await one?.query("BEGIN")
      await other?.query("BEGIN")
      await stock(one, small, total)
      await stock(other, medium, total)
      await step(-1)
      expect(await isListed(id)).toBe(total === 0)
      await one?.query("COMMIT")
      await step(0)
      expect(await isListed(id)).toBe(true)
      await other?.query("COMMIT")
      await step(1)
      expect(await isListed(id)).toBe(total === 1)
      await pass()
      expect([await kept(id), await isListed(id)]).toEqual([total === 1, total === 1])
    }
  })

  it("ends right wherever workers, writers and readers happen to be", async () => {
    const { id, small, medium } = await make()
    for (let i = 0; i < 40; i++) {
      const totals = [i % 2, (i >> 1) % 2]
      await Promise.all([
        stock(writers[0], small, totals[0] ?? 0),
        pass(),
        stock(writers[1], medium, totals[1] ?? 0),
        pass(),
        isListed(id)
      ])
      const sells = totals.some((total) => total > 0)
      expect([i, await isListed(id)]).toEqual([i, sells])
      await pass()
      expect([i, await kept(id), await isListed(id)]).toEqual([i, sells, sells])
    }
  })
})
