/**
 * What limits cost: one product read by callers of two hundred addresses, with no limit, with the counters in
 * PostgreSQL and with them in Redis. Each address is under its limits.
 */
import { redisProgram, startTestRedis } from "@effect-commerce/core/testing/TestRedis"
import { cpuTimesOf } from "./cpuTimes.ts"
import type { Request } from "./load.ts"
import { cpuRatioOf, measureRounds, ratioOf, type Round, type Server, summaryOf } from "./measure.ts"
import { startFile, stop } from "./processes.ts"
import { cpuCells, spread, table, two, whole } from "./report.ts"
import { connections, type Group } from "./run.ts"
import { productIdOf, seedProducts } from "./seed.ts"
import { serveProduct } from "./serving.ts"

const addresses = 200
const proxied = { COMMERCE_TRUSTED_PROXIES: "127.0.0.1" }
/** Wide enough that nobody reaches them. */
const wide = { COMMERCE_RATE_LIMIT_PER_MINUTE: "1000000000", COMMERCE_RATE_LIMIT_PER_HOUR: "1000000000", ...proxied }

export const limitStoresGroup: Group = {
  name: "limits",
  rows: ["reads with limits"],
  measure: async ({ places, plan, note }) => {
    const place = await places.open("limits")
    await seedProducts(place.seeder, place.shop, 1_000)
    if (redisProgram === undefined) note("no redis-server is installed: limits are not measured with it")
    const redis = redisProgram === undefined ? undefined : await startTestRedis()
    const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      none: proxied,
      postgres: { ...wide, COMMERCE_RATE_LIMIT_STORE: "postgres" },
      ...(redis === undefined
        ? {}
        : { redis: { ...wide, COMMERCE_RATE_LIMIT_STORE: "redis", COMMERCE_REDIS_URL: redis.url } })
    }
    const serving = await Promise.all(
      Object.entries(settings).map(async ([name, env]) => ({ name, ...(await serveProduct(place.dataDir, { env })) }))
    )
    const requests = Array.from({ length: addresses }, (_, i): Request => {
      const headers = { origin: place.shop.origin, "x-forwarded-for": `198.51.100.${1 + i}` }
      return { method: "GET", path: `/api/vc/${place.shop.channelId}/products/${productIdOf(1 + i)}`, headers }
    })
    const loader = startFile("./load.ts")
    const measured = await measureRounds({
      loader,
      servers: serving.map(({ name, port, child }): Server => ({ name, port, pid: child.pid })),
      rounds: plan.rounds,
      connections,
      cpuOf: ({ pid }) => cpuTimesOf(pid, place.postmaster),
      load: async () => ({ requests, seconds: plan.seconds })
    })
    await Promise.all([...serving.map(({ child }) => child), loader].map(stop))
    await redis?.close()
    const none = measured["none"] ?? []
    const row = (name: string, rounds: ReadonlyArray<Round>) => {
      const summary = summaryOf(rounds)
      const beside = name === "none" ? ["", ""] : [spread(ratioOf(rounds, none)), spread(cpuRatioOf(rounds, none))]
      return [name, whole(summary.perSecond), two(summary.p50), two(summary.p99), ...cpuCells(summary), ...beside]
    }
    const head = ["counters in", "/s", "p50 ms", "p99 ms", "Node ms", "PostgreSQL ms", "rate to none", "CPU to none"]
    const text = `One product by callers of ${addresses} addresses. The CPU of Redis is not in the figures.

${table(
  head,
  Object.entries(measured).map(([name, rounds]) => row(name, rounds))
)}`
    return { title: "Limits", text, data: measured }
  }
}
