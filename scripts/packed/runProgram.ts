/** Runs a program to its end. */
import { spawn } from "node:child_process"

export interface RunOptions {
  readonly cwd: string
  /** Milliseconds until it is stopped; three minutes by default. */
  readonly limit?: number
}

/**
 * Returns its standard output. Rejects with its last lines if it exits with another code than 0, or was stopped at its
 * limit.
 */
export const runProgram = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd, limit = 180_000 }: RunOptions
): Promise<string> =>
  new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (err += chunk))
    let stopped = false
    const late = setTimeout(() => {
      stopped = true
      child.kill("SIGKILL")
    }, limit)
    child.on("error", fail)
    child.on("close", (code, signal) => {
      clearTimeout(late)
      if (code === 0) return done(out)
      const said = `${out}\n${err}`.trim().split("\n").slice(-30).join("\n")
      const how = stopped ? `had not ended after ${limit / 1_000} s and was stopped` : `ended with ${code ?? signal}`
      fail(new Error(`\`${command.split("/").at(-1)} ${args.join(" ")}\` ${how}:\n${said}`))
    })
  })

/** Ends with one sentence where something does not hold. */
export function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}
