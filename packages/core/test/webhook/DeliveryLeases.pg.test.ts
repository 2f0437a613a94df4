import { Clock, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { Database } from "../../src/database/Database.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { EventFeed } from "../../src/webhook/EventFeed.ts"
import type { ClaimedDelivery } from "../../src/webhook/WebhookDelivery.ts"
import { WebhookCleanup } from "../../src/webhook/WebhookCleanup.ts"
import { WebhookDeliveries } from "../../src/webhook/WebhookDeliveries.ts"
import { WebhookDeliveryRepository } from "../../src/webhook/WebhookDeliveryRepository.ts"
import type { Sent } from "../../src/webhook/WebhookSender.ts"
import { WebhookSubscriptions } from "../../src/webhook/WebhookSubscriptions.ts"
import { type Instance, openTwoInstances } from "./instance.ts"

/** Two processes of one installation; nothing is posted, what attempts come to is made up. */
let two: Awaited<ReturnType<typeof openTwoInstances>>
let a: Instance
let b: Instance

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined)
  two = await openTwoInstances()
  a = two.a
  b = two.b
})
afterAll(async () => {
  await two.close()
  vi.restoreAllMocks()
})

const bothAdvance = (millis: number) => two.bothAdvance(millis)
/** A store with one subscription and so many events, all relayed together. */
const openWith = async (events: number) => {
  const store = await a.openStore()
  const { id } = await a.subscribe(store, "http://127.0.0.1:9999/hook")
  await a.emit(store, ...Array.from({ length: events }, () => "order.updated"))
  await a.relay(store)
  return { store, id }
}
const settle = (
  instance: Instance,
  store: StoreContext,
  claimed: ReadonlyArray<ClaimedDelivery>,
  result: Sent["result"] = "delivered"
) =>
  instance.run(
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const sent = { result, statusCode: result === "delivered" ? 200 : 500, error: null, at, durationMs: 1 }
      yield* (yield* WebhookDeliveries).settle(
        store.id,
        claimed.map((delivery) => ({ delivery, sent }))
      )
    })
  )
const log = async (store: StoreContext, id: string) =>
  (await a.log(store, id)).map(({ status, attemptCount }) => `${status} after ${attemptCount}`)
/** How many rows of deliveries a store has, and how many of them wait for an attempt. */
const rowsOf = (store: StoreContext) =>
  a.run(
    Effect.map(
      Effect.flatMap(
        Database,
        ({ sql }) =>
          sql<{ readonly all: number; readonly pending: number }>`SELECT count(*)::int AS all,
            count(due_at)::int AS pending FROM webhook_delivery WHERE store_id = ${store.id}`
      ),
      ([row]) => row
    )
  )
const pendingOf = async (store: StoreContext) => (await rowsOf(store))?.pending

describe("new deliveries", () => {
  it("are in the log before anybody has tried them, and are claimed in the order of the log", async () => {
    const { store, id } = await openWith(70)
    expect(await pendingOf(store)).toBe(70)
    const pending = await a.log(store, id)
    expect(pending).toHaveLength(70)
    expect(
      new Set(pending.map(({ status, attemptCount, finishedAt }) => [status, attemptCount, finishedAt].join()))
    ).toEqual(new Set(["pending,0,"]))
    const claimed = await a.claim(store)
    expect(claimed.map(({ id: delivery }) => delivery)).toEqual(pending.map(({ id: delivery }) => delivery))
    await settle(a, store, claimed)
    expect((await a.log(store, id)).map((one) => [one.id, one.eventId, one.createdAt])).toEqual(
      pending.map((one) => [one.id, one.eventId, one.createdAt])
    )
    expect(await pendingOf(store)).toBe(0)
  })

  it("are claimed as many as wanted, however they were queued", async () => {
    const { store } = await openWith(1)
    for (let i = 0; i < 11; i++) {
      await a.emit(store, "order.updated")
      await a.relay(store)
    }
    expect(await pendingOf(store)).toBe(12)
    expect([
      (await a.claim(store, 9)).length,
      (await b.claim(store, 9)).length,
      (await a.claim(store, 9)).length
    ]).toEqual([9, 3, 0])
  })
})

describe("of deliveries that were claimed together", () => {
  it("one that fails is tried again alone", async () => {
    const { store, id } = await openWith(3)
    const [first, ...others] = await a.claim(store)
    if (first === undefined) throw new Error("nothing was due")
    await settle(a, store, [first], "failed")
    await settle(a, store, others)
    expect(await log(store, id)).toEqual(["pending after 1", "delivered after 1", "delivered after 1"])
    await bothAdvance(5_000)
    const again = await b.claim(store)
    expect(again.map((one) => one.id)).toEqual([first.id])
    // Of a second attempt, too, only the result of the worker that holds the lease counts.
    await bothAdvance(30_000)
    const third = await a.claim(store)
    await settle(b, store, again, "failed")
    expect(await a.view(store, id)).toMatchObject({ failureCount: 0 })
    await settle(a, store, third)
    expect(await log(store, id)).toEqual(["delivered after 2", "delivered after 1", "delivered after 1"])
  })

  it("those of a worker that dies are another's after thirty seconds: what was recorded is not sent again, the rest is", async () => {
    const { store, id } = await openWith(4)
    const claimed = await a.claim(store)
    await settle(a, store, claimed.slice(0, 1))
    await bothAdvance(29_000)
    expect(await b.claim(store)).toEqual([])
    await bothAdvance(1_000)
    const again = await b.claim(store)
    expect(again.map((one) => one.id)).toEqual(claimed.slice(1).map((one) => one.id))
    // The first worker was slow, not dead: it has lost the lease.
    await settle(a, store, claimed.slice(1), "failed")
    expect(await a.view(store, id)).toMatchObject({ failureCount: 0 })
    await settle(b, store, again)
    expect(await log(store, id)).toEqual(Array.from({ length: 4 }, () => "delivered after 1"))
    expect(await pendingOf(store)).toBe(0)
  })

  it("each is recorded once, also where a worker does not learn that it was", async () => {
    const { store, id } = await openWith(3)
    const claimed = await a.claim(store)
    await settle(a, store, claimed.slice(0, 2), "failed")
    await settle(a, store, claimed.slice(0, 2), "failed")
    expect(await a.view(store, id)).toMatchObject({ failureCount: 2 })
    expect(await log(store, id)).toEqual(["pending after 1", "pending after 1", "pending after 0"])
  })

  it("those that are given back are due at once, without an attempt", async () => {
    const { store, id } = await openWith(3)
    const claimed = await a.claim(store)
    await settle(a, store, claimed.slice(0, 1))
    await a.run(Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.release(store.id, claimed.slice(1))))
    expect(await log(store, id)).toEqual(["delivered after 1", "pending after 0", "pending after 0"])
    expect((await b.claim(store)).map((one) => one.id).toSorted()).toEqual(claimed.slice(1).map((one) => one.id))
    expect(await pendingOf(store)).toBe(2)
  })

  it("all are cancelled with their subscription, whether they wait or are under way, and are removed with it", async () => {
    const { store, id } = await openWith(34)
    const claimed = await a.claim(store, 32)
    await settle(a, store, claimed.slice(0, 1))
    await a.run(Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.update(store, id, { isActive: false })))
    await settle(a, store, claimed.slice(1))
    expect(await log(store, id)).toEqual([
      "delivered after 1",
      ...Array.from({ length: 33 }, () => "cancelled after 0")
    ])
    const other = await openWith(2)
    await a.run(Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.remove(other.store, other.id)))
    // A process may have looked what is due before the subscription was removed.
    const subscriptions = [{ subscriptionId: other.id, most: 100 }]
    const late = WebhookDeliveries.use((all) => all.claim({ storeId: other.store.id, subscriptions }, []))
    expect([await pendingOf(store), await a.claim(other.store), await a.run(late)]).toEqual([0, [], []])
    expect(await rowsOf(other.store)).toEqual({ all: 2, pending: 2 })
    const due = Effect.gen(function* () {
      const found = yield* (yield* WebhookDeliveryRepository).due(new Date(8.64e15))
      return found.filter(({ storeId }) => storeId === other.store.id)
    })
    // Nor is it taken as if it were to be sent, again and again until it is deleted.
    const leased = Database.use(
      ({ sql }) => sql`SELECT id FROM webhook_delivery WHERE store_id = ${other.store.id} AND lease IS NOT NULL`
    )
    expect([await a.run(due), await a.run(leased)]).toEqual([[], []])
    await a.run(WebhookCleanup.use((cleanup) => cleanup.pass))
    expect([await rowsOf(other.store), await rowsOf(store)]).toEqual([
      { all: 0, pending: 0 },
      { all: 34, pending: 0 }
    ])
  })

  it("those that are pending keep their events from being swept", async () => {
    const { store, id } = await openWith(2)
    const month = 31 * 86_400_000
    await bothAdvance(month)
    await a.run(Effect.flatMap(EventFeed, (feed) => feed.sweep))
    const claimed = await a.claim(store)
    expect(claimed).toHaveLength(2)
    await settle(a, store, claimed)
    await a.run(Effect.flatMap(EventFeed, (feed) => feed.sweep))
    expect(await log(store, id)).toEqual([])
  })
})
