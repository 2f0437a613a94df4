/**
 * The product beside the product of another checkout, on one database and in one run: what a change costs, told by the
 * throughput of each round and by the CPU of a request. The other one is started first: it makes the database, which is
 * then brought up to date under it, as an upgrade does to the processes of the release before. Neither runs workers,
 * which would work for both, and both run from their sources.
 */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { CpuTimes } from "./cpuTimes.ts"
import {
  measureRounds,
  type Ratio,
  ratioOf,
  type RoundOptions,
  type Server,
  type Summary,
  summaryOf
} from "./measure.ts"
import { startFile, stop } from "./processes.ts"
import type { RouteName } from "./scenarios.ts"
import { serveProduct, type Serving } from "./serving.ts"

export interface BesideResult {
  readonly route: RouteName
  readonly product: Summary
  readonly other: Summary
  /** Product beside the other checkout. */
  readonly ratio: Ratio
}

const args = ["--role", "api"]

/**
 * The product of the checkout in this folder, with its packages installed, on a data directory that is not there yet.
 */
export const serveOther = (dataDir: string, checkout: string): Promise<Serving> =>
  serveProduct(dataDir, { args, checkout: resolve(checkout) })

export interface BesidePlan {
  readonly dataDir: string
  readonly other: Serving
  readonly rounds: number
  readonly connections: number
  readonly routes: ReadonlyArray<RouteName>
  readonly prepare: (route: RouteName, servers: ReadonlyArray<Server>) => Promise<RoundOptions["load"]>
  readonly cpuOf: (server: Server) => CpuTimes | undefined
}

export const measureBeside = async ({
  dataDir,
  other,
  rounds,
  connections,
  routes,
  prepare,
  cpuOf
}: BesidePlan): Promise<ReadonlyArray<BesideResult>> => {
  const product = await serveProduct(dataDir, { args, checkout: fileURLToPath(new URL("../../..", import.meta.url)) })
  const servers = [
    { name: "product", port: product.port, pid: product.child.pid },
    { name: "other", port: other.port, pid: other.child.pid }
  ]
  const loader = startFile("./load.ts")
  const results: Array<BesideResult> = []
  for (const route of routes) {
    const load = await prepare(route, servers)
    const measured = await measureRounds({ loader, servers, rounds, connections, cpuOf, load })
    const [ours, theirs] = [measured["product"] ?? [], measured["other"] ?? []]
    results.push({ route, product: summaryOf(ours), other: summaryOf(theirs), ratio: ratioOf(ours, theirs) })
  }
  await Promise.all([product.child, other.child].map(stop))
  return results
}
