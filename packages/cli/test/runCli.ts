/** The `commerce` command as the real process it is: the program that is published (bundle.ts makes it). */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const main = resolve(import.meta.dirname, "../dist/main.js")
const sources = ["--conditions=source", resolve(import.meta.dirname, "../src/main.ts")]
const environment = (extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _url, COMMERCE_SECRET: _secret, ...rest } = process.env
  return { ...rest, ...extra }
}
/**
 * Root passes over the modes of files; without these capabilities it is bound by them as everybody is (setpriv is part
 * of util-linux).
 */
const boundByModes = [
  "setpriv",
  "--inh-caps=-dac_override,-dac_read_search",
  "--bounding-set=-dac_override,-dac_read_search",
  "--"
]
const start = (
  args: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>>,
  { asAnybody = false, fromSources = false }: { readonly asAnybody?: boolean; readonly fromSources?: boolean } = {}
): ChildProcess => {
  const [program = process.execPath, ...words] = [
    ...(asAnybody && process.getuid?.() === 0 ? boundByModes : []),
    process.execPath,
    ...(fromSources ? sources : [main])
  ]
  return spawn(program, [...words, ...args], {
    env: environment(extra),
    cwd: tmpdir(),
    stdio: ["pipe", "pipe", "pipe"]
  })
}

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export const commerce = (
  args: ReadonlyArray<string>,
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly input?: string
    readonly asAnybody?: boolean
    /** Module by module, as the sources are. */
    readonly fromSources?: boolean
  } = {}
): Promise<Ran> =>
  new Promise((done, fail) => {
    const child = start(args, options.env ?? {}, options)
    let [out, err] = ["", ""]
    child.stdout?.on("data", (chunk) => (out += chunk))
    child.stderr?.on("data", (chunk) => (err += chunk))
    child.stdin?.end(options.input ?? "")
    child.on("error", fail)
    child.on("close", (code) => done({ code, out, err }))
  })

export interface Serving {
  readonly url: string
  readonly out: () => string
  readonly err: () => string
  /** Answers the exit code. */
  readonly end: (signal: "SIGTERM" | "SIGINT" | "SIGKILL") => Promise<number | null>
}

/** As people run it in a checkout; signals are npm's to pass on. */
const startThroughNpm = (args: ReadonlyArray<string>): ChildProcess =>
  spawn("npm", ["run", "-s", "commerce", "--", ...args], {
    env: environment({}),
    cwd: resolve(import.meta.dirname, "../../.."),
    stdio: ["pipe", "pipe", "pipe"]
  })

/** `commerce serve` on a free port, once it says that it listens, or what else it is to say. */
export const serving = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> | "npm" = {},
  ready = /listening on (\S+)/
): Promise<Serving> =>
  new Promise((done, fail) => {
    const words = ["serve", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args]
    const child = env === "npm" ? startThroughNpm(words) : start(words, env)
    const closed = new Promise<number | null>((ended) => child.on("close", (code) => ended(code)))
    let [out, err] = ["", ""]
    const look = () => {
      const found = ready.exec(`${out}\n${err}`)
      if (found === null) return
      done({
        url: found[1] ?? "",
        out: () => out,
        err: () => err,
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

/** `commerce serve` that nobody waits for, to be killed by its own id. */
export const startServe = (
  args: ReadonlyArray<string>
): { readonly child: ChildProcess; readonly closed: Promise<number | null> } => {
  const child = start(["serve", ...args], {})
  return { child, closed: new Promise((ended) => child.on("close", (code) => ended(code))) }
}

/** A folder that goes when the test ends. */
export const folder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "commerce-cli-"))
  // As root the embedded server runs as another user, who must get here; else its files go elsewhere and stay.
  chmodSync(path, 0o755)
  return { path: join(path, "data"), remove: () => rmSync(path, { recursive: true, force: true }) }
}
