/**
 * docs/planted-faults.md: a row for each fault that was planted, in the order in which they are declared, and the commit
 * whose sources they were planted in. It is written after each fault, so that a run that is ended can go on.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Fault, faults } from "./plantedFaults.ts"

export interface Outcome {
  readonly fault: Fault
  readonly line: number
  readonly before: string
  readonly after: string
  /** Full names of the tests that failed. */
  readonly failed: ReadonlyArray<string>
  /** Why the fault counts as not noticed; undefined when it was. */
  readonly problem: string | undefined
}

export interface Report {
  readonly commit: string
  /** By the id of the fault. */
  readonly rows: Map<string, string>
}

const root = join(import.meta.dirname, "..")
const path = join(root, "docs/planted-faults.md")
const unnoticed = "**not noticed**"
/** What faults are planted in; tests may have been mended since. */
const sources = ["core/src", "core/migrations", "handler/src", "cli/src"].map((folder) => `packages/${folder}`)

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", [...args], { cwd: root, encoding: "utf8" }).trim()

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ").trim()
const code = (text: string): string => (text.trim() === "" ? "*(nothing)*" : `\`${cell(text)}\``)

const rowOf = ({ fault, before, after, failed, problem }: Outcome): string => {
  const name = failed.find((test) => test.includes(fault.noticedBy ?? "")) ?? ""
  const noticed = problem === undefined ? cell(name) : `${unnoticed}: ${cell(problem)}`
  return `| ${fault.id} | ${cell(fault.breaks)} | ${fault.file.replace("packages/", "")} | ${code(before)} | ${code(after)} | ${noticed} |`
}

/** A report without a row, of the sources as they are. */
export const emptyReport = (): Report => ({
  commit: `${git("rev-parse", "HEAD")}${git("status", "--porcelain") === "" ? "" : " and changes that were not committed"}`,
  rows: new Map()
})

/** The report that is there, if it is of the sources as they are. */
export const reportOfToday = (): Report | undefined => {
  const text = readFileSync(path, "utf8")
  const commit = / commit ([0-9a-f]{40})\.$/m.exec(text)?.[1]
  if (commit === undefined || git("diff", "--name-only", commit, "--", ...sources) !== "") return undefined
  const rows = text.split("\n").flatMap((line): ReadonlyArray<[string, string]> => {
    const id = line.startsWith("| ") ? (line.split("|")[1]?.trim() ?? "") : ""
    return faults.some((fault) => fault.id === id) ? [[id, line]] : []
  })
  return { commit, rows: new Map(rows) }
}

export const isNoticed = ({ rows }: Report, { id }: Fault): boolean => rows.get(id)?.includes(unnoticed) === false

/** Adds what became of a fault, in the place of what the report said of it before. */
export const record = (report: Report, outcome: Outcome): void => {
  report.rows.set(outcome.fault.id, rowOf(outcome))
  const rows = faults.flatMap(({ id }) => report.rows.get(id) ?? [])
  const left = faults.length - rows.length
  const text = [
    "# Planted faults",
    "",
    "Written by `npm run faults`, which breaks one line at a time and runs the tests that must notice. A fault " +
      "counts as noticed",
    "only when a test fails, not when a file no longer loads.",
    "",
    `${faults.filter((fault) => isNoticed(report, fault)).length} of ${rows.length} noticed` +
      `${left === 0 ? "" : `, ${left} more are not planted yet`}, in the sources of commit ${report.commit}.`,
    "",
    "| fault | what it would do | file | line | became | failing test |",
    "|---|---|---|---|---|---|",
    ...rows,
    ""
  ]
  writeFileSync(path, text.join("\n"))
}

export const formatReport = (): void =>
  void execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", path], { cwd: root, stdio: "ignore" })
