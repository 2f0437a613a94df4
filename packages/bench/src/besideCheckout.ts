/**
 * Five routes of the product beside the product of another checkout, on one database and in one run: what a change costs,
 * told by the throughput of each round and by the CPU of a request. The other one is started first: it makes the database, which is
 * then brought up to date under it, as an upgrade does to the processes of the release before. Neither runs workers,
 * which would work for both, and both run from their sources.
 *
 * Two processes of the same code differ by up to a tenth for as long as they live. So the pair is started anew several
 * times, and the median of all rounds counts. Measured beside a copy of itself the product shows what is left of that.
 */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { cpuTimesOf } from "./cpuTimes.ts"
import {
  cpuRatioOf,
  measureRounds,
  postgresRatioOf,
  type Ratio,
  ratioOf,
  type Round,
  type Summary,
  summaryOf
} from "./measure.ts"
import { startFile, stop } from "./processes.ts"
import { cpuCells, spread, table } from "./report.ts"
import { loadOf, serverOf } from "./routes.ts"
import { connections, type Group, type Run } from "./run.ts"
import { type RouteName, type Scenario, scenarios } from "./scenarios.ts"
import { seedProducts } from "./seed.ts"
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

/**
 * The product of the checkout in this folder, with its packages installed, on a data directory that is not there yet.
 */
const serveOther = (dataDir: string, checkout: string): Promise<Serving> =>
  serveProduct(dataDir, { args, checkout: resolve(checkout) })

const here = fileURLToPath(new URL("../../..", import.meta.url))

type Sides = readonly [product: ReadonlyArray<Round>, other: ReadonlyArray<Round>]

/** On a database of its own, made by the other checkout's process, which runs on it. */
const measurePair = async (run: Run, pair: number, routes: ReadonlyArray<Scenario>): Promise<ReadonlyArray<Sides>> => {
  const { plan, places, beside = here } = run
  const name = `pair${pair}`
  const other = await serveOther(places.dataDir(name), beside)
  const place = await places.open(name)
  await seedProducts(place.seeder, place.shop, 1_000)
  const product = await serveProduct(place.dataDir, { args, checkout: here })
  const loader = startFile("./load.ts")
  const [ours, theirs] = [serverOf("product", product), serverOf("other", other)]
  // Who goes first changes from pair to pair, as it does from round to round.
  const servers = pair % 2 === 0 ? [ours, theirs] : [theirs, ours]
  const sides: Array<Sides> = []
  for (const route of routes) {
    const measured = await measureRounds({
      loader,
      servers,
      rounds: plan.rounds,
      connections,
      cpuOf: ({ pid }) => cpuTimesOf(pid, place.postmaster),
      load: await loadOf(plan, place, route, servers)
    })
    sides.push([measured[ours.name] ?? [], measured[theirs.name] ?? []])
  }
  await Promise.all([product.child, other.child, loader].map(stop))
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

/** Without `--beside`, beside a second process of the same code. */
export const besideGroup: Group = {
  name: "beside",
  rows: scenarios.map(({ route }) => `${route}, beside`),
  measure: async (run, rows) => {
    const routes = scenarios.filter(({ route }) => rows.includes(`${route}, beside`))
    const pairs: Array<ReadonlyArray<Sides>> = []
    for (let pair = 0; pair < run.plan.pairs; pair++) pairs.push(await measurePair(run, pair, routes))
    const results = routes.map(({ route }, i): BesideResult => {
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
