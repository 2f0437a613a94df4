import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { png, jpeg } from "../../src/testing/TestImages.ts"
import { Effect, Fiber } from "effect"
import sharp from "sharp"
import { afterEach, describe, expect, it } from "vitest"
import { type DecodingOptions, makeDecodingProcess } from "../../src/image/DecodingProcess.ts"

const generous = { side: 400, maxPixels: 40_000_000, maxBytes: 2 ** 30, millis: 60_000 }
const closers: Array<() => Promise<void>> = []
const open = (options: Partial<DecodingOptions> = {}) => {
  const { decode, close, pid } = makeDecodingProcess({ ...generous, ...options })
  closers.push(() => Effect.runPromise(close))
  return { decode: (bytes: Uint8Array) => Effect.runPromise(decode(bytes)), fork: decode, pid }
}
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A process that has ended and was not collected by its parent yet does not run. */
const isRunning = (pid: number | undefined): boolean => {
  try {
    process.kill(pid ?? 0, 0)
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
  } catch {
    return false
  }
}
const untilEnded = async (pid: number): Promise<void> => {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe("a picture that is decoded", () => {
  it("becomes a WebP of 400 pixels a side, in a process that serves the next one too", async () => {
    const { decode, pid } = open()
    const small = await decode(png(800, 400))
    expect(await sharp(small as Uint8Array).metadata()).toMatchObject({ format: "webp", width: 400, height: 200 })
    const first = pid()
    expect(first).not.toBe(process.pid)
    await decode(png(9, 9))
    expect(pid()).toBe(first)
  })

  it("that is none is told from one that was stopped", async () => {
    const { decode } = open()
    expect(await decode(jpeg(30, 20))).toBe("unreadable")
  })

  it("is stopped when it takes too long: the process is killed, and the next picture has one of its own", async () => {
    const { decode, pid } = open({ millis: 1 })
    expect([await decode(png(4_000, 4_000)), pid()]).toEqual(["stopped", undefined])
    expect([await decode(png(4_000, 4_000)), pid()]).toEqual(["stopped", undefined])
  })

  it("is stopped also where its process does nothing at all any more", async () => {
    const { decode, pid } = open({ millis: 3_000 })
    while ((await decode(png(9, 9))) === "stopped");
    const frozen = pid()
    process.kill(frozen ?? 0, "SIGSTOP")
    expect(await decode(png(9, 9))).toBe("stopped")
    expect(isRunning(frozen)).toBe(false)
    while ((await decode(png(9, 9))) === "stopped");
    expect(pid()).not.toBe(frozen)
  })

  it("is stopped when it takes too much memory", async () => {
    const { decode } = open({ maxBytes: 1_000_000 })
    expect(await decode(png(4_000, 4_000))).toBe("stopped")
  })

  it("is given up: nothing works on it any more when that is answered", async () => {
    const { decode, fork, pid } = open()
    await decode(png(9, 9))
    const its = pid()
    const fiber = Effect.runFork(fork(png(4_000, 4_000)))
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(isRunning(its)).toBe(false)
  })

  it("is seen by no process that knows a secret of this one", async () => {
    process.env["COMMERCE_SECRET_OF_THIS_TEST"] = "do not pass on"
    const { decode, pid } = open()
    await decode(png(9, 9))
    delete process.env["COMMERCE_SECRET_OF_THIS_TEST"]
    if (process.platform === "linux")
      expect(readFileSync(`/proc/${pid()}/environ`, "utf8")).not.toContain("do not pass on")
  })
})

describe("the process that decodes", () => {
  it("is gone when the one that started it was killed, in the middle of a picture", async () => {
    const parent: ChildProcess = spawn(
      process.execPath,
      ["--conditions=source", "--no-warnings", join(import.meta.dirname, "decodingParent.ts")],
      { stdio: ["ignore", "pipe", "inherit"] }
    )
    const pid = await new Promise<number>((resolve, reject) => {
      if (parent.stdout !== null)
        createInterface({ input: parent.stdout }).once("line", (line) => resolve(Number(line)))
      parent.once("exit", (code) => reject(new Error(`it ended with ${code}`)))
    })
    expect(isRunning(pid)).toBe(true)
    parent.kill("SIGKILL")
    await untilEnded(pid)
    expect(isRunning(pid)).toBe(false)
  })

  it("stays when a terminal interrupts every process of the command", async () => {
    const { decode, pid } = open()
    await decode(png(9, 9))
    const its = pid()
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(its ?? 0, signal)
    expect(await decode(png(9, 9))).toBeInstanceOf(Uint8Array)
    expect(pid()).toBe(its)
  })
})
