/**
 * `commerce serve` as the process it is, to be killed: on a port that stays its own over restarts, its output kept in a
 * log. Only processes started here are signalled, each by its own id, and none outlives the run.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createWriteStream, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** `freeze` stops the process as a paused machine does, until it is thawed. */
export type FaultKind = "kill" | "throw" | "drop" | "freeze"

export interface Fault {
  readonly point: string
  readonly kind: FaultKind
}

/** Who was at the point first. */
export type FaultMet = "request" | "worker"

export interface ServerOptions {
  readonly dataDir: string
  readonly port: number
  /** Where it runs, so that no settings of elsewhere are found. */
  readonly folder: string
  readonly log: string
  /** A server that can be told to fail (`faultyServe.ts`). */
  readonly faulty?: boolean
  /** Ends the server's connections to the database, for the fault `drop`. */
  readonly drop?: () => Promise<void>
  readonly role?: "all" | "api" | "worker"
  /** A folder whose command is to serve; this checkout's by default. */
  readonly checkout?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Server {
  readonly port: number
  readonly pid: number
  /** Milliseconds from the start of the process until it listened. */
  readonly startMillis: number
  /** The exit code, or the signal, once it has ended. */
  readonly ended: Promise<number | string>
  readonly isAlive: () => boolean
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>
  /** Whether it is stopped in the middle of whatever it did. */
  readonly isFrozen: () => boolean
  /** SIGCONT: it goes on as if no time had passed. */
  readonly thaw: () => void
  /** SIGTERM; resolves when it is gone, killed after 12 s. */
  readonly stop: () => Promise<void>
  /** The next time the point is passed, this happens, once. Resolves when the server has understood. */
  readonly arm: (fault: Fault) => Promise<void>
  /** Whether the armed fault has happened. */
  readonly metBy: () => FaultMet | undefined
  /** Names of the points passed since the start, with how often. */
  readonly passed: () => ReadonlyMap<string, number>
  /** Resident memory in MB; NaN where the system does not say. */
  readonly residentMemory: () => number
}

const alive = new Set<ChildProcess>()

process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL")
})

/** Kills every server that is still running. */
export const killAll = async (): Promise<void> => {
  const ending = [...alive].map((child) => new Promise<void>((done) => child.once("exit", () => done())))
  for (const child of alive) child.kill("SIGKILL")
  await Promise.all(ending)
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Per-IP windows are off and the clock can be moved; everything else is as it is shipped. */
const environment = (extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _url, COMMERCE_SECRET: _secret, NODE_OPTIONS: _options, ...rest } = process.env
  return {
    ...rest,
    COMMERCE_RATE_LIMIT_PER_MINUTE: "off",
    COMMERCE_TEST_CLOCK: "1",
    COMMERCE_WEBHOOK_ALLOW_PRIVATE: "1",
    ...extra
  }
}

interface FaultMessage {
  readonly armed?: true
  readonly fired?: FaultMet
  readonly passed?: string
  readonly drop?: true
}

const startPatience = 90_000

/** Resolves once it listens (a worker: once it works). */
export const startServer = async (options: ServerOptions): Promise<Server> => {
  const began = performance.now()
  const file = options.faulty === true ? "./faultyServe.ts" : "../../../cli/src/main.ts"
  const child = spawn(
    process.execPath,
    [
      "--conditions=source",
      // As the npm scripts start it.
      "--max-semi-space-size=16",
      "--heap-growing-percent=50",
      options.checkout === undefined ? pathOf(file) : join(options.checkout, "packages/cli/src/main.ts"),
      "serve",
      "--data-dir",
      options.dataDir,
      "--port",
      String(options.port),
      "--role",
      options.role ?? "all"
    ],
    {
      cwd: options.folder,
      env: environment(options.env ?? {}),
      stdio: ["ignore", "pipe", "pipe", ...(options.faulty === true ? (["ipc"] as const) : [])]
    }
  )
  alive.add(child)
  const log = createWriteStream(options.log, { flags: "a", mode: 0o600 })
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  const ended = new Promise<number | string>((done) => {
    child.once("exit", (code, signal) => {
      alive.delete(child)
      log.end()
      done(code ?? signal ?? "")
    })
  })
  let met: FaultMet | undefined
  const passed = new Map<string, number>()
  const armings: Array<() => void> = []
  child.on("message", (message: FaultMessage) => {
    if (message.armed === true) armings.shift()?.()
    if (message.fired !== undefined) met = message.fired
    if (message.drop === true) void options.drop?.().then(() => child.send({ dropped: true }))
    if (message.passed !== undefined) passed.set(message.passed, (passed.get(message.passed) ?? 0) + 1)
  })
  child.on("error", () => undefined)
  await hasStarted(child, ended, options)
  const kill = async () => {
    child.kill("SIGKILL")
    await ended
  }
  return {
    port: options.port,
    pid: child.pid ?? 0,
    startMillis: performance.now() - began,
    ended,
    isAlive: () => alive.has(child),
    kill,
    isFrozen: () => stateOf(child.pid ?? 0) === "T",
    thaw: () => void child.kill("SIGCONT"),
    stop: async () => {
      const last = setTimeout(() => child.kill("SIGKILL"), 12_000)
      child.kill("SIGTERM")
      await ended
      clearTimeout(last)
    },
    arm: (fault) =>
      new Promise((done, fail) => {
        met = undefined
        armings.push(done)
        child.send(fault, (error) => (error === null ? undefined : fail(error)))
      }),
    metBy: () => met,
    passed: () => passed,
    residentMemory: () => memoryOf(child.pid ?? 0)
  }
}

const hasStarted = (
  child: ChildProcess,
  ended: Promise<number | string>,
  { log, role }: ServerOptions
): Promise<void> =>
  new Promise((done, fail) => {
    const refuse = (why: string) => {
      child.kill("SIGKILL")
      fail(new Error(`commerce serve ${why}: ${lastWords(log)}`))
    }
    const late = setTimeout(() => refuse(`did not listen within ${startPatience / 1_000} s`), startPatience)
    let said = ""
    const look = (chunk: Buffer) => {
      if (said.length > 100_000) return
      said += chunk.toString("utf8")
      if (!said.includes(role === "worker" ? "working" : "listening on")) return
      clearTimeout(late)
      done()
    }
    child.stdout?.on("data", look)
    child.stderr?.on("data", look)
    void ended.then((code) => {
      clearTimeout(late)
      refuse(`ended with ${code}`)
    })
  })

/** The end of a log. */
const lastWords = (log: string, lines = 12): string => {
  try {
    return readFileSync(log, "utf8").trimEnd().split("\n").slice(-lines).join("\n")
  } catch {
    return ""
  }
}

/** A letter, as the system names the states of a process. */
const stateOf = (pid: number): string => {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? ""
  } catch {
    return ""
  }
}

const memoryOf = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024
  } catch {
    return Number.NaN
  }
}
