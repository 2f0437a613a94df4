import { expect, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Queue, Stream } from "effect"
import pg from "pg"
import { Database } from "../../src/database/Database.ts"
import { joinHostTransaction } from "../../src/host/HostTransaction.ts"
import { classify } from "../../src/database/SqlErrors.ts"
import {
  Host,
  NameTaken,
  classesOf,
  counter,
  endSleeping,
  failureOf,
  hostTransaction,
  insertClass,
  live,
  query,
  stateOf,
  writeClass
} from "./hostPool.ts"

layer(live, { excludeTestServices: true })("a host's pool", (it) => {
  it.effect("gives every value as our own driver gives it, whatever parsers the host has set", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { types } = pg as unknown as {
        readonly types: {
          readonly getTypeParser: (oid: number) => (text: string) => unknown
          readonly setTypeParser: (oid: number, parse: (text: string) => unknown) => void
        }
      }
      for (const oid of [16, 20, 1009, 1082, 1184, 1700, 3802]) {
        const before = types.getTypeParser(oid)
        types.setTypeParser(oid, () => "the host's own")
        yield* Effect.addFinalizer(() => Effect.sync(() => types.setTypeParser(oid, before)))
      }
      const big = 9_007_199_254_740_993n
      const when = new Date("2026-02-03T04:05:06.789Z")
      const rows =
        yield* sql`SELECT ${big}::int8 AS big_number, 7::int4 AS small, 1.50::numeric AS exact, 0.1::float8 AS inexact, true AS yes,
        ${when}::timestamptz AS at_time, '2026-02-03'::date AS some_day, '{"snake_case": {"deep_key": [1, "x", null]}}'::jsonb AS some_json,
        ${[1n, 2n]}::int8[] AS bigs, ${["a_b", 'q"u\\o', "x,y", "", "NULL"]}::text[] AS text_list, '{1,NULL,{}}'::text AS no_list,
        ARRAY[[1,2],[3,NULL]] AS nested, '{}'::text[] AS empty, NULL::int8 AS nothing, ${new Uint8Array([0, 255])}::bytea AS bytes, count(*) AS counted FROM account WHERE false`
      expect(rows).toEqual([
        {
          bigNumber: big,
          small: 7,
          exact: "1.50",
          inexact: 0.1,
          yes: true,
          atTime: when,
          someDay: "2026-02-03",
          someJson: { snake_case: { deep_key: [1, "x", null] } },
          bigs: [1n, 2n],
          textList: ["a_b", 'q"u\\o', "x,y", "", "NULL"],
          noList: "{1,NULL,{}}",
          nested: [
            [1, 2],
            [3, null]
          ],
          empty: [],
          nothing: null,
          bytes: new Uint8Array([0, 255]),
          counted: 0n
        }
      ])
    })
  )

  it.effect("reads times of any zone as the moment they name", () =>
    Effect.gen(function* () {
      const moment = "2026-07-01T12:00:00.250Z"
      for (const zone of ["UTC", "Asia/Kolkata", "America/St_Johns"]) {
        const rows = yield* hostTransaction((client) =>
          Effect.andThen(
            query(client, `SET LOCAL timezone = '${zone}'`),
            Database.use(({ sql }) =>
              joinHostTransaction(client)(Effect.orDie(sql<{ readonly at: Date }>`SELECT ${moment}::timestamptz AS at`))
            )
          )
        )
        expect(rows[0]?.at.toISOString()).toBe(moment)
      }
    })
  )

  it.effect("refuses an object as a parameter: the driver would store what nobody meant", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const exit = yield* Effect.exit(Effect.orDie(sql`SELECT ${{ a: 1 } as never}::jsonb AS json`))
      expect(String(failureOf(exit))).toContain("SqlError")
      expect(Exit.isFailure(exit) && JSON.stringify(Cause.squash(exit.cause))).toContain("write jsonb as JSON text")
    })
  )

  it.effect("runs transactions as the application's role, under its bounds, and gives the client back as it was", () =>
    Effect.gen(function* () {
      const { sql, platform, write } = yield* Database
      const settings = sql`SELECT current_user AS who, current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l, current_setting('random_page_cost') AS c, current_setting('app.store_id', true) AS store`
      expect(yield* write("st_a")(settings)).toEqual([
        { who: "commerce_app", s: "5s", l: "4s", c: "1.1", store: "st_a" }
      ])
      expect(yield* sql`SELECT current_setting('random_page_cost') AS c`).toEqual([{ c: "1.1" }])
      expect(yield* platform(settings)).toMatchObject([{ who: "commerce_app", s: "5s" }])
      const pool = yield* Host
      const clients = yield* Effect.promise(() => Promise.all([1, 2, 3, 4].map(() => pool.connect())))
      for (const client of clients) {
        expect(
          yield* query(
            client,
            "SELECT current_user AS who, current_setting('statement_timeout') AS s, current_setting('random_page_cost') AS c, coalesce(current_setting('app.store_id', true), '') AS store"
          )
        ).toEqual([{ who: "postgres", s: "0", c: "4", store: "" }])
        client.release()
      }
    })
  )

  it.effect("holds the tenants apart although the pool is a superuser's", () =>
    Effect.gen(function* () {
      const { sql, write } = yield* Database
      yield* writeClass("st_b", "tc_theirs")
      expect(stateOf(yield* Effect.exit(write("st_a")(insertClass("st_b", "tc_x"))))).toBe("42501")
      expect(
        yield* write("st_a")(sql`UPDATE tax_class SET name = 'stolen' WHERE store_id = 'st_b' RETURNING id`)
      ).toEqual([])
      expect(yield* write("st_a")(sql`DELETE FROM tax_class WHERE store_id = 'st_b' RETURNING id`)).toEqual([])
      expect(yield* classesOf("st_b")).toEqual(["tc_theirs"])
    })
  )

  it.effect("maps a violated constraint to the same domain error, and undoes all of the transaction", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      const twice = write("st_a")(
        Effect.andThen(insertClass("st_a", "tc_1", "Same"), insertClass("st_a", "tc_2", "Same"))
      )
      expect(failureOf(yield* Effect.exit(twice))).toEqual(new NameTaken())
      expect(yield* classesOf("st_a")).toEqual([])
    })
  )

  it.effect("a nested transaction is a savepoint: its failure leaves the outer one's work", () =>
    Effect.gen(function* () {
      const { sql, write } = yield* Database
      yield* write("st_a")(
        Effect.gen(function* () {
          yield* insertClass("st_a", "tc_outer")
          const inner = sql.withTransaction(Effect.andThen(insertClass("st_a", "tc_inner", "tc_outer"), Effect.void))
          expect(failureOf(yield* Effect.exit(inner))).toEqual(new NameTaken())
          yield* insertClass("st_a", "tc_after")
        })
      )
      expect(yield* classesOf("st_a")).toEqual(["tc_after", "tc_outer"])
      yield* write("st_a")(sql`DELETE FROM tax_class WHERE store_id = 'st_a'`)
    })
  )

  it.effect("a write of one statement takes three messages: opening, statement, commit", () =>
    Effect.gen(function* () {
      counter.reset()
      yield* writeClass("st_a", "tc_counted")
      expect([counter.statements().length, counter.roundTrips()]).toEqual([1, 3])
    })
  )

  it.effect("tries a deadlock again and succeeds", () =>
    Effect.gen(function* () {
      const { sql, platform } = yield* Database
      const lock = (id: string) => sql`SELECT id FROM account WHERE id = ${id} FOR UPDATE`
      const crossed = (first: string, second: string) =>
        platform(Effect.andThen(Effect.andThen(lock(first), sql`SELECT pg_sleep(0.2)`), lock(second)))
      const both = Effect.all([crossed("acc_st_a", "acc_st_b"), crossed("acc_st_b", "acc_st_a")], { concurrency: 2 })
      expect((yield* both).map((rows) => rows.length)).toEqual([1, 1])
    })
  )

  it.effect(
    "a connection lost under a transaction is told as unavailable, is not lent again, and the next one works",
    () =>
      Effect.gen(function* () {
        const { sql, write } = yield* Database
        const pool = yield* Host
        const lost = yield* Effect.forkChild(
          Effect.exit(
            write("st_a")(Effect.andThen(insertClass("st_a", "tc_lost"), Effect.orDie(sql`SELECT pg_sleep(4)`)))
          )
        )
        yield* endSleeping(pool)
        const exit = yield* Fiber.join(lost)
        expect(classify(failureOf(exit))).toBe("unavailable")
        expect(yield* classesOf("st_a")).not.toContain("tc_lost")
        yield* writeClass("st_a", "tc_found")
        expect(yield* classesOf("st_a")).toContain("tc_found")
      })
  )

  it.effect("hears what is notified, and asks for all anew after its connection was lost", () =>
    Effect.gen(function* () {
      const { listen } = yield* Database
      const pool = yield* Host
      const heard = yield* Queue.unbounded<string | undefined>()
      const listening = yield* Effect.forkChild(
        Stream.runForEach(listen("some channel"), (payload) => Queue.offer(heard, payload))
      )
      expect(yield* Queue.take(heard)).toBe(undefined)
      yield* query(pool, "SELECT pg_notify('some channel', 'one')")
      expect(yield* Queue.take(heard)).toBe("one")
      yield* query(
        pool,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN \"some channel\"'"
      )
      expect(yield* Queue.take(heard)).toBe(undefined)
      yield* query(pool, "SELECT pg_notify('some channel', 'two')")
      expect(yield* Queue.take(heard)).toBe("two")
      yield* Fiber.interrupt(listening)
    })
  )
})
