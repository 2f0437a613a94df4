import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Audit } from "../../src/audit/Audit.ts"
import type { Finding } from "../../src/audit/Law.ts"
import { Database } from "../../src/database/Database.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { EventFeed } from "../../src/webhook/EventFeed.ts"
import { EventRepository } from "../../src/webhook/EventRepository.ts"
import { WebhookReplay } from "../../src/webhook/WebhookReplay.ts"
import { type Instance, openOwned } from "./instance.ts"

const day = 86_400_000

let opened: Awaited<ReturnType<typeof openOwned>>
let client: typeof opened.client
let instance: Instance

beforeAll(async () => {
  opened = await openOwned()
  ;({ client, instance } = opened)
})
afterAll(() => opened.close())

const rowsOf = async (text: string, ...values: ReadonlyArray<unknown>) => (await client.query(text, [...values])).rows
const audited = async ({ id: storeId }: StoreContext) => {
  const findings: Array<Finding> = []
  const run = Audit.use((audit) =>
    audit.run({ storeId, tell: (found) => Effect.sync(() => void findings.push(...found)) })
  )
  await instance.run(Effect.provide(run, Audit.layer))
  return findings
}
const sweep = () => instance.run(EventFeed.use((feed) => feed.sweep))
const feedOf = async (store: StoreContext, types?: ReadonlyArray<string>, after?: string, limit = 50) =>
  (await instance.run(EventFeed.use((feed) => feed.list(store, { types, after, limit })))).data

/** Relayed events 1 to `count`, of one type but for every `rare`th, all made `age` milliseconds ago. */
const relayedEvents = async ({ id }: StoreContext, count: number, { rare = count + 1, age = 0 } = {}) => {
  const at = new Date((await instance.now()) - age)
  await client.query(
    `INSERT INTO event (store_id, id, type, version, data, size, created_at, relayed_at, position)
     SELECT $1, 'evt_' || md5($1 || i), CASE WHEN i % $3 = 0 THEN 'order.refunded' ELSE 'product.updated' END, 1,
       jsonb_build_object('n', i), 10, $4, $4, i FROM generate_series(1, $2::int) AS i`,
    [id, count, rare, at]
  )
}
const deliveriesTo = async ({ id }: StoreContext, subscription: string, upTo: number, status: string) =>
  client.query(
    `INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, due_at, created_at, finished_at)
     SELECT $1, 'whd_' || $2 || i, $2, 'evt_' || md5($1 || i), $4, CASE WHEN $4 = 'pending' THEN now() END, now(),
       CASE WHEN $4 <> 'pending' THEN now() END FROM generate_series(1, $3::int) AS i`,
    [id, subscription, upTo, status]
  )
const left = async ({ id }: StoreContext) =>
  (
    await rowsOf(
      `SELECT (SELECT count(*)::int FROM event WHERE store_id = $1) AS events,
         (SELECT count(*)::int FROM webhook_delivery WHERE store_id = $1) AS deliveries`,
      id
    )
  )[0]

/** The result, and how many pages of the events and their indexes it took. */
const pagesOf = <A>({ id }: StoreContext, work: Effect.Effect<A, unknown, EventRepository | Database>) =>
  instance.run(
    Effect.gen(function* () {
      const { sql, write } = yield* Database
      const pages = Effect.map(
        sql<{ readonly pages: number }>`SELECT sum(pg_stat_get_xact_blocks_fetched(c.oid))::int AS pages FROM pg_class c
          WHERE c.oid = 'event'::regclass OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'event'::regclass)`,
        ([row]) => row?.pages ?? 0
      )
      return yield* write(id)(
        Effect.gen(function* () {
          const before = yield* pages
          const found = yield* work
          return { found, pages: (yield* pages) - before }
        })
      )
    })
  )
const readOf = ({ id }: StoreContext, types: ReadonlyArray<string> | undefined, after: bigint) =>
  EventRepository.use((events) => events.read(id, { types, after, since: new Date(0), limit: 50 }))

describe("old events", () => {
  it("are removed batch by batch with what was delivered of them; those that wait for an endpoint stay, wherever they are", async () => {
    const [store, other] = [await instance.openStore(), await instance.openStore()]
    await relayedEvents(store, 1_400, { age: 30 * day + 1 })
    await deliveriesTo(store, "whs_1", 1_300, "delivered")
    await deliveriesTo(store, "whs_2", 3, "pending")
    await relayedEvents(other, 3, { age: 30 * day - 60_000 })
    await sweep()
    expect([await left(store), await left(other)]).toEqual([
      { events: 3, deliveries: 6 },
      { events: 3, deliveries: 0 }
    ])
    await client.query("UPDATE webhook_delivery SET status = 'abandoned', due_at = NULL WHERE store_id = $1", [
      store.id
    ])
    await sweep()
    expect(await left(store)).toEqual({ events: 0, deliveries: 0 })
  })

  it("are removed although the oldest could not be relayed: it stays, and no other waits for it", async () => {
    const store = await instance.openStore()
    const at = new Date((await instance.now()) - 40 * day)
    await client.query(
      "INSERT INTO event (store_id, id, type, data, created_at) VALUES ($1, 'evt_stuck', 'order.updated', '{}', $2)",
      [store.id, at]
    )
    await relayedEvents(store, 20, { age: 31 * day })
    await sweep()
    expect(await rowsOf("SELECT id FROM event WHERE store_id = $1", store.id)).toEqual([{ id: "evt_stuck" }])
  })

  it("are no findings of the audit, although one that could not be relayed, and one whose delivery waits, are left", async () => {
    const store = await instance.openStore()
    const now = await instance.now()
    await client.query(
      "INSERT INTO event (store_id, id, type, data, created_at) VALUES ($1, 'evt_stuck', 'order.updated', '{}', $2)",
      [store.id, new Date(now - 40 * day)]
    )
    await relayedEvents(store, 20, { age: 36 * day })
    await deliveriesTo(store, "whs_1", 1, "pending")
    const signedUp = (id: string, age: number) =>
      client.query(
        `INSERT INTO customer (store_id, id, email, announced, created_at, updated_at)
         VALUES ($1, $2, $2 || '@example.com', true, $3, $3)`,
        [store.id, id, new Date(now - age)]
      )
    // Their events were among those that are removed.
    await signedUp("cust_old", 35 * day)
    await sweep()
    const unannounced = async () => (await audited(store)).filter(({ law }) => law === "customer.announced")
    expect(await unannounced()).toEqual([])
    await instance.emit(store, "order.updated")
    await instance.relay(store)
    await signedUp("cust_new", -day)
    expect((await unannounced()).map(({ id }) => id)).toEqual(["cust_new"])
  })

  it("take no longer to remove while something still sees those that are gone already", async () => {
    const store = await instance.openStore()
    await relayedEvents(store, 8_000, { age: 31 * day })
    const looking = new pg.Client(opened.database.nodePostgres)
    await looking.connect()
    await looking.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
    await looking.query("SELECT count(*) FROM event")
    const before = new Date((await instance.now()) - 30 * day)
    const pages: Array<number> = []
    let after: bigint | undefined = 0n
    while (after !== undefined) {
      const from: bigint = after
      const piece = EventRepository.use((events) => events.removeOlder(store.id, { after: from, before, most: 500 }))
      const removed = await pagesOf(store, piece)
      after = removed.found
      pages.push(removed.pages)
    }
    await looking.query("COMMIT")
    await looking.end()
    expect(await left(store)).toEqual({ events: 0, deliveries: 0 })
    // The last one finds nothing, and does not look at what the others have removed.
    expect([pages.length, (pages[16] ?? 1_000) < 20]).toEqual([17, true])
  })

  it("leave a feed that goes on where it was: positions do not begin anew, and neither does who remembers one", async () => {
    const store = await instance.openStore()
    await relayedEvents(store, 7, { age: 31 * day })
    await sweep()
    expect(await left(store)).toEqual({ events: 0, deliveries: 0 })
    await instance.emit(store, "order.updated", "order.paid")
    await instance.relay(store)
    expect(
      await rowsOf("SELECT type, position::int AS position FROM event WHERE store_id = $1 ORDER BY position", store.id)
    ).toEqual([
      { type: "order.updated", position: 8 },
      { type: "order.paid", position: 9 }
    ])
    expect((await feedOf(store)).map(({ type }) => type)).toEqual(["order.updated", "order.paid"])
  })

  it("leave a feed that goes on where it was also while one whose delivery waits is left", async () => {
    const store = await instance.openStore()
    await relayedEvents(store, 7, { age: 31 * day })
    await deliveriesTo(store, "whs_1", 2, "pending")
    await sweep()
    expect(await left(store)).toEqual({ events: 2, deliveries: 2 })
    await instance.emit(store, "order.updated", "order.paid")
    await instance.relay(store)
    expect(
      await rowsOf("SELECT position::int AS position FROM event WHERE store_id = $1 ORDER BY position", store.id)
    ).toEqual([{ position: 1 }, { position: 2 }, { position: 8 }, { position: 9 }])
  })

  it("cannot be sent again, also before they are removed", async () => {
    const store = await instance.openStore()
    await instance.subscribe(store, "http://127.0.0.1:9999/hook")
    await relayedEvents(store, 1, { age: 30 * day + 1 })
    const [row] = await rowsOf("SELECT id FROM event WHERE store_id = $1", store.id)
    const replayed = Effect.flip(WebhookReplay.use((replay) => replay.replay(String(row?.["id"]))))
    expect(await instance.run(replayed)).toMatchObject({ _tag: "EventNotFound" })
    expect(await left(store)).toEqual({ events: 1, deliveries: 0 })
  })
})

describe("the feed among many events", () => {
  let few: StoreContext
  let many: StoreContext
  beforeAll(async () => {
    few = await instance.openStore()
    many = await instance.openStore()
    await relayedEvents(few, 200, { rare: 2 })
    await relayedEvents(many, 40_000, { rare: 400 })
    await client.query("VACUUM ANALYZE event")
  })

  it.each([
    ["from its beginning", undefined, (): bigint => 0n],
    ["from its middle", undefined, (count: number): bigint => BigInt(count / 2)],
    ["of a rare type", ["order.refunded"], (): bigint => 0n],
    ["of two types", ["order.refunded", "product.updated"], (): bigint => 0n]
  ])("reads about as many pages %s as among few", async (_where, types, after) => {
    const small = await pagesOf(few, readOf(few, types, after(200)))
    const large = await pagesOf(many, readOf(many, types, after(40_000)))
    expect([small.found.length, large.found.length]).toEqual([50, 50])
    // A rare event lies on a page of its own, beside the levels of two trees.
    expect(large.pages).toBeLessThan(small.pages + 70)
  })

  it("of some types has them in one order, and goes on behind the last", async () => {
    const store = await instance.openStore()
    const types = ["order.paid", "product.updated", "order.updated", "order.paid", "order.updated", "product.deleted"]
    await instance.emit(store, ...types)
    await instance.relay(store)
    const asked = ["order.updated", "order.paid", "product.deleted"]
    const first = await feedOf(store, asked, undefined, 2)
    expect(first.map(({ type }) => type)).toEqual(["order.paid", "order.updated"])
    const second = await feedOf(store, asked, first.at(-1)?.id, 2)
    expect(second.map(({ type }) => type)).toEqual(["order.paid", "order.updated"])
    expect((await feedOf(store, asked, second.at(-1)?.id, 2)).map(({ type }) => type)).toEqual(["product.deleted"])
    expect((await feedOf(store, ["order.*"])).length).toBe(4)
  })
})

describe("the log of a subscription", () => {
  it("has a total that rises and falls with its deliveries, in whichever statement they come and go", async () => {
    const [store, other] = [await instance.openStore(), await instance.openStore()]
    await relayedEvents(store, 30, { age: 31 * day })
    await relayedEvents(other, 30)
    await deliveriesTo(store, "whs_1", 30, "delivered")
    await deliveriesTo(store, "whs_2", 20, "delivered")
    await deliveriesTo(other, "whs_1", 10, "delivered")
    const counts = () =>
      rowsOf(
        `SELECT store_id = $1 AS ours, subscription_id AS id, total::int AS total FROM webhook_delivery_count
         WHERE store_id = ANY($2) ORDER BY 1 DESC, 2`,
        store.id,
        [store.id, other.id]
      )
    expect(await counts()).toEqual([
      { ours: true, id: "whs_1", total: 30 },
      { ours: true, id: "whs_2", total: 20 },
      { ours: false, id: "whs_1", total: 10 }
    ])
    await client.query("DELETE FROM webhook_delivery WHERE store_id = $1 AND id = 'whd_whs_27'", [store.id])
    expect((await counts())[1]).toEqual({ ours: true, id: "whs_2", total: 19 })
    await sweep()
    expect(await counts()).toEqual([
      { ours: true, id: "whs_1", total: 0 },
      { ours: true, id: "whs_2", total: 0 },
      { ours: false, id: "whs_1", total: 10 }
    ])
  })
})
