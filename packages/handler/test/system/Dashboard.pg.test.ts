import { readFileSync } from "node:fs"
import { join } from "node:path"
import { redisProgram, sayWithoutRedis, startTestRedis, type TestRedis } from "@effect-commerce/core/testing/TestRedis"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openSink, type Sink } from "../../../core/test/webhook/sink.ts"
import { openHttpServer } from "../../src/adapters/httpServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { prometheusProgram, startPrometheus } from "./prometheus.ts"

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: ReadonlyArray<{ readonly refId: string; readonly expr: string; readonly legendFormat: string }>
}

const dashboard = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../docs/grafana/commerce.json"), "utf8"))
const panels: ReadonlyArray<Panel> = dashboard.panels
const expressions = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))

let shop: TestCommerce
let sink: Sink
let redis: TestRedis | undefined
let text = ""

sayWithoutRedis("the panels of Redis are not compared with what is measured")

beforeAll(async () => {
  sink = await openSink()
  redis = redisProgram === undefined ? undefined : await startTestRedis()
  shop = await openTestCommerce({
    outbound: { allowPrivate: true },
    // Nobody listens there.
    telemetry: { otlpEndpoint: "http://127.0.0.1:59999" },
    logger: () => undefined,
    rateLimit: { perMinute: "off", ...(redis === undefined ? {} : { redisUrl: redis.url }) }
  })
  await shop.call("POST", "/v1/webhook-subscriptions", { body: { url: sink.url("/hook"), events: ["order.created"] } })
  const shopper = shopperOf(shop)
  const product = await shopper.product({ stock: 5 })
  const checkoutId = await shopper.checkout(await shopper.cart([product, 1]))
  const paid = { paymentMethod: "test", paymentReference: "approve" }
  expect((await shopper.complete(checkoutId, "dashboard", paid)).status).toBe(200)
  await sink.until("/hook", 1)
  await vi.waitFor(
    async () => {
      text = (await shop.call("GET", "/metrics")).text
      expect(text).toContain("commerce_mail_attempts_total")
    },
    { timeout: 15_000 }
  )
})
afterAll(async () => {
  await shop.close()
  await sink.close()
  await redis?.close()
})

/** The names and labels of every sample of the scrape. */
const measured = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]+)(?:\{([^}]*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set<string>()
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label)
    found.set(name, known)
  }
  return found
}

const ofRedis = /^commerce_rate_limit_store_/
/** What a scraper adds to each sample. */
const ofScraper = ["job", "instance"]

describe("the dashboard of docs/grafana", () => {
  it("is a dashboard: panels with ids of their own that do not overlap, each of the data source that is chosen", () => {
    expect([dashboard.uid, dashboard.schemaVersion, dashboard.id]).toEqual(["effect-commerce", 39, null])
    const ids = panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const cells = new Set<string>()
    for (const { title, type, datasource, targets = [], gridPos } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, x < 24, cells.has(`${x} ${y}`)]).toEqual([title, true, false])
          cells.add(`${x} ${y}`)
        }
      if (type === "row") continue
      expect([title, type]).toEqual([title, expect.stringMatching(/^(timeseries|stat)$/)])
      expect(datasource).toEqual({ type: "prometheus", uid: "${datasource}" })
      expect(targets.length).toBeGreaterThan(0)
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
    }
    expect(dashboard.templating.list.map(({ name }: { readonly name: string }) => name)).toEqual([
      "datasource",
      "job",
      "instance"
    ])
  })

  it("asks for metrics and labels that are measured, and every metric is in it", () => {
    const known = measured()
    const asked = new Set<string>()
    for (const { title, expr } of expressions) {
      const names = [...expr.matchAll(/\b((?:commerce|process|nodejs)_[a-z_]+)/g)].map(([, name = ""]) => name)
      expect([title, names.length > 0]).toEqual([title, true])
      for (const name of names) {
        asked.add(name.replace(/_bucket$/, ""))
        if (redis === undefined && ofRedis.test(name)) continue
        expect([title, name, known.has(name)]).toEqual([title, name, true])
      }
      const labels = [
        ...[...expr.matchAll(/[{,]\s*(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label),
        ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/))
      ]
      const allowed = new Set([...ofScraper, ...names.flatMap((name) => [...(known.get(name) ?? [])])])
      if (redis === undefined && names.some((name) => ofRedis.test(name))) continue
      expect([title, labels.filter((label) => !allowed.has(label))]).toEqual([title, []])
    }
    const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name)
    expect(types.filter((name) => !asked.has(name))).toEqual([])
  })

  it("asks for kinds of waiting work that there are", () => {
    const kinds = new Set([...text.matchAll(/^commerce_backlog\{kind="(\w+)"\}/gm)].map(([, kind = ""]) => kind))
    const asked = expressions.flatMap(({ expr }) =>
      [...expr.matchAll(/kind=~?"([^"]+)"/g)].flatMap(([, list = ""]) => list.split("|"))
    )
    expect(new Set(asked)).toEqual(kinds)
  })

  it.skipIf(prometheusProgram === undefined)(
    "shows something in every panel of a real Prometheus that scrapes a shop",
    async () => {
      const { server, end } = openHttpServer(shop.commerce)
      await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const prometheus = await startPrometheus(`127.0.0.1:${port}`, "/api/metrics")
      try {
        const asked = (expr: string) =>
          prometheus.query(
            expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", "commerce").replaceAll("$instance", ".*")
          )
        await expect
          .poll(() => asked('count_over_time(process_uptime_seconds{job="$job"}[1m]) >= 3').catch(() => []), {
            timeout: 30_000
          })
          .toHaveLength(1)
        /** Nobody was refused by a limit, no server error has happened, and Redis may not be there. */
        const mayBeEmpty = new Set(["Refused by a limit", "Routes with server errors", "Redis of the limits"])
        for (const { title, expr } of expressions) {
          const found = await asked(expr)
          if (!mayBeEmpty.has(title)) expect([title, found.length > 0]).toEqual([title, true])
        }
        const [late] = await asked('max(commerce_backlog{kind="event"})')
        expect(late?.value[1]).toBe("0")
        expect((await asked('min(commerce_database_up{job="$job"})'))[0]?.value[1]).toBe("1")
      } finally {
        await prometheus.close()
        await end()
      }
    },
    60_000
  )
})
