import pg from "pg"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { WebhookSubscriptions } from "../../src/webhook/WebhookSubscriptions.ts"
import { type Instance, openInstance } from "./instance.ts"
import { openSink, type Sink } from "./sink.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let client: InstanceType<typeof pg.Client>
let instance: Instance
let sink: Sink

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined)
  database = await TestDatabase.open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
  sink = await openSink()
  instance = await openInstance(database)
})
afterAll(async () => {
  await instance.close()
  await sink.close()
  await client.end()
  await database.close()
  vi.restoreAllMocks()
})

/** A store with a subscription whose three deliveries the release before has queued, and attempted the first of. */
const openQueuedEarlier = async (path: string, dueIn = 0) => {
  const store = await instance.openStore()
  const { id } = await instance.subscribe(store, sink.url(path))
  await instance.emit(store, "order.created", "order.updated", "order.paid")
  await instance.relay(store)
  const queued = await instance.log(store, id)
  const now = await instance.now()
  await client.query("DELETE FROM webhook_delivery WHERE store_id = $1", [store.id])
  await client.query(
    `INSERT INTO webhook_parcel (store_id, id, subscription_id, events, is_probe, due_at, lease, created_at)
     VALUES ($1, 'whp_1', $2, $3, false, $4, 'lease_1', $5)`,
    [store.id, id, queued.map(({ eventId }) => eventId), new Date(now + dueIn), new Date(now)]
  )
  await client.query(
    `INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, attempt_count, created_at, finished_at)
     VALUES ($1, 'whd_100', $2, $3, 'delivered', 1, $4, $4)`,
    [store.id, id, queued[0]?.eventId, new Date(now)]
  )
  return { store, id }
}
const log = async (store: StoreContext, id: string) =>
  (await instance.log(store, id)).map((row) => `${row.id} ${row.eventType} ${row.status} after ${row.attemptCount}`)
const leftOf = async ({ id }: StoreContext) =>
  (await client.query("SELECT id FROM webhook_parcel WHERE store_id = $1", [id])).rows.length

describe("what the release before has queued", () => {
  it("is sent when its lease ends, each delivery once, and what was attempted already not again", async () => {
    const { store, id } = await openQueuedEarlier("/earlier", 30_000)
    expect(await instance.deliver(store)).toBe(0)
    await instance.advance(30_000)
    expect(await instance.deliver(store)).toBe(2)
    expect(sink.of("/earlier").map(({ type }) => type)).toEqual(["order.updated", "order.paid"])
    expect(await log(store, id)).toEqual([
      "whd_100 order.created delivered after 1",
      "whd_101 order.updated delivered after 1",
      "whd_102 order.paid delivered after 1"
    ])
    expect(await leftOf(store)).toBe(0)
  })

  it("is cancelled with its subscription, and removed with it", async () => {
    const { store, id } = await openQueuedEarlier("/cancelled", 30_000)
    await instance.run(
      Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.update(store, id, { isActive: false }))
    )
    expect(await log(store, id)).toEqual([
      "whd_100 order.created delivered after 1",
      "whd_101 order.updated cancelled after 0",
      "whd_102 order.paid cancelled after 0"
    ])
    const other = await openQueuedEarlier("/removed", 30_000)
    await instance.run(Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.remove(other.store, other.id)))
    expect([await leftOf(store), await leftOf(other.store)]).toEqual([0, 0])
    await instance.advance(30_000)
    expect([await instance.deliver(store), await instance.deliver(other.store)]).toEqual([0, 0])
    expect([...sink.of("/cancelled"), ...sink.of("/removed")]).toEqual([])
  })
})
