/**
 * Five routes of the product beside the hand-written baseline, and that beside its bare statements, all on one
 * database.
 */
import { compareAnswers } from "./compareAnswers.ts"
import { cpuTimesOf } from "./cpuTimes.ts"
import { type Load, measureRounds, ratioOf, type Rounds, type Server, summaryOf } from "./measure.ts"
import type { Place } from "./place.ts"
import { ask, residentMemory, startFile, stop } from "./processes.ts"
import type { RouteResult } from "./routesText.ts"
import { routesText } from "./routesText.ts"
import { connections, type Group, type Plan, type Run } from "./run.ts"
import { type Scenario, scenarios } from "./scenarios.ts"
import { seedProducts } from "./seed.ts"
import { serveBare, serveBaseline, serveProduct, type Serving } from "./serving.ts"

export const serverOf = (name: string, { child, port }: Serving): Server => ({ name, port, pid: child.pid })

/** What one route is asked in each round: reads in turn, each write once. */
export const loadOf = async (
  plan: Plan,
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

interface Servers {
  readonly product: Serving
  readonly baseline: Serving
  readonly findsFirst: Serving
  readonly bare: Serving
  readonly loader: ReturnType<typeof startFile>
}

const measureRoute = async (run: Run, place: Place, on: Servers, scenario: Scenario): Promise<RouteResult> => {
  const { plan } = run
  const { route, kind } = scenario
  const measured = [serverOf("product", on.product), serverOf("baseline", on.baseline), serverOf("bare", on.bare)]
  // They differ in this route alone.
  const servers = route === "product list of 20" ? [...measured, serverOf("findsFirst", on.findsFirst)] : measured
  const load = await loadOf(plan, place, scenario, servers)
  const rounds: Rounds = await measureRounds({
    loader: on.loader,
    servers,
    rounds: plan.rounds,
    connections,
    cpuOf: ({ pid }) => cpuTimesOf(pid, place.postmaster),
    load
  })
  const of = (name: string) => rounds[name] ?? []
  const paths = kind === "write" ? [] : (await scenario.prepare(place.seeder, place.shop, "loop", 0)).map((r) => r.path)
  const loop =
    kind === "write"
      ? undefined
      : await ask<{ readonly perSecond: number }>(on.bare.child, { paths, seconds: plan.seconds, callers: connections })
  run.note(`${route}: ${ratioOf(of("product"), of("baseline")).median.toFixed(2)} of the baseline`)
  return {
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
}

export const routesGroup: Group = {
  name: "routes",
  rows: scenarios.map(({ route }) => route),
  measure: async (run, rows) => {
    const place = await run.places.open("routes")
    const { seeder, shop, connection } = place
    await seedProducts(seeder, shop, 1_000)
    const profiling = run.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${run.profile}`]
    const on: Servers = {
      product: await serveProduct(place.dataDir, { node: profiling }),
      baseline: await serveBaseline(connection),
      findsFirst: await serveBaseline(connection, true),
      bare: await serveBare(connection, shop),
      loader: startFile("./load.ts")
    }
    await compareAnswers(seeder, shop, { product: on.product.port, baseline: on.baseline.port })
    await compareAnswers(seeder, shop, { product: on.product.port, baseline: on.findsFirst.port })
    run.note("The baselines and the product answer the same.")
    const routes: Array<RouteResult> = []
    for (const scenario of scenarios)
      if (rows.includes(scenario.route)) routes.push(await measureRoute(run, place, on, scenario))
    const memory = residentMemory(on.product.child) ?? null
    await Promise.all([on.product, on.baseline, on.findsFirst, on.bare].map(({ child }) => stop(child)))
    await stop(on.loader)
    const data = { routes, memory }
    return { title: "Routes beside the baseline", text: routesText(data), data }
  }
}
