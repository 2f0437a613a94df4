/**
 * Proves that the tests can fail: plants one fault at a time (plantedFaults.ts), runs the test files that must notice,
 * and demands a failing test of the expected name. A file that no longer loads proves nothing and counts as not
 * noticed. The faults are planted in a copy of the working tree, so the tree itself is never touched, whatever happens
 * to this process.
 *
 *   npm run faults              every fault; writes docs/planted-faults.md
 *   npm run faults -- tax cart  only faults whose id contains one of the words; writes nothing
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Fault, faults } from "./plantedFaults.ts"
import { copyWorkingTree } from "./workingCopy.ts"

interface Outcome {
  readonly fault: Fault
  readonly line: number
  readonly before: string
  readonly after: string
  /** Full names of the tests that failed. */
  readonly failed: ReadonlyArray<string>
  /** Why the fault counts as not noticed; undefined when it was. */
  readonly problem: string | undefined
}

interface Run {
  readonly failed: ReadonlyArray<string>
  readonly passed: number
}

const root = join(import.meta.dirname, "..")
const copy = mkdtempSync(join(tmpdir(), "planted-faults-"))
let running: ChildProcess | undefined

/** Generous: a fault may make the product loop, and a loop cannot be ended from inside. Milliseconds. */
const longestRun = 180_000
/** The tests of all chosen faults at once, before the first is planted. */
const longestHealthyRun = 1_200_000

/** Ends vitest and the workers it started (one process group); asked nicely it also stops its database. */
const endRun = (signal: "SIGINT" | "SIGKILL"): void => {
  try {
    if (running?.pid !== undefined) process.kill(-running.pid, signal)
  } catch {
    // It has ended by itself.
  }
}

const leave = (): void => {
  endRun("SIGINT")
  rmSync(copy, { recursive: true, force: true })
}
process.on("exit", leave)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130))

interface TestReport {
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

const runTests = async (tests: ReadonlyArray<string>, longest = longestRun): Promise<Run> => {
  const report = join(copy, "report.json")
  rmSync(report, { force: true })
  const vitest = join(copy, "node_modules/vitest/vitest.mjs")
  const args = [vitest, "run", "--config", "vitest.workspace.ts", "--reporter=json", `--outputFile=${report}`, ...tests]
  await new Promise<void>((resolve) => {
    running = spawn(process.execPath, args, {
      cwd: copy,
      stdio: "ignore",
      detached: true,
      env: { ...process.env, CI: "true" }
    })
    const late = setTimeout(() => endRun("SIGINT"), longest)
    const tooLate = setTimeout(() => endRun("SIGKILL"), longest + 10_000)
    running.on("close", () => {
      clearTimeout(late)
      clearTimeout(tooLate)
      resolve()
    })
  })
  running = undefined
  const { testResults } = readReport(report)
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    failed: all.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
    passed: all.filter(({ status }) => status === "passed").length
  }
}

const readReport = (path: string): TestReport => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as TestReport
  } catch {
    return { testResults: [] }
  }
}

const problemOf = (fault: Fault, { failed }: Run): string | undefined => {
  if (failed.length === 0) return "no test failed"
  const expected = fault.noticedBy
  return expected === undefined || failed.some((name) => name.includes(expected))
    ? undefined
    : `other tests failed, but none named "${expected}"`
}

/** Finds the text however the formatter has broken its lines. */
const inAnyLayout = (text: string): RegExp =>
  new RegExp([...text.replace(/\s/g, "")].map((char) => char.replace(/[$()*+./?[\\\]^{|}]/, "\\$&")).join("\\s*"))

const plant = async (fault: Fault): Promise<Outcome> => {
  const path = join(copy, fault.file)
  const text = readFileSync(path, "utf8")
  const pieces = text.split(inAnyLayout(fault.find))
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
    const run = await runTests(fault.tests)
    return { fault, line, before: fault.find, after: fault.replace, failed: run.failed, problem: problemOf(fault, run) }
  } finally {
    writeFileSync(path, text)
  }
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ").trim()
const code = (text: string): string => (text.trim() === "" ? "*(nothing)*" : `\`${cell(text)}\``)

const rowOf = ({ fault, before, after, failed, problem }: Outcome): string => {
  const name = failed.find((test) => test.includes(fault.noticedBy ?? "")) ?? ""
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : ""
  const noticed = problem === undefined ? `${cell(name)}${more}` : `**not noticed**: ${cell(problem)}`
  return `| ${fault.id} | ${cell(fault.breaks)} | ${fault.file.replace("packages/", "")} | ${code(before)} | ${code(after)} | ${noticed} |`
}

const writeReport = (outcomes: ReadonlyArray<Outcome>): void => {
  const noticed = outcomes.filter(({ problem }) => problem === undefined).length
  const text = [
    "# Planted faults",
    "",
    "Written by `npm run faults`, which breaks one line at a time and runs the tests that must notice. A fault " +
      "counts as noticed",
    "only when a test fails, not when a file no longer loads.",
    "",
    `${noticed} of ${outcomes.length} noticed.`,
    "",
    "| fault | what it would do | file | line | became | failing test |",
    "|---|---|---|---|---|---|",
    ...outcomes.map(rowOf),
    ""
  ].join("\n")
  writeFileSync(join(root, "docs/planted-faults.md"), text)
}

const words = process.argv.slice(2)
const chosen = faults.filter(({ id }) => words.length === 0 || words.some((word) => id.includes(word)))
if (chosen.length === 0) {
  console.error(`faults: no fault has ${words.join(" or ")} in its id; ids are like ${faults[0]?.id ?? ""}`)
  process.exit(1)
}
copyWorkingTree(root, copy)

const files = [...new Set(chosen.flatMap(({ tests }) => tests))]
const healthy = await runTests(files, longestHealthyRun)
if (healthy.failed.length > 0 || healthy.passed === 0) {
  const failed = healthy.failed.length > 0 ? healthy.failed : ["No test ran. Is a path wrong?", ...files]
  console.error(`The tests must pass before a fault is planted (${healthy.passed} passed):\n${failed.join("\n")}`)
  process.exit(1)
}

const outcomes: Array<Outcome> = []
for (const fault of chosen) {
  const outcome = await plant(fault)
  outcomes.push(outcome)
  console.log(
    `${outcome.problem === undefined ? "noticed    " : "NOT NOTICED"} ${fault.id}: ${outcome.problem ?? outcome.failed[0] ?? ""}`
  )
}
if (words.length === 0) writeReport(outcomes)
const missed = outcomes.filter(({ problem }) => problem !== undefined).length
console.log(`${outcomes.length - missed} of ${outcomes.length} planted faults noticed`)
process.exit(missed === 0 ? 0 : 1)
