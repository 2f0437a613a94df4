import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { it } from "vitest"
import { writeFileSync } from "node:fs"
import { openTestCommerce } from "../src/testing/TestCommerce.ts"
import { seedProducts } from "../../bench/src/seed.ts"
import { StaleProducts } from "@effect-commerce/core/catalog/StaleProducts"

const count = Number(process.env["N"] ?? 1000)
it("micro", { timeout: 600_000 }, async () => {
  const statements = makeStatementCounter()
  const shop = await openTestCommerce({ statementLog: statements, role: "api" })
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  let out = ""
  const t0 = performance.now()
  await seedProducts(client as never, { storeId: shop.storeId } as never, count)
  const t1 = performance.now()
  await shop.run(StaleProducts.use((s) => s.finish(undefined, () => undefined)) as never)
  const t2 = performance.now()
  out += `seed ${t1 - t0} compose ${t2 - t1}\n`
  await client.query("VACUUM ANALYZE")
  const sizes = await client.query(
    "SELECT relname, pg_size_pretty(pg_total_relation_size(oid)) s FROM pg_class WHERE relname LIKE 'product%' AND relkind='r'"
  )
  out += JSON.stringify(sizes.rows) + "\n"
  const cost = async (name: string, path: string) => {
    await shop.call("GET", path)
    statements.reset()
    const { text } = await shop.call("GET", path)
    const sent = statements.entries()
    out += `== ${name}: ${sent.length} statements, ${text.length} chars\n`
    for (const { sql, params } of sent) {
      const times: Array<number> = []
      for (let i = 0; i < 60; i++) {
        const a = performance.now()
        await client.query({
          name: `${name}${sent.indexOf(sent[0]!)}`.slice(0, 50) + sql.length,
          text: sql,
          values: [...params] as never
        })
        times.push(performance.now() - a)
      }
      times.sort((a, b) => a - b)
      out += `roundtrip p50 ${times[30]?.toFixed(3)} min ${times[0]?.toFixed(3)}\n`
      const e = await client.query(`EXPLAIN (ANALYZE, BUFFERS) ${sql}`, [...params] as never)
      out += e.rows.map((r) => r["QUERY PLAN"]).join("\n") + "\n"
    }
    const runs: Array<number> = []
    for (let i = 0; i < 300; i++) {
      const a = performance.now()
      await shop.call("GET", path)
      runs.push(performance.now() - a)
    }
    runs.sort((a, b) => a - b)
    out += `call p50 ${runs[150]?.toFixed(3)} min ${runs[0]?.toFixed(3)}\n`
  }
  const vc = `/vc/${shop.channelId}`
  await cost("list", `${vc}/products?page=3&limit=20`)
  await cost("slug", `${vc}/products/slug/product-7`)
  if (count > 50_000) await cost("deep", `${vc}/products?page=5000&limit=20`)
  await cost("cat", `${vc}/products?category=category-3`)
  await cost("stock", `${vc}/products?inStock=true`)
  const cold = async (name: string, path: string) => {
    const times: Array<number> = []
    for (let i = 0; i < 12; i++) {
      await client.query("UPDATE catalog_version SET version = version + 1 WHERE kind = 'listing'")
      const a = performance.now()
      await shop.call("GET", path)
      times.push(performance.now() - a)
    }
    times.sort((a, b) => a - b)
    out += `cold ${name} p50 ${times[6]?.toFixed(3)}\n`
  }
  await cold("list", `${vc}/products?page=3&limit=20`)
  await cold("price", `${vc}/products?page=3&limit=20&sortBy=displayPriceMin`)
  await cold("minPrice", `${vc}/products?page=3&limit=20&minPrice=20.00`)
  await cold("cat", `${vc}/products?category=category-3`)
  await cold("stock", `${vc}/products?inStock=true`)
  {
    const { StorefrontProducts } = await import("@effect-commerce/core/catalog/StorefrontProducts")
    const { StorefrontProductRepository } = await import("@effect-commerce/core/catalog/StorefrontProductRepository")
    const { Stores } = await import("@effect-commerce/core/store/Stores")
    const { spliced } = await import("../../core/src/catalog/internal/documentText.ts")
    const { Effect, Layer } = await import("effect")
    const { Session } = await import("node:inspector/promises")
    const store = (await shop.run(Stores.use((s) => s.context(shop.storeId)) as never)) as never
    const query = { page: { page: 3, limit: 20 }, filter: {}, sortBy: "menuOrder", descending: false } as never
    const session = new Session()
    session.connect()
    const loop = (n: number) =>
      Effect.flatMap(StorefrontProducts, (s) =>
        Effect.gen(function* () {
          for (let i = 0; i < n; i++) yield* s.list(store, query)
        })
      )
    await shop.run(loop(500) as never)
    await session.post("Profiler.enable")
    await session.post("Profiler.setSamplingInterval", { interval: 100 })
    await session.post("Profiler.start")
    const c0 = process.cpuUsage()
    await shop.run(loop(2000) as never)
    const c = process.cpuUsage(c0)
    const { profile } = await session.post("Profiler.stop")
    out += `list cpu ${(c.user + c.system) / 2000} us\n`
    const self = new Map<string, number>()
    const byId = new Map(profile.nodes.map((n) => [n.id, n]))
    for (let i = 0; i < (profile.samples ?? []).length; i++) {
      const n = byId.get(profile.samples![i]!)!
      const k = `${n.callFrame.functionName} ${n.callFrame.url.split("/").slice(-3).join("/")}:${n.callFrame.lineNumber}`
      self.set(k, (self.get(k) ?? 0) + (profile.timeDeltas![i] ?? 0))
    }
    out +=
      [...self]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 45)
        .map(([k, v]) => `${(v / 2000).toFixed(1)}us ${k}`)
        .join("\n") + "\n"
    void StorefrontProductRepository
    void spliced
    void Layer
    const fetches = async (n: number, path: string) => {
      for (let i = 0; i < n; i++) {
        const r = await shop.commerce.fetch(new Request("http://x.test/api" + path), { clientAddress: "127.0.0.1" })
        await r.arrayBuffer()
      }
    }
    await fetches(300, `${vc}/products?page=3`)
    const f0 = process.cpuUsage()
    await fetches(2000, `${vc}/products?page=3`)
    const f = process.cpuUsage(f0)
    out += `fetch list cpu ${(f.user + f.system) / 2000} us\n`
    const g0 = process.cpuUsage()
    await fetches(2000, `${vc}/products/slug/product-9`)
    const g = process.cpuUsage(g0)
    out += `fetch slug cpu ${(g.user + g.system) / 2000} us\n`
  }
  writeFileSync(`/tmp/listing/micro${count}.txt`, out)
  await client.end()
  await shop.close()
})
