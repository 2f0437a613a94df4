/** `commerce.events.on`: functions of a host that are called with events, by one process, by two, and after a restart. */
import type { HostEvent } from "../../src/adapters/hostEvents.ts"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

/** Remembers what it was called with; `until` waits for so many calls. */
const recorder = () => {
  const heard: Array<HostEvent> = []
  const waiting = new Set<() => void>()
  return {
    heard,
    hear: (event: HostEvent): void => {
      heard.push(event)
      for (const look of waiting) look()
    },
    until: (count: number) =>
      new Promise<ReadonlyArray<HostEvent>>((resolve) => {
        const look = () => {
          if (heard.length < count) return
          waiting.delete(look)
          resolve(heard)
        }
        waiting.add(look)
        look()
      })
  }
}
const product = async (name: string, { apiKey }: Pick<TestStore, "apiKey"> = shop): Promise<string> => {
  const { status, body } = await shop.call("POST", "/v1/products", { body: { name }, key: apiKey })
  expect(status).toBe(201)
  return body.id
}
const namesOf = (events: ReadonlyArray<HostEvent>) =>
  events.map((event) => (event.type === "product.created" ? event.data.product.name : event.type))
const cursorsOf = async (listener: string, storeId = shop.storeId) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const { rows } = await client.query(
    `SELECT failures, last_error, lease, due_at IS NOT NULL AS due FROM event_listener_cursor
      WHERE store_id = $1 AND listener = $2`,
    [storeId, listener]
  )
  await client.end()
  return rows
}
/** Everything that is committed is in the feed. */
const relayed = () => shop.call("GET", "/v1/events?limit=100")
const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })

describe("a function of the host", () => {
  it("is called with the event that a webhook would get, its store, and nothing from before", async () => {
    await product("Before")
    await relayed()
    const { heard, hear, until } = recorder()
    const { name, stop } = await shop.commerce.events.on(["product.created", "product.deleted"], hear)
    const id = await product("Lamp")
    await shop.call("PATCH", `/v1/products/${id}`, { body: { name: "Lamp 2" } })
    await shop.call("DELETE", `/v1/products/${id}`)
    await until(2)
    await stop()
    expect(name).toBe("product.created,product.deleted")
    expect(namesOf(heard)).toEqual(["Lamp", "product.deleted"])
    const { body } = await shop.call("GET", "/v1/events?types=product.created,product.deleted&limit=100")
    expect(heard).toEqual(body.data.slice(1).map((event: object) => ({ ...event, storeId: shop.storeId })))
  })

  it("gets what happened while nobody listened, once somebody listens under the name again", async () => {
    const first = recorder()
    const { stop } = await shop.commerce.events.on("product.*", first.hear, { name: "erp" })
    await product("Heard")
    await first.until(1)
    await stop()
    await product("Missed 1")
    await product("Missed 2")
    const second = recorder()
    const again = await shop.commerce.events.on("product.*", second.hear, { name: "erp" })
    expect(namesOf(await second.until(2))).toEqual(["Missed 1", "Missed 2"])
    await again.stop()
    expect(namesOf(first.heard)).toEqual(["Heard"])
  })

  it("that throws is called again with the same event, while other stores go on and its own store waits", async () => {
    const other = await shop.openStore()
    const { hear, until } = recorder()
    let broken = true
    const failing = recorder()
    const { stop } = await shop.commerce.events.on(
      "product.created",
      (event) => {
        if (broken && event.storeId === shop.storeId) {
          failing.hear(event)
          throw new Error("the warehouse is closed")
        }
        hear(event)
      },
      { name: "failing" }
    )
    await product("One")
    await failing.until(1)
    await product("Two")
    await product("Elsewhere", other)
    expect(namesOf(await until(1))).toEqual(["Elsewhere"])
    expect(await cursorsOf("failing")).toEqual([
      { failures: 1, last_error: "Error: the warehouse is closed", lease: null, due: true }
    ])
    await advance(1_000)
    await failing.until(2)
    broken = false
    await advance(2_000)
    expect(namesOf(await until(3))).toEqual(["Elsewhere", "One", "Two"])
    await stop()
    expect(new Set(failing.heard.map(({ id }) => id)).size).toBe(1)
  })

  it("shares the events of its name with other processes: each is handed over once", async () => {
    const twin = await shop.openTwin()
    const all = recorder()
    const stores = await Promise.all([1, 2, 3, 4].map(() => shop.openStore()))
    const listening = await Promise.all(
      [shop.commerce, twin].map(({ events }) => events.on("product.created", all.hear, { name: "shared" }))
    )
    const made = await Promise.all(
      stores.flatMap((store) => [1, 2, 3, 4, 5].map((i) => product(`${store.storeId} ${i}`, store)))
    )
    const heard = await all.until(20)
    await Promise.all(listening.map(({ stop }) => stop()))
    expect(heard.map(({ data }) => (data as { productId: string }).productId).toSorted()).toEqual(made.toSorted())
    for (const { storeId } of stores) {
      const sequences = heard.filter((event) => event.storeId === storeId).map(({ sequence }) => sequence)
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    }
  })

  it("that is stopped while it works may end its work, and is not called with that event again", async () => {
    let finish: (value?: unknown) => void = () => undefined
    const [begun, beside] = [recorder(), recorder()]
    const known = await shop.commerce.events.on("product.created", beside.hear, { name: "stopped" })
    await known.stop()
    const other = await shop.commerce.events.on("product.created", beside.hear, { name: "beside" })
    await product("Under way")
    await product("Left")
    // Both are in the feed, so that one page has them.
    await beside.until(2)
    await other.stop()
    const { stop } = await shop.commerce.events.on(
      "product.created",
      (event) => {
        begun.hear(event)
        return new Promise((resolve) => (finish = resolve))
      },
      { name: "stopped" }
    )
    await begun.until(1)
    const stopped = stop()
    finish()
    await stopped
    expect(namesOf(begun.heard)).toEqual(["Under way"])
    const next = recorder()
    const again = await shop.commerce.events.on("product.created", next.hear, { name: "stopped" })
    expect(namesOf(await next.until(1))).toEqual(["Left"])
    await again.stop()
  })

  it("leaves nothing due once everything is handed over", async () => {
    const { hear, until } = recorder()
    const { stop } = await shop.commerce.events.on("product.created", hear, { name: "idle" })
    await product("Last")
    await until(1)
    await stop()
    const again = await shop.commerce.events.on("product.created", hear, { name: "idle" })
    await expect.poll(() => cursorsOf("idle")).toEqual([{ failures: 0, last_error: null, lease: null, due: false }])
    await again.stop()
  })
})

describe("what cannot be listened to", () => {
  const never = () => undefined
  const problemOf = (asked: Promise<unknown>) => asked.then(never, (error: Error) => [error.name, error.message])

  it("is refused in words", async () => {
    const { events } = shop.commerce
    const { stop } = await events.on("order.paid", never)
    expect(await problemOf(events.on("order.paid", never))).toEqual([
      "TypeError",
      "events.on: this process listens as order.paid already; give { name } for another function"
    ])
    await stop()
    await (await events.on("order.paid", never)).stop()
    expect(await problemOf(events.on([], never))).toEqual(["TypeError", "events.on: no type of event is named"])
    expect(await problemOf(events.on("order.payed" as "order.paid", never))).toEqual([
      "TypeError",
      "events.on: there is no event order.payed; docs/events.md lists them"
    ])
    expect(await problemOf(events.on("order.paid", never, { name: "x".repeat(101) }))).toEqual([
      "TypeError",
      "events.on: a name has 1 to 100 characters; give { name }"
    ])
  })
})
