import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { EventFeed } from "../../src/webhook/EventFeed.ts"
import { WebhookDeliveries } from "../../src/webhook/WebhookDeliveries.ts"
import { type Instance, openInstance } from "./instance.ts"
import { anyEvent } from "../outbox/anyEvent.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let instance: Instance

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined)
  database = await TestDatabase.open()
  instance = await openInstance(database, { policy: { feedBytes: 10_000, claimBytes: 10_000 } })
})
afterAll(async () => {
  await instance.close()
  await database.close()
  vi.restoreAllMocks()
})

/** Events whose data are so many bytes, in one transaction. */
const emit = (store: StoreContext, sizes: ReadonlyArray<number>) =>
  instance.run(
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { write } = yield* Database
      const events = sizes.map((size, nth) => {
        const rest = JSON.stringify({ orderId: "x", nth, filler: "" }).length
        return anyEvent("order.updated", { orderId: "x", nth, filler: "f".repeat(Math.max(0, size - rest)) })
      })
      yield* write(store.id)(outbox.appendAll(store.id, events))
    })
  )

const nthOf = (data: unknown) => (data as { readonly nth: number }).nth

describe("large events", () => {
  it("are read by pages of the feed that memory can hold, each with a cursor that goes on behind its last", async () => {
    const store = await instance.openStore()
    await emit(store, [4_000, 4_000, 2_000, 4_000, 30_000, 30_000, 4_000, 100])
    const pages: Array<ReadonlyArray<number>> = []
    let after: string | undefined
    for (;;) {
      const asked = { after, limit: 100 }
      const { data, nextCursor } = await instance.run(Effect.flatMap(EventFeed, (feed) => feed.list(store, asked)))
      if (nextCursor === null) {
        expect(data).toEqual([])
        break
      }
      expect(nextCursor).toBe(data.at(-1)?.id)
      pages.push(data.map(({ data: content }) => nthOf(content)))
      after = nextCursor
    }
    expect(pages).toEqual([[0, 1, 2], [3], [4], [5], [6, 7]])
    const few = await instance.run(Effect.flatMap(EventFeed, (feed) => feed.list(store, { limit: 2 })))
    expect(few.data.map(({ data }) => nthOf(data))).toEqual([0, 1])
  })

  it("are taken by a worker as far as memory holds them; the rest is given back at once, and all are sent once", async () => {
    const store = await instance.openStore()
    const { id } = await instance.subscribe(store, "http://127.0.0.1:9999/hook")
    await emit(store, Array(6).fill(4_000))
    await instance.relay(store)
    const other = await openInstance(database, { policy: { claimBytes: 10_000 } })
    const taken: Array<ReadonlyArray<number>> = []
    for (;;) {
      const claimed = await other.claim(store)
      if (claimed.length === 0) break
      taken.push(
        claimed.map(
          ({ event }) => (JSON.parse(Buffer.from(event.body).toString()) as { data: { nth: number } }).data.nth
        )
      )
      expect((await other.log(store, id)).filter(({ status }) => status === "pending").length).toBe(
        6 - taken.flat().length + claimed.length
      )
      await other.run(
        Effect.gen(function* () {
          const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          const sent = { result: "delivered" as const, statusCode: 200, error: null, at, durationMs: 1 }
          yield* (yield* WebhookDeliveries).settle(
            store.id,
            claimed.map((delivery) => ({ delivery, sent }))
          )
        })
      )
    }
    expect(taken.map((some) => some.toSorted())).toEqual([
      [0, 1, 2],
      [3, 4, 5]
    ])
    expect((await other.log(store, id)).map(({ status, attemptCount }) => `${status} ${attemptCount}`)).toEqual(
      Array(6).fill("delivered 1")
    )
    await other.close()
  })
})
