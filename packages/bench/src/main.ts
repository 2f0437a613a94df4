/**
 * `npm run bench`: measures the product beside a hand-written baseline on the same database in one run. Words name
 * groups of rows, or parts of the names of rows: `npm run bench -- never-asked "add line"`. `--quick` is short,
 * `--name` names the report (none is written without), `--profile` writes a CPU profile of the product to a folder,
 * `--beside FOLDER` measures against the product of another checkout where a group can, `--rows NUMBER` makes the store of
 * the group `events` as large.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { groups } from "./groups.ts"
import { Places } from "./place.ts"
import { stopAll } from "./processes.ts"
import { toMarkdown, writeReport } from "./report.ts"
import { fullPlan, type Group, quickPlan, type Run, type Section } from "./run.ts"
import { columns, readFlags, wrong } from "./usage.ts"

const help = `npm run bench -- [GROUP or part of a ROW]... [FLAGS]

Measures the product beside a hand-written baseline on the same database in one run. Without words it measures all
groups but those that need another checkout.

Groups, and the rows of each:
${columns(groups.map(({ name, rows }) => [name, rows.join(" · ")]))}
Flags:
${columns([
  ["--quick", "short, for a look"],
  ["--name NAME", "writes reports/NAME.md and .json; nothing is written without it"],
  ["--beside FOLDER", "measures against the product of another checkout, where a group can"],
  ["--rows NUMBER", "as many rows as the store of a group that fills one has, 1000 at least"],
  ["--profile FOLDER", "writes a CPU profile of the product"],
  ["--help", "this"]
])}
Examples:
  npm run bench -- --quick never-asked price-changes
  npm run bench -- "cart get"
  npm run bench -- product-writes beside-add-line --beside ../main
`

const { values: flags, positionals: asked } = readFlags(
  {
    quick: { type: "boolean", default: false },
    name: { type: "string" },
    profile: { type: "string" },
    beside: { type: "string" },
    rows: { type: "string" }
  },
  true,
  help
)

const unknown = asked.find(
  (word) => !groups.some(({ name, rows }) => name === word || rows.some((row) => row.includes(word)))
)
if (unknown !== undefined) wrong(`${unknown}: no group and no part of a row; see --help`)

/** The groups to run, each with its rows; by default all but those that need another checkout. */
const chosen = groups.flatMap((group): ReadonlyArray<readonly [Group, ReadonlyArray<string>]> => {
  const isAll = asked.length === 0 && (group.name !== "beside" || flags.beside !== undefined)
  const rows = group.rows.filter((row) => isAll || asked.some((word) => group.name === word || row.includes(word)))
  return rows.length === 0 ? [] : [[group, rows]]
})

const note = (line: string): void => void process.stderr.write(`${line}\n`)

/** Version of the server that a run starts. */
const postgresOf = async (places: Places): Promise<string> => {
  const { seeder } = await places.open("version")
  return String((await seeder.query("SHOW server_version")).rows[0]?.["server_version"])
}

let failed = false
const failedWith = (error: unknown): void => {
  failed = true
  note(error instanceof Error ? (error.stack ?? error.message) : String(error))
}

const measure = async (places: Places): Promise<void> => {
  const plan = flags.quick ? quickPlan : fullPlan
  const rowCount = flags.rows === undefined ? undefined : Number(flags.rows)
  if (rowCount !== undefined && !(rowCount >= 1_000)) throw new Error("--rows: must be a number, 1000 at least")
  const run: Run = { plan, places, beside: flags.beside, rowCount, profile: flags.profile, note }
  const sections: Record<string, Section> = {}
  for (const [group, rows] of chosen) {
    note(`# ${group.name}`)
    try {
      sections[group.name] = await group.measure(run, rows)
    } catch (error) {
      // What other groups measure is not lost, and its servers do not disturb them.
      failedWith(error)
      await stopAll()
    }
  }
  const report = { name: flags.name ?? "now", plan, postgres: await postgresOf(places), sections }
  process.stdout.write(`${toMarkdown(report)}\n`)
  if (flags.name !== undefined) writeReport(report)
}

const folder = mkdtempSync(join(tmpdir(), "commerce-bench-"))
const places = new Places(folder, note)
await measure(places).catch(failedWith)
await stopAll()
await places.close()
rmSync(folder, { recursive: true, force: true })
process.exit(failed ? 1 : 0)
