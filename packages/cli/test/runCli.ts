/** The `commerce` command as the real process it is. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const main = resolve(import.meta.dirname, "../src/main.ts")
const environment = (extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _url, COMMERCE_SECRET: _secret, ...rest } = process.env
  return { ...rest, ...extra }
}
interface RunAs {
  readonly uid: number
  readonly gid: number
}
const start = (args: ReadonlyArray<string>, extra: Readonly<Record<string, string>>, as?: RunAs): ChildProcess =>
  spawn(process.execPath, ["--conditions=source", main, ...args], { ...as, env: environment(extra), cwd: tmpdir(), stdio: ["pipe", "pipe", "pipe"] })

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export const commerce = (
  args: ReadonlyArray<string>,
  options: { readonly env?: Readonly<Record<string, string>>; readonly input?: string; readonly as?: RunAs | undefined } = {}
): Promise<Ran> =>
  new Promise((done) => {
    const child = start(args, options.env ?? {}, options.as)
    let [out, err] = ["", ""]
    child.stdout?.on("data", (chunk) => (out += chunk))
    child.stderr?.on("data", (chunk) => (err += chunk))
    child.stdin?.end(options.input ?? "")
    child.on("close", (code) => done({ code, out, err }))
  })

export interface Serving {
  readonly url: string
  readonly out: () => string
  /** Answers the exit code. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<number | null>
}

/** `commerce serve` on a free port, once it says that it listens, or what else it is to say. */
export const serving = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, ready = /listening on (\S+)/): Promise<Serving> =>
  new Promise((done, fail) => {
    const child = start(["serve", "--port", "0", ...args], env)
    const closed = new Promise<number | null>((ended) => child.on("close", (code) => ended(code)))
    let [out, err] = ["", ""]
    const look = () => {
      const found = ready.exec(`${out}\n${err}`)
      if (found === null) return
      done({
        url: found[1] ?? "",
        out: () => out,
        end: (signal) => {
          child.kill(signal)
          return closed
        }
      })
    }
    child.stderr?.on("data", (chunk) => {
      err += chunk
      look()
    })
    child.stdout?.on("data", (chunk) => {
      out += chunk
      look()
    })
    void closed.then((code) => fail(new Error(`serve ended with ${code}: ${err}`)))
  })

/** A folder that goes when the test ends. */
export const folder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "commerce-cli-"))
  // As root the embedded server runs as another user, who must get here; else its files go elsewhere and stay.
  chmodSync(path, 0o755)
  return { path: join(path, "data"), remove: () => rmSync(path, { recursive: true, force: true }) }
}
