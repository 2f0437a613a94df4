import { Clock, Effect, ManagedRuntime } from "effect"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeSearchWords, makeSearchWordSweep, sweepStart } from "../../src/storefront/SearchWordRepository.ts"
import { correctionWords, mostCorrections, searchMark } from "../../src/storefront/internal/searchVector.ts"
import { Database } from "../../src/database/Database.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

/** Words that misspelt ones may stand for, as long as something uses them; two processes write them. */
const store = "store_words"
let test: Awaited<ReturnType<typeof TestDatabase.open>>
let client: Client
const runtimes: Array<ManagedRuntime.ManagedRuntime<Database, unknown>> = []

/** A process, at the time of the test. */
const opened = async () => {
  const runtime = ManagedRuntime.make(Database.layer({ ...test.connection, maxConnections: 3 }))
  runtimes.push(runtime)
  const database: Database["Service"] = await runtime.runPromise(Database)
  const words = makeSearchWords(database.sql, database)
  const sweepSome = makeSearchWordSweep(database)
  const at = <A>(minute: number, effect: Effect.Effect<A>) =>
    Effect.runPromise(
      Effect.clockWith((clock) =>
        Effect.provideService(
          effect,
          Clock.Clock,
          Object.assign(Object.create(clock) as Clock.Clock, {
            currentTimeMillis: Effect.succeed(minute * 60_000),
            currentTimeMillisUnsafe: () => minute * 60_000
          })
        )
      )
    )
  return {
    write: (minute: number, ...used: ReadonlyArray<string>) =>
      at(
        minute,
        database.write(store)(
          words.writeWith(store, used, (written) => database.sql`WITH own AS (SELECT 1) ${written} SELECT 1`)
        )
      ),
    sweep: (minute: number) =>
      at(
        minute,
        Effect.gen(function* () {
          let place = yield* sweepSome(sweepStart)
          while (place !== sweepStart) place = yield* sweepSome(place)
        })
      )
  }
}

/** The products of the store have these words. */
const products = async (...words: ReadonlyArray<string>) => {
  await client.query("SET session_replication_role = replica")
  await client.query("DELETE FROM product_listing")
  await client.query(
    `INSERT INTO product_listing (store_id, product_id, status, type, name, slug, menu_order, base_price, price,
      price_since, price_until, regular_price, sale_price, buyable, filter_keys, created_at, updated_at, search)
     SELECT $1, 'prod_1', 'draft', 'SIMPLE', 'n', 's', 1, 1, 1, '-infinity', 'infinity', 1, 1, true, '{}', now(),
       now(), $2::tsvector`,
    [store, words.map((word) => `'${searchMark(store)}2${word}'`).join(" ")]
  )
}
const kept = async (): Promise<ReadonlyArray<unknown>> => {
  const { rows } = await client.query("SELECT word FROM search_word ORDER BY word")
  return (rows as ReadonlyArray<{ readonly word: string }>).map(({ word }) => word)
}

const asked = async (sql: string): Promise<unknown> =>
  (await client.query(`SELECT ${sql} AS found`, [store])).rows[0]?.found

beforeAll(async () => {
  test = await TestDatabase.open()
  client = new Client(test.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  for (const runtime of runtimes) await runtime.dispose()
  await client.end()
  await test.close()
})

describe("a word that misspelt ones may stand for", () => {
  it("goes when nothing has used it for ten minutes, and comes back with its next use, in a process that knew it too", async () => {
    const [one, another] = [await opened(), await opened()]
    await products("lantern", "lamp")
    await one.write(0, "lantern", "lamp")
    await another.write(1, "lantern")
    await one.sweep(1)
    await another.sweep(30)
    expect(await kept()).toEqual(["lamp", "lantern"])

    await products("lamp")
    await one.sweep(30)
    await another.sweep(39)
    expect(await kept()).toEqual(["lamp", "lantern"])
    // A search knows it until it is removed.
    expect(await asked("search_lists($1, 'lantern', false)")).toBe(true)
    expect(await asked("search_near($1, 'lantren')")).toEqual(["lantern"])
    await another.sweep(40)
    expect(await kept()).toEqual(["lamp"])
    expect(await asked("search_lists($1, 'lantern', false)")).toBe(false)
    expect(await asked("search_near($1, 'lantren')")).toEqual([])

    await products("lamp", "lantern")
    await one.write(40, "lantern")
    expect(await kept()).toEqual(["lamp", "lantern"])
  })

  it("that is used while it is marked is added anew, and stays", async () => {
    const [one, another] = [await opened(), await opened()]
    await products("lamp")
    await one.write(100, "vase")
    await another.sweep(101)
    // Whoever has learnt it before the mark forgets it before the word goes.
    await one.write(104, "vase")
    await products("lamp", "vase")
    await one.write(106, "vase")
    await another.sweep(111)
    await another.sweep(130)
    expect(await kept()).toContain("vase")
    expect((await kept()).filter((word) => word === "vase")).toHaveLength(1)
  })

  it("is one of five hundred of a product at most, of three to 32 letters, and no number", () => {
    const product = {
      name: `ab abc 123 a1 ${"x".repeat(32)} ${"y".repeat(33)}`,
      translations: {},
      sku: null,
      gtin: null,
      mpn: null,
      tags: Array.from({ length: 600 }, (_, i) => `tag${i}`),
      variants: []
    } as never
    const words = correctionWords([product])
    expect(words.slice(0, 3)).toEqual(["abc", "x".repeat(32), "tag0"])
    expect(words).toHaveLength(mostCorrections)
  })
})
