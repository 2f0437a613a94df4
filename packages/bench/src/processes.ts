/** Child processes of a run. Each is ended by its own id, and all of them when the run ends, however it does. */
import { type ChildProcess, fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"

const running = new Set<ChildProcess>()

process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM")
})

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

export interface StartOptions {
  readonly args?: ReadonlyArray<string>
  /** Undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Further arguments of node itself. */
  readonly node?: ReadonlyArray<string>
}

export const pause = (millis: number): Promise<void> => new Promise((done) => setTimeout(done, millis))

/** Starts a file beside this one with this node, sources first. Standard error is this process's. */
export const startFile = (file: string, { args = [], env = {}, node = [] }: StartOptions = {}): ChildProcess => {
  const child = fork(pathOf(file), args, {
    execArgv: ["--conditions=source", ...node],
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"]
  })
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

/** Resolves when the process has printed `word` to standard output. */
export const hasSaid = (child: ChildProcess, word: string): Promise<void> =>
  new Promise((done, fail) => {
    let said = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
      if (said.includes(word)) done()
    })
    child.once("exit", (code) => fail(new Error(`the process ended with ${code} before it said "${word}": ${said}`)))
  })

/** The whole standard output of a process that has exited with 0. */
export const said = async (child: ChildProcess): Promise<string> => {
  let text = ""
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8")
  })
  await ended(child)
  return text
}

/** Asks a process by message; its answer carries `error` where something went wrong. */
export const ask = <A>(child: ChildProcess, message: object): Promise<A> =>
  new Promise((done, fail) => {
    child.once("message", (answer: { readonly error?: string }) =>
      answer.error === undefined ? done(answer as A) : fail(new Error(answer.error))
    )
    child.send(message)
  })

/** Resolves when the process has ended by itself, and well. */
export const ended = (child: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    child.stdout?.resume()
    child.once("exit", (code) => (code === 0 ? done() : fail(new Error(`the process ended with ${code}`))))
  })

/** SIGTERM, and resolves when it has ended. */
export const stop = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => {
        child.once("exit", () => done())
        child.kill("SIGTERM")
      })

/** Ends every process of the run. */
export const stopAll = async (): Promise<void> => {
  await Promise.all([...running].map(stop))
}

/** A port of the loopback that nobody listens on now. */
export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Resident memory in MB; undefined where the system does not say (no /proc). */
export const residentMemory = (child: ChildProcess): number | undefined => {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
  } catch {
    return undefined
  }
}
