/**
 * Proves that the tests can fail: plants one fault at a time (plantedFaults.ts), runs the test files that must notice,
 * and demands a failing test of the expected name. A file that no longer loads proves nothing and counts as not
 * noticed. The faults are planted in copies of the working tree, two at a time, so the tree itself is never touched,
 * whatever happens to this process. The runs share one PostgreSQL and end at the first test that fails.
 *
 * `npm run faults -- --help` says how.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyReport, formatReport, isNoticed, type Outcome, record, reportOfToday } from "./faultsReport.ts"
import { around, type Fault, faults } from "./plantedFaults.ts"
import { copyWorkingTree } from "./workingCopy.ts"

interface Run {
  readonly failed: ReadonlyArray<string>
  readonly passed: number
  /** Whether it was ended because it took too long: it says nothing of the tests it did not come to. */
  readonly isCut: boolean
}

const root = join(import.meta.dirname, "..")
interface TestDatabaseServer {
  readonly environment: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/** Working trees to plant in, each by one process at a time. */
const copies: ReadonlyArray<string> = [1, 2].map(() => mkdtempSync(join(tmpdir(), "planted-faults-")))
const running = new Set<ChildProcess>()
/** The PostgreSQL of all runs, as `globalSetup` expects it in the environment. */
const shared: { database?: TestDatabaseServer } = {}

/** Generous: a fault may make the product loop, and a loop cannot be ended from inside. Milliseconds. */
const longestRun = 180_000
/** The tests of all chosen faults at once, before the first is planted. */
const longestHealthyRun = 3_600_000
/** Milliseconds of one test with a fault planted, which may wait for something that never happens. */
const longestTest = 60_000

/** Ends vitest and the workers it started (one process group). */
const endRun = ({ pid }: ChildProcess, signal: "SIGINT" | "SIGKILL"): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}

let isLeaving = false

const leave = async (code: number): Promise<never> => {
  isLeaving = true
  for (const run of running) endRun(run, "SIGINT")
  await shared.database?.stop()
  process.exit(code)
}
process.on("exit", () => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void leave(130))

/** Loaded late, so that an unknown word is an error before anything is started. */
const startDatabase = async (): Promise<TestDatabaseServer> => {
  const { startTestServer, testServerVariable } = await import("../packages/core/src/testing/TestServer.ts")
  const { server, stop } = await startTestServer()
  return { environment: { [testServerVariable]: JSON.stringify(server) }, stop }
}

/** The shared database is migrated without the fault: a fault in a migration gets a database of its own. */
const isOfMigrations = ({ file }: Fault): boolean =>
  file.startsWith("packages/core/migrations/") || file.endsWith("/migration/Migrations.ts")

interface TestReport {
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

interface RunOptions {
  readonly longest: number
  readonly environment: Readonly<Record<string, string>> | undefined
  readonly more: ReadonlyArray<string>
}

const runTests = async (copy: string, tests: ReadonlyArray<string>, options: RunOptions): Promise<Run> => {
  const report = join(copy, "report.json")
  rmSync(report, { force: true })
  let isCut = false
  const vitest = join(copy, "node_modules/vitest/vitest.mjs")
  const projects = new Set(tests.map((path) => `--project=${path.split("/")[1] ?? ""}*`))
  const args = [vitest, "run", "--config", "vitest.workspace.ts", "--reporter=json", `--outputFile=${report}`]
  await new Promise<void>((resolve) => {
    const run = spawn(process.execPath, [...args, ...projects, ...options.more, ...tests], {
      cwd: copy,
      stdio: "ignore",
      detached: true,
      env: { ...process.env, ...options.environment, CI: "true" }
    })
    running.add(run)
    const late = setTimeout(() => {
      isCut = true
      endRun(run, "SIGINT")
    }, options.longest)
    const tooLate = setTimeout(() => endRun(run, "SIGKILL"), options.longest + 10_000)
    run.on("close", () => {
      clearTimeout(late)
      clearTimeout(tooLate)
      running.delete(run)
      resolve()
    })
  })
  const { testResults } = readReport(report)
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    failed: all.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
    passed: all.filter(({ status }) => status === "passed").length,
    isCut
  }
}

/** Runs up to the first failing test; runs the whole file if another test than the expected one fails first. */
const runBroken = async (copy: string, fault: Fault): Promise<Run> => {
  const environment = isOfMigrations(fault) ? undefined : shared.database?.environment
  const options = { longest: longestRun, environment, more: [`--testTimeout=${longestTest}`] }
  const first = await runTests(copy, fault.tests, { ...options, more: [...options.more, "--bail=1"] })
  const isEnough = first.failed.length === 0 || problemOf(fault, first) === undefined
  return isEnough ? first : runTests(copy, fault.tests, options)
}

const readReport = (path: string): TestReport => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as TestReport
  } catch {
    return { testResults: [] }
  }
}

const problemOf = (fault: Fault, { failed, isCut }: Run): string | undefined => {
  if (failed.length === 0) return isCut ? `no test failed within ${longestRun / 60_000} minutes` : "no test failed"
  const expected = fault.noticedBy
  return expected === undefined || failed.some((name) => name.includes(expected))
    ? undefined
    : `other tests failed, but none named "${expected}"`
}

const plant = async (copy: string, fault: Fault): Promise<Outcome> => {
  const path = join(copy, fault.file)
  const text = readFileSync(path, "utf8")
  const pieces = around(fault, text)
  if (pieces.length !== 2) {
    return {
      fault,
      line: 0,
      before: fault.find,
      after: fault.replace,
      failed: [],
      problem: `found ${pieces.length - 1} times in ${fault.file}; must be once`
    }
  }
  const line = (pieces[0] ?? "").split("\n").length
  writeFileSync(path, pieces.join(fault.replace))
  try {
    const run = await runBroken(copy, fault)
    return { fault, line, before: fault.find, after: fault.replace, failed: run.failed, problem: problemOf(fault, run) }
  } finally {
    writeFileSync(path, text)
  }
}

const help = `npm run faults [-- --rest | WORD ...]

Plants each fault of scripts/faults and writes docs/planted-faults.md, a row after each: all of them take hours.

  WORD ...  only faults whose id contains one of the words; their rows are replaced where the report is of the sources
            as they are, else it stays as it is
  --rest    only faults that the report of the sources as they are does not have as noticed: a run that was ended goes on
`

const words = process.argv.slice(2)
if (words.includes("--help")) {
  console.log(help)
  process.exit(0)
}
const isRest = words.includes("--rest")
const known = words.length === 0 ? emptyReport() : reportOfToday()
if (isRest && known === undefined) {
  console.error("faults: docs/planted-faults.md is of other sources: plant them all, without --rest")
  process.exit(1)
}
const isChosen = (fault: Fault): boolean =>
  isRest
    ? known === undefined || !isNoticed(known, fault)
    : words.length === 0 || words.some((word) => fault.id.includes(word))
const chosen = faults.filter(isChosen)
if (chosen.length === 0) {
  console.error(
    isRest
      ? "faults: none is left"
      : `faults: no fault has ${words.join(" or ")} in its id; ids are like ${faults[0]?.id ?? ""}`
  )
  process.exit(isRest ? 0 : 1)
}
for (const copy of copies) copyWorkingTree(root, copy)
shared.database = await startDatabase()

const files = [...new Set(chosen.flatMap(({ tests }) => tests))]
const [first = ""] = copies
const healthy = await runTests(first, files, {
  longest: longestHealthyRun,
  environment: shared.database.environment,
  more: []
})
if (healthy.isCut) {
  console.error(`The tests without a fault have not ended after ${longestHealthyRun / 60_000} minutes`)
  await leave(1)
}
if (healthy.failed.length > 0 || healthy.passed === 0) {
  const failed = healthy.failed.length > 0 ? healthy.failed : ["No test ran. Is a path wrong?", ...files]
  console.error(`The tests must pass before a fault is planted (${healthy.passed} passed):\n${failed.join("\n")}`)
  await leave(1)
}

const waiting = chosen.values()
let missed = 0
const plantAll = async (copy: string): Promise<void> => {
  for (const fault of waiting) {
    const outcome = await plant(copy, fault)
    // A run that was ended says nothing.
    if (isLeaving) return
    const { problem, failed } = outcome
    if (problem !== undefined) missed += 1
    if (known !== undefined) record(known, outcome)
    console.log(`${problem === undefined ? "noticed    " : "NOT NOTICED"} ${fault.id}: ${problem ?? failed[0] ?? ""}`)
  }
}
await Promise.all(copies.map(plantAll))
if (known === undefined) console.log("docs/planted-faults.md is of other sources and stays as it is")
else formatReport()
console.log(`${chosen.length - missed} of ${chosen.length} planted faults noticed`)
await leave(missed === 0 ? 0 : 1)
