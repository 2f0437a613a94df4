import { expect, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer, Queue, Schema, Stream } from "effect"
import { SqlError } from "effect/sql"
import pg, { type Pool, type PoolClient, type Queryable } from "pg"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { HostTransactionUnusable } from "../../src/database/DatabaseErrors.ts"
import * as HostDatabase from "../../src/database/HostDatabase.ts"
import { eventChannel, Outbox } from "../../src/database/Outbox.ts"
import { classify, sqlStateOf, uniqueViolation } from "../../src/database/SqlErrors.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { GuardedFetch } from "../../src/outbound/GuardedFetch.ts"
import { PaymentProviders } from "../../src/payment/PaymentProviders.ts"
import { TestProvider } from "../../src/payment/TestProvider.ts"
import { isJoined } from "../../src/kernel/JoinedTransaction.ts"
import { TimedCache } from "../../src/kernel/TimedCache.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"
import { anyEvent } from "./anyEvent.ts"

class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", {}) {}
class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

/** The host's own pool, of a superuser, with a table of the host's. */
class Host extends Context.Service<Host, Pool>()("test/Host") {
  static readonly layer = Layer.effect(
    Host,
    Effect.gen(function* () {
      const { nodePostgres } = yield* TestDatabase
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new pg.Pool({ ...nodePostgres, max: 5 })),
        (open) => Effect.promise(() => open.end())
      )
      pool.on("error", () => undefined)
      yield* Effect.promise(() => pool.query("CREATE TABLE host_note (id int PRIMARY KEY, text text NOT NULL)"))
      return pool
    })
  )
}

const insertStore = (id: string) =>
  Effect.flatMap(Database, ({ sql, platform }) =>
    platform(
      Effect.gen(function* () {
        const at = new Date("2026-01-01T00:00:00Z")
        yield* sql`INSERT INTO account (id, name, created_at) VALUES (${`acc_${id}`}, 'A', ${at})`
        yield* sql`INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES (${id}, ${`acc_${id}`}, 'S', 'USD', 'US', ${at}, ${at})`
      })
    )
  )

const counter = makeStatementCounter()
const overPool = Layer.unwrap(Effect.map(Host, (pool) => HostDatabase.layer({ pool })))
const stores = Layer.effectDiscard(Effect.forEach(["st_a", "st_b"], insertStore))
const live = Layer.mergeAll(stores, Outbox.layer).pipe(
  Layer.provideMerge(overPool),
  Layer.provideMerge(Host.layer),
  Layer.provideMerge(TestDatabase.layerCopy),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

const at = "2026-01-01"
const insertClass = (storeId: string, id: string, name = id) =>
  Effect.flatMap(Database, ({ sql }) =>
    sql`INSERT INTO tax_class (store_id, id, name, created_at, updated_at) VALUES (${storeId}, ${id}, ${name}, ${at}, ${at})`.pipe(
      uniqueViolation("tax_class_store_id_name_key", () => new NameTaken())
    )
  )
const classesOf = (storeId: string) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      Effect.orDie(sql<{ readonly id: string }>`SELECT id FROM tax_class WHERE store_id = ${storeId} ORDER BY id`),
      (rows) => rows.map(({ id }) => id)
    )
  )
const writeClass = (storeId: string, id: string, name = id) =>
  Effect.flatMap(Database, ({ write }) => write(storeId)(insertClass(storeId, id, name)))

const query = (client: Queryable, text: string) => Effect.promise(async () => (await client.query(text)).rows)

/** A client of the host with a transaction open on it, ended as `end` says. */
const hostTransaction = <A, E, R>(
  body: (client: PoolClient) => Effect.Effect<A, E, R>,
  end: "COMMIT" | "ROLLBACK" = "COMMIT"
) =>
  Effect.acquireUseRelease(
    Effect.flatMap(Host, (pool) => Effect.promise(() => pool.connect())),
    (client) =>
      Effect.andThen(
        query(client, "BEGIN"),
        Effect.tap(body(client), () => query(client, end))
      ),
    (client) =>
      Effect.promise(async () =>
        client.release(
          await client.query("ROLLBACK").then(
            () => false,
            () => true
          )
        )
      )
  )

/** What an administrator does, or a crash: ends the session that sleeps, as soon as it does. */
const endSleeping = (pool: Pool) =>
  Effect.repeat(
    query(
      pool,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(4)%' AND state = 'active'"
    ),
    { until: (rows) => rows.length === 1 }
  )

const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : "succeeded"
const stateOf = (exit: Exit.Exit<unknown, unknown>): unknown => {
  const error = failureOf(exit)
  return SqlError.isSqlError(error) ? sqlStateOf(error) : error
}

layer(live, { excludeTestServices: true })("a host's pool", (it) => {
  it.effect("gives every value as our own driver gives it, whatever parsers the host has set", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { types } = pg as unknown as {
        readonly types: { readonly setTypeParser: (oid: number, parse: (text: string) => unknown) => void }
      }
      for (const oid of [16, 20, 1009, 1082, 1184, 1700, 3802]) types.setTypeParser(oid, () => "the host's own")
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
            Effect.flatMap(Database, ({ join, sql }) =>
              join(client)(Effect.orDie(sql<{ readonly at: Date }>`SELECT ${moment}::timestamptz AS at`))
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
      const settings = sql`SELECT current_user AS who, current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l, current_setting('app.store_id', true) AS store`
      expect(yield* write("st_a")(settings)).toEqual([{ who: "commerce_app", s: "5s", l: "4s", store: "st_a" }])
      expect(yield* platform(settings)).toMatchObject([{ who: "commerce_app", s: "5s" }])
      const pool = yield* Host
      const clients = yield* Effect.promise(() => Promise.all([1, 2, 3, 4].map(() => pool.connect())))
      for (const client of clients) {
        expect(
          yield* query(
            client,
            "SELECT current_user AS who, current_setting('statement_timeout') AS s, coalesce(current_setting('app.store_id', true), '') AS store"
          )
        ).toEqual([{ who: "postgres", s: "0", store: "" }])
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

const joining = <A, E, R>(client: PoolClient, body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Database, ({ join }) => join(client)(body))

/** The transaction's settings that are ours to put back. */
const settingsOf = (client: Queryable) =>
  query(
    client,
    `SELECT current_user AS who, current_setting('role') AS role, current_setting('timezone') AS zone, current_setting('statement_timeout') AS s,
      current_setting('lock_timeout') AS l, coalesce(current_setting('app.store_id', true), '') AS store`
  )

layer(live, { excludeTestServices: true })("a host's open transaction", (it) => {
  it.effect("commits with the host's, and the host sees it before", () =>
    Effect.gen(function* () {
      yield* hostTransaction((client) =>
        Effect.gen(function* () {
          yield* query(client, "INSERT INTO host_note VALUES (1, 'with a tax class')")
          yield* joining(client, writeClass("st_a", "tc_joined"))
          expect(yield* query(client, "SELECT id FROM tax_class WHERE store_id = 'st_a'")).toEqual([
            { id: "tc_joined" }
          ])
          expect(yield* classesOf("st_a")).toEqual([])
          expect(yield* joining(client, classesOf("st_a"))).toEqual(["tc_joined"])
        })
      )
      expect(yield* classesOf("st_a")).toEqual(["tc_joined"])
      expect(yield* query(yield* Host, "SELECT id FROM host_note")).toEqual([{ id: 1 }])
    })
  )

  it.effect("the host's ROLLBACK takes everything back", () =>
    Effect.gen(function* () {
      yield* hostTransaction(
        (client) =>
          Effect.gen(function* () {
            yield* query(client, "INSERT INTO host_note VALUES (2, 'gone')")
            yield* joining(client, writeClass("st_a", "tc_gone"))
          }),
        "ROLLBACK"
      )
      expect(yield* classesOf("st_a")).toEqual(["tc_joined"])
      expect(yield* query(yield* Host, "SELECT id FROM host_note WHERE id = 2")).toEqual([])
    })
  )

  it.effect("a failure of ours takes back our writes alone and leaves the host's transaction usable", () =>
    Effect.gen(function* () {
      yield* hostTransaction((client) =>
        Effect.gen(function* () {
          yield* query(client, "INSERT INTO host_note VALUES (3, 'stays')")
          const refused = joining(client, Effect.andThen(writeClass("st_a", "tc_half"), Effect.fail(new Refused())))
          expect(failureOf(yield* Effect.exit(refused))).toEqual(new Refused())
          const broken = joining(
            client,
            Effect.flatMap(Database, ({ sql }) => Effect.orDie(sql`SELECT 1 / 0`))
          )
          expect(stateOf(yield* Effect.exit(broken))).toBe("22012")
          expect(failureOf(yield* Effect.exit(joining(client, writeClass("st_a", "tc_2", "tc_joined"))))).toEqual(
            new NameTaken()
          )
          expect(
            stateOf(
              yield* Effect.exit(
                joining(
                  client,
                  Effect.flatMap(Database, ({ write }) => write("st_a")(insertClass("st_b", "tc_x")))
                )
              )
            )
          ).toBe("42501")
          yield* joining(client, writeClass("st_a", "tc_good"))
          yield* query(client, "INSERT INTO host_note VALUES (4, 'stays too')")
        })
      )
      expect(yield* classesOf("st_a")).toEqual(["tc_good", "tc_joined"])
      expect(yield* query(yield* Host, "SELECT id FROM host_note WHERE id > 2 ORDER BY id")).toEqual([
        { id: 3 },
        { id: 4 }
      ])
    })
  )

  it.effect("a use case that goes on after a write of its own was refused keeps the rest", () =>
    Effect.gen(function* () {
      const twice = Effect.gen(function* () {
        yield* Effect.ignore(
          Effect.flatMap(Database, ({ write }) =>
            write("st_a")(Effect.andThen(insertClass("st_a", "tc_first"), insertClass("st_a", "tc_2", "tc_first")))
          )
        )
        yield* writeClass("st_a", "tc_second")
      })
      yield* hostTransaction((client) => joining(client, twice))
      expect(yield* classesOf("st_a")).toEqual(["tc_good", "tc_joined", "tc_second"])
    })
  )

  it.effect("puts the host's role, store, time zone and bounds back, after success and after failure", () =>
    Effect.gen(function* () {
      const pool = yield* Host
      yield* query(pool, 'CREATE ROLE "the host\'s"; GRANT "the host\'s" TO postgres')
      for (const role of ["none", "the host's"]) {
        yield* hostTransaction((client) =>
          Effect.gen(function* () {
            yield* query(
              client,
              `SELECT set_config('role', '${role.replace("'", "''")}', true), set_config('timezone', 'Asia/Kolkata', true), set_config('statement_timeout', '2s', true), set_config('app.store_id', 'st_own', true)`
            )
            const before = yield* settingsOf(client)
            expect(before).toEqual([
              { who: role === "none" ? "postgres" : role, role, zone: "Asia/Kolkata", s: "2s", l: "0", store: "st_own" }
            ])
            const during = yield* joining(
              client,
              Effect.flatMap(Database, ({ write, sql }) =>
                write("st_b")(
                  sql`SELECT current_user AS who, current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l, current_setting('timezone') AS zone, current_setting('app.store_id') AS store`
                )
              )
            )
            expect(during).toEqual([{ who: "commerce_app", s: "2s", l: "4s", zone: "UTC", store: "st_b" }])
            expect(yield* settingsOf(client)).toEqual(before)
            yield* Effect.exit(
              joining(client, Effect.andThen(writeClass("st_b", "tc_never"), Effect.fail(new Refused())))
            )
            expect(yield* settingsOf(client)).toEqual(before)
          })
        )
      }
      yield* query(pool, 'DROP ROLE "the host\'s"')
    })
  )

  it.effect("two calls at once on one client wait for each other: the failure of one takes nothing of the other", () =>
    Effect.gen(function* () {
      yield* hostTransaction((client) =>
        Effect.gen(function* () {
          const { sql } = yield* Database
          const pause = Effect.orDie(sql`SELECT pg_sleep(0.05)`)
          const good = (id: string) => joining(client, Effect.andThen(writeClass("st_b", id), pause))
          const bad = (id: string) =>
            Effect.exit(
              joining(client, Effect.andThen(Effect.andThen(writeClass("st_b", id), pause), Effect.fail(new Refused())))
            )
          yield* Effect.all([good("tc_p1"), bad("tc_p2"), good("tc_p3"), bad("tc_p4")], { concurrency: "unbounded" })
        })
      )
      expect(yield* classesOf("st_b")).toEqual(["tc_p1", "tc_p3"])
    })
  )

  it.effect("statements that one call sends together go one after the other", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const three = Effect.all(
        [1, 2, 3].map((n) => Effect.orDie(sql<{ readonly n: number }>`SELECT ${n}::int AS n`)),
        { concurrency: "unbounded" }
      )
      expect((yield* hostTransaction((client) => joining(client, three))).map((rows) => rows[0]?.n)).toEqual([1, 2, 3])
    })
  )

  it.effect("wakes nobody before the host commits, and then those who listen", () =>
    Effect.gen(function* () {
      const { afterCommit, listen, write } = yield* Database
      const outbox = yield* Outbox
      const heard = yield* Queue.unbounded<string | undefined>()
      const listening = yield* Effect.forkChild(
        Stream.runForEach(listen(eventChannel), (payload) => Queue.offer(heard, payload))
      )
      expect(yield* Queue.take(heard)).toBe(undefined)
      let ran = 0
      yield* hostTransaction((client) =>
        Effect.gen(function* () {
          yield* joining(
            client,
            write("st_a")(
              Effect.andThen(
                outbox.appendAll("st_a", [anyEvent("product.updated")]),
                afterCommit(
                  Effect.sync(() => {
                    ran += 1
                  })
                )
              )
            )
          )
          yield* query(yield* Host, `SELECT pg_notify('${eventChannel}', 'meanwhile')`)
          expect(yield* Queue.take(heard)).toBe("meanwhile")
        })
      )
      expect(yield* Queue.take(heard)).toBe("st_a")
      expect(ran).toBe(0)
      yield* Fiber.interrupt(listening)
    })
  )

  it.effect("remembers nothing of what may be taken back", () =>
    Effect.gen(function* () {
      const cache = new TimedCache<string>(60_000, 10)
      cache.set("warm", "committed", 0)
      yield* hostTransaction((client) =>
        joining(
          client,
          Effect.sync(() => {
            expect([isJoined(), cache.get("warm", 1)]).toEqual([true, undefined])
            cache.set("cold", "uncommitted", 0)
          })
        )
      )
      expect([isJoined(), cache.get("warm", 1), cache.get("cold", 1)]).toEqual([false, "committed", undefined])
    })
  )

  it.effect("says in words why a client cannot be joined, and leaves it as it was", () =>
    Effect.gen(function* () {
      const pool = yield* Host
      const reasonOf = (exit: Exit.Exit<unknown, unknown>) => {
        const error = failureOf(exit)
        return error instanceof HostTransactionUnusable ? error.reason : error
      }
      const bare = yield* Effect.promise(() => pool.connect())
      expect(reasonOf(yield* Effect.exit(joining(bare, classesOf("st_a"))))).toBe(
        "no transaction is open on this client: send BEGIN first"
      )
      expect(yield* query(bare, "SELECT 1 AS one")).toEqual([{ one: 1 }])
      bare.release()
      yield* hostTransaction(
        (client) =>
          Effect.gen(function* () {
            yield* Effect.promise(() => client.query("SELECT 1 / 0").catch(() => undefined))
            expect(reasonOf(yield* Effect.exit(joining(client, classesOf("st_a"))))).toBe(
              "the transaction of this client is aborted: nothing but ROLLBACK helps"
            )
          }),
        "ROLLBACK"
      )
      yield* query(pool, "CREATE ROLE stranger LOGIN PASSWORD 'x'; GRANT INSERT, SELECT ON host_note TO stranger")
      const { nodePostgres } = yield* TestDatabase
      const theirs = new pg.Client({ ...nodePostgres, user: "stranger", password: "x" })
      yield* Effect.promise(() => theirs.connect())
      yield* query(theirs, "BEGIN; INSERT INTO host_note VALUES (9, 'kept')")
      const joined = Effect.flatMap(Database, ({ join }) => join(theirs)(classesOf("st_a")))
      expect(reasonOf(yield* Effect.exit(joined))).toBe(
        "this client's user may not act as the role commerce_app: as an administrator run GRANT commerce_app TO that user"
      )
      expect(yield* query(theirs, "SELECT id FROM host_note WHERE id = 9")).toEqual([{ id: 9 }])
      yield* query(theirs, "ROLLBACK")
      yield* query(pool, "GRANT commerce_app TO stranger")
      yield* query(theirs, "BEGIN")
      expect((yield* joined).length).toBeGreaterThan(0)
      yield* query(theirs, "COMMIT")
      yield* Effect.promise(() => theirs.end())
      yield* query(pool, "DROP OWNED BY stranger; DROP ROLE stranger")
    })
  )

  it.effect("lets nothing out over the network: a host could not take it back", () =>
    Effect.gen(function* () {
      const provided = Effect.provide(
        Layer.mergeAll(
          GuardedFetch.layer({ allowPrivate: true }),
          PaymentProviders.layer.pipe(Layer.provide(TestProvider.layer), Layer.provide(RootSecret.layer(testSecret)))
        )
      )
      const call = GuardedFetch.use(({ request }) => request({ method: "GET", url: "http://127.0.0.1:45999/" })).pipe(
        provided
      )
      const ask = PaymentProviders.use(({ byCode }) =>
        Effect.orDie(byCode("test")!.lookup("st_a", "complete:chk_1:1"))
      ).pipe(provided)
      const told = <A, E>(work: Effect.Effect<A, E, Database>) =>
        hostTransaction((client) => Effect.map(Effect.exit(joining(client, work)), (exit) => String(failureOf(exit))))
      const rest =
        "calls out over the network and cannot run inside a host's transaction: run it before BEGIN or after COMMIT"
      expect(yield* told(call)).toContain(`a call to another server ${rest}`)
      expect(yield* told(ask)).toContain(`asking after a payment through the payment provider test ${rest}`)
      expect(yield* ask).toEqual({ _tag: "Absent" })
      expect(failureOf(yield* Effect.exit(call))).toMatchObject({ _tag: "OutboundFailed", kind: "connect" })
    })
  )

  it.effect("refuses a statement that outlives its call, and a transaction inside one of ours", () =>
    Effect.gen(function* () {
      const { platform, sql } = yield* Database
      const late = yield* hostTransaction((client) =>
        joining(
          client,
          Effect.map(Effect.context<never>(), (context) =>
            Effect.provideContext(Effect.exit(Effect.orDie(sql`SELECT 1`)), context)
          )
        )
      )
      expect(String(failureOf(yield* late))).toContain("a statement was sent after its transaction had ended")
      const nested = hostTransaction((client) => Effect.exit(platform(joining(client, classesOf("st_a")))))
      expect(failureOf(yield* nested)).toBeInstanceOf(HostTransactionUnusable)
    })
  )

  it.effect("a connection lost under a call is told as unavailable and ends nothing else", () =>
    Effect.gen(function* () {
      const pool = yield* Host
      const { sql, write } = yield* Database
      const client = yield* Effect.promise(() => pool.connect())
      client.on("error", () => undefined)
      yield* query(client, "BEGIN")
      const call = joining(
        client,
        write("st_a")(Effect.andThen(insertClass("st_a", "tc_lost"), Effect.orDie(sql`SELECT pg_sleep(4)`)))
      )
      const lost = yield* Effect.forkChild(Effect.exit(call))
      yield* endSleeping(pool)
      expect(classify(failureOf(yield* Fiber.join(lost)))).toBe("unavailable")
      client.release(true)
      expect(yield* classesOf("st_a")).not.toContain("tc_lost")
    })
  )
})
