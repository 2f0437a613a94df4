/** Runs tests of the repository at another size, which they take from the environment. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Run } from "./Scenario.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
/** Lines of a failure that are shown. */
const shownLines = 60

/** `files` is a part of the names of their files. Resolves with the exit code. */
export const runTests = async (
  files: string,
  env: Readonly<Record<string, string>>,
  note: Run["note"]
): Promise<number | null> => {
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.workspace.ts", "--testTimeout", "3600000", files],
    { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] }
  )
  let told = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (told += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
  if (code !== 0) for (const line of told.split("\n").slice(-shownLines)) note(line)
  return code
}
