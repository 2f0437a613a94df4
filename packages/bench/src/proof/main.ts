/**
 * `npm run proof`: the crashes and races that are too long for `npm test`, one scenario after another, each on a
 * database of its own. `--only oversell,server-crash` picks, `--seed 7` repeats, `--rounds 20` shortens or lengthens,
 * `--keep` leaves the folders of what failed. Rows of the report that are not run stay.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Installation, openInstallation } from "./Installation.ts"
import { makeRandom } from "./Random.ts"
import { type Outcome, quantile, type Scenario } from "./Scenario.ts"
import { scenarios } from "./scenarios.ts"
import { killAll } from "./Server.ts"
import { columns, readFlags, wrong } from "../usage.ts"
import { type Row, writeReport } from "./report.ts"

const help = `npm run proof -- [FLAGS]

Crashes, races and floods that are too long for npm test, one scenario after another, each on a database of its own.
Rows of the report (packages/bench/reports/proof.md) that are not run stay.

Scenarios:
${columns(scenarios.map(({ name, title }) => [name, title]))}
Flags:
${columns([
  ["--only NAME,NAME", "these scenarios alone"],
  ["--seed N", "repeats a run"],
  ["--rounds N", "shortens or lengthens it"],
  ["--keep", "leaves the folders of what failed"],
  ["--help", "this"]
])}
Examples:
  npm run proof -- --only server-crash --rounds 20
  npm run proof -- --only answers --seed 7
`

const { values: flags } = readFlags(
  {
    only: { type: "string" },
    seed: { type: "string" },
    rounds: { type: "string" },
    keep: { type: "boolean", default: false }
  },
  false,
  help
)

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const wholeNumber = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  return /^\d{1,9}$/.test(text) ? Number(text) : wrong(`--${flag}: must be a whole number`)
}
const seed = wholeNumber("seed", flags.seed) ?? Math.floor(Math.random() * 1_000_000)
const rounds = wholeNumber("rounds", flags.rounds)
const asked = flags.only?.split(",").map((name) => name.trim().toLowerCase())
const unknown = asked?.find((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown !== undefined) wrong(`--only: there is no scenario ${unknown}; see --help`)

const git = (...args: ReadonlyArray<string>): string => {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return ""
  }
}
const commit = git("rev-parse", "--short=12", "HEAD") || "unknown"

const folder = mkdtempSync(join(tmpdir(), "commerce-proof-"))

const bounded = (seconds: number, work: Promise<Outcome>): Promise<Outcome> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Outcome>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done within ${seconds} s`)), seconds * 1_000)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const broken = (error: unknown): Outcome => ({
  counts: {},
  latencies: [],
  // Without its stack, which names folders of this machine.
  violations: [String(error).split("\n")[0] ?? "failed"]
})

/** The installation to close if the run is interrupted. */
let open: Installation | undefined
const interrupted = async (): Promise<void> => {
  say("interrupted")
  await killAll()
  await open?.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(130)
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void interrupted())

const prove = async (scenario: Scenario): Promise<Row> => {
  const { name, title, measures, bound } = scenario
  say(`${name} ${title}: seed=${seed} commit=${commit}`)
  const began = performance.now()
  const place = join(folder, name)
  const installation = await openInstallation(place)
  open = installation
  const note = (line: string): void => say(`  ${line}`)
  const work = Promise.resolve().then(() =>
    scenario.run({ installation, random: makeRandom(seed), seed, note, rounds })
  )
  work.catch(() => undefined)
  const outcome = await bounded(bound, work).catch(broken)
  await killAll()
  await installation.close()
  open = undefined
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const pass = outcome.violations.length === 0 && outcome.notBuilt === undefined
  for (const violation of outcome.violations.slice(0, 20)) say(`  VIOLATED ${violation}`)
  if (outcome.violations.length > 20) say(`  … and ${outcome.violations.length - 20} more`)
  if (outcome.notBuilt !== undefined) say(`  NOT BUILT ${outcome.notBuilt}`)
  say(
    `  ${pass ? "passed" : outcome.notBuilt === undefined ? "FAILED" : "NOT PROVED"} after ${seconds} s: ${JSON.stringify(outcome.counts)}`
  )
  if (pass || !flags.keep) rmSync(place, { recursive: true, force: true })
  else say(`  kept in ${place}`)
  return {
    name,
    title,
    measures,
    seed,
    commit,
    seconds,
    pass,
    ...(outcome.notBuilt === undefined ? {} : { notBuilt: outcome.notBuilt }),
    counts: outcome.counts,
    p50: quantile(outcome.latencies, 0.5),
    p99: quantile(outcome.latencies, 0.99),
    violations: outcome.violations.slice(0, 20)
  }
}

let failed = false
for (const scenario of scenarios) {
  if (asked !== undefined && !asked.includes(scenario.name)) continue
  const row = await prove(scenario)
  failed ||= !row.pass && row.notBuilt === undefined
  writeReport(row)
}
if (!failed || !flags.keep) rmSync(folder, { recursive: true, force: true })
process.exit(failed ? 1 : 0)
