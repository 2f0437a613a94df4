import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Backlog } from "../../src/audit/Backlog.ts"
import { Database } from "../../src/database/Database.ts"
import { type Instance, openOwned } from "../webhook/instance.ts"

let opened: Awaited<ReturnType<typeof openOwned>>
let client: typeof opened.client
let instance: Instance

beforeAll(async () => {
  opened = await openOwned()
  ;({ client, instance } = opened)
})
afterAll(() => opened.close())

/** Asked anew: a layer of its own remembers nothing. */
const asked = () =>
  instance.run(
    Effect.provide(
      Effect.flatMap(Backlog, ({ now }) => now),
      Layer.fresh(Backlog.layer)
    )
  )
const ofKind = async (name: string) => {
  const answer = await asked()
  if (typeof answer === "string") throw new Error(answer)
  const found = answer.find(({ kind }) => kind === name)
  return { count: found?.count, late: Math.round((found?.lateSeconds ?? 0) / 60) }
}

describe("the backlog", () => {
  it("counts up to a bound, and knows the oldest although ten thousand younger rows come before it", async () => {
    const [first = "", last = ""] = [(await instance.openStore()).id, (await instance.openStore()).id].sort()
    const now = await instance.now()
    const pending = (storeId: string, count: number, minutes: number) =>
      client.query(
        `INSERT INTO event (store_id, id, type, data, created_at)
         SELECT $1, 'evt_' || md5($1 || i), 'order.updated', '{}', $3 FROM generate_series(1, $2::int) AS i`,
        [storeId, count, new Date(now - minutes * 60_000)]
      )
    const deliveries = (storeId: string, subscription: string, count: number, minutes: number) =>
      client.query(
        `INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, due_at, created_at)
         SELECT $1, $2 || i, $2, 'evt_' || md5($1 || i), 'pending', $4, $4 FROM generate_series(1, $3::int) AS i`,
        [storeId, subscription, count, new Date(now - minutes * 60_000)]
      )
    expect([await ofKind("event"), await ofKind("webhook_delivery")]).toEqual([
      { count: 0, late: 0 },
      { count: 0, late: 0 }
    ])
    await pending(first, 10_100, 1)
    await pending(last, 1, 90)
    await deliveries(first, "whs_1", 10_100, 2)
    await deliveries(first, "whs_2", 1, 60)
    await deliveries(last, "whs_1", 1, 3)
    expect([await ofKind("event"), await ofKind("webhook_delivery"), await ofKind("mail")]).toEqual([
      { count: 10_000, late: 90 },
      { count: 10_000, late: 60 },
      { count: 0, late: 0 }
    ])
  })

  it("is asked once for all who ask at the same time, and waits for no connection that writes", async () => {
    const both = Effect.gen(function* () {
      const { now } = yield* Backlog
      const { sql, platform } = yield* Database
      yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: 6 }, () => platform(sql`SELECT pg_sleep(4)`)),
          { concurrency: "unbounded" }
        )
      )
      yield* sql`SELECT pg_sleep(0.5)`
      return yield* Effect.all([now, now], { concurrency: "unbounded" })
    })
    const [one, other] = await instance.run(Effect.scoped(Effect.provide(both, Layer.fresh(Backlog.layer))))
    expect([typeof one, one === other]).toEqual(["object", true])
  })

  it("is unknown while there is no answer in time, and down where the database cannot be reached", async () => {
    await client.query("BEGIN")
    await client.query("LOCK TABLE export_job IN ACCESS EXCLUSIVE MODE")
    expect(await asked()).toBe("unknown")
    await client.query("ROLLBACK")
    expect(typeof (await asked())).toBe("object")
    const away = Database.layer({ path: "/nowhere/.s.PGSQL.5432", username: "x" })
    const answer = Effect.provide(
      Effect.flatMap(Backlog, ({ now }) => now),
      Layer.provide(Layer.fresh(Backlog.layer), away)
    )
    expect(await Effect.runPromise(answer)).toBe("down")
  })
})
