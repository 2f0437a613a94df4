import { expect, layer } from "@effect/vitest"
import { Effect, type Exit, Fiber, Layer, Queue, Stream } from "effect"
import pg, { type PoolClient, type Queryable } from "pg"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { joinHostTransaction } from "../../src/host/HostTransaction.ts"
import { HostTransactionUnusable } from "../../src/database/DatabaseErrors.ts"
import { eventChannel, Outbox } from "../../src/outbox/Outbox.ts"
import { classify } from "../../src/database/SqlErrors.ts"
import { GuardedFetch } from "../../src/outbound/GuardedFetch.ts"
import { InstalledProviders } from "../../src/payment/InstalledProviders.ts"
import { PaymentProviders } from "../../src/payment/PaymentProviders.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import { isJoined } from "../../src/kernel/JoinedTransaction.ts"
import { TimedCache } from "../../src/cache/TimedCache.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"
import { anyEvent } from "../outbox/anyEvent.ts"
import {
  Host,
  NameTaken,
  Refused,
  classesOf,
  endSleeping,
  failureOf,
  hostTransaction,
  insertClass,
  live,
  query,
  stateOf,
  writeClass
} from "./hostPool.ts"

const joining = <A, E, R>(client: PoolClient, body: Effect.Effect<A, E, R>) => joinHostTransaction(client)(body)

/** The transaction's settings that are ours to put back. */
const settingsOf = (client: Queryable) =>
  query(
    client,
    `SELECT current_user AS who, current_setting('role') AS role, current_setting('timezone') AS zone, current_setting('statement_timeout') AS s,
      current_setting('lock_timeout') AS l, current_setting('random_page_cost') AS c, coalesce(current_setting('app.store_id', true), '') AS store`
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
              {
                who: role === "none" ? "postgres" : role,
                role,
                zone: "Asia/Kolkata",
                s: "2s",
                l: "0",
                c: "4",
                store: "st_own"
              }
            ])
            const during = yield* joining(
              client,
              Effect.flatMap(Database, ({ write, sql }) =>
                write("st_b")(
                  sql`SELECT current_user AS who, current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l, current_setting('random_page_cost') AS c, current_setting('timezone') AS zone, current_setting('app.store_id') AS store`
                )
              )
            )
            expect(during).toEqual([{ who: "commerce_app", s: "2s", l: "4s", c: "1.1", zone: "UTC", store: "st_b" }])
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
      const joined = joinHostTransaction(theirs)(classesOf("st_a"))
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
          PaymentProviders.layer.pipe(
            Layer.provide(
              Layer.effect(
                InstalledProviders,
                Effect.map(TestProvider, (provider) => [provider])
              )
            ),
            Layer.provide([TestProvider.layer, Stores.layer]),
            Layer.provide(RootSecret.layer(testSecret))
          )
        )
      )
      const call = GuardedFetch.use(({ request }) => request({ method: "GET", url: "http://127.0.0.1:45999/" })).pipe(
        provided
      )
      const account = { storeId: "st_a", providerId: "test", account: "", mode: "test", credentials: [] } as const
      const ask = PaymentProviders.use(({ installed }) =>
        Effect.orDie(installed("test")!.lookup(account, { key: "st_a/complete:chk_1:1", externalId: null }))
      ).pipe(provided)
      const told = <A, E>(work: Effect.Effect<A, E, Database>) =>
        hostTransaction((client) => Effect.map(Effect.exit(joining(client, work)), (exit) => String(failureOf(exit))))
      const rest =
        "calls out over the network and cannot run inside a host's transaction: run it before BEGIN or after COMMIT"
      expect(yield* told(call)).toContain(`a call to another server ${rest}`)
      expect(yield* told(ask)).toContain(`looking up a payment through the payment provider test ${rest}`)
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
