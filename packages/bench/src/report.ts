/**
 * What a run has found, as a table to read and as JSON to compare with. Nothing of the machine but its cores and the
 * versions is told.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import type { JourneyResult } from "./journeys.ts"
import type { CpuTimes } from "./cpuTimes.ts"
import type { Ratio, Summary } from "./measure.ts"
import type { PurchaseCost } from "./purchaseCost.ts"
import type { RouteName } from "./scenarios.ts"
import type { WebhookResult } from "./webhookDeliveries.ts"

export interface RouteResult {
  readonly route: RouteName
  readonly product: Summary
  readonly baseline: Summary
  readonly bare: Summary
  /** Product beside baseline: 0.7 is to be reached, by the list and by a product by its slug 0.9. */
  readonly ratio: Ratio
  /** Baseline beside the bare statements: 0.9 is to be reached. */
  readonly baselineToBare: Ratio
  /** The list alone: the baseline that finds a page's rows before it dresses them, and the product beside it. */
  readonly findsFirst?: { readonly summary: Summary; readonly ratio: Ratio }
  /** Reads only: the bare statements without HTTP, per second. */
  readonly loopPerSecond?: number
}

export interface Report {
  readonly name: string
  readonly quick: boolean
  readonly cores: number
  readonly node: string
  readonly postgres: string
  readonly connections: number
  readonly rounds: number
  readonly routes: ReadonlyArray<RouteResult>
  readonly journeys: ReadonlyArray<JourneyResult>
  readonly purchase: PurchaseCost
  /**
   * Time of one answer at 100,000 products beside 1,000 (1.3 at most), from the throughputs of one caller after
   * another.
   */
  readonly slugScaling: {
    readonly products: number
    readonly small: Summary
    readonly large: Summary
    readonly slowdown: Ratio
  }
  readonly webhooks: WebhookResult
  /** Seconds; 1.0 at most. */
  readonly ready: { readonly median: number; readonly lowest: number; readonly highest: number }
  /** MB of the serving process after the run; 300 at most. */
  readonly residentMemory: number | null
}

export const machine = () => ({ cores: availableParallelism(), node: process.versions.node })

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`
  return [line(head), rule, ...rows.map(line)].join("\n")
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US")
const two = (value: number): string => value.toFixed(2)
const spread = ({ median, lowest, highest }: Ratio): string => `${two(median)} (${two(lowest)}-${two(highest)})`
const verdict = (good: boolean): string => (good ? "yes" : "NO")

const notAvailable = "not available"

/** Milliseconds of one request. */
export const cpuText = (cpu: CpuTimes | null): string =>
  cpu === null ? notAvailable : `${two(cpu.node)} ms of Node and ${two(cpu.postgres)} ms of PostgreSQL`

const cpuCells = ({ cpu }: Summary): ReadonlyArray<string> =>
  cpu === null ? [notAvailable, notAvailable] : [two(cpu.node), two(cpu.postgres)]

/** What the product is to reach of the baseline: what is read most, more. */
const boundOf = (route: string): number => (route.startsWith("product") ? 0.9 : 0.7)

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

const purchaseTable = ({ reads, requests, whole: sum }: PurchaseCost): string =>
  table(
    ["request", "statements", "transactions", "bytes to PostgreSQL", "bytes from it", "bytes to the shopper"],
    [...requests, { request: "the whole purchase", ...sum }, ...reads].map(
      ({ request, statements, transactions, toDatabase, fromDatabase, toCallers }) => [
        request,
        ...[statements, transactions, toDatabase, fromDatabase, toCallers].map(whole)
      ]
    )
  )

export const toMarkdown = (report: Report): string => {
  const routes = table(
    [
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
    ],
    report.routes.flatMap(({ route, product, baseline, ratio, findsFirst }) => [
      besideRow(route, product, baseline, ratio),
      ...(findsFirst === undefined
        ? []
        : [besideRow(`${route}, a baseline that finds first`, product, findsFirst.summary, findsFirst.ratio)])
    ])
  )
  const cpu = table(
    ["route", "product Node ms", "PostgreSQL ms", "baseline Node ms", "PostgreSQL ms"],
    report.routes.flatMap(({ route, product, baseline, findsFirst }) => [
      [route, ...cpuCells(product), ...cpuCells(baseline)],
      ...(findsFirst === undefined
        ? []
        : [[`${route}, a baseline that finds first`, ...cpuCells(product), ...cpuCells(findsFirst.summary)]])
    ])
  )
  const bare = table(
    ["route", "baseline /s", "bare /s", "ratio (lowest-highest)", ">= 0.9", "without HTTP /s"],
    report.routes.map(({ route, baseline, bare: plain, baselineToBare, loopPerSecond }) => [
      route,
      whole(baseline.perSecond),
      whole(plain.perSecond),
      spread(baselineToBare),
      verdict(baselineToBare.median >= 0.9),
      loopPerSecond === undefined ? "" : whole(loopPerSecond)
    ])
  )
  const journeys = table(
    ["what", "callers", "times", "/s", "p50 ms", "p99 ms"],
    report.journeys.map(({ what, callers, count, perSecond, p50, p99 }) => [
      what,
      whole(callers),
      whole(count),
      whole(perSecond),
      two(p50),
      two(p99)
    ])
  )
  const { slugScaling, webhooks, ready, residentMemory } = report
  const others = table(
    ["what", "measured", "bound", "kept"],
    [
      [
        `product by slug at ${whole(slugScaling.products)} products, time beside 1,000`,
        spread(slugScaling.slowdown),
        "<= 1.3",
        verdict(slugScaling.slowdown.median <= 1.3)
      ],
      [
        `webhook deliveries beside a bare loop that posts the same rows ` +
          `(${whole(webhooks.product)}/s beside ${whole(webhooks.loop)}/s)`,
        spread(webhooks.ratio),
        ">= 0.25",
        verdict(webhooks.ratio.median >= 0.25)
      ],
      [
        `webhook, from the request that commits to the first byte, nothing else going on, p99 of ` +
          `${webhooks.idle.samples}, ms`,
        `${whole(webhooks.idle.p99)} (p50 ${whole(webhooks.idle.p50)})`,
        "<= 150",
        verdict(webhooks.idle.p99 <= 150)
      ],
      ["`serve` ready on an existing data directory, s", spread(ready), "<= 1.0", verdict(ready.median <= 1)],
      [
        "resident memory of the serving process after the run, MB",
        residentMemory === null ? "unknown" : whole(residentMemory),
        "<= 300",
        verdict((residentMemory ?? 0) <= 300)
      ]
    ]
  )
  return `# Benchmark: ${report.name}

${report.cores} cores for load, servers and database together; Node ${report.node}, PostgreSQL ${report.postgres}, ${report.connections} connections, ${report.rounds} rounds${report.quick ? ", short run" : ""}.
Every figure is the median of the rounds. A ratio is taken within a round, so it is not the quotient of the two medians beside it.

## The product beside the baseline

${routes}

## CPU time of one request

From the system's table of processes, before and after each round, divided by the requests answered. PostgreSQL is all of its processes.

${cpu}

## The baseline beside the bare statements

The bare server is node:http and node-postgres with the same statements in the same transactions: it checks nothing, shapes nothing and answers the
rows as they came. What the baseline does beyond that is what the contract asks for: origin, media type, validation, totals, the documented JSON.

${bare}

## Journeys of the product alone

${journeys}

## What a purchase costs

One shopper after another, on a server that serves and does nothing else. Statements are counted on the wire, without those that only open, bound and
end a transaction.

${purchaseTable(report.purchase)}

## Bounds

${others}
`
}

/** Writes both forms into packages/bench/reports. */
export const writeReport = (report: Report): void => {
  const folder = fileURLToPath(new URL("../reports/", import.meta.url))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${report.name}.md`, toMarkdown(report))
  writeFileSync(`${folder}${report.name}.json`, `${JSON.stringify(report, null, 2)}\n`)
}
