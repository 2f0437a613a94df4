/**
 * The results of the proofs, one row each: read by people as a table, by programs as JSON. A run replaces the rows of
 * what it ran.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { scenarios } from "./scenarios.ts"

export interface Row {
  readonly name: string
  readonly title: string
  readonly measures: string
  readonly seed: number
  readonly commit: string
  readonly seconds: number
  readonly pass: boolean
  readonly notBuilt?: string
  readonly counts: Readonly<Record<string, number>>
  /** Milliseconds; null where nothing was measured. */
  readonly p50: number | null
  readonly p99: number | null
  readonly violations: ReadonlyArray<string>
}

interface Report {
  readonly cores: number
  readonly node: string
  readonly rows: ReadonlyArray<Row>
}

const folder = fileURLToPath(new URL("../../reports/", import.meta.url))

/** Rows stand in the order of the scenarios. */
const placeOf = (name: string): number => scenarios.findIndex((scenario) => scenario.name === name)

const readRows = (): ReadonlyArray<Row> => {
  const path = `${folder}proof.json`
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Report).rows : []
}

const figure = (value: number | null): string =>
  value === null || Number.isNaN(value) ? "" : value.toFixed(value < 10 ? 1 : 0)
const verdict = ({ pass, notBuilt }: Row): string =>
  pass ? "yes" : notBuilt === undefined ? "**NO**" : "**not built**"
const countsOf = ({ counts }: Row): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toLocaleString("en-US")}`)
    .join(", ")

const toMarkdown = ({ cores, node, rows }: Report): string => {
  const lines = rows.map((row) =>
    [
      row.name,
      row.title,
      countsOf(row),
      row.measures,
      figure(row.p50),
      figure(row.p99),
      `${row.seconds}`,
      String(row.seed),
      row.commit,
      verdict(row)
    ].join(" | ")
  )
  const failures = rows
    .filter((row) => !row.pass)
    .map((row) => `- ${row.name}: ${row.notBuilt ?? row.violations.slice(0, 5).join("; ")}`)
  return `# Crashes and races, proved

Each row is one run of \`npm run proof -- --only NAME --seed SEED\` at its full size: servers are processes, killed by their id, on an embedded PostgreSQL
of their own. ${cores} cores for clients, servers and database together; Node ${node}. Times in milliseconds are of what the row measures.

| name | scenario | counts | measured | p50 ms | p99 ms | took s | seed | commit | holds |
|---|---|---|---|---:|---:|---:|---:|---|---|
${lines.map((line) => `| ${line} |`).join("\n")}
${failures.length === 0 ? "" : `\n## What does not hold\n\n${failures.join("\n")}\n`}`
}

/** Puts the row into packages/bench/reports/proof.json and proof.md, in the place of an older one of its name. */
export const writeReport = (row: Row): void => {
  const others = readRows().filter((other) => other.name !== row.name)
  const rows = [...others, row].sort((a, b) => placeOf(a.name) - placeOf(b.name))
  const report: Report = { cores: availableParallelism(), node: process.versions.node, rows }
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}proof.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(`${folder}proof.md`, toMarkdown(report))
}
