/**
 * `npm run bench -- --only catalogue`: storefront reads at 1,000 and at 100,000 products of two variants, in one store
 * among a thousand. Every read is told by the CPU of a request, in Node and in PostgreSQL. `--beside FOLDER` has the
 * release in that folder answer its list of 20 on the same database, in the same rounds.
 */
import { cpuTimesOf, type CpuTimes } from "./cpuTimes.ts"
import {
  type CatalogueRead,
  catalogueReads,
  inventoryRequests,
  listRequests,
  productRequests
} from "./catalogueReads.ts"
import { seedCatalogue, settleCatalogue } from "./catalogueSeed.ts"
import { measureRounds, type Server, type Summary, summaryOf } from "./measure.ts"
import { startFile, stop } from "./processes.ts"
import type { Request } from "./load.ts"
import { send } from "./proof/Client.ts"
import { serveBaseline, serveProduct, type Serving } from "./serving.ts"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import type { Client } from "pg"
import type { Shop } from "./seed.ts"

/** A database with a store in it. */
export interface CataloguePlace {
  readonly dataDir: string
  readonly connection: ConnectionOptions
  readonly shop: Shop
  readonly seeder: Client
  readonly postmaster: number | undefined
}

export interface CataloguePlan {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly few: number
  readonly many: number
  /** The release to stand beside; none without. */
  readonly beside: string | undefined
  readonly note: (line: string) => void
  readonly openPlace: (
    name: string,
    beside: string | undefined
  ) => Promise<CataloguePlace & { readonly other?: Serving }>
}

export interface CatalogueResult {
  readonly read: string
  readonly kind: CatalogueRead["kind"]
  readonly few: Summary
  readonly many: Summary
}

export interface CatalogueReport {
  /** Products of the store. */
  readonly products: { readonly few: number; readonly many: number }
  readonly reads: ReadonlyArray<CatalogueResult>
  /** Of the hand-written code, at `few` products; its lists find a page's rows before they dress them. */
  readonly baseline: Readonly<Record<CatalogueRead["kind"], Summary>>
  /** The list of 20 of the release beside, at `few` products. */
  readonly before: Summary | undefined
  /** Seconds until the server was ready: it has composed the whole catalogue. */
  readonly composed: { readonly few: number; readonly many: number }
}

const perRequest = (cpu: CpuTimes | null): number => (cpu === null ? Number.NaN : cpu.node + cpu.postgres)
export const totalCpu = ({ cpu }: Summary): number => perRequest(cpu)

const measure = async (
  place: CataloguePlace,
  plan: CataloguePlan,
  server: Serving,
  requests: ReadonlyArray<Request>
): Promise<Summary> => {
  const loader = startFile("./load.ts")
  const servers: ReadonlyArray<Server> = [{ name: "one", port: server.port, pid: server.child.pid }]
  const measured = await measureRounds({
    loader,
    servers,
    rounds: plan.rounds,
    connections: plan.connections,
    cpuOf: ({ pid }) => cpuTimesOf(pid, place.postmaster),
    load: async () => ({ requests, seconds: plan.seconds })
  })
  await stop(loader)
  return summaryOf(measured["one"] ?? [])
}

/** Requests that repeat a read with the version of its answer. */
const repeated = async (port: number, requests: ReadonlyArray<Request>): Promise<ReadonlyArray<Request>> => {
  const asked: Array<Request> = []
  for (const request of requests.slice(0, 200)) {
    const { headers } = await send(port, "GET", request.path.slice(4), { headers: request.headers ?? {} })
    const etag = headers["etag"]
    if (etag === undefined) throw new Error(`${request.path} is answered without an ETag`)
    asked.push({ ...request, headers: { ...request.headers, "if-none-match": etag } })
  }
  return asked
}

const readsOf = async (plan: CataloguePlan, place: CataloguePlace, count: number) => {
  plan.note(`${count} products, seeded; the server composes them.`)
  const start = performance.now()
  const product = await serveProduct(place.dataDir)
  const composed = (performance.now() - start) / 1_000
  plan.note(`  ready after ${composed.toFixed(1)} s`)
  await settleCatalogue(place.seeder)
  const reads = [...catalogueReads(place.shop, count)]
  reads.push({
    name: "product by slug, asked again with If-None-Match",
    kind: "product",
    requests: await repeated(product.port, productRequests(place.shop, count))
  })
  const results: Array<readonly [CatalogueRead, Summary]> = []
  for (const read of reads) {
    const summary = await measure(place, plan, product, read.requests)
    plan.note(`  ${read.name}: ${Math.round(summary.perSecond)}/s, CPU ${totalCpu(summary).toFixed(2)} ms`)
    results.push([read, summary])
  }
  await stop(product.child)
  return { composed, results }
}

export const measureCatalogue = async (plan: CataloguePlan): Promise<CatalogueReport> => {
  const small = await plan.openPlace("few", plan.beside)
  await seedCatalogue(small.seeder, small.shop, plan.few)
  const few = await readsOf(plan, small, plan.few)
  const baseline = await serveBaseline(small.connection, true)
  const list = await measure(small, plan, baseline, listRequests(small.shop, plan.few))
  const product = await measure(small, plan, baseline, productRequests(small.shop, plan.few))
  const inventory = await measure(small, plan, baseline, inventoryRequests(small.shop, plan.few))
  await stop(baseline.child)
  const before =
    small.other === undefined ? undefined : await measure(small, plan, small.other, listRequests(small.shop, plan.few))
  if (small.other !== undefined) await stop(small.other.child)
  const large = await plan.openPlace("many", undefined)
  await seedCatalogue(large.seeder, large.shop, plan.many)
  const many = await readsOf(plan, large, plan.many)
  const reads = few.results.map(([read, summary], i) => ({
    read: read.name,
    kind: read.kind,
    few: summary,
    many: many.results[i]?.[1] ?? summary
  }))
  const products = { few: plan.few, many: plan.many }
  return {
    products,
    reads,
    baseline: { list, product, inventory },
    before,
    composed: { few: few.composed, many: many.composed }
  }
}
