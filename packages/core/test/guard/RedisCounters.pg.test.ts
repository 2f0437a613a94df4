/** Counters in a real Redis: what they cost it, and what holds while it is away. */
import { readFileSync } from "node:fs"
import { Cause, Effect, Exit, Redacted, Result } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { answerMillis } from "../../src/guard/internal/redisClient.ts"
import { RateLimits, type RateWindow } from "../../src/guard/RateLimits.ts"
import { lookAtRedis } from "../../src/guard/RedisDiagnosis.ts"
import { redisServerOf } from "../../src/guard/RedisServer.ts"
import { redisProgram, sayWithoutRedis, startTestRedis, type TestRedis } from "../../src/testing/TestRedis.ts"
import {
  type Counting,
  type Installation,
  layerRedis,
  lookInto,
  minute,
  moveTo,
  noon,
  openInstallation,
  run,
  take,
  window
} from "./countingStores.ts"

sayWithoutRedis("nobody has counted rate limits in it, nor taken it away")

const guarded = (bucket: string, limit: number) => window(bucket, limit, { needsStore: true })

let installation: Installation
beforeAll(async () => {
  installation = await openInstallation()
})
afterAll(() => installation.close())
afterEach(() => moveTo(noon))

const reached = (limits: Counting, isReached = true) =>
  expect.poll(() => limits.state().isReached, { interval: 20, timeout: 20_000 }).toBe(isReached)
/** The counts or the index of the full window; "unreached" where the request was refused without the store. */
const taken = async (limits: Counting, ...windows: ReadonlyArray<RateWindow>) => {
  const exit = await run(Effect.exit(limits.take(windows)))
  if (Exit.isSuccess(exit)) return exit.value.refused < 0 ? exit.value.counts : exit.value.refused
  const error: unknown = Cause.squash(exit.cause)
  return error instanceof Error && "_tag" in error && error._tag === "RateStoreUnreached" ? "unreached" : error
}

describe.skipIf(redisProgram === undefined)("a Redis that counts rate limits", () => {
  let redis: TestRedis
  let limits: Counting
  let client: Awaited<ReturnType<typeof lookInto>>
  beforeAll(async () => {
    redis = await startTestRedis()
    client = await lookInto(redis.url)
    ;({ limits } = await installation.open(layerRedis(redis.url)))
  })
  beforeEach(() => client.flushDb())
  afterAll(async () => {
    client.destroy()
    await redis.close()
  })

  const calls = async (command: string) =>
    Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await client.info("commandstats"))?.[1] ?? 0)

  it("is asked once for all windows of a request, and not at all for a refusal of the last second", async () => {
    await take(limits, window("a", 2), window("b", 9), window("c", 9))
    await client.configResetStat()
    await take(limits, window("a", 2), window("b", 9), window("c", 9))
    const afterOne = await calls("evalsha")
    expect((await take(limits, window("a", 2), window("b", 9))).refused).toBe(0)
    const afterTwo = await calls("evalsha")
    for (let i = 0; i < 50; i++) expect((await take(limits, window("a", 2), window("b", 9))).refused).toBe(0)
    // The link tries its connection once a second.
    expect([afterOne <= 2, afterTwo - afterOne <= 2, (await calls("evalsha")) - afterTwo <= 2]).toEqual([
      true,
      true,
      true
    ])
  })

  it("keeps no key for longer than its window and a minute, whatever the clock of the process says", async () => {
    const all = [
      window("k:1", 9),
      window("k:2", 9, { ms: 60 * minute }),
      window("k:3", 9, { group: "k" }),
      window("k:4", 9, { readOnly: true })
    ]
    await take(limits, ...all)
    await run(limits.lift("k"))
    await take(limits, ...all)
    moveTo(noon - 20 * 365 * 86_400_000)
    await take(limits, ...all)
    const keys = await client.keys("*")
    const left = await Promise.all(keys.map(async (key) => [key, await client.pTTL(key)] as const))
    const longest = (key: string) =>
      key.includes("lifts:") ? 2 * 86_400_000 : key.includes("k:2") ? 61 * minute : 2 * minute
    expect(left.filter(([key, ms]) => ms <= 0 || ms > longest(key))).toEqual([])
    expect(keys.filter((key) => key.includes("k:4"))).toEqual([])
    // At the first time of each window 50 s are left of it, and a minute is added.
    const first = left.find(([key]) => key.includes(`k:1:${noon - (noon % minute)}`))
    expect(first?.[1]).toBeGreaterThan(100_000)
  })

  it("counts the callers of two installations apart, and those of one together", async () => {
    const other = Redacted.make("another root secret of 32 bytes and more, for tests")
    const stranger = (await installation.open(layerRedis(redis.url), undefined, other)).limits
    const twin = (await installation.open(layerRedis(redis.url))).limits
    await take(limits, window("ip:1", 9))
    expect([(await take(twin, window("ip:1", 9))).counts, (await take(stranger, window("ip:1", 9))).counts]).toEqual([
      [2],
      [1]
    ])
    expect((await client.keys("*")).every((key) => key.startsWith("commerce:"))).toBe(true)
  })

  it("serves a user who may do no more than the guide to configuration says", async () => {
    const guide = readFileSync(new URL("../../../../docs/guides/configuration.md", import.meta.url), "utf8")
    const rights = /`ACL SETUSER shop on ([^`]+)`/.exec(guide)?.[1]?.replace("PASSWORD", "pa55word").split(" ") ?? []
    await client.sendCommand(["ACL", "SETUSER", "shop", "on", ...rights])
    const log: Array<string> = []
    const url = redis.url.replace("redis://", "redis://shop:pa55word@")
    const ofUser = (await installation.open(layerRedis(url), log)).limits
    await client.scriptFlush()
    expect(await taken(ofUser, guarded("u", 9), window("u:1", 9, { group: "u" }))).toEqual([1, 1])
    await run(ofUser.lift("u"))
    expect(await taken(ofUser, guarded("u", 9), window("u:1", 9, { group: "u" }))).toEqual([2, 1])
    const { version, isReplica } = await Effect.runPromise(lookAtRedis(Result.getOrThrow(redisServerOf(url))))
    expect([version, isReplica, log]).toEqual([expect.stringMatching(/^\d+\./), false, []])
  })

  it("that has lost the script is given it again, and no request notices", async () => {
    await take(limits, window("f", 9))
    await client.scriptFlush()
    expect(await taken(limits, guarded("f", 9))).toEqual([2])
    expect(limits.state()).toEqual({ store: "redis", isReached: true, countedAlone: 0, refused: 0 })
  })
})

describe.skipIf(redisProgram === undefined)("while the Redis that counts rate limits is away,", () => {
  let redis: TestRedis
  let lines: Array<string>
  beforeEach(() => {
    lines = []
  })
  afterEach(async () => {
    await installation.end()
    await redis.close()
  })
  const open = async (words: ReadonlyArray<string> = []) => {
    redis = await startTestRedis(words)
    const { limits } = await installation.open(layerRedis(redis.url), lines)
    return limits
  }
  const named = () => `The Redis of the rate limits at 127.0.0.1:${redis.port}`

  it("each process counts for itself, what guards a secret is refused, and it counts for all again by itself", async () => {
    const one = await open()
    const two = (await installation.open(layerRedis(redis.url))).limits
    for (const limits of [one, two]) await taken(limits, window("before", 9))
    await redis.kill()
    await reached(one, false)
    await reached(two, false)
    for (const limits of [one, two]) {
      expect(await taken(limits, window("ip", 2))).toEqual([1])
      expect(await taken(limits, window("ip", 2))).toEqual([2])
      expect(await taken(limits, window("ip", 2))).toBe(0)
      expect(await taken(limits, window("ip:2", 9), guarded("route", 9))).toBe("unreached")
      expect(await taken(limits, window("ip:2", 9))).toEqual([1])
    }
    expect(one.state()).toEqual({ store: "redis", isReached: false, countedAlone: 4, refused: 1 })
    await redis.start()
    await reached(one)
    await reached(two)
    expect([await taken(one, guarded("route", 9)), await taken(two, guarded("route", 9))]).toEqual([[1], [2]])
    expect(lines).toEqual([
      expect.stringMatching(
        /^The Redis of the rate limits at 127\.0\.0\.1:\d+ cannot be used: .+\. Until it can, each process counts for itself, and routes with a limit of their own are refused$/
      ),
      ...lines.slice(1, -1),
      `${named()} answers again`
    ])
    expect(lines.length).toBeLessThanOrEqual(3)
  })

  it("that was killed in the middle of a minute with what it keeps on disk goes on at the same count", async () => {
    const limits = await open(["--appendonly", "yes", "--appendfsync", "always"])
    for (let i = 0; i < 40; i++) await take(limits, guarded("route", 60))
    await redis.kill()
    await reached(limits, false)
    expect(await taken(limits, guarded("route", 60))).toBe("unreached")
    await redis.start()
    await reached(limits)
    const answers = await Promise.all(Array.from({ length: 30 }, () => taken(limits, guarded("route", 60))))
    expect([answers.filter((answer) => answer === 0).length, answers.filter(Array.isArray).length]).toEqual([10, 20])
  })

  it("one that says nothing costs the requests under way two seconds, and later ones nothing", async () => {
    const limits = await open()
    redis.freeze()
    const began = performance.now()
    const answers = await Promise.all([taken(limits, window("ip", 9)), taken(limits, guarded("route", 9))])
    const waited = performance.now() - began
    expect(answers).toEqual([[1], "unreached"])
    expect(waited).toBeLessThan(answerMillis + 2_000)
    expect(limits.state().isReached).toBe(false)
    const later = performance.now()
    for (let i = 0; i < 200; i++) await taken(limits, window("ip", 1_000))
    expect(performance.now() - later).toBeLessThan(answerMillis)
    expect(lines[0]).toBe(
      `${named()} cannot be used: no answer within ${answerMillis} ms. Until it can, each process counts for itself, ` +
        `and routes with a limit of their own are refused`
    )
    redis.thaw()
    await reached(limits)
    expect(await taken(limits, guarded("after", 9))).toEqual([1])
  })

  it("one that nobody asks is missed as well, and found again", async () => {
    const limits = await open()
    redis.freeze()
    await reached(limits, false)
    redis.thaw()
    await reached(limits)
  })

  it("a full one, one that is a replica, and one of another password are told by their reason", async () => {
    const limits = await open()
    const client = await lookInto(redis.url)
    await client.configSet("maxmemory", "1mb")
    await client.configSet("maxmemory", "1")
    expect(await taken(limits, guarded("full", 9))).toBe("unreached")
    await expect.poll(() => lines.join()).toContain("OOM command not allowed when used memory > 'maxmemory'")
    await client.configSet("maxmemory", "0")
    await reached(limits)
    await client.sendCommand(["REPLICAOF", "127.0.0.1", "1"])
    expect(await taken(limits, guarded("replica", 9))).toBe("unreached")
    await expect.poll(() => lines.join()).toContain("READONLY You can't write against a read only replica")
    await client.sendCommand(["REPLICAOF", "NO", "ONE"])
    await reached(limits)
    await client.configSet("requirepass", "right")
    await client.sendCommand(["CLIENT", "KILL", "TYPE", "normal"])
    await expect.poll(() => lines.join()).toContain("NOAUTH Authentication required")
    expect(await taken(limits, window("ip", 9))).toEqual([1])
    client.destroy()
  })

  it("one in cluster mode is not reached, and says why once", async () => {
    redis = await startTestRedis(["--cluster-enabled", "yes"])
    const client = await lookInto(redis.url)
    await client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"])
    await expect.poll(async () => client.sendCommand(["CLUSTER", "INFO"])).toContain("cluster_state:ok")
    const { limits } = await installation.open(layerRedis(redis.url), lines)
    const tries = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info("commandstats"))?.[1] ?? 0)
    expect([await taken(limits, window("ip", 9)), await taken(limits, guarded("route", 9))]).toEqual([[1], "unreached"])
    const before = await tries()
    await expect.poll(tries, { interval: 50, timeout: 20_000 }).toBeGreaterThan(before)
    expect(limits.state().isReached).toBe(false)
    expect(lines).toEqual([
      `${named()} cannot be used: CROSSSLOT Keys in request don't hash to the same slot. Until it can, each process ` +
        `counts for itself, and routes with a limit of their own are refused`
    ])
    const { isCluster } = await Effect.runPromise(lookAtRedis(Result.getOrThrow(redisServerOf(redis.url))))
    expect(isCluster).toBe(true)
    client.destroy()
  })

  it("a caller over a limit reads nothing", async () => {
    redis = await startTestRedis()
    const { limits, sql } = await installation.open(layerRedis(redis.url), lines)
    await redis.kill()
    await reached(limits, false)
    const windows = { missing: [window("ip", 1)], found: [window("ip", 1)] }
    expect((await run(limits.takeReading<{ n: number }>(sql`SELECT 1 AS n`, windows))).taken.counts).toEqual([1])
    expect((await run(limits.takeReading<{ n: number }>(sql`SELECT 1 AS n`, windows))).taken.refused).toBe(0)
    expect(await run(limits.takeReading(sql`SELECT 1 / 0 AS n`, windows))).toMatchObject({
      row: undefined,
      taken: { refused: 0 }
    })
    expect(limits.state().countedAlone).toBe(2)
  })

  it("a process starts without it, says why without the password, and reaches it later", async () => {
    redis = await startTestRedis(["--requirepass", "pa55word"])
    const wrong = layerRedis(redis.url.replace("redis://", "redis://:hunter2@"))
    const { limits } = await installation.open(wrong, lines)
    expect([limits.state().isReached, lines.length]).toEqual([false, 1])
    expect(lines[0]).toContain("WRONGPASS")
    expect(lines.join()).not.toContain("hunter2")
    const right = layerRedis(redis.url.replace("redis://", "redis://:pa55word@"))
    await redis.kill()
    const early = (await installation.open(right, lines)).limits
    expect([early.state().isReached, await taken(early, window("ip", 9))]).toEqual([false, [1]])
    expect(lines.at(-1)).toContain(`connect ECONNREFUSED 127.0.0.1:${redis.port}`)
    await redis.start()
    await reached(early)
    expect(lines.join()).not.toContain("pa55word")
  })

  it("a certificate that nobody vouches for is refused: rediss does not fall back to anything", async () => {
    redis = await startTestRedis()
    const { limits } = await installation.open(layerRedis(redis.url.replace("redis:", "rediss:")), lines)
    expect([limits.state().isReached, lines.length]).toEqual([false, 1])
  })
})

describe("a store in PostgreSQL", () => {
  it("is always reached: where it is not, nothing else is", async () => {
    const { limits } = await installation.open(RateLimits.layer)
    expect(await taken(limits, guarded("route", 9))).toEqual([1])
    expect(limits.state()).toEqual({ store: "postgres", isReached: true, countedAlone: 0, refused: 0 })
  })
})
