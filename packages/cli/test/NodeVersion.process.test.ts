/** What somebody sees who runs the command or imports the library on a Node that is too old. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { nodeProblem } from "@effect-commerce/core/kernel/NodeVersion"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "commerce-node-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const pretends = join(folder, "pretends.mjs")
writeFileSync(
  pretends,
  `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.18.9" } })`
)
const says = "needs Node 22.19 or newer, and this is 22.18.9"

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, ["--conditions=source", `--import=${pretends}`, ...args], {
    encoding: "utf8",
    cwd: resolve(import.meta.dirname, "..")
  })

describe("a Node that is too old", () => {
  it.each([
    ["20.20.2", false],
    ["22.18.9", false],
    ["22.19.0", true],
    ["22.20.0", true],
    ["24.0.0", true],
    ["100.0.0", true]
  ])("%s will do: %s", (version, willDo) => {
    expect(nodeProblem(version) === undefined).toBe(willDo)
  })

  it("ends the command with one line", () => {
    const { status, stdout, stderr } = run(resolve(import.meta.dirname, "../src/main.ts"), "--help")
    expect([status, stdout, stderr]).toEqual([1, "", `commerce: ${says}\n`])
  })

  it("is named by the library before anything of it is loaded", () => {
    const { status, stdout } = run(
      "--input-type=module",
      "--eval",
      `await import("@effect-commerce/handler").catch((error) => process.stdout.write(error.stack))`
    )
    expect([status, stdout]).toEqual([0, `effect-commerce ${says}`])
  })
})
