/** `npm run commerce` as a newcomer runs it: the one program that is published too. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../../..")
const dist = join(root, "packages/cli/dist")

const npmRun = (args: ReadonlyArray<string>): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done, fail) => {
    const child = spawn("npm", ["run", "-s", "commerce", "--", ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"]
    })
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (err += chunk))
    child.on("error", fail)
    child.on("close", (code) => done({ code, out, err }))
  })

describe("npm run commerce", () => {
  beforeAll(async () => {
    await npmRun(["--version"])
  })

  it("runs the bundle, made once and not again while no source changes", async () => {
    const made = statSync(join(dist, "main.js")).mtimeMs
    const { code, out, err } = await npmRun(["--version"])
    expect([code, out, err.includes("could not be bundled")]).toEqual([0, "0.1.0\n", false])
    expect(statSync(join(dist, "main.js")).mtimeMs).toBe(made)
  })

  it("finds its migrations, PostgreSQL and argon2 outside of the bundle", async () => {
    const folder = mkdtempSync(join(tmpdir(), "commerce-bundle-"))
    const { code, out } = await npmRun(["init", "--data-dir", folder, "--email", "ada@example.com", "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ storeId: expect.stringMatching(/^store_/) })
    rmSync(folder, { recursive: true, force: true })
  })

  it("carries the licence of every package it contains parts of", () => {
    const notice = readFileSync(join(dist, "NOTICE"), "utf8")
    for (const name of ["country-region-data", "effect", "jose", "nodemailer", "undici", "ws"])
      expect(notice).toMatch(new RegExp(`^${name} \\d+\\.`, "m"))
    expect(notice).not.toContain("@node-rs/argon2")
  })
})
