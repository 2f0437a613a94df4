/**
 * `npm run bench`: measures the product beside a hand-written baseline on the same database in one run. `--quick` is
 * short, `--name` names the report (none is written without), `--only` picks routes by parts of their names (`--only
 * list,slug`), `--profile` writes a CPU profile of the product to a folder, `--beside FOLDER` measures against the
 * product of another checkout instead of the baselines.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { Effect, Exit, Scope } from "effect"
import type { Client } from "pg"
import { measureBeside, serveOther } from "./besideCheckout.ts"
import { measureCatalogue } from "./catalogueBench.ts"
import { catalogueText, writeCatalogueReport } from "./catalogueText.ts"
import { measureWrites, writesText } from "./catalogueWrites.ts"
import { compareAnswers } from "./compareAnswers.ts"
import { cpuTimesOf, parentOf } from "./cpuTimes.ts"
import { journeyNames, type JourneyResult, measureJourneys } from "./journeys.ts"
import { type Load, measureRounds, median, ratioOf, type Rounds, type Server, summaryOf } from "./measure.ts"
import { measurePurchaseCost, purchaseCostName } from "./purchaseCost.ts"
import { measureProductWrites, productWritesText } from "./productWrites.ts"
import { ask, residentMemory, startFile, stop, stopAll } from "./processes.ts"
import { cpuText, machine, type Report, type RouteResult, toMarkdown, writeReport } from "./report.ts"
import { type Scenario, scenarios, slugRequests } from "./scenarios.ts"
import { openSeeder, openShop, seedProducts, type Shop } from "./seed.ts"
import { measureReady, serveBare, serveBaseline, serveProduct, type Serving } from "./serving.ts"
import { measureWebhooks, webhookRoute } from "./webhookDeliveries.ts"

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    name: { type: "string" },
    only: { type: "string" },
    profile: { type: "string" },
    beside: { type: "string" }
  }
})
const plan = flags.quick
  ? {
      rounds: 3,
      pairs: 4,
      seconds: 1,
      lines: 1_000,
      completions: 300,
      starts: 3,
      webhooks: { rounds: 3, events: 2_000, samples: 100 },
      journeys: { purchases: 100, logins: 100, hot: 150 }
    }
  : {
      rounds: 7,
      pairs: 6,
      seconds: 3,
      lines: 4_000,
      completions: 1_000,
      starts: 7,
      webhooks: { rounds: 5, events: 4_000, samples: 300 },
      journeys: { purchases: 500, logins: 400, hot: 600 }
    }
const connections = 16
const manyProducts = 100_000

/** Parts of names, any of which is asked for; nothing asked, everything is. */
const asked = flags.only?.split(",")
const isAsked = (name: string): boolean => asked?.some((part) => name.includes(part)) ?? true

const note = (line: string): void => void process.stderr.write(`${line}\n`)

interface Place {
  readonly dataDir: string
  readonly connection: ConnectionOptions
  readonly shop: Shop
  readonly seeder: Client
  /** The process of the database server; undefined where the system does not say. */
  readonly postmaster: number | undefined
  readonly close: () => Promise<void>
}

const openPlace = async (dataDir: string, products: number | "none"): Promise<Place> => {
  const scope = await Effect.runPromise(Scope.make())
  const { connection } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start({ dataDir }), scope))
  const shop = await openShop(connection)
  const seeder = await openSeeder(connection)
  if (products !== "none") await seedProducts(seeder, shop, products)
  const backend = (await seeder.query("SELECT pg_backend_pid() AS pid")).rows[0]?.["pid"]
  const close = async () => {
    await seeder.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return { dataDir, connection, shop, seeder, postmaster: parentOf(Number(backend)), close }
}

/** What one route is asked in each round: reads in turn, each write once. */
const loadOf = async (
  { seeder, shop }: Place,
  { route, kind, prepare }: Scenario,
  servers: ReadonlyArray<Server>
): Promise<Load> => {
  const count = route === "complete checkout" ? plan.completions : plan.lines
  const initial = route.replace(/[^a-z]/g, "")
  const batches = new Map<string, Awaited<ReturnType<typeof prepare>>>()
  if (kind === "read") batches.set("all", await prepare(seeder, shop, initial, 0))
  else
    for (let r = 0; r <= plan.rounds; r++)
      for (const { name } of servers)
        batches.set(`${name}${r}`, await prepare(seeder, shop, `${initial}${r}${name}`, count))
  await seeder.query("VACUUM (ANALYZE) cart, cart_item, checkout, checkout_line, stock, orders, event, idempotency")
  await seeder.query("CHECKPOINT")
  return async ({ name }, round) => ({
    requests: batches.get(kind === "read" ? "all" : `${name}${round}`) ?? [],
    seconds: kind === "read" ? plan.seconds : 0
  })
}

const measureRoutes = async (place: Place) => {
  const { seeder, shop, connection } = place
  const product = await serveProduct(place.dataDir, {
    node: flags.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${flags.profile}`]
  })
  const baseline = await serveBaseline(connection)
  const findsFirst = await serveBaseline(connection, true)
  const bare = await serveBare(connection, shop)
  const loader = startFile("./load.ts")
  await compareAnswers(seeder, shop, { product: product.port, baseline: baseline.port })
  await compareAnswers(seeder, shop, { product: product.port, baseline: findsFirst.port })
  note("The baselines and the product answer the same.")

  const serverOf = (name: string, { child, port }: Serving): Server => ({ name, port, pid: child.pid })
  const measured = [serverOf("product", product), serverOf("baseline", baseline), serverOf("bare", bare)]
  const measureRoute = async (scenario: Scenario): Promise<RouteResult> => {
    const { route, kind } = scenario
    // They differ in this route alone.
    const servers = route === "product list of 20" ? [...measured, serverOf("findsFirst", findsFirst)] : measured
    const load = await loadOf(place, scenario, servers)
    const rounds: Rounds = await measureRounds({
      loader,
      servers,
      rounds: plan.rounds,
      connections,
      cpuOf: ({ pid }) => cpuTimesOf(pid, place.postmaster),
      load
    })
    const asked = kind === "write" ? [] : (await load(servers[0]!, 0)).requests
    const paths = asked.map((request) => request.path)
    const loop =
      kind === "write"
        ? undefined
        : await ask<{ readonly perSecond: number }>(bare.child, { paths, seconds: plan.seconds, callers: connections })
    const of = (name: string) => rounds[name] ?? []
    const result = {
      route,
      product: summaryOf(of("product")),
      baseline: summaryOf(of("baseline")),
      bare: summaryOf(of("bare")),
      ratio: ratioOf(of("product"), of("baseline")),
      baselineToBare: ratioOf(of("baseline"), of("bare")),
      ...(of("findsFirst").length === 0
        ? {}
        : { findsFirst: { summary: summaryOf(of("findsFirst")), ratio: ratioOf(of("product"), of("findsFirst")) } }),
      ...(loop === undefined ? {} : { loopPerSecond: loop.perSecond })
    }
    note(
      `${route}: ${result.ratio.median.toFixed(2)} of the baseline, which is ` +
        `${result.baselineToBare.median.toFixed(2)} of the bare statements`
    )
    note(`  CPU of a request: ${cpuText(result.product.cpu)}; of the baseline ${cpuText(result.baseline.cpu)}`)
    if (result.findsFirst !== undefined)
      note(
        `  ${result.findsFirst.ratio.median.toFixed(2)} of the baseline that finds rows first: ` +
          `${cpuText(result.findsFirst.summary.cpu)}`
      )
    return result
  }

  const routes: Array<RouteResult> = []
  for (const scenario of scenarios) if (isAsked(scenario.route)) routes.push(await measureRoute(scenario))
  const memory = residentMemory(product.child) ?? null
  note(`The product's process holds ${memory?.toFixed(0) ?? "an unknown number of"} MB.`)
  const version = (await seeder.query("SHOW server_version")).rows[0]?.["server_version"]
  await Promise.all([baseline, findsFirst, bare].map(({ child }) => stop(child)))
  return { routes, memory, postgres: String(version), product, loader }
}

/**
 * Slugs of all products, on a database of 1,000 and on one of many, by turns. One caller: what is asked is how long an
 * answer takes.
 */
const measureSlugs = async (few: Place, many: Place, small: Serving, loader: Parameters<typeof stop>[0]) => {
  const large = await serveProduct(many.dataDir)
  const requests = { few: slugRequests(few.shop, 1_000), many: slugRequests(many.shop, manyProducts, 20_000) }
  const rounds = await measureRounds({
    loader,
    servers: [
      { name: "few", port: small.port, pid: small.child.pid },
      { name: "many", port: large.port, pid: large.child.pid }
    ],
    rounds: plan.rounds,
    connections: 1,
    cpuOf: ({ name, pid }) => cpuTimesOf(pid, name === "few" ? few.postmaster : many.postmaster),
    load: async ({ name }) => ({ requests: name === "few" ? requests.few : requests.many, seconds: plan.seconds })
  })
  await stop(large.child)
  const of = (name: string) => rounds[name] ?? []
  return {
    products: manyProducts,
    small: summaryOf(of("few")),
    large: summaryOf(of("many")),
    slowdown: ratioOf(of("few"), of("many"))
  }
}

const measureJourneysAlone = async (place: Place): Promise<ReadonlyArray<JourneyResult>> => {
  const { child, port } = await serveProduct(place.dataDir)
  const results = await measureJourneys({ ...place, port, loader: startFile("./load.ts") }, plan.journeys)
  await stop(child)
  return results
}

const measureStarts = async (dataDir: string) => {
  const starts: Array<number> = []
  for (let i = 0; i < plan.starts; i++) starts.push(await measureReady(dataDir))
  return { median: median(starts), lowest: Math.min(...starts), highest: Math.max(...starts) }
}

const folder = mkdtempSync(join(tmpdir(), "commerce-bench-"))
const open: Array<Place> = []
const openHere = async (name: string, products: number | "none"): Promise<Place> => {
  const place = await openPlace(join(folder, name), products)
  open.push(place)
  return place
}
const closeAll = async () => {
  for (const place of open.splice(0)) await place.close()
}

/** The product beside the one in another folder. */
const measureOther = async (checkout: string): Promise<void> => {
  const routes = scenarios.filter(({ route }) => isAsked(route))
  const results = await measureBeside({
    pairs: plan.pairs,
    rounds: plan.rounds,
    connections,
    routes: routes.map(({ route }) => route),
    openPair: async (pair) => {
      const dataDir = join(folder, `pair${pair}`)
      const other = await serveOther(dataDir, checkout)
      const place = await openHere(`pair${pair}`, 1_000)
      return {
        dataDir,
        other,
        prepare: (name, servers) => loadOf(place, routes.find(({ route }) => route === name)!, servers),
        cpuOf: ({ pid }) => cpuTimesOf(pid, place.postmaster)
      }
    }
  })
  process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
}

/** Storefront reads at few and at many products, beside the release of another folder where one is named. */
const measureCatalogueReads = async (): Promise<void> => {
  const report = await measureCatalogue({
    rounds: plan.pairs - 1,
    seconds: plan.seconds,
    connections,
    few: 1_000,
    many: flags.quick ? 20_000 : manyProducts,
    beside: flags.beside,
    note,
    openPlace: async (name, checkout) => {
      const dataDir = join(folder, `catalogue-${name}`)
      const other = checkout === undefined ? undefined : await serveOther(dataDir, checkout)
      const place = await openHere(`catalogue-${name}`, "none")
      return { ...place, ...(other === undefined ? {} : { other }) }
    }
  })
  process.stdout.write(`${catalogueText(report)}\n`)
  if (flags.name !== undefined) writeCatalogueReport(report)
}

/** Products created in sets, and a store description of many. */
const measureSetsOfProducts = async (): Promise<void> => {
  const place = await openHere("writes", "none")
  const report = await measureWrites(place, { rounds: plan.pairs - 1, products: flags.quick ? 10_000 : 50_000 })
  process.stdout.write(`${writesText(report)}\n`)
}

/** Single products, beside the release of another folder. */
const measureSingleWrites = async (beside: string): Promise<void> => {
  const results = await measureProductWrites({
    folder,
    beside,
    pairs: flags.quick ? 1 : 3,
    rounds: plan.rounds,
    connections,
    writes: 600,
    note
  })
  process.stdout.write(`${productWritesText(results)}\n`)
}

const measureAll = async (): Promise<void> => {
  if (flags.only === "writes") return measureSetsOfProducts()
  if (flags.only === "product writes" && flags.beside !== undefined) return measureSingleWrites(flags.beside)
  if (flags.only === "catalogue") return measureCatalogueReads()
  if (flags.beside !== undefined) return measureOther(flags.beside)
  const few = await openHere("few", 1_000)
  const others: ReadonlyArray<readonly [name: string, measure: () => Promise<unknown>]> = [
    [webhookRoute, () => measureWebhooks(few, plan.webhooks)],
    [purchaseCostName, () => measurePurchaseCost(few.dataDir, few.shop)],
    ...journeyNames.map((name) => [name, () => measureJourneysAlone(few)] as const)
  ]
  const alone = asked === undefined ? undefined : others.find(([name]) => isAsked(name))
  if (alone !== undefined) {
    process.stdout.write(`${JSON.stringify(await alone[1](), null, 2)}\n`)
    return
  }
  const { routes, memory, postgres, product, loader } = await measureRoutes(few)
  if (flags.only !== undefined) {
    process.stdout.write(`${JSON.stringify(routes, null, 2)}\n`)
    return stop(product.child)
  }
  const many = await openHere("many", manyProducts)
  const slugScaling = await measureSlugs(few, many, product, loader)
  const journeys = await measureJourneys({ ...few, port: product.port, loader }, plan.journeys)
  await stop(product.child)
  const purchase = await measurePurchaseCost(few.dataDir, few.shop)
  const webhooks = await measureWebhooks(few, plan.webhooks)
  await closeAll()
  const ready = await measureStarts(many.dataDir)
  const settings = { quick: flags.quick, ...machine(), postgres, connections, rounds: plan.rounds }
  const report: Report = {
    name: flags.name ?? "now",
    ...settings,
    routes,
    journeys,
    purchase,
    slugScaling,
    webhooks,
    ready,
    residentMemory: memory
  }
  process.stdout.write(`${toMarkdown(report)}\n`)
  if (flags.name !== undefined) writeReport(report)
}

let failed = false
await measureAll().catch((error: unknown) => {
  failed = true
  note(error instanceof Error ? (error.stack ?? error.message) : String(error))
})
await stopAll()
await closeAll()
rmSync(folder, { recursive: true, force: true })
process.exit(failed ? 1 : 0)
