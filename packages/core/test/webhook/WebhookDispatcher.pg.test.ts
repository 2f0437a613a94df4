import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { type Instance, openInstance } from "./instance.ts"
import { openSink, type Sink } from "./sink.ts"

/** Two processes that work by themselves on one database, as `serve` would. */
let database: Awaited<ReturnType<typeof TestDatabase.open>>
let a: Instance
let b: Instance
let sink: Sink

beforeAll(async () => {
  for (const name of ["log", "warn"] as const) vi.spyOn(console, name).mockImplementation(() => undefined)
  database = await TestDatabase.open()
  sink = await openSink()
  a = await openInstance(database)
  b = await openInstance(database)
  await a.work()
  await b.work()
})
afterAll(async () => {
  await a.close()
  await b.close()
  await sink.close()
  await database.close()
  vi.restoreAllMocks()
})

describe("two processes that deliver", () => {
  it("send every event to every subscription once, in the order of the events while nothing fails", async () => {
    const store = await a.openStore()
    const paths = ["/all/1", "/all/2", "/all/3"]
    for (const path of paths) await a.subscribe(store, sink.url(path))
    const types = Array.from({ length: 60 }, () => "order.updated")
    await Promise.all([a.emit(store, ...types), b.emit(store, ...types)])
    for (const path of paths) {
      const ids = (await sink.until(path, 120)).map(({ id }) => id)
      expect(new Set(ids).size).toBe(120)
    }
    await a.emit(store, "order.paid")
    for (const path of paths) expect((await sink.until(path, 121)).at(-1)?.type).toBe("order.paid")
  })

  it("reach a quiet store at once while another store's endpoint has hundreds and answers none", async () => {
    const flooded = await a.openStore()
    const quiet = await a.openStore()
    sink.behave("/silent", () => new Promise(() => undefined))
    await a.subscribe(flooded, sink.url("/silent"))
    await a.subscribe(flooded, sink.url("/neighbour"))
    await a.subscribe(quiet, sink.url("/quiet"))
    await a.emit(flooded, ...Array.from({ length: 150 }, () => "order.updated"))
    await sink.until("/silent", 64)
    const start = performance.now()
    await a.emit(quiet, "order.created")
    const [hit] = await sink.until("/quiet", 1)
    expect((hit?.at ?? Number.NaN) - start).toBeLessThan(2_000)
    await sink.until("/neighbour", 150)
    // No process has more than its share at one endpoint.
    expect(sink.of("/silent").length).toBeLessThanOrEqual(64)
  })
})

describe("what the database refuses", () => {
  it("is one result: those that are recorded together with it are recorded", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/recorded"))
    const client = new pg.Client(database.nodePostgres)
    await client.connect()
    const rule = `CHECK (subscription_id <> '${id}' OR attempts->0->>'statusCode' <> '202')`
    await client.query(`ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_refused_check ${rule}`)
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined)
    try {
      // All are answered at the same moment.
      const all = Promise.withResolvers<void>()
      let refused = ""
      sink.behave("/recorded", async (nth, hit) => {
        if (nth === 4) refused = hit.id
        if (nth === 9) all.resolve()
        await all.promise
        return nth === 4 ? 202 : 200
      })
      await a.emit(store, ...Array.from({ length: 9 }, () => "order.updated"))
      const hits = await sink.until("/recorded", 9)
      const delivered = async () =>
        (await a.log(store, id)).flatMap(({ status, eventId }) => (status === "delivered" ? [eventId] : []))
      while ((await delivered()).length < 8) await new Promise((done) => setTimeout(done, 5))
      expect((await delivered()).toSorted()).toEqual(
        hits.flatMap((hit) => (hit.id === refused ? [] : [hit.id])).toSorted()
      )
    } finally {
      await client.query("ALTER TABLE webhook_delivery DROP CONSTRAINT webhook_delivery_refused_check")
      await client.end()
      error.mockRestore()
    }
  })
})

describe("a process that stops", () => {
  it("gives back what it has not ended: the next one sends it without waiting for the lease", async () => {
    const store = await a.openStore()
    await a.subscribe(store, sink.url("/handed-over"))
    sink.behave("/handed-over", (nth) => (nth <= 3 ? new Promise(() => undefined) : 200))
    await a.emit(store, "order.created", "order.updated", "order.paid")
    const first = await sink.until("/handed-over", 3)
    await Promise.all([a.close(), b.close()])
    a = await openInstance(database)
    b = await openInstance(database)
    await a.work()
    await b.work()
    const hits = await sink.until("/handed-over", 6)
    expect(
      hits
        .slice(3)
        .map(({ id }) => id)
        .toSorted()
    ).toEqual(first.map(({ id }) => id).toSorted())
  })
})

describe("the clock", () => {
  it("make what has come due by a leap of the clock within a second", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/retried"))
    sink.behave("/retried", (nth) => (nth < 3 ? 500 : 200))
    await a.emit(store, "order.created")
    for (const [nth, delay] of [
      [1, 5_000],
      [2, 10_000]
    ] as const) {
      await sink.until("/retried", nth)
      while ((await a.log(store, id))[0]?.attemptCount !== nth) await new Promise((done) => setTimeout(done, 5))
      const start = performance.now()
      await Promise.all([a.advance(delay), b.advance(delay)])
      const hits = await sink.until("/retried", nth + 1)
      expect((hits.at(-1)?.at ?? Number.NaN) - start).toBeLessThan(1_500)
    }
  })
})
