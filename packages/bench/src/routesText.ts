/** The tables of the five routes, with the bounds that they are held to. */
import type { Ratio, Summary } from "./measure.ts"
import { cpuCells, spread, table, two, verdict, whole } from "./report.ts"
import type { RouteName } from "./scenarios.ts"

export interface RouteResult {
  readonly route: RouteName
  readonly product: Summary
  readonly baseline: Summary
  readonly bare: Summary
  /** Product beside baseline. */
  readonly ratio: Ratio
  /** Baseline beside the bare statements: 0.9 is to be reached. */
  readonly baselineToBare: Ratio
  /** The list alone: the baseline that finds a page's rows before it composes them, and the product beside it. */
  readonly findsFirst?: { readonly summary: Summary; readonly ratio: Ratio }
  /** Reads only: the bare statements without HTTP, per second. */
  readonly loopPerSecond?: number
}

export interface RoutesReport {
  readonly routes: ReadonlyArray<RouteResult>
  /** MB of the serving process after the run; 300 at most. */
  readonly memory: number | null
}

/** What the product is to reach of the baseline. */
const boundOf = (route: string): number =>
  route.startsWith("product list") ? 3 : route.startsWith("product") ? 1 : 0.7

const besideRow = (route: string, product: Summary, baseline: Summary, ratio: Ratio): ReadonlyArray<string> => [
  route,
  whole(product.perSecond),
  two(product.p50),
  two(product.p99),
  whole(baseline.perSecond),
  two(baseline.p50),
  two(baseline.p99),
  spread(ratio),
  `>= ${boundOf(route)}`,
  verdict(ratio.median >= boundOf(route))
]

const besideHead = [
  "route",
  "product /s",
  "p50 ms",
  "p99 ms",
  "baseline /s",
  "p50 ms",
  "p99 ms",
  "ratio (lowest-highest)",
  "bound",
  "kept"
]

const beside = (routes: ReadonlyArray<RouteResult>): string =>
  table(
    besideHead,
    routes.flatMap(({ route, product, baseline, ratio, findsFirst }) => [
      besideRow(route, product, baseline, ratio),
      ...(findsFirst === undefined
        ? []
        : [besideRow(`${route}, a baseline that finds first`, product, findsFirst.summary, findsFirst.ratio)])
    ])
  )

const cpu = (routes: ReadonlyArray<RouteResult>): string =>
  table(
    ["route", "product Node ms", "PostgreSQL ms", "baseline Node ms", "PostgreSQL ms"],
    routes.flatMap(({ route, product, baseline, findsFirst }) => [
      [route, ...cpuCells(product), ...cpuCells(baseline)],
      ...(findsFirst === undefined
        ? []
        : [[`${route}, a baseline that finds first`, ...cpuCells(product), ...cpuCells(findsFirst.summary)]])
    ])
  )

const bare = (routes: ReadonlyArray<RouteResult>): string =>
  table(
    ["route", "baseline /s", "bare /s", "ratio (lowest-highest)", ">= 0.9", "without HTTP /s"],
    routes.map(({ route, baseline, bare: plain, baselineToBare, loopPerSecond }) => [
      route,
      whole(baseline.perSecond),
      whole(plain.perSecond),
      spread(baselineToBare),
      verdict(baselineToBare.median >= 0.9),
      loopPerSecond === undefined ? "" : whole(loopPerSecond)
    ])
  )

export const routesText = ({ routes, memory }: RoutesReport): string => `${beside(routes)}

CPU time of one request:

${cpu(routes)}

The bare server is node:http and node-postgres with the same statements in the same transactions: it checks nothing, shapes nothing and answers the
rows as they came. What the baseline does beyond that is what the contract asks for: origin, media type, validation, totals, the documented JSON.

${bare(routes)}

The serving process holds ${memory === null ? "an unknown number of" : whole(memory)} MB after the run (300 at most).`
