import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Schema } from "effect"
import pg from "pg"
import { Database } from "../../src/database/Database.ts"
import {
  anyRow,
  lockThenRead,
  many,
  none,
  one,
  page,
  StoredJsonUnreadable,
  storedJson
} from "../../src/database/Repository.ts"
import { constraintViolation } from "../../src/database/SqlErrors.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { failureOf } from "./sqlFailure.ts"

class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", {}) {}

const counter = makeStatementCounter()
const accounts = Layer.effectDiscard(
  Effect.flatMap(Database, ({ sql, platform }) =>
    platform(
      sql`INSERT INTO account (id, name, created_at) VALUES ('acct_1', 'A', '2026-01-01'), ('acct_2', 'B', '2026-01-02')`
    )
  )
)
const live = Layer.provideMerge(accounts, TestDatabase.TestDatabase.layer).pipe(
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

interface Account {
  readonly id: string
  readonly name: string
}
const idOf = ({ id }: Account) => id

layer(live, { excludeTestServices: true })("what a statement returns", (it) => {
  it.effect("rows, the first of them, whether there is any, or nothing", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const all = sql<Account>`SELECT id, name FROM account ORDER BY id`
      const nobody = sql<Account>`SELECT id, name FROM account WHERE id = 'acct_0'`
      expect(yield* many(all)).toEqual([
        { id: "acct_1", name: "A" },
        { id: "acct_2", name: "B" }
      ])
      expect(yield* many(all, idOf)).toEqual(["acct_1", "acct_2"])
      expect(yield* one(all)).toEqual({ id: "acct_1", name: "A" })
      expect(yield* one(all, idOf)).toBe("acct_1")
      expect(yield* one(nobody)).toBeUndefined()
      expect(yield* one(nobody, idOf)).toBeUndefined()
      expect(yield* anyRow(all)).toBe(true)
      expect(yield* anyRow(nobody)).toBe(false)
      expect(yield* none(all)).toBeUndefined()
    })
  )

  it.effect("a page and the number of all, also where the page is empty", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const total = sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM account`
      expect(yield* page(sql<Account>`SELECT id, name FROM account ORDER BY id LIMIT 1`, total, idOf)).toEqual({
        items: ["acct_1"],
        total: 2
      })
      expect(yield* page(sql<Account>`SELECT id, name FROM account OFFSET 2`, total)).toEqual({ items: [], total: 2 })
    })
  )

  it.effect("a named constraint is a domain error, and every other failure a defect", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const taken = constraintViolation("account_pkey", () => new NameTaken())
      const insert = (id: string, name: string | null) =>
        none(taken(sql`INSERT INTO account (id, name, created_at) VALUES (${id}, ${name}, '2026-01-01')`))
      expect(yield* Effect.exit(insert("acct_1", "A"))).toEqual(Exit.fail(new NameTaken()))
      expect(failureOf(yield* Effect.exit(insert("acct_3", null)))).toBe("23502")
    })
  )
})

layer(live, { excludeTestServices: true })("a row that is locked and read at once", (it) => {
  const locked = Effect.gen(function* () {
    const { sql, platform } = yield* Database
    return yield* platform(
      lockThenRead(
        anyRow(sql`SELECT 1 FROM account WHERE id = 'acct_1' FOR UPDATE`),
        one(sql<Account>`SELECT id, name FROM account WHERE id = 'acct_1'`, ({ name }) => name),
        one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM account`, ({ n }) => n)
      )
    )
  })

  it.effect("costs one round trip beside the commit", () =>
    Effect.gen(function* () {
      yield* locked
      counter.reset()
      expect(yield* locked).toEqual([true, "A", 2])
      expect(counter.statements()).toHaveLength(3)
      expect(counter.roundTrips()).toBe(2)
    })
  )

  it.effect("sees what the transaction before it has written", () =>
    Effect.gen(function* () {
      const { nodePostgres } = yield* TestDatabase.TestDatabase
      const [holder, observer] = [new pg.Client(nodePostgres), new pg.Client(nodePostgres)]
      const run = (client: typeof holder, text: string) => Effect.promise(() => client.query(text))
      yield* Effect.promise(() => Promise.all([holder.connect(), observer.connect()]))
      yield* run(holder, "BEGIN")
      yield* run(holder, "UPDATE account SET name = 'C' WHERE id = 'acct_1'")
      const waiting = yield* Effect.forkChild(locked)
      yield* Effect.repeat(
        run(observer, "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
        { until: ({ rowCount }) => rowCount === 1 }
      )
      yield* run(holder, "COMMIT")
      expect(yield* Fiber.join(waiting)).toEqual([true, "C", 2])
      yield* Effect.promise(() => Promise.all([holder.end(), observer.end()]))
    })
  )
})

layer(Layer.empty)("a stored document", (it) => {
  const readTimes = storedJson("thing.times", Schema.Struct({ at: Schema.DateFromMillis }))

  it.effect("is read by its schema", () =>
    Effect.sync(() => expect(readTimes({ at: 0 })).toEqual({ at: new Date("1970-01-01T00:00:00.000Z") }))
  )

  it.effect("that its schema does not accept is a defect that names the column", () =>
    Effect.sync(() => {
      expect(() => readTimes({ at: "soon" })).toThrow(StoredJsonUnreadable)
      expect(() => readTimes({ at: "soon" })).toThrow(/^thing\.times holds what its schema does not accept: /)
    })
  )
})
