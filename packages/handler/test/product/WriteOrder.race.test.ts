/**
 * Products, kits and metafield definitions that are edited at the same time: no two writers wait for each other, so the
 * database ends none of them (architecture.md, Consistency).
 */
import type { Commerce } from "../../src/createCommerce.ts"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const made = async (path: string, body: object) => {
  const { status, body: answer } = await shop.call("POST", path, { body })
  expect([200, 201]).toContain(status)
  return answer.id as string
}
const product = (body: object = {}) =>
  made("/v1/products", { name: "Lamp", basePrice: "10.00", status: "active", ...body })
const definition = (key: string, body: object = {}) =>
  made("/v1/metafield-definitions", { name: key, key, type: "TEXT", ...body })

const deadlocks = async () => {
  await client.query("SELECT pg_stat_clear_snapshot()")
  const found = await client.query(
    "SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()"
  )
  return found.rows[0]?.n as number
}

/** A sequence that is the same for the same seed. */
const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe("writers of one catalogue at once", () => {
  it("never wait for each other in turn, over two processes", async () => {
    const before = await deadlocks()
    const early = [await product(), await product(), await product()]
    const components = (ids: ReadonlyArray<string>) => ids.map((productId) => ({ productId, quantity: 1 }))
    const kits = [
      await product({ type: "KIT", kitComponents: components(early) }),
      await product({ type: "KIT", kitComponents: components(early.slice(1)) })
    ]
    // Components on both sides of their kits, in the order of ids.
    const late = [await product(), await product()]
    const simple = [...early, ...late]
    const all = [...simple, ...kits]
    const keys = ["care", "size", "grain"]
    const definitions = [
      await definition("care"),
      await definition("size", { appliesToAllProducts: false, productIds: all }),
      await definition("grain", { appliesToAllProducts: false, productIds: all })
    ]
    const twins: ReadonlyArray<Commerce> = [await shop.openTwin(), await shop.openTwin()]
    const ask = async (i: number, method: string, path: string, body?: object, ifMatch?: string) => {
      const twin = twins[i % 2] as Commerce
      const response = await twin.fetch(
        new Request(`http://commerce.test/api${path}`, {
          method,
          headers: {
            "content-type": "application/json",
            authorization: `Bearer ${shop.apiKey}`,
            ...(ifMatch === undefined ? {} : { "if-match": ifMatch })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
      return { status: response.status, body: await response.json() }
    }
    const send = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status
    const next = random(20_261_123)
    const one = <A>(list: ReadonlyArray<A>) => list[next(list.length)] as A
    const shuffled = (ids: ReadonlyArray<string>) => ids.toSorted(() => next(2) - 0.5)
    const values = (i: number) => shuffled(keys).map((key) => ({ key, value: `${key} ${i}` }))
    const writes: ReadonlyArray<(i: number) => Promise<number>> = [
      (i) => send(i, "PATCH", `/v1/products/${one(all)}`, { name: `Lamp ${i}` }),
      (i) => send(i, "PATCH", `/v1/products/${one(simple)}`, { name: `Lamp ${i}`, crossSells: [] }, "*"),
      (i) =>
        send(i, "PATCH", `/v1/products/${one(kits)}`, { kitComponents: components(shuffled(simple).slice(next(3))) }),
      (i) => {
        const metafields = Object.fromEntries(values(i).map(({ key, value }) => [key, value]))
        return send(i, "PATCH", `/v1/products/${one(all)}`, { metafields })
      },
      (i) =>
        send(i, "PUT", `/v1/products/${one(all)}/metafields`, {
          values: Object.fromEntries(values(i).map(({ key, value }) => [key, value]))
        }),
      (i) =>
        send(i, "POST", "/v1/metafield-values/bulk", {
          values: shuffled(all).flatMap((productId) => values(i).map((value) => ({ productId, ...value })))
        }),
      (i) =>
        send(i, "PATCH", `/v1/metafield-definitions/${one(definitions)}`, {
          name: `Named ${i}`,
          filterable: i % 2 === 0
        }),
      (i) =>
        send(
          i,
          "PATCH",
          `/v1/metafield-definitions/${one(definitions.slice(1))}`,
          {
            productIds: shuffled(all)
          },
          "*"
        ),
      async (i) => {
        const lamp = await ask(i, "POST", "/v1/products", { name: `Spare ${i}`, basePrice: "1.00" })
        const metafields = Object.fromEntries(values(i).map(({ key, value }) => [key, value]))
        await send(i, "PUT", `/v1/products/${lamp.body.id}/metafields`, { values: { care: metafields["care"] } })
        return send(i + 1, "DELETE", `/v1/products/${lamp.body.id}`)
      },
      async (i) => {
        const key = `passing_${i}`
        const { body } = await ask(i, "POST", "/v1/metafield-definitions", {
          name: key,
          key,
          type: "TEXT",
          productIds: all
        })
        await Promise.all(
          kits.map((id) => send(i, "PUT", `/v1/products/${id}/metafields`, { values: { [key]: "a" }, source: "erp" }))
        )
        const written = Promise.all(
          kits.map((id) =>
            send(i + 1, "PUT", `/v1/products/${id}/metafields`, { values: { [key]: "b" }, source: "pim" })
          )
        )
        const removed = await send(i, "DELETE", `/v1/metafield-definitions/${body.id}?force=true`)
        await written
        return removed
      },
      (i) => send(i, "GET", `/vc/${shop.channelId}/products?limit=50`)
    ]
    const answers: Array<number> = []
    let at = 0
    const worker = async () => {
      while (at < 120) {
        const i = at++
        answers.push(await one(writes)(i))
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    // A connection says what befell it when it ends.
    await Promise.all(twins.map((twin) => twin.close()))
    expect([...new Set(answers)].filter((status) => status >= 500)).toEqual([])
    expect(answers.filter((status) => status === 200).length).toBeGreaterThan(90)
    const idle =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'"
    await expect.poll(async () => (await client.query(idle)).rows[0]?.n, { timeout: 10_000 }).toBe(1)
    expect(await deadlocks()).toBe(before)
  })
})
