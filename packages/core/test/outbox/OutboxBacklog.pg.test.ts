import { Effect, Exit, Layer, Logger, Option, Scope } from "effect"
import { SqlError } from "effect/sql"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { ClockControl, commerceClock } from "../../src/database/CommerceClock.ts"
import { Database } from "../../src/database/Database.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { CurrentRelayBounds, OutboxRelay } from "../../src/outbox/OutboxRelay.ts"
import { type OutboxConsumer, OutboxConsumers, type RelayedEvent } from "../../src/outbox/OutboxConsumer.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { anyEvent } from "./anyEvent.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let client: InstanceType<typeof pg.Client>
let scope: Scope.Closeable
const logged: Array<string> = []

beforeAll(async () => {
  database = await TestDatabase.open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
  await client.query("INSERT INTO account (id, name, created_at) VALUES ('acct_1', 'A', now())")
  for (const id of ["store_a", "store_b"]) {
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
beforeEach(async () => {
  await client.query("DELETE FROM event")
  logged.length = 0
})

const quiet = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
const bytes = 1_000

type Consumer = Pick<OutboxConsumer, "consume" | "prepare">

/** A process of its own on the one database, whose relay takes at most 8 events of 1,000 bytes together. */
const openProcess = async (consumer: Consumer) => {
  const layer = Layer.mergeAll(
    OutboxRelay.layer.pipe(Layer.provide(Layer.succeed(OutboxConsumers, [{ name: "test", ...consumer }]))),
    Outbox.layer(() => true)
  ).pipe(
    Layer.provide(Layer.succeed(CurrentRelayBounds, { events: 8, bytes })),
    Layer.provideMerge(commerceClock),
    Layer.provideMerge(Database.layer(database.connection)),
    Layer.provideMerge(quiet)
  )
  const services = await Effect.runPromise(Scope.provide(Layer.build(layer), scope))
  const run = <A>(effect: Effect.Effect<A, unknown, OutboxRelay | Outbox | Database | ClockControl>) =>
    Effect.runPromise(Effect.provideContext(effect, services) as Effect.Effect<A>)
  return {
    run,
    /** Events whose data are so many bytes. */
    append: (storeId: string, events: Readonly<Record<string, number>>) =>
      run(
        Effect.flatMap(Database, ({ write }) =>
          write(storeId)(
            Effect.flatMap(Outbox, (outbox) =>
              outbox.appendAll(
                storeId,
                Object.entries(events).map(([type, size]) => anyEvent(type, "ä".repeat((size - 2) / 2)))
              )
            )
          )
        )
      ),
    relayStore: () => run(Effect.flatMap(OutboxRelay, (relay) => relay.relayStore("store_a"))),
    relayAll: () => run(Effect.flatMap(OutboxRelay, (relay) => relay.relayAll)),
    advance: (millis: number) => run(Effect.flatMap(ClockControl, (clock) => clock.advance(millis)))
  }
}

const namesOf = (events: ReadonlyArray<RelayedEvent>) => events.map(({ type }) => type).join(" ")
const named = (count: number, size: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), size]))
const feed = async () =>
  (
    await client.query("SELECT type FROM event WHERE store_id = 'store_a' AND position IS NOT NULL ORDER BY position")
  ).rows.map(({ type }) => type)
const waiting = async () =>
  (
    await client.query("SELECT type FROM event WHERE store_id = 'store_a' AND relayed_at IS NULL ORDER BY seq")
  ).rows.map(({ type }) => type)

/** Fails where it is given one of these. */
const failingOn = (poison: ReadonlySet<string>, told: Array<string>, attempts: Array<string> = []): Consumer => ({
  consume: (_storeId, events) =>
    Effect.suspend(() => {
      attempts.push(namesOf(events))
      if (events.some(({ type }) => poison.has(type))) return Effect.die(new Error("cannot be made into a row"))
      return Effect.sync(() => void told.push(namesOf(events)))
    })
})

describe("a batch of the relay", () => {
  it("has as many events as fit, one at least, and all of them come in their order", async () => {
    const told: Array<string> = []
    const one = await openProcess(failingOn(new Set(), told))
    await one.append("store_a", { a: 400, b: 400, c: 200, d: 2, e: 5_000, f: 998, g: 2, h: 2 })
    expect((await client.query("SELECT size FROM event ORDER BY seq")).rows.map(({ size }) => size)).toEqual([
      400, 400, 200, 2, 5_000, 998, 2, 2
    ])
    await one.relayStore()
    expect(told).toEqual(["a b c", "d e", "f g", "h"])
    expect(await feed()).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"])
    await one.append("store_a", named(20, 2))
    await one.relayAll()
    expect(told.slice(4).map((names) => names.split(" ").length)).toEqual([8, 8, 4])
  })

  it("estimates events that a process of the release before has written, without reading them", async () => {
    const told: Array<string> = []
    const one = await openProcess(failingOn(new Set(), told))
    await one.append("store_a", { a: 60, b: 60, c: 60, d: 2 })
    await client.query("UPDATE event SET size = NULL")
    await one.relayStore()
    expect(told).toEqual(["a b", "c d"])
  })

  it("is made ready before its transaction: what takes long there holds neither a lock nor a connection", async () => {
    const seen: Array<unknown> = []
    const written: Array<string> = []
    const consumer = {
      consume: () => Effect.die("not called"),
      prepare: (_storeId: string, events: ReadonlyArray<RelayedEvent>) =>
        Effect.gen(function* () {
          const { sql } = yield* Effect.service(Database) as Effect.Effect<Database["Service"]>
          seen.push(Option.isSome(yield* Effect.serviceOption(sql.transactionService)))
          const held = yield* Effect.promise(() =>
            client.query(
              "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            )
          )
          seen.push(held.rows[0]?.["n"])
          return Effect.sync(() => void written.push(namesOf(events)))
        })
    }
    const one = await openProcess(consumer as Consumer)
    await one.append("store_a", { a: 2, b: 2 })
    await one.relayStore()
    expect(seen).toEqual([false, 0])
    expect(written).toEqual(["a b"])
  })

  it("is thrown away, and read again, where another process has relayed some of it meanwhile: nothing is written twice", async () => {
    const [first, second]: [Array<string>, Array<string>] = [[], []]
    const other = await openProcess(failingOn(new Set(), second))
    let meanwhile: (() => Promise<unknown>) | undefined = async () => {
      await other.relayStore()
      await other.append("store_a", { late: 2 })
    }
    const one = await openProcess({
      consume: () => Effect.die("not called"),
      prepare: (storeId, events) =>
        Effect.gen(function* () {
          yield* Effect.promise(async () => {
            const work = meanwhile
            meanwhile = undefined
            await work?.()
          })
          const { sql } = yield* Effect.service(Database) as Effect.Effect<Database["Service"]>
          return Effect.asVoid(
            Effect.forEach(events, ({ type }) =>
              Effect.orDie(
                sql`INSERT INTO tax_class (store_id, id, name, created_at, updated_at) VALUES (${storeId}, ${type}, ${type}, now(), now())`
              )
            )
          ).pipe(Effect.tap(() => Effect.sync(() => void first.push(namesOf(events)))))
        })
    } as Consumer)
    await one.append("store_a", { a: 2, b: 2 })
    await one.relayStore()
    expect(second).toEqual(["a b"])
    expect((await client.query("SELECT id FROM tax_class ORDER BY id")).rows).toEqual([{ id: "late" }])
    expect(await feed()).toEqual(["a", "b", "late"])
  })
})

describe("a batch that fails", () => {
  it("is tried again by halves, and what was found out holds for the next: not each batch fails anew", async () => {
    const attempts: Array<string> = []
    const told: Array<string> = []
    const one = await openProcess({
      consume: (_storeId, events) =>
        Effect.suspend(() => {
          attempts.push(namesOf(events))
          return events.length > 2 ? Effect.die("too much at once") : Effect.sync(() => void told.push(namesOf(events)))
        })
    })
    await one.append("store_a", named(8, 2))
    await one.relayStore()
    expect(told).toEqual(["0 1", "2 3", "4 5", "6 7"])
    expect(await feed()).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"])
    // 8, 4, 2; then from twice as many as went well.
    expect(attempts.map((names) => names.split(" ").length)).toEqual([8, 4, 2, 4, 2, 4, 2, 2])
  })

  it("goes on without the one event that fails by itself, says so, and relays it when it can", async () => {
    const poison = new Set(["2"])
    const told: Array<string> = []
    const one = await openProcess(failingOn(poison, told))
    await one.append("store_a", named(5, 2))
    await one.append("store_b", { other: 2 })
    await one.relayAll()
    expect(told.join(" ").split(" ").toSorted()).toEqual(["0", "1", "3", "4", "other"])
    expect(await feed()).toEqual(["0", "1", "3", "4"])
    expect(await waiting()).toEqual(["2"])
    expect(logged.filter((line) => line.includes("could not be relayed")).length).toBe(2)
    expect(logged.find((line) => line.includes("could not be relayed"))).toMatch(
      /^Event evt_[0-9a-f]{32} \(2\) of store_a could not be relayed/
    )
    poison.clear()
    await one.advance(1_000)
    await one.append("store_a", { later: 2 })
    await one.relayStore()
    expect(await feed()).toEqual(["0", "1", "3", "4", "2", "later"])
  })

  it("is left alone longer each time, ten minutes at most, and the feed is read without it", async () => {
    const attempts: Array<string> = []
    const one = await openProcess(failingOn(new Set(["bad"]), [], attempts))
    await one.append("store_a", { bad: 2, good: 2 })
    await one.relayStore()
    expect(await feed()).toEqual(["good"])
    const tried = async (millis: number) => {
      attempts.length = 0
      await one.advance(millis)
      await one.relayStore()
      return attempts.length
    }
    // Real time passes too, so what is asserted is far from the edges: pauses of 1, 2, 4, 8 and 16 s.
    for (const pause of [1_000, 2_000, 4_000, 8_000]) expect(await tried(pause)).toBe(1)
    expect([await tried(10_000), await tried(6_000)]).toEqual([0, 1])
    for (let i = 0; i < 12; i++) await tried(600_000)
    expect([await tried(580_000), await tried(20_000)]).toEqual([0, 1])
  })

  it("waits as a whole where the database is not there: no event is to blame", async () => {
    const attempts: Array<string> = []
    const away = new SqlError.SqlError({
      reason: new SqlError.ConnectionError({ cause: new Error("lost"), message: "lost", operation: "query" })
    })
    let isAway = true
    const one = await openProcess({
      consume: (_storeId, events) =>
        Effect.suspend(() => {
          attempts.push(namesOf(events))
          return isAway ? Effect.die(away) : Effect.void
        })
    })
    await one.append("store_a", named(4, 2))
    await one.relayAll()
    expect(attempts).toEqual(["0 1 2 3"])
    isAway = false
    await one.relayAll()
    expect(await feed()).toEqual(["0", "1", "2", "3"])
  })

  it("is blamed on no event where a hundred fail: the store waits", async () => {
    const one = await openProcess(failingOn(new Set(Object.keys(named(102, 2))), []))
    await one.append("store_a", named(102, 2))
    await one.relayAll()
    expect(await feed()).toEqual([])
    expect(logged.some((line) => line.startsWith("Relaying events of store_a failed and will be tried again"))).toBe(
      true
    )
  })
})
