/** What holds of the counters of rate limits, whichever store has them: the same tests over each. */
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { RateLimits, type RateWindow } from "../../src/guard/RateLimits.ts"
import { redisProgram, sayWithoutRedis, startTestRedis, type TestRedis } from "../../src/testing/TestRedis.ts"
import {
  type Installation,
  layerRedis,
  minute,
  moveTo,
  noon,
  type Opened,
  openInstallation,
  run,
  take,
  window
} from "./countingStores.ts"

sayWithoutRedis("nobody has counted rate limits in it")

const stores = [
  { store: "postgres", processes: 2, isThere: true },
  { store: "redis", processes: 2, isThere: redisProgram !== undefined },
  { store: "memory", processes: 1, isThere: true }
] as const

describe.each(stores.filter(({ isThere }) => isThere))("counted in $store", ({ store, processes }) => {
  let installation: Installation
  let redis: TestRedis | undefined
  let opened: ReadonlyArray<Opened>
  let one: Opened["limits"]
  beforeAll(async () => {
    installation = await openInstallation()
    redis = store === "redis" ? await startTestRedis() : undefined
    const layers = { postgres: RateLimits.layer, memory: RateLimits.layerMemory }
    const layer = store === "redis" ? layerRedis(redis?.url ?? "") : layers[store]
    opened = await Promise.all(Array.from({ length: processes }, () => installation.open(layer)))
    one = opened[0]?.limits as Opened["limits"]
  })
  afterAll(async () => {
    await installation.close()
    await redis?.close()
  })
  afterEach(() => moveTo(noon))

  /** Sends so many requests, 32 at once, to each process in turn; returns how many passed. */
  const passing = async (count: number, ...windows: ReadonlyArray<RateWindow>): Promise<number> => {
    let [sent, passed] = [0, 0]
    const send = async () => {
      while (sent < count) {
        const limits = opened[sent++ % processes]?.limits as Opened["limits"]
        if ((await take(limits, ...windows)).refused < 0) passed += 1
      }
    }
    await Promise.all(Array.from({ length: 32 }, send))
    return passed
  }

  it("is held by a state that says so", () => {
    expect(one.state()).toEqual({ store, isReached: true, countedAlone: 0, refused: 0 })
  })

  it("exactly 60 of 500 requests pass in each of twenty minutes, however many processes get them", async () => {
    const passed: Array<number> = []
    for (let i = 0; i < 20; i++) {
      moveTo(noon + i * minute)
      passed.push(await passing(500, window("ip:20", 60)))
    }
    expect(passed).toEqual(Array.from({ length: 20 }, () => 60))
  })

  it("the last millisecond of a minute is of that minute, and the next is of the next", async () => {
    const edge = noon - (noon % minute) + minute
    moveTo(edge - 1)
    expect(await passing(100, window("ip:edge", 60))).toBe(60)
    moveTo(edge)
    expect(await passing(100, window("ip:edge", 60))).toBe(60)
    moveTo(edge - 1)
    expect(await passing(10, window("ip:edge", 60))).toBe(0)
  })

  it("1,000 of 1,100 requests of an hour pass, 60 of each minute", async () => {
    const windows = [window("ip:h", 60), window("ip-hour:h", 1_000, { ms: 60 * minute })]
    const passed: Array<number> = []
    for (let i = 0; i < 18; i++) {
      moveTo(noon + i * minute)
      passed.push(await passing(70, ...windows))
    }
    expect(passed).toEqual([...Array.from({ length: 16 }, () => 60), 40, 0])
  })

  it("a key of its own and its account are full at their own numbers", async () => {
    const ofKey = (n: number) => [window(`key:${n}`, 60), window("account:a", 150)]
    expect([await passing(80, ...ofKey(1)), await passing(80, ...ofKey(2)), await passing(80, ...ofKey(3))]).toEqual([
      60, 60, 30
    ])
  })

  it("says the counts after taking, and which window is full with the counts before it", async () => {
    expect(await take(one, window("c:1", 2), window("c:2", 9))).toEqual({ counts: [1, 1], refused: -1, now: noon })
    expect(await take(one, window("c:1", 2), window("c:2", 9))).toEqual({ counts: [2, 2], refused: -1, now: noon })
    expect(await take(one, window("c:2", 9), window("c:1", 2))).toEqual({ counts: [2], refused: 1, now: noon })
    expect(await take(one, window("c:1", 2), window("c:2", 9))).toEqual({ counts: [], refused: 0, now: noon })
  })

  it("takes from no window where one is full, neither before it nor after it", async () => {
    await take(one, window("n:full", 1))
    for (let i = 0; i < 5; i++) {
      moveTo(noon + i * 2_000)
      expect((await take(one, window("n:before", 9), window("n:full", 1), window("n:after", 9))).refused).toBe(1)
    }
    const read = (bucket: string) => window(bucket, 9, { readOnly: true })
    expect((await take(one, read("n:before"), read("n:after"))).counts).toEqual([0, 0])
  })

  it("counts nothing in a window that is only read, and refuses once it is full", async () => {
    const read = window("r:1", 2, { readOnly: true })
    expect((await take(one, read)).counts).toEqual([0])
    expect((await take(one, read, window("r:2", 9))).counts).toEqual([0, 1])
    await passing(2, window("r:1", 1_000_000))
    expect(await take(one, window("r:2", 9), read)).toEqual({ counts: [1], refused: 1, now: noon })
  })

  it("reads nothing for a caller whom it has just refused, and lifts that as well", async () => {
    const { limits, sql } = opened[0] as Opened
    const windows = { missing: [window("late", 1, { group: "late" })], found: [window("late", 1, { group: "late" })] }
    const read = () => run(limits.takeReading<{ n: number }>(sql`SELECT 1 AS n`, windows))
    expect([(await read()).taken.refused, (await read()).taken.refused]).toEqual([-1, 0])
    expect(await run(limits.takeReading(sql`SELECT 1 / 0 AS n`, windows))).toEqual({
      row: undefined,
      taken: { counts: [], refused: 0, now: noon }
    })
    await run(limits.lift("late"))
    expect((await read()).taken.counts).toEqual([1])
  })

  it("costs nothing without windows", async () => {
    expect(await take(one)).toEqual({ counts: [], refused: -1, now: noon })
  })

  it("forgets the windows of a group, in each process, and no others", async () => {
    const windows = [
      window("login:ada", 3, { group: "login:ada" }),
      window("login:ada:192.0.2.1:900000", 3, { group: "login:ada" }),
      window("login:bea", 3, { group: "login:bea" })
    ]
    for (let i = 0; i < 3; i++) await take(one, ...windows)
    expect((await take(one, ...windows)).refused).toBe(0)
    await run(one.lift("login:ada"))
    const last = opened.at(-1)?.limits as Opened["limits"]
    expect((await take(last, ...windows.slice(0, 2))).counts).toEqual([1, 1])
    expect((await take(one, ...windows)).refused).toBe(2)
    await run(one.lift("login:ada"))
    expect((await take(one, ...windows.slice(0, 2))).counts).toEqual([1, 1])
  })

  it("with a look-up counts whoever is found in other windows than whoever is not", async () => {
    const { sql } = opened[0] as Opened
    const missing = [window("ip:look", 3), window("auth:look", 2)]
    const found = missing.map((one) => ({ ...one, readOnly: true }))
    const look = (rows: number) =>
      run(one.takeReading<{ readonly n: number }>(sql`SELECT 7 AS n WHERE ${rows}::int > 0`, { missing, found }))
    expect(await look(1)).toEqual({ row: { n: 7 }, taken: { counts: [0, 0], refused: -1, now: noon } })
    expect(await look(0)).toEqual({ row: undefined, taken: { counts: [1, 1], refused: -1, now: noon } })
    expect(await look(0)).toEqual({ row: undefined, taken: { counts: [2, 2], refused: -1, now: noon } })
    expect((await look(0)).taken.refused).toBe(1)
    expect((await look(1)).taken.refused).toBe(1)
  })

  it("with a write counts in its transaction: what comes to nothing does not count", async () => {
    const { limits, write } = opened[0] as Opened
    const windows = [window(`mails:${store}`, 2)]
    const counted = (fails: boolean) =>
      run(
        Effect.flip(
          Effect.flip(
            write("store_1")(
              Effect.flatMap(limits.takeWithWrite(windows), ({ counts, refused }) =>
                fails ? Effect.fail("undone") : Effect.succeed([...counts, refused])
              )
            )
          )
        ).pipe(Effect.catch((error) => Effect.succeed(error)))
      )
    expect([await counted(true), await counted(false), await counted(true), await counted(false)]).toEqual([
      "undone",
      [1, -1],
      "undone",
      [2, -1]
    ])
    expect(await counted(false)).toEqual([0])
  })

  it("are swept once they have ended", async () => {
    await take(one, window("s:1", 9))
    await run(one.takeWithWrite([window("s:1", 9)]))
    moveTo(noon + 2 * minute)
    await run(one.sweep)
    const { sql } = opened[0] as Opened
    expect(await run(Effect.orDie(sql`SELECT count(*)::int AS n FROM rate_window WHERE bucket = 's:1'`))).toEqual([
      { n: 0 }
    ])
  })
})
