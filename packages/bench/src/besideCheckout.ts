/**
 * Five routes of the product beside the product of another checkout, in one run: what a change costs, by the
 * throughput of each round and by the CPU of a request. Each side has a database of its own, which its own checkout
 * makes and fills, so that any release with these files can stand beside. Neither runs workers, and both run from their
 * sources.
 *
 * Two processes of the same code differ by up to a tenth for as long as they live. So the pair is started anew several
 * times, and the median of all rounds counts. Measured beside a copy of itself the product shows what is left of that.
 */
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { cpuTimesOf } from "./cpuTimes.ts"
import {
  cpuRatioOf,
  type Load,
  measureRounds,
  postgresRatioOf,
  type Ratio,
  ratioOf,
  type Round,
  type Server,
  type Summary,
  summaryOf
} from "./measure.ts"
import type { Place } from "./place.ts"
import { startFile, stop } from "./processes.ts"
import { cpuCells, spread, table } from "./report.ts"
import { loadOf, serverOf } from "./routes.ts"
import { connections, type Group, type Run } from "./run.ts"
import type * as scenariosModule from "./scenarios.ts"
import { type RouteName, type Scenario, scenarios } from "./scenarios.ts"
import type * as seedModule from "./seed.ts"
import { serveProduct, type Serving } from "./serving.ts"

export interface BesideResult {
  readonly route: RouteName
  readonly product: Summary
  readonly other: Summary
  /** Product beside the other checkout: throughput, CPU of a request, and PostgreSQL's part of it. */
  readonly ratio: Ratio
  readonly cpu: Ratio
  readonly postgres: Ratio
}

const args = ["--role", "api"]

const here = fileURLToPath(new URL("../../..", import.meta.url))

interface Side {
  readonly place: Place
  readonly serving: Serving
  readonly server: Server
  readonly scenarios: ReadonlyArray<Scenario>
}

/** A checkout's product on a database that its own files fill. */
const openSide = async ({ places }: Run, name: string, checkout: string, dataDir: string): Promise<Side> => {
  const fileOf = (file: string) => pathToFileURL(join(checkout, "packages/bench/src", file)).href
  const seed: typeof seedModule = await import(fileOf("seed.ts"))
  const { scenarios: own }: typeof scenariosModule = await import(fileOf("scenarios.ts"))
  const place = await places.open(dataDir, seed)
  await seed.seedProducts(place.seeder, place.shop, 1_000)
  const serving = await serveProduct(place.dataDir, { args, checkout })
  return { place, serving, server: serverOf(name, serving), scenarios: own }
}

type Sides = readonly [product: ReadonlyArray<Round>, other: ReadonlyArray<Round>]

const measurePair = async (run: Run, pair: number, routes: ReadonlyArray<RouteName>): Promise<ReadonlyArray<Sides>> => {
  const { plan, beside = here } = run
  const ours = await openSide(run, "product", here, `ours${pair}`)
  const theirs = await openSide(run, "other", resolve(beside), `theirs${pair}`)
  const loader = startFile("./load.ts")
  // The two sides take turns in going first, from pair to pair as from round to round.
  const both = pair % 2 === 0 ? [ours, theirs] : [theirs, ours]
  const sideOf = ({ name }: Server) => (name === "product" ? ours : theirs)
  const sides: Array<Sides> = []
  for (const route of routes) {
    const loads = new Map<Side, Load>()
    for (const side of both) {
      const scenario = side.scenarios.find((one) => one.route === route)
      if (scenario === undefined) throw new Error(`${beside} does not measure ${route}`)
      loads.set(side, await loadOf(plan, side.place, scenario, [side.server]))
    }
    const measured = await measureRounds({
      loader,
      servers: both.map(({ server }) => server),
      rounds: plan.rounds,
      connections,
      cpuOf: (server) => cpuTimesOf(server.pid, sideOf(server).place.postmaster),
      load: async (server, round) => (await loads.get(sideOf(server))?.(server, round)) ?? { requests: [], seconds: 0 }
    })
    sides.push([measured["product"] ?? [], measured["other"] ?? []])
    const [product, other] = sides.at(-1) ?? [[], []]
    run.note(`pair ${pair + 1}, ${route}: CPU ${spread(cpuRatioOf(product, other))}`)
  }
  await Promise.all([ours.serving.child, theirs.serving.child, loader].map(stop))
  return sides
}

const textOf = (results: ReadonlyArray<BesideResult>): string =>
  table(
    ["route", "Node ms", "PostgreSQL ms", "the other one's Node ms", "PostgreSQL ms", "PostgreSQL", "CPU", "rate"],
    results.map(({ route, product, other, ratio, cpu, postgres }) => [
      route,
      ...cpuCells(product),
      ...cpuCells(other),
      spread(postgres),
      spread(cpu),
      spread(ratio)
    ])
  )

const rowOf = ({ route }: Scenario): string => `beside-${route.replaceAll(" ", "-")}`

/** Without `--beside`, beside a second process of the same code. */
export const besideGroup: Group = {
  name: "beside",
  rows: scenarios.map(rowOf),
  measure: async (run, rows) => {
    const routes = scenarios.filter((scenario) => rows.includes(rowOf(scenario))).map(({ route }) => route)
    const pairs: Array<ReadonlyArray<Sides>> = []
    for (let pair = 0; pair < run.plan.pairs; pair++) pairs.push(await measurePair(run, pair, routes))
    const results = routes.map((route, i): BesideResult => {
      const ours = pairs.flatMap((sides) => sides[i]?.[0] ?? [])
      const theirs = pairs.flatMap((sides) => sides[i]?.[1] ?? [])
      return {
        route,
        product: summaryOf(ours),
        other: summaryOf(theirs),
        ratio: ratioOf(ours, theirs),
        cpu: cpuRatioOf(ours, theirs),
        postgres: postgresRatioOf(ours, theirs)
      }
    })
    return { title: "Routes beside another checkout", text: textOf(results), data: results }
  }
}
