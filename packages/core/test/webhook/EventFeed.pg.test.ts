import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { OutboxRelay } from "../../src/outbox/OutboxRelay.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { EventFeed } from "../../src/webhook/EventFeed.ts"
import { EventRepository } from "../../src/webhook/EventRepository.ts"
import { type Instance, openInstance } from "./instance.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let instance: Instance

beforeAll(async () => {
  database = await TestDatabase.open()
  instance = await openInstance(database)
})
afterAll(async () => {
  await instance.close()
  await database.close()
})

/** The repository, in a process whose worker relays the outbox whenever the feed has just been read. */
const beside = (storeId: string) =>
  Layer.effect(
    EventRepository,
    Effect.gen(function* () {
      const relay = yield* OutboxRelay
      const events = yield* EventRepository
      return EventRepository.of({
        ...events,
        read: (...asked) => Effect.tap(events.read(...asked), relay.relayStore(storeId))
      })
    })
  ).pipe(Layer.provide(EventRepository.layer))

describe("the feed of events", () => {
  it("has what was committed before it was asked, also where a worker relays it just then", async () => {
    const store = await instance.openStore()
    await instance.emit(store, "order.updated", "order.paid")
    const list = Effect.flatMap(EventFeed, (feed) => feed.list(store, { limit: 100 }))
    const { data } = await instance.run(
      Effect.provide(list, EventFeed.layer.pipe(Layer.provide(beside(store.id))), { local: true })
    )
    expect(data.map(({ type }) => type)).toEqual(["order.updated", "order.paid"])
  })
})
