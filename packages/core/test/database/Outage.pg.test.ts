import { expect, layer } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { classify } from "../../src/database/SqlErrors.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"
import { runStatement } from "../../src/testing/TestServer.ts"

const windows = (bucket: string) =>
  Effect.flatMap(Database, ({ sql }) => sql`SELECT count::int AS count FROM rate_window WHERE bucket = ${bucket}`)

const insertWindow = ({ sql }: Database["Service"], bucket: string) =>
  sql`INSERT INTO rate_window (bucket, window_start, ends_at, count) VALUES (${bucket}, 0, 1, 1)`

const classOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? classify(Cause.squash(exit.cause)) : "succeeded"

/** How many sessions of the database are so; asked as the superuser, because others see nothing of them. */
const sessions = (are: string) =>
  Effect.flatMap(TestDatabase, ({ connection }) =>
    Effect.map(
      runStatement(connection, `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND ${are}`),
      ({ rows }) => rows.length
    )
  )

/** What an administrator does, or a crash: ends the session that runs `sleep`, as soon as it does. */
const endSleeping = Effect.flatMap(TestDatabase, ({ connection }) =>
  Effect.repeat(
    runStatement(
      connection,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(4)%' AND state = 'active'"
    ),
    { until: ({ rows }) => rows.length === 1 }
  )
)

layer(TestDatabase.layer, { excludeTestServices: true })("when the database fails", (it) => {
  it.effect(
    "a connection lost in the middle of a transaction undoes it and is told as unavailable; the next one works",
    () =>
      Effect.gen(function* () {
        const database = yield* Database
        const lost = database.platform(Effect.andThen(insertWindow(database, "lost"), database.sql`SELECT pg_sleep(4)`))
        const [exit] = yield* Effect.all([Effect.exit(lost), endSleeping], { concurrency: 2 })
        expect(classOf(exit)).toBe("unavailable")
        yield* database.platform(insertWindow(database, "kept"))
        expect(yield* windows("lost")).toEqual([])
        expect(yield* windows("kept")).toEqual([{ count: 1 }])
      })
  )

  it.effect("a transaction that was silent for too long is run again from its beginning, once, and written once", () =>
    Effect.gen(function* () {
      const { connection } = yield* TestDatabase
      const options = { ...connection, applicationName: "paused", bounds: { idleInTransactionTimeout: 100 } }
      const paused = Context.get(yield* Layer.build(Layer.fresh(Database.layer(options))), Database)
      /** Says nothing in its transaction until the database has ended the session. */
      const silent = Effect.repeat(sessions("application_name = 'paused' AND state LIKE 'idle in transaction%'"), {
        until: (count) => count === 0
      })
      let runs = 0
      const pausing = (times: number) =>
        paused.platform(
          Effect.gen(function* () {
            runs += 1
            yield* insertWindow(paused, "paused")
            if (runs <= times) yield* silent
            yield* paused.sql`SELECT 1`
          })
        )
      yield* pausing(1)
      expect([runs, yield* windows("paused")]).toEqual([2, [{ count: 1 }]])
      runs = 0
      yield* paused.platform(paused.sql`DELETE FROM rate_window WHERE bucket = 'paused'`)
      expect([classOf(yield* Effect.exit(pausing(9))), runs]).toEqual(["unavailable", 2])
      expect(yield* windows("paused")).toEqual([])
    })
  )

  it.effect("a shared connection that is lost fails its statements and is replaced", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const [exit] = yield* Effect.all([Effect.exit(sql`SELECT pg_sleep(4)`), endSleeping], { concurrency: 2 })
      expect(classOf(exit)).toBe("unavailable")
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    })
  )

  it.effect("a lock that does not come is given up, and told as unavailable", () =>
    Effect.gen(function* () {
      const { connection } = yield* TestDatabase
      const hasty = Context.get(
        yield* Layer.build(Layer.fresh(Database.layer({ ...connection, bounds: { lockTimeout: 100 } }))),
        Database
      )
      const patient = yield* Database
      yield* patient.platform(insertWindow(patient, "locked"))
      const locked = yield* Deferred.make<void>()
      const done = yield* Deferred.make<void>()
      const rise = ({ sql }: Database["Service"]) =>
        sql`UPDATE rate_window SET count = count + 1 WHERE bucket = 'locked'`
      const holder = yield* Effect.forkChild(
        patient.platform(
          Effect.andThen(rise(patient), Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(done)))
        )
      )
      yield* Deferred.await(locked)
      expect(classOf(yield* Effect.exit(hasty.platform(rise(hasty))))).toBe("unavailable")
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(holder)
      expect(yield* windows("locked")).toEqual([{ count: 2 }])
    })
  )

  it.effect("a request that is dropped while its statement waits leaves no change and no open transaction", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const { sql, platform } = database
      yield* platform(insertWindow(database, "dropped"))
      const locked = yield* Deferred.make<void>()
      const done = yield* Deferred.make<void>()
      const rise = sql`UPDATE rate_window SET count = count + 1 WHERE bucket = 'dropped'`
      const holder = yield* Effect.forkChild(
        platform(Effect.andThen(rise, Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(done))))
      )
      yield* Deferred.await(locked)
      const dropped = yield* Effect.forkChild(platform(Effect.andThen(insertWindow(database, "half"), rise)))
      yield* Effect.repeat(sessions("wait_event_type = 'Lock'"), { until: (count) => count === 1 })
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(dropped), { startImmediately: true })
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(interrupting)
      expect(yield* windows("dropped")).toEqual([{ count: 2 }])
      expect(yield* windows("half")).toEqual([])
      expect(yield* sessions("state LIKE 'idle in transaction%'")).toBe(0)
    })
  )

  it.effect("a database that cannot be reached is unavailable", () =>
    Effect.gen(function* () {
      const nowhere = Context.get(
        yield* Layer.build(Layer.fresh(Database.layer({ path: "/nowhere/.s.PGSQL.5432", username: "x" }))),
        Database
      )
      expect(classOf(yield* Effect.exit(nowhere.sql`SELECT 1`))).toBe("unavailable")
      expect(classOf(yield* Effect.exit(nowhere.platform(nowhere.sql`SELECT 1`)))).toBe("unavailable")
    })
  )
})

layer(TestDatabase.layer, { excludeTestServices: true })(
  "through a transaction pooler, where sessions begin bare",
  (it) => {
    it.effect("a transaction takes the role and its bounds itself, and gives them back", () =>
      Effect.gen(function* () {
        const { connection } = yield* TestDatabase
        const pooled = Context.get(
          yield* Layer.build(Layer.fresh(Database.layer({ ...connection, direct: connection, maxConnections: 2 }))),
          Database
        )
        const { sql, write, platform } = pooled
        const who = sql`SELECT current_user AS who, current_setting('statement_timeout') AS bound, coalesce(current_setting('app.store_id', true), '') AS store`
        expect(yield* write("st_a")(who)).toEqual([{ who: "commerce_app", bound: "5s", store: "st_a" }])
        expect(yield* platform(who)).toEqual([{ who: "commerce_app", bound: "5s", store: "" }])
        expect(yield* sql`SELECT current_user AS who`).toEqual([{ who: "postgres" }])
      })
    )
  }
)
