/**
 * A separate process that decodes uploaded pictures: decoders cannot be interrupted, so the process is killed instead.
 * It starts with the first picture, decodes one after the other, and ends when it has been idle for a while. It gets no
 * secret from the environment and a lower priority, and ends by itself when this process has ended.
 */
import { type ChildProcess, fork } from "node:child_process"
import { constants, setPriority } from "node:os"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { ProgramAnswer, ProgramSettings } from "./thumbnailProgram.ts"

/** "stopped": the picture took too long or too much memory, or the process ended otherwise. */
export type Decoded = ProgramAnswer | "stopped"

export interface DecodingOptions extends ProgramSettings {
  /** Milliseconds of real time for one picture, the start of the process included. */
  readonly millis: number
}

/** The program beside this module, with the same suffix, in the sources and in a build. */
const program = fileURLToPath(
  new URL(`./thumbnailProgram${extname(new URL(import.meta.url).pathname)}`, import.meta.url)
)
/** Environment variables needed to find programs and libraries. */
const passedOn = ["PATH", "LD_LIBRARY_PATH", "SystemRoot"]
/** Milliseconds without a picture after which the process ends. */
const idleMillis = 30_000

const start = (settings: ProgramSettings): ChildProcess => {
  const child = fork(program, [JSON.stringify(settings)], {
    execArgv: ["--max-old-space-size=64"],
    env: Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced"
  })
  makeNice(child)
  return child
}

/** An idle process does not keep this process from exiting. */
const setBusy = (child: ChildProcess, isBusy: boolean): void => {
  const how = isBusy ? "ref" : "unref"
  child[how]()
  child.channel?.[how]()
}

const makeNice = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

/** One picture at a time: the caller ensures that. */
export const makeDecodingProcess = ({ millis, ...settings }: DecodingOptions) => {
  let running: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  const forget = (child: ChildProcess): void => {
    if (running === child) running = undefined
  }

  const runningOne = (): ChildProcess => {
    if (running !== undefined) return running
    const child = start(settings)
    child.once("exit", () => forget(child))
    // A process that could not be started does not exit.
    child.on("error", () => (child.pid === undefined ? forget(child) : child.kill("SIGKILL")))
    running = child
    return child
  }

  const kill = (child: ChildProcess | undefined) =>
    Effect.callback<void>((resume) => {
      if (child === undefined || child !== running) return resume(Effect.void)
      // Keeps this process alive until the picture is done.
      setBusy(child, true)
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGKILL")
    })

  /** When it returns or is interrupted, no work on the picture is left running. */
  const decode = (bytes: Uint8Array): Effect.Effect<Decoded> =>
    Effect.callback((resume) => {
      clearTimeout(idle)
      const child = runningOne()
      setBusy(child, true)
      const late = setTimeout(() => child.kill("SIGKILL"), millis)
      const finish = (decoded: Decoded) => {
        clearTimeout(late)
        child.off("message", answered).off("exit", stopped).off("error", failed)
        setBusy(child, false)
        idle = setTimeout(() => {
          forget(child)
          child.kill("SIGKILL")
        }, idleMillis)
        idle.unref()
        resume(Effect.succeed(decoded))
      }
      const answered = (answer: unknown) => finish(answer as ProgramAnswer)
      const stopped = () => finish("stopped")
      const failed = () => child.pid === undefined && finish("stopped")
      child.on("message", answered).on("exit", stopped).on("error", failed)
      // A process that could not be started emits its error later.
      if (child.connected) child.send(bytes, (error) => error !== null && child.kill("SIGKILL"))
      return Effect.suspend(() => {
        clearTimeout(late)
        return kill(child)
      })
    })

  return { decode, close: Effect.suspend(() => kill(running)), pid: () => running?.pid }
}
