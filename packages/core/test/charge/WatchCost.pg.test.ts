/** What a pass of the worker costs does not grow with the number of charges that are watched and not due. */
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { calls, charged, type Operated, operated, operatedShop, passAfter } from "./operatedShop.ts"

const statements = makeStatementCounter()
const loggedShop = operatedShop.pipe(Layer.provide(Layer.succeed(CurrentStatementLog, statements)))

/** Charges that are looked at in a day or later. */
const watchedCharges = ({ store }: Operated, from: number, to: number) =>
  Effect.gen(function* () {
    const { sql, write, platform } = yield* Database
    const now = new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
    yield* write(store.id)(
      sql`INSERT INTO provider_operation (store_id, id, kind, subject_type, subject_id, charge_key, provider, provider_id,
            account, mode, state, amount, currency, external_id, check_at, sent_at, open_since, created_at, updated_at)
          SELECT ${store.id}, 'pop_w' || n, 'authorize', 'test', 'sub_w' || n, ${store.id} || '/w' || n, 'test', 'test',
            '', 'test', 'succeeded', 2500, 'USD', 'tch_w' || n,
            ${now}::timestamptz + interval '1 day' + n * interval '1 second', ${now}, ${now}, ${now}, ${now}
          FROM generate_series(${from}::int, ${to}::int) AS n`
    )
    yield* platform(sql`SELECT analyze_grown('{}')`)
  })

/** The buffers that all statements of a pass touch, each run again as it was sent. */
const buffersOfPass = Effect.gen(function* () {
  const { sql, platform } = yield* Database
  statements.reset()
  yield* passAfter(60_000)
  const sent = statements.entries().filter(({ sql: text }) => /provider_operation|provider_notice/.test(text))
  const buffers = yield* Effect.forEach(sent, ({ sql: text, params }) =>
    Effect.map(
      platform(sql.unsafe<Record<string, unknown>>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, params)),
      (rows) => {
        const [first] = Object.values(rows[0] ?? {}) as [unknown]
        const [plan] = (typeof first === "string" ? JSON.parse(first) : first) as [
          { Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }
        ]
        return plan.Plan["Shared Hit Blocks"] + plan.Plan["Shared Read Blocks"]
      }
    )
  )
  return { statements: sent.length, buffers: buffers.reduce((sum, one) => sum + one, 0) }
})

layer(loggedShop)("a pass of the worker", (it) => {
  it.effect("touches as little of 100,000 watched charges as of 100, and looks at the one that is due", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* watchedCharges(shop, 1, 100)
      const few = yield* buffersOfPass
      // In parts, each of which a busy machine inserts within a statement's time.
      for (let from = 101; from <= 100_000; from += 9_990) yield* watchedCharges(shop, from, from + 9_989)
      const many = yield* buffersOfPass
      expect(few.statements).toBe(2)
      expect(many.statements).toBe(2)
      // The trees of the indexes are two levels deeper.
      expect(few.buffers).toBeLessThanOrEqual(8)
      expect(many.buffers).toBeLessThanOrEqual(16)
      yield* charged(shop, "pending")
      yield* passAfter(60_000)
      expect(calls.get("lookup")).toBe(1)
      expect(statements.entries().filter(({ sql: text }) => text.includes("SKIP LOCKED")).length).toBe(1)
    })
  )
})
