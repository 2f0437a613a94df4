/**
 * A Redis of its own for a test file: the machine's `redis-server` on a free port of loopback, with a temporary folder.
 * It can be killed, frozen and started again on the same port.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./freePort.ts"

const places = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"]

/** Where it is installed, or undefined. */
export const redisProgram = places.find((path) => existsSync(path))

/** Says on standard error what is not tested where there is no Redis. */
export const sayWithoutRedis = (what: string): void => {
  if (redisProgram === undefined) process.stderr.write(`NOT TESTED: no redis-server is installed, so ${what}\n`)
}

export interface TestRedis {
  readonly url: string
  readonly port: number
  /** As a crash of the machine ends it: nothing is said or saved. */
  readonly kill: () => Promise<void>
  /** On the same port, with what it has kept. */
  readonly start: () => Promise<void>
  /** It says nothing until it is thawed, and its connections stay. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Ends it and removes its folder. */
  readonly close: () => Promise<void>
}

/** Resolves once it takes connections; rejects with what it has printed if it ends. */
const ready = (child: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    let printed = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString()
      if (/Ready to accept connections/.test(printed)) done()
    })
    child.once("error", fail)
    child.once("exit", () => fail(new Error(`redis-server ended: ${printed}`)))
  })

/** `words` are more of its settings: `["--appendonly", "yes"]`. Nothing is saved by default. */
export const startTestRedis = async (
  words: ReadonlyArray<string> = [],
  { isSecure = false }: { readonly isSecure?: boolean } = {}
): Promise<TestRedis> => {
  if (redisProgram === undefined) throw new Error("no redis-server is installed")
  const program = redisProgram
  const [folder, port] = [mkdtempSync(join(tmpdir(), "commerce-redis-")), await freePort()]
  const listens = isSecure ? ["--port", "0", "--tls-port"] : ["--port"]
  const settings = [...listens, String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", ...words]
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(program, settings, { stdio: ["ignore", "pipe", "ignore"] })
    await ready(child)
  }
  const kill = async () => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null) return
    const ended = once(running, "exit")
    running.kill("SIGKILL")
    await ended
  }
  const signal = (name: NodeJS.Signals) => () => void child?.kill(name)
  await start()
  return {
    url: `redis${isSecure ? "s" : ""}://127.0.0.1:${port}`,
    port,
    kill,
    start,
    freeze: signal("SIGSTOP"),
    thaw: signal("SIGCONT"),
    close: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
