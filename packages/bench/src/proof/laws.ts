/**
 * The laws of the tests, in many more random cases: totals, taxes, discounts, tenders, allocation, and what else a
 * `.prop.test.ts` states, beside evaluators that are written apart from the product. A law that does not hold prints the
 * seed and path by which the test repeats it.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Outcome, Run } from "./Scenario.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
/** A part of the names of their files. */
const laws = ".prop.test"
/** Lines of a failure that are shown. */
const shownLines = 60

export const proveLaws = async ({ note, rounds }: Run, { cases }: { readonly cases: number }): Promise<Outcome> => {
  const count = rounds ?? cases
  const began = performance.now()
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.workspace.ts", "--testTimeout", "3600000", laws],
    { cwd: root, env: { ...process.env, LAW_CASES: String(count) }, stdio: ["ignore", "pipe", "pipe"] }
  )
  let told = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (told += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
  if (code !== 0) for (const line of told.split("\n").slice(-shownLines)) note(line)
  return {
    counts: { cases: count },
    latencies: [(performance.now() - began) / count],
    violations: code === 0 ? [] : [`a law does not hold (exit ${code})`]
  }
}
