/**
 * The product beside the product of another checkout, on one database and in one run: what a change costs, told by the
 * throughput of each round and by the CPU of a request. The other one is started first: it makes the database, which is
 * then brought up to date under it, as an upgrade does to the processes of the release before. Neither runs workers,
 * which would work for both, and both run from their sources.
 *
 * Two processes of the same code differ by up to a tenth for as long as they live. So the pair is started anew several
 * times, and the median of all rounds counts. Measured beside a copy of itself the product shows what is left of that.
 */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { CpuTimes } from "./cpuTimes.ts"
import {
  measureRounds,
  type Ratio,
  ratioOf,
  type Round,
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

/** A database of its own for one pair, made by the other checkout's process, which runs on it. */
export interface PairPlace {
  readonly dataDir: string
  readonly other: Serving
  readonly prepare: (route: RouteName, servers: ReadonlyArray<Server>) => Promise<RoundOptions["load"]>
  readonly cpuOf: (server: Server) => CpuTimes | undefined
}

export interface BesidePlan {
  /** How often the pair is started. */
  readonly pairs: number
  readonly rounds: number
  readonly connections: number
  readonly routes: ReadonlyArray<RouteName>
  readonly openPair: (pair: number) => Promise<PairPlace>
}

const here = fileURLToPath(new URL("../../..", import.meta.url))

type Sides = readonly [product: ReadonlyArray<Round>, other: ReadonlyArray<Round>]

const measurePair = async (
  { rounds, connections, routes }: BesidePlan,
  pair: number,
  { dataDir, other, prepare, cpuOf }: PairPlace
): Promise<ReadonlyArray<Sides>> => {
  const product = await serveProduct(dataDir, { args, checkout: here })
  const loader = startFile("./load.ts")
  const ours = { name: "product", port: product.port, pid: product.child.pid }
  const theirs = { name: "other", port: other.port, pid: other.child.pid }
  // Who goes first changes from pair to pair, as it does from round to round.
  const servers = pair % 2 === 0 ? [ours, theirs] : [theirs, ours]
  const sides: Array<Sides> = []
  for (const route of routes) {
    const load = await prepare(route, servers)
    const measured = await measureRounds({ loader, servers, rounds, connections, cpuOf, load })
    sides.push([measured[ours.name] ?? [], measured[theirs.name] ?? []])
  }
  await Promise.all([product.child, other.child, loader].map(stop))
  return sides
}

export const measureBeside = async (plan: BesidePlan): Promise<ReadonlyArray<BesideResult>> => {
  const pairs: Array<ReadonlyArray<Sides>> = []
  for (let pair = 0; pair < plan.pairs; pair++) pairs.push(await measurePair(plan, pair, await plan.openPair(pair)))
  return plan.routes.map((route, i) => {
    const ours = pairs.flatMap((sides) => sides[i]?.[0] ?? [])
    const theirs = pairs.flatMap((sides) => sides[i]?.[1] ?? [])
    return { route, product: summaryOf(ours), other: summaryOf(theirs), ratio: ratioOf(ours, theirs) }
  })
}
