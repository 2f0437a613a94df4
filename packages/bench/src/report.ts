/**
 * The results of a run, as tables to read and as JSON to compare with. Of the machine only the cores and versions are
 * reported.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import type { Ratio, Summary } from "./measure.ts"
import { connections, type Plan, type Section } from "./run.ts"

export interface Report {
  readonly name: string
  readonly plan: Plan
  readonly postgres: string
  readonly sections: Readonly<Record<string, Section>>
}

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`
  return [line(head), rule, ...rows.map(line)].join("\n")
}

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US")
export const two = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : "not available")
export const spread = ({ median, lowest, highest }: Ratio): string => `${two(median)} (${two(lowest)}-${two(highest)})`
export const verdict = (good: boolean): string => (good ? "yes" : "NO")

/** A figure with its lower bound. */
export const held = (value: number, bound: number): string =>
  value >= bound ? two(value) : `${two(value)} (NOT KEPT: >= ${bound})`
/** A ratio with its upper bound. */
export const atMost = (ratio: Ratio, bound: number): string =>
  ratio.median <= bound ? spread(ratio) : `${spread(ratio)} (NOT KEPT: <= ${bound})`

/** CPU milliseconds of a request: of Node, of PostgreSQL. */
export const cpuCells = ({ cpu }: Summary): ReadonlyArray<string> => [
  two(cpu?.node ?? Number.NaN),
  two(cpu?.postgres ?? Number.NaN)
]

const machine = () => ({ cores: availableParallelism(), node: process.versions.node })

export const toMarkdown = ({ name, plan, postgres, sections }: Report): string => {
  const { cores, node } = machine()
  return `# Benchmark: ${name}

${cores} cores for load, servers and database together; Node ${node}, PostgreSQL ${postgres}, ${connections} connections, ${plan.rounds} rounds${plan.isQuick ? ", short run" : ""}.
Every figure is the median of the rounds. A ratio is taken within a round, so it is not the quotient of the two medians beside it. CPU is read from the system's
table of processes, before and after each round, and divided by the requests answered; PostgreSQL is all of its processes.

${Object.values(sections)
  .map(({ title, text }) => `## ${title}\n\n${text}\n`)
  .join("\n")}`
}

/** Writes both forms into packages/bench/reports. */
export const writeReport = (report: Report): void => {
  const folder = fileURLToPath(new URL("../reports/", import.meta.url))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${report.name}.md`, toMarkdown(report))
  const groups = Object.fromEntries(Object.entries(report.sections).map(([name, { data }]) => [name, data]))
  const { name, plan, postgres } = report
  writeFileSync(
    `${folder}${name}.json`,
    `${JSON.stringify({ name, ...machine(), postgres, connections, plan, groups }, null, 2)}\n`
  )
}
