import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Schema } from "effect"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"
import { failureOf } from "./sqlFailure.ts"

const counter = makeStatementCounter()

class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

const store = Layer.effectDiscard(
  Effect.flatMap(Database, ({ sql, platform }) =>
    platform(
      Effect.gen(function* () {
        yield* sql`INSERT INTO account (id, name, created_at) VALUES ('acc', 'A', '2026-01-01')`
        yield* sql`INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES ('st', 'acc', 'S', 'USD', 'US', '2026-01-01', '2026-01-01')`
      })
    )
  )
)
const live = Layer.provideMerge(store, TestDatabase.layer).pipe(
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

const insert = (id: string): Effect.Effect<void, never, Database> =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.asVoid(
      Effect.orDie(
        sql`INSERT INTO tax_class (store_id, id, name, created_at, updated_at) VALUES ('st', ${id}, ${id}, '2026-01-01', '2026-01-01')`
      )
    )
  )
const send = (id: string) => Effect.flatMap(Database, (database) => database.withCommit(insert(id)))
const ids = Effect.flatMap(Database, ({ sql }) =>
  Effect.map(sql<{ readonly id: string }>`SELECT id FROM tax_class WHERE store_id = 'st' ORDER BY id`, (rows) =>
    rows.map(({ id }) => id)
  )
)

layer(live, { excludeTestServices: true })("a write that is not waited for", (it) => {
  it.effect("travels with the commit", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      yield* write("st")(send("a_warm"))
      counter.reset()
      yield* write("st")(send("a_one"))
      expect(counter.statements()).toHaveLength(1)
      expect(counter.roundTrips()).toBe(1)
      expect(yield* ids).toContain("a_one")
    })
  )

  it.effect("is seen by what comes after it", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      const seen = yield* write("st")(Effect.andThen(send("b_one"), ids))
      expect(seen).toContain("b_one")
    })
  )

  it.effect("outlives the fiber that sent it", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      yield* write("st")(Effect.all([send("c_one"), send("c_two"), send("c_three")], { concurrency: "unbounded" }))
      expect((yield* ids).filter((id) => id.startsWith("c_"))).toEqual(["c_one", "c_three", "c_two"])
    })
  )

  it.effect("fails the commit where it failed, which takes back everything, and says why", () =>
    Effect.gen(function* () {
      const { write, afterCommit } = yield* Database
      let isTold = false
      const told = afterCommit(Effect.sync(() => void (isTold = true)))
      const exit = yield* Effect.exit(write("st")(Effect.andThen(Effect.andThen(insert("d_one"), told), send("d_one"))))
      expect(failureOf(exit)).toBe("23505")
      expect(isTold).toBe(false)
      expect(yield* ids).not.toContain("d_one")
      yield* write("st")(send("d_after"))
      expect(yield* ids).toContain("d_after")
    })
  )

  it.effect("is named as the reason by what fails after it", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      yield* write("st")(insert("e_one"))
      const exit = yield* Effect.exit(write("st")(Effect.andThen(send("e_one"), insert("e_two"))))
      expect(failureOf(exit)).toBe("23505")
      expect(yield* ids).not.toContain("e_two")
    })
  )

  it.effect("fails with its transaction where a refusal before it was passed over", () =>
    Effect.gen(function* () {
      const { write, sql } = yield* Database
      const passedOver = Effect.ignore(sql`SELECT 1 / 0`)
      const exit = yield* Effect.exit(write("st")(Effect.andThen(passedOver, send("h_one"))))
      expect(failureOf(exit)).toBe("25P02")
      const later = yield* Effect.exit(
        write("st")(Effect.andThen(Effect.andThen(passedOver, send("h_one")), insert("h_two")))
      )
      expect(failureOf(later)).toBe("25P02")
      expect((yield* ids).filter((id) => id.startsWith("h_"))).toEqual([])
    })
  )

  it.effect("fails at once where it cannot be sent: the rest is not committed without it", () =>
    Effect.gen(function* () {
      const { write, sql, withCommit } = yield* Database
      const unsendable = withCommit(
        sql`UPDATE tax_class SET updated_at = ${new Date(Number.NaN)} WHERE store_id = 'st'`
      )
      const exit = yield* Effect.exit(write("st")(Effect.andThen(insert("i_one"), unsendable)))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(yield* ids).not.toContain("i_one")
    })
  )

  it.effect("is taken back with the rest when the body fails", () =>
    Effect.gen(function* () {
      const { write } = yield* Database
      const exit = yield* Effect.exit(write("st")(Effect.andThen(send("f_one"), Effect.fail(new Refused()))))
      expect(exit).toEqual(Exit.fail(new Refused()))
      expect(yield* ids).not.toContain("f_one")
    })
  )

  it.effect("is tried again with its transaction", () =>
    Effect.gen(function* () {
      const { write, sql, withCommit } = yield* Database
      let attempts = 0
      const once = Effect.suspend(() => {
        attempts += 1
        return attempts === 1
          ? Effect.asVoid(Effect.orDie(sql`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`))
          : insert("g_one")
      })
      yield* write("st")(withCommit(once))
      expect(attempts).toBe(2)
      expect(yield* ids).toContain("g_one")
    })
  )

  it.effect("is waited for outside of a transaction", () =>
    Effect.gen(function* () {
      const { sql, withCommit } = yield* Database
      const failing = withCommit(sql`SELECT 1 / 0`)
      expect(failureOf(yield* Effect.exit(failing))).toBe("22012")
    })
  )
})
