import { Effect, Exit, Layer, Scope } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { commerceClock } from "../../src/database/CommerceClock.ts"
import { Database } from "../../src/database/Database.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { OutboxRelay } from "../../src/outbox/OutboxRelay.ts"
import { type OutboxConsumer, OutboxConsumers } from "../../src/outbox/OutboxConsumer.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { anyEvent } from "./anyEvent.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let client: InstanceType<typeof pg.Client>
let scope: Scope.Closeable

beforeAll(async () => {
  database = await TestDatabase.open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
  await client.query("INSERT INTO account (id, name, created_at) VALUES ('acct_1', 'A', now())")
  for (const id of ["store_a", "store_b", "store_c"]) {
    await client.query(
      "INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES ($1, 'acct_1', $1, 'USD', 'US', now(), now())",
      [id]
    )
  }
  scope = await Effect.runPromise(Scope.make())
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await client.end()
  await database.close()
})
beforeEach(() => client.query("DELETE FROM event"))

/**
 * A process of its own on the one database: its services, and what its consumer was given in transactions that
 * committed.
 */
const openProcess = async (consume: OutboxConsumer["consume"] = () => Effect.void) => {
  const consumers = Layer.succeed(OutboxConsumers, [{ name: "test", consume }])
  const layer = Layer.mergeAll(
    OutboxRelay.layer.pipe(Layer.provide(consumers)),
    Outbox.layer(() => true)
  ).pipe(Layer.provideMerge(commerceClock), Layer.provideMerge(Database.layer(database.connection)))
  const services = await Effect.runPromise(Scope.provide(Layer.build(layer), scope))
  return {
    run: <A>(effect: Effect.Effect<A, unknown, OutboxRelay | Outbox | Database>) =>
      Effect.runPromise(Effect.provideContext(effect, services) as Effect.Effect<A>)
  }
}

const append = (storeId: string, types: ReadonlyArray<string>) =>
  Effect.flatMap(Database, ({ write }) =>
    write(storeId)(
      Effect.flatMap(Outbox, (outbox) =>
        outbox.appendAll(
          storeId,
          types.map((type) => anyEvent(type, { type }))
        )
      )
    )
  )

const eventsOf = async (storeId: string) =>
  (
    await client.query(
      "SELECT type, position::int, relayed_at IS NOT NULL AS relayed FROM event WHERE store_id = $1 ORDER BY position, seq",
      [storeId]
    )
  ).rows

describe("the relay", () => {
  it("gives every event to the consumer once, in order, and numbers them without a gap", async () => {
    const told: Array<string> = []
    const one = await openProcess((storeId, events) =>
      Effect.sync(() => void told.push(...events.map(({ type }) => `${storeId} ${type}`)))
    )
    await one.run(append("store_a", ["a.1", "a.2"]))
    await one.run(append("store_b", ["b.1"]))
    await one.run(append("store_a", ["a.3"]))
    await one.run(Effect.flatMap(OutboxRelay, (relay) => relay.relayAll))
    await one.run(Effect.flatMap(OutboxRelay, (relay) => relay.relayAll))
    expect(told.toSorted()).toEqual(["store_a a.1", "store_a a.2", "store_a a.3", "store_b b.1"])
    expect(await eventsOf("store_a")).toEqual(
      ["a.1", "a.2", "a.3"].map((type, i) => ({ type, position: i + 1, relayed: true }))
    )
  })

  it("relays nothing of a transaction whose consumer failed, goes on with other stores, and gives the events again", async () => {
    let broken = true
    const told: Array<string> = []
    const one = await openProcess((storeId, events) =>
      Effect.suspend(() => {
        if (broken && storeId === "store_a") return Effect.die("the consumer fails")
        return Effect.sync(() => void told.push(...events.map(({ type }) => type)))
      })
    )
    await one.run(append("store_a", ["a.1"]))
    await one.run(append("store_b", ["b.1"]))
    await one.run(Effect.flatMap(OutboxRelay, (relay) => relay.relayAll))
    expect(told).toEqual(["b.1"])
    expect(await eventsOf("store_a")).toEqual([{ type: "a.1", position: null, relayed: false }])
    broken = false
    await one.run(Effect.flatMap(OutboxRelay, (relay) => relay.relayAll))
    expect(told).toEqual(["b.1", "a.1"])
  })

  it("lets a store with a flood wait between its batches: the others are told after one of them", async () => {
    const told: Array<string> = []
    const one = await openProcess((storeId) => Effect.sync(() => void told.push(storeId)))
    for (let i = 0; i < 5; i++)
      await one.run(
        append(
          "store_a",
          Array.from({ length: 200 }, (_, n) => `a.${i}.${n}`)
        )
      )
    await one.run(append("store_b", ["b.1"]))
    await one.run(append("store_c", ["c.1"]))
    await one.run(Effect.flatMap(OutboxRelay, (relay) => relay.relayAll))
    expect(told.slice(0, 3).toSorted()).toEqual(["store_a", "store_b", "store_c"])
    expect(told.slice(3)).toEqual(["store_a", "store_a", "store_a", "store_a"])
    expect((await eventsOf("store_a")).filter(({ relayed }) => !relayed)).toEqual([])
  })

  it("shares the work between two processes that write and relay at once: nothing twice, nothing lost, positions without a gap", async () => {
    const told: Array<string> = []
    // Two processes may take the same events; what counts is which of them commits.
    const remember: OutboxConsumer["consume"] = (_storeId, events) =>
      Effect.flatMap(Database, ({ afterCommit }) =>
        afterCommit(Effect.sync(() => void told.push(...events.map(({ type }) => type))))
      ) as Effect.Effect<void>
    const processes = [await openProcess(remember), await openProcess(remember)]
    const at = (n: number) => processes[n % 2] as (typeof processes)[number]
    const stores = ["store_a", "store_b", "store_c"]
    const names = stores.flatMap((storeId) =>
      Array.from({ length: 40 }, (_, n) => [storeId, `${storeId}.${n}`] as const)
    )
    const appending = names.map(([storeId, name], n) => at(n).run(append(storeId, [name])))
    const relaying = Array.from({ length: 30 }, (_, n) =>
      at(n).run(Effect.flatMap(OutboxRelay, (relay) => relay.relayAll))
    )
    await Promise.all([...appending, ...relaying])
    for (const storeId of stores) await at(0).run(Effect.flatMap(OutboxRelay, (relay) => relay.relayStore(storeId)))
    expect(told.toSorted()).toEqual(names.map(([, name]) => name).toSorted())
    for (const storeId of stores)
      expect((await eventsOf(storeId)).map(({ position }) => position)).toEqual(
        Array.from({ length: 40 }, (_, i) => i + 1)
      )
  })

  it("puts an event whose transaction ends late behind those that were seen before it, although it began first", async () => {
    const one = await openProcess()
    const late = new pg.Client(database.nodePostgres)
    await late.connect()
    try {
      await late.query("BEGIN")
      await late.query("SELECT set_config('app.store_id', 'store_a', true)")
      await late.query(
        "INSERT INTO event (store_id, id, type, data, created_at) VALUES ('store_a', 'evt_late', 'began.first', '{}', now())"
      )
      await one.run(append("store_a", ["ended.first"]))
      await one.run(Effect.flatMap(OutboxRelay, (relay) => relay.relayStore("store_a")))
      await late.query("COMMIT")
      await one.run(Effect.flatMap(OutboxRelay, (relay) => relay.relayStore("store_a")))
    } finally {
      await late.end()
    }
    expect((await eventsOf("store_a")).map(({ type, position }) => [type, position])).toEqual([
      ["ended.first", 1],
      ["began.first", 2]
    ])
  })

  it("runs: what is committed is relayed without being asked for, also what was there before", async () => {
    const told: Array<string> = []
    let heard: (() => void) | undefined
    const one = await openProcess((_storeId, events) =>
      Effect.sync(() => {
        told.push(...events.map(({ type }) => type))
        heard?.()
      })
    )
    const until = (count: number) => new Promise<void>((done) => (heard = () => told.length >= count && done()))
    await one.run(append("store_a", ["before"]))
    const before = until(1)
    const stop = new AbortController()
    const running = one.run(
      Effect.flatMap(OutboxRelay, (relay) =>
        Effect.race(
          relay.run,
          Effect.callback<void>((done) => stop.signal.addEventListener("abort", () => done(Effect.void)))
        )
      )
    )
    await before
    const after = until(3)
    await one.run(append("store_b", ["after"]))
    await one.run(append("store_c", ["after too"]))
    await after
    stop.abort()
    await running
    expect(told.toSorted()).toEqual(["after", "after too", "before"])
  })
})
