import { expect, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Option, Queue, Schema, Stream } from "effect"
import { Database } from "../../src/database/Database.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"
import { runStatement } from "../../src/testing/TestServer.ts"
import { failureOf } from "./sqlFailure.ts"
import { anyEvent } from "../outbox/anyEvent.ts"

const counter = makeStatementCounter()

class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

const insertStore = (id: string) =>
  Effect.flatMap(Database, ({ sql, platform }) =>
    platform(
      Effect.gen(function* () {
        const at = new Date("2026-01-01T00:00:00Z")
        yield* sql`INSERT INTO account (id, name, created_at) VALUES (${`acc_${id}`}, 'A', ${at}) ON CONFLICT DO NOTHING`
        yield* sql`INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES (${id}, ${`acc_${id}`}, 'S', 'USD', 'US', ${at}, ${at})`
      })
    )
  )

const insertTaxClass = (storeId: string, id: string, name = id) =>
  Effect.flatMap(
    Database,
    ({ sql }) =>
      sql`INSERT INTO tax_class (store_id, id, name, created_at, updated_at) VALUES (${storeId}, ${id}, ${name}, '2026-01-01', '2026-01-01')`
  )

const taxClassesOf = (storeId: string) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(sql<{ readonly id: string }>`SELECT id FROM tax_class WHERE store_id = ${storeId} ORDER BY id`, (rows) =>
      rows.map(({ id }) => id)
    )
  )

const stores = Layer.effectDiscard(Effect.forEach(["st_a", "st_b"], insertStore))
const live = Layer.provideMerge(
  Layer.mergeAll(
    stores,
    Outbox.layer(() => true)
  ),
  TestDatabase.layer
).pipe(Layer.provide(Layer.succeed(CurrentStatementLog, counter)))

layer(live, { excludeTestServices: true })("Database", (it) => {
  it.effect("runs as the application's role, never as the connecting superuser", () =>
    Effect.gen(function* () {
      const { sql, platform, write } = yield* Database
      const who = sql`SELECT current_user AS who, session_user AS login`
      expect(yield* who).toEqual([{ who: "commerce_app", login: "postgres" }])
      expect(yield* platform(who)).toEqual([{ who: "commerce_app", login: "postgres" }])
      expect(yield* write("st_a")(who)).toEqual([{ who: "commerce_app", login: "postgres" }])
    })
  )

  it.effect("counts every transaction as a busy connection, also one of no store", () =>
    Effect.gen(function* () {
      const { lanes, platform, write } = yield* Database
      const busy = Effect.sync(() => lanes().find(({ lane }) => lane === "transactions")?.underWay)
      expect([yield* busy, yield* platform(busy), yield* write("st_a")(busy)]).toEqual([0, 1, 1])
      expect([yield* platform(platform(busy)), yield* busy]).toEqual([1, 0])
    })
  )

  it.effect("keeps nothing of a statement: it is compiled anew each time", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const statement = sql`SELECT ${1}::int AS n, ${"a"}::text AS a, (SELECT ${sql.csv([sql`${2}`])})`
      const [text, params] = statement.compile()
      expect([text, params]).toEqual(["SELECT $1::int AS n, $2::text AS a, (SELECT $3)", [1, "a", 2]])
      expect(statement.compile()).toEqual([text, params])
      expect(statement.compile()[1]).not.toBe(params)
    })
  )

  it.effect("bounds every session: statements, locks and idle transactions", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const bounds =
        yield* sql`SELECT current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l, current_setting('idle_in_transaction_session_timeout') AS i`
      expect(bounds).toEqual([{ s: "5s", l: "4s", i: "2s" }])
    })
  )

  it.effect("names columns in camelCase and leaves the content of jsonb as it was stored", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const rows =
        yield* sql`SELECT 1::int8 AS big_number, '{"snake_case": {"deep_key": 1}}'::jsonb AS some_json, ARRAY['a_b'] AS text_list`
      expect(rows).toEqual([{ bigNumber: 1n, someJson: { snake_case: { deep_key: 1 } }, textList: ["a_b"] }])
    })
  )

  it.effect("a write transaction writes rows of its store", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      yield* write("st_a")(insertTaxClass("st_a", "tc_1"))
      expect(yield* taxClassesOf("st_a")).toContain("tc_1")
    })
  )

  it.effect("refuses to insert for another store, or without one", () =>
    Effect.gen(function* () {
      const { write, platform, sql } = yield* Database
      expect(failureOf(yield* Effect.exit(write("st_a")(insertTaxClass("st_b", "tc_x"))))).toBe("42501")
      expect(failureOf(yield* Effect.exit(platform(insertTaxClass("st_b", "tc_x"))))).toBe("42501")
      expect(failureOf(yield* Effect.exit(insertTaxClass("st_b", "tc_x")))).toBe("42501")
      expect(yield* taxClassesOf("st_b")).toEqual([])
      expect(yield* write("st_a")(sql`SELECT current_setting('app.store_id') AS store`)).toEqual([{ store: "st_a" }])
    })
  )

  it.effect("updates, deletes and locks touch no row of another store", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      yield* write("st_b")(insertTaxClass("st_b", "tc_b"))
      const touched = yield* write("st_a")(
        Effect.all([
          sql`UPDATE tax_class SET name = 'stolen' WHERE store_id = 'st_b' RETURNING id`,
          sql`DELETE FROM tax_class WHERE store_id = 'st_b' RETURNING id`,
          sql`SELECT id FROM tax_class WHERE store_id = 'st_b' FOR UPDATE`
        ])
      )
      expect(touched).toEqual([[], [], []])
      expect(yield* sql`SELECT name FROM tax_class WHERE store_id = 'st_b'`).toEqual([{ name: "tc_b" }])
    })
  )

  it.effect("keeps the store's name within its transaction: the next user of the connection has none", () =>
    Effect.gen(function* () {
      const { write, platform, sql } = yield* Database
      yield* write("st_a")(Effect.void)
      const left = yield* Effect.forEach(
        Array.from({ length: 8 }),
        () => platform(sql`SELECT coalesce(current_setting('app.store_id', true), '') AS store`),
        {
          concurrency: 8
        }
      )
      expect(left.flat()).toEqual(Array.from({ length: 8 }, () => ({ store: "" })))
    })
  )

  it.effect("a nested write of the same store joins: one failure undoes both", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      const both = write("st_a")(
        Effect.gen(function* () {
          yield* write("st_a")(insertTaxClass("st_a", "tc_inner"))
          return yield* new Refused()
        })
      )
      expect(yield* Effect.flip(both)).toEqual(new Refused())
      expect(yield* taxClassesOf("st_a")).not.toContain("tc_inner")
    })
  )

  it.effect("a nested write of another store is a defect", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      const exit = yield* Effect.exit(write("st_a")(write("st_b")(insertTaxClass("st_b", "tc_y"))))
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain(
        "a write transaction of store st_a cannot write for store st_b"
      )
      expect(yield* taxClassesOf("st_b")).not.toContain("tc_y")
    })
  )

  it.effect("a write inside a platform transaction joins it and names its store", () =>
    Effect.gen(function* () {
      const { write, platform } = yield* Database
      const made = platform(
        Effect.gen(function* () {
          yield* insertStore("st_new")
          yield* write("st_new")(insertTaxClass("st_new", "tc_new"))
          return yield* new Refused()
        })
      )
      expect(yield* Effect.flip(made)).toEqual(new Refused())
      expect(yield* taxClassesOf("st_new")).toEqual([])
    })
  )

  it.effect("defects and interruptions roll back and leave no transaction open", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      yield* Effect.exit(write("st_a")(Effect.andThen(insertTaxClass("st_a", "tc_defect"), Effect.die("bug"))))
      const waiting = yield* Effect.forkChild(
        write("st_a")(Effect.andThen(insertTaxClass("st_a", "tc_gone"), Effect.never))
      )
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      expect(yield* taxClassesOf("st_a")).not.toContain("tc_defect")
      expect(yield* taxClassesOf("st_a")).not.toContain("tc_gone")
      // As the superuser: others see nothing of a session but that it is there.
      const { connection } = yield* TestDatabase
      const open =
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
      expect((yield* runStatement(connection, open)).rows).toEqual([])
    })
  )

  it.effect("transactions have a connection each, never the one of another or of the readers", () =>
    Effect.gen(function* () {
      const { sql, platform } = yield* Database
      const backend = Effect.map(sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`, (rows) => rows[0]?.pid)
      const barrier = yield* Effect.forEach([1, 2, 3], () =>
        Effect.forkChild(
          platform(
            Effect.gen(function* () {
              const first = yield* backend
              yield* sql`SELECT pg_sleep(0.05)`
              return [first, yield* backend]
            })
          )
        )
      )
      const reader = yield* backend
      const pairs = yield* Effect.forEach(barrier, Fiber.join)
      for (const [first, second] of pairs) expect(first).toBe(second)
      expect(new Set([reader, ...pairs.map(([first]) => first)]).size).toBe(4)
    })
  )

  it.effect("a transaction of one statement takes two round trips and counts one statement", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      yield* write("st_a")(insertTaxClass("st_a", "tc_warm"))
      counter.reset()
      yield* write("st_a")(insertTaxClass("st_a", "tc_counted"))
      expect(counter.statements()).toHaveLength(1)
      expect(counter.roundTrips()).toBe(2)
    })
  )

  it.effect("statements of a transaction that do not need each other travel together", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      counter.reset()
      yield* write("st_a")(
        Effect.all([sql`SELECT 1 AS a`, sql`SELECT 2 AS b`, sql`SELECT 3 AS c`], { concurrency: "unbounded" })
      )
      expect(counter.statements()).toHaveLength(3)
      expect(counter.roundTrips()).toBe(2)
    })
  )

  it.effect("a refused statement fails alone: the transaction is rolled back and its connection serves on", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      const twice = write("st_a")(
        Effect.andThen(insertTaxClass("st_a", "tc_twice"), insertTaxClass("st_a", "tc_twice"))
      )
      expect(failureOf(yield* Effect.exit(twice))).toBe("23505")
      expect(yield* taxClassesOf("st_a")).not.toContain("tc_twice")
      yield* write("st_a")(insertTaxClass("st_a", "tc_after"))
      expect(yield* taxClassesOf("st_a")).toContain("tc_after")
    })
  )

  it.effect("a transaction whose refusal was swallowed does not pass for committed", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      const swallowed = write("st_a")(Effect.andThen(insertTaxClass("st_a", "tc_lost"), Effect.ignore(sql`SELECT 1/0`)))
      const exit = yield* Effect.exit(swallowed)
      expect(Exit.isFailure(exit)).toBe(true)
      expect(yield* taxClassesOf("st_a")).not.toContain("tc_lost")
    })
  )

  it.effect("a deadlock is tried again and both transactions commit", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      yield* write("st_a")(Effect.andThen(insertTaxClass("st_a", "tc_d1"), insertTaxClass("st_a", "tc_d2")))
      let attempts = 0
      const rename = (id: string) => sql`UPDATE tax_class SET name = name || '!' WHERE store_id = 'st_a' AND id = ${id}`
      const party = () => ({ holds: Deferred.makeUnsafe<void>(), committed: Deferred.makeUnsafe<void>() })
      const [one, other] = [party(), party()]
      type Party = typeof one
      // Each holds its first row when it asks for its second. The one that the database ends begins again when the
      // other has committed: else the two may meet once more.
      const crosswise = (own: Party, opposite: Party, [first, second]: readonly [string, string]) =>
        write("st_a")(
          Effect.gen(function* () {
            attempts += 1
            if (Deferred.isDoneUnsafe(own.holds)) yield* Deferred.await(opposite.committed)
            yield* rename(first)
            yield* Deferred.succeed(own.holds, undefined)
            yield* Deferred.await(opposite.holds)
            yield* rename(second)
          }).pipe(Effect.orDie)
        ).pipe(Effect.andThen(Deferred.succeed(own.committed, undefined)))
      yield* Effect.all([crosswise(one, other, ["tc_d1", "tc_d2"]), crosswise(other, one, ["tc_d2", "tc_d1"])], {
        concurrency: 2
      })
      expect(attempts).toBe(3)
      expect(
        yield* sql`SELECT name FROM tax_class WHERE store_id = 'st_a' AND id IN ('tc_d1', 'tc_d2') ORDER BY id`
      ).toEqual([{ name: "tc_d1!!" }, { name: "tc_d2!!" }])
    })
  )

  it.effect("a serialization failure is given up after three more tries, as a defect", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      let attempts = 0
      const failing = write("st_a")(
        Effect.suspend(() => {
          attempts += 1
          return Effect.orDie(sql`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`)
        })
      )
      expect(failureOf(yield* Effect.exit(failing))).toBe("40001")
      expect(attempts).toBe(4)
    })
  )

  it.effect("events are written with the business rows, in order, and wake listeners at commit", () =>
    Effect.gen(function* () {
      const { write, sql, listen } = yield* Database
      const outbox = yield* Outbox
      const heard = yield* Queue.unbounded<string | undefined>()
      yield* Effect.forkScoped(Stream.runForEach(listen("commerce_event"), (payload) => Queue.offer(heard, payload)))
      expect(yield* Queue.take(heard)).toBeUndefined()
      yield* Effect.exit(
        write("st_a")(
          Effect.andThen(outbox.appendAll("st_a", [anyEvent("order.cancelled", { id: "ord_0" })]), new Refused())
        )
      )
      yield* write("st_a")(
        outbox.appendAll("st_a", [anyEvent("order.created", { id: "ord_1" }), anyEvent("order.paid", { id: "ord_1" })])
      )
      expect(yield* Queue.take(heard)).toBe("st_a")
      const events = yield* sql<{
        readonly id: string
        readonly type: string
        readonly data: unknown
      }>`SELECT id, type, data FROM event WHERE store_id = 'st_a' ORDER BY seq`
      expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
        { type: "order.created", data: { id: "ord_1" } },
        { type: "order.paid", data: { id: "ord_1" } }
      ])
      for (const { id } of events) expect(id).toMatch(/^evt_[0-9a-f]{32}$/)
    })
  )

  it.effect("an event that no catalogue lists is a defect, and nothing is written", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      const known = anyEvent("order.created", { id: "ord_1" })
      const layer = Outbox.layer((definition) => definition === known.definition)
      const count = Effect.map(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM event`, ([row]) => row?.n)
      const before = yield* count
      const append = (events: ReadonlyArray<ReturnType<typeof anyEvent>>) =>
        Effect.flatMap(Outbox, (outbox) => Effect.exit(write("st_a")(outbox.appendAll("st_a", events)))).pipe(
          Effect.provide(layer)
        )
      const refused = yield* append([known, anyEvent("order.forgotten", { id: "ord_1" })])
      expect(Exit.isFailure(refused) && String(Cause.squash(refused.cause))).toBe(
        "Error: CommerceEvents.ts does not list the event order.forgotten"
      )
      expect(yield* count).toBe(before)
      yield* append([known])
      expect(yield* count).toBe((before ?? 0) + 1)
    })
  )

  it.effect("work for after the commit runs only then", () =>
    Effect.gen(function* () {
      const { write, afterCommit } = yield* Database
      const seen: Array<string> = []
      const note = (text: string) => afterCommit(Effect.sync(() => seen.push(text)))
      yield* write("st_a")(
        Effect.andThen(
          note("committed"),
          Effect.sync(() => expect(seen).toEqual([]))
        )
      )
      yield* Effect.exit(write("st_a")(Effect.andThen(note("rolled back"), new Refused())))
      expect(seen).toEqual(["committed"])
    })
  )

  it.effect("a name that looks like SQL is a value", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      const hostile = "x', true); DROP TABLE tax_class; --"
      expect(yield* write(hostile)(sql`SELECT current_setting('app.store_id') AS store`)).toEqual([{ store: hostile }])
      expect(Option.isSome(Option.fromNullishOr((yield* sql`SELECT to_regclass('tax_class') AS t`)[0]))).toBe(true)
    })
  )
})
