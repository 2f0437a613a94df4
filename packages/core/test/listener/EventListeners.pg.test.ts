/** Listeners over a database: leases of processes that die, functions that never end, listeners that nobody has. */
import { Deferred, Effect, Exit, Layer, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { EventListeners } from "../../src/listener/EventListeners.ts"
import { CurrentListenerPolicy } from "../../src/listener/ListenerPolicy.ts"
import { ListenerRepository } from "../../src/listener/ListenerRepository.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { openTwoInstances } from "../webhook/instance.ts"

type Two = Awaited<ReturnType<typeof openTwoInstances>>
let two: Two
beforeAll(async () => {
  two = await openTwoInstances()
})
afterAll(() => two.close())

const policy = { handling: 50, lease: 60_000, shortestPause: 1_000, longestPause: 300_000, stopping: 50 }
/** A listener that lives until `end`, with the given pauses; answers what it was called with, one by one. */
const listening = async (
  instance: Two["a"],
  name: string,
  handle: (id: string) => Effect.Effect<unknown, Error>,
  handling = policy.handling,
  types: ReadonlyArray<string> = ["order.*"]
) => {
  const scope = await Effect.runPromise(Scope.make())
  const listen = EventListeners.use((listeners) => listeners.listen({ name, types, handle: (_, { id }) => handle(id) }))
  const shortened = EventListeners.layer.pipe(
    Layer.provide(ListenerRepository.layer),
    Layer.provide(Layer.succeed(CurrentListenerPolicy, { ...policy, handling }))
  )
  await instance.run(Scope.provide(Effect.provide(listen, shortened, { local: true }), scope))
  return { end: () => instance.run(Scope.close(scope, Exit.void)) }
}
const calls = () => {
  const heard: Array<string> = []
  const hear = (id: string) => Effect.sync(() => void heard.push(id))
  return { heard, hear }
}
const cursorOf = (store: StoreContext, name: string) =>
  two.a.run(
    Effect.flatMap(
      Database,
      ({ sql }) =>
        sql`SELECT position, failures, lease IS NOT NULL AS held, due_at, last_error FROM event_listener_cursor
          WHERE store_id = ${store.id} AND listener = ${name}`
    )
  )
const emitted = async (store: StoreContext, ...types: ReadonlyArray<string>) => {
  await two.a.emit(store, ...types)
  await two.a.relay(store)
}

describe("a listener", () => {
  it("hears its types alone, and skips the others in one step", async () => {
    const store = await two.a.openStore()
    const { heard, hear } = calls()
    const { end } = await listening(two.a, "orders", hear)
    await emitted(store, "order.created", "product.created", "order.paid", "product.deleted")
    await expect.poll(() => heard.length).toBe(2)
    await expect
      .poll(() => cursorOf(store, "orders"))
      .toEqual([{ position: 4n, failures: 0, held: false, dueAt: null, lastError: null }])
    await emitted(store, "product.created")
    await emitted(store, "internal.order_mail")
    expect((await cursorOf(store, "orders"))[0]).toMatchObject({ position: 4n, dueAt: null })
    await end()
  })

  it("of a process that died goes on in another one when the lease ends, with the event that was under way", async () => {
    const store = await two.a.openStore()
    const { end: never } = await listening(two.a, "dying", () => Effect.never)
    await never()
    await emitted(store, "order.created")
    // As kill -9 leaves it: claimed, and nobody to release it.
    const now = await two.a.now()
    const claimed = await two.a.run(
      Effect.flatMap(Database, ({ write }) =>
        write(store.id)(
          ListenerRepository.use((rows) =>
            rows.claim(
              store.id,
              { name: "dying", types: ["order.*"] },
              "dead",
              new Date(now),
              new Date(now + policy.lease)
            )
          )
        )
      ).pipe(Effect.provide(ListenerRepository.layer))
    )
    expect(claimed).toEqual({ position: 0n, told: 0n, failures: 0 })
    const { heard, hear } = calls()
    const { end } = await listening(two.b, "dying", hear)
    await two.bothAdvance(policy.lease - 1_000)
    expect(heard).toEqual([])
    await two.bothAdvance(2_000)
    await expect.poll(() => heard.length).toBe(1)
    await end()
  })

  it("overlooks nothing that is relayed between its last look and its rest", async () => {
    const store = await two.a.openStore()
    const { end } = await listening(two.a, "resting", () => Effect.void)
    await end()
    await emitted(store, "order.created")
    const now = new Date(await two.a.now())
    const until = new Date(now.getTime() + policy.lease)
    const rest = Effect.gen(function* () {
      const { write } = yield* Database
      const rows = yield* ListenerRepository
      const listener = { name: "resting", types: ["order.*"] }
      const claimed = yield* write(store.id)(rows.claim(store.id, listener, "mine", now, until))
      yield* write(store.id)(rows.tell(store.id, ["order.paid", "order.*", "*"], now))
      yield* write(store.id)(rows.caughtUp(store.id, listener, "mine", { ...claimed!, position: 1n }, now))
    })
    await two.a.run(Effect.provide(rest, ListenerRepository.layer))
    expect(await cursorOf(store, "resting")).toEqual([
      { position: 1n, failures: 0, held: false, dueAt: now, lastError: null }
    ])
  })

  it("whose types a newer process has changed stands by, and passes over nothing that it does not read", async () => {
    const store = await two.a.openStore()
    const [begun, goesOn] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const [old, young] = [calls(), calls()]
    const slow = (id: string) =>
      Effect.andThen(old.hear(id), Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(goesOn)))
    const before = await listening(two.a, "rolling", slow, 30_000, ["order.created"])
    await emitted(store, "order.created")
    await two.a.run(Deferred.await(begun))
    // The new release begins while the old one is at work, with more types.
    const after = await listening(two.b, "rolling", young.hear, 30_000, ["order.refunded", "order.created"])
    await emitted(store, "order.refunded", "order.created")
    await two.a.run(Deferred.succeed(goesOn, undefined))
    const heardBy = async ({ heard }: typeof young) => {
      await two.bothAdvance(600)
      return heard.length
    }
    await expect.poll(() => heardBy(young), { timeout: 20_000 }).toBe(3)
    // The first one again: its end was not recorded, as the old process's position counts no more.
    expect(young.heard[0]).toBe(old.heard[0])
    expect(old.heard).toHaveLength(1)

    // The old one says each hour that it is in use, and leaves the types alone.
    await two.bothAdvance(3_600_000 + 1_000)
    const typesNow = () =>
      two.a.run(
        Effect.flatMap(Database, ({ sql }) => sql`SELECT types, seen_at FROM event_listener WHERE name = 'rolling'`)
      )
    const now = new Date(await two.a.now())
    await expect.poll(async () => Number((await typesNow())[0]?.["seenAt"])).toBeGreaterThan(now.getTime() - 3_000)
    expect((await typesNow())[0]?.["types"]).toEqual(["order.created", "order.refunded"])
    await emitted(store, "order.refunded", "order.created")
    await expect.poll(() => heardBy(young), { timeout: 20_000 }).toBe(5)
    expect(old.heard).toHaveLength(1)
    await before.end()
    await after.end()
  })

  it("hands over a page of each store in turn: one with many events does not hold up the others", async () => {
    const stores: Array<StoreContext> = []
    for (let i = 0; i < 5; i++) stores.push(await two.a.openStore())
    const sorted = stores.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const { end: never } = await listening(two.a, "many", () => Effect.void)
    await never()
    for (const [i, store] of sorted.entries())
      await emitted(store, ...Array.from({ length: i < 4 ? 45 : 1 }, () => "order.created"))
    const heard: Array<string> = []
    const scope = await Effect.runPromise(Scope.make())
    await two.b.run(
      Scope.provide(
        EventListeners.use((listeners) =>
          listeners.listen({
            name: "many",
            types: ["order.*"],
            handle: (storeId) => Effect.sync(() => void heard.push(storeId))
          })
        ),
        scope
      )
    )
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(181)
    await two.b.run(Scope.close(scope, Exit.void))
    // Behind one page of each of the four that are handed over at once.
    expect(heard.indexOf(sorted[4]?.id ?? "")).toBeLessThanOrEqual(4 * 20)
  })

  it("whose function does not end in time has failed, and pauses twice as long each time, five minutes at most", async () => {
    const store = await two.a.openStore()
    const { end } = await listening(two.a, "hanging", () => Effect.never)
    await emitted(store, "order.created")
    const pauses: Array<number> = []
    for (let failures = 1; failures <= 10; failures++) {
      await expect.poll(async () => (await cursorOf(store, "hanging"))[0]?.["failures"]).toBe(failures)
      const [cursor] = await cursorOf(store, "hanging")
      expect(cursor).toMatchObject({ held: false, lastError: "Error: no end after 50 ms" })
      const dueAt = cursor?.["dueAt"]
      if (!(dueAt instanceof Date)) throw new Error("it is not due again")
      const left = dueAt.getTime() - (await two.a.now())
      pauses.push(Math.ceil(left / 1_000))
      await two.bothAdvance(left + 1)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
    await end()
  })

  it("that is ended during a call that does not end gives the event back at once", async () => {
    const store = await two.a.openStore()
    const begun = Deferred.makeUnsafe<void>()
    const hang = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
    const stuck = await listening(two.a, "stuck", hang, 30_000)
    await emitted(store, "order.created")
    await two.a.run(Deferred.await(begun))
    await stuck.end()
    const { heard, hear } = calls()
    const { end } = await listening(two.b, "stuck", hear)
    // At once: no clock is moved, and the lease would last a minute.
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(1)
    await end()
  })

  it("that no process has had for thirty days is forgotten, with its cursors", async () => {
    const store = await two.a.openStore()
    const { end } = await listening(two.a, "forgotten", () => Effect.void)
    await end()
    await emitted(store, "order.created")
    expect(await cursorOf(store, "forgotten")).toHaveLength(1)
    await two.a.run(EventListeners.use(({ sweep }) => sweep))
    expect(await cursorOf(store, "forgotten")).toHaveLength(1)
    await two.bothAdvance(30 * 86_400_000 + 1_000)
    await two.a.run(EventListeners.use(({ sweep }) => sweep))
    expect(await cursorOf(store, "forgotten")).toEqual([])
    await emitted(store, "order.created")
    expect(await cursorOf(store, "forgotten")).toEqual([])
  })
})
