/** What somebody sees who starts the command at a terminal: a pseudo-terminal of `script` (util-linux). */
import { type ChildProcess, spawn } from "node:child_process"
import { resolve } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { folder } from "./runCli.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const dataDir = () => {
  const made = folder()
  cleanups.push(made.remove)
  return made.path
}

const command = `'${process.execPath}' '${resolve(import.meta.dirname, "../dist/main.js")}'`

const atTerminal = (line: string) => {
  const { DATABASE_URL: _url, COMMERCE_SECRET: _secret, ...env } = process.env
  const child: ChildProcess = spawn("script", ["-qec", line, "/dev/null"], { env, stdio: ["pipe", "pipe", "inherit"] })
  let seen = ""
  const waiting: Array<() => void> = []
  child.stdout?.on("data", (chunk) => {
    seen += chunk
    for (const look of waiting) look()
  })
  return {
    seen: () => seen,
    shows: (words: string) =>
      new Promise<void>((done) => {
        const look = () => (seen.includes(words) ? done() : undefined)
        waiting.push(look)
        look()
      }),
    type: (keys: string) => child.stdin?.write(keys),
    ended: new Promise<number | null>((done) => child.on("close", done))
  }
}

/** The lines that stayed on the screen, without the steps of a bar. */
const linesOf = (seen: string): ReadonlyArray<string> =>
  seen.split("\n").map((line) => line.trimEnd().split("\r").at(-1) ?? "")
const full = "█".repeat(30)

describe("at a terminal", () => {
  it("a first run says in plain words what it does, with bars, also where its output goes elsewhere", async () => {
    const demo = atTerminal(`${command} serve --demo --port 0 --data-dir '${dataDir()}' | cat`)
    await demo.shows("/docs")
    demo.type("\u0003")
    await demo.ended
    const lines = linesOf(demo.seen())
    expect(demo.seen()).not.toContain('{"time"')
    const filling = lines.indexOf("Filling the demo store …")
    expect(filling).toBeGreaterThanOrEqual(0)
    expect(lines[filling + 1]).toMatch(new RegExp(`^${full} (\\d+)/\\1 rows$`))
  }, 120_000)

  it("init shows how far the migrations are, and what it made", async () => {
    const init = atTerminal(`${command} init --data-dir '${dataDir()}'`)
    expect(await init.ended).toBe(0)
    const lines = linesOf(init.seen())
    expect(lines.some((line) => new RegExp(`^${full} (\\d+)/\\1 migrations$`).test(line))).toBe(true)
    expect(lines.some((line) => /^admin key {6}svc_/.test(line))).toBe(true)
  })
})
