/** What the bench and the proof say to who calls them for the first time, or wrongly. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { groups } from "../src/groups.ts"
import { scenarios } from "../src/proof/scenarios.ts"

const run = (program: string, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((done) => {
    const path = fileURLToPath(new URL(`../src/${program}`, import.meta.url))
    const child = spawn(process.execPath, ["--conditions=source", path, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()))
    child.on("close", (code) => done({ code, out, err }))
  })

describe("the help", () => {
  it("of the bench names every group and flag", async () => {
    const { code, out } = await run("main.ts", "--help")
    expect(code).toBe(0)
    for (const name of [...groups.map((group) => group.name), "--quick", "--name", "--beside", "--profile"])
      expect(out).toContain(`  ${name}`)
  })

  it("of the proof names every scenario and flag", async () => {
    const { code, out } = await run("proof/main.ts", "--help")
    expect(code).toBe(0)
    for (const name of [...scenarios.map((scenario) => scenario.name), "--only", "--seed", "--rounds", "--keep"])
      expect(out).toContain(`  ${name}`)
  })
})

describe("a wrong call", () => {
  it.each([
    ["main.ts", ["--fast"], "Unknown option '--fast'; see --help\n"],
    ["main.ts", ["nothing-of-ours"], "nothing-of-ours: no group and no part of a row; see --help\n"],
    ["main.ts", ["--name"], "Option '--name <value>' argument missing; see --help\n"],
    ["proof/main.ts", ["--fast"], "Unknown option '--fast'; see --help\n"],
    ["proof/main.ts", ["--seed", "x"], "--seed: must be a whole number\n"],
    ["proof/main.ts", ["--only", "nothing"], "--only: there is no scenario nothing; see --help\n"],
    ["proof/main.ts", ["oversell"], "Unexpected argument 'oversell'; see --help\n"]
  ])("of %s with %s is one line, and ends with 2", async (program, args, line) => {
    expect(await run(program, ...args)).toEqual({ code: 2, out: "", err: line })
  })
})
