/** `npm run commerce` as a newcomer runs it: the one program that is published too. */
import { fork, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { png } from "@effect-commerce/core/testing/TestImages"
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

  it("makes thumbnails, in a program beside it", async () => {
    const child = fork(
      join(dist, "thumbnailProgram.js"),
      [JSON.stringify({ side: 40, maxPixels: 1e6, maxBytes: 1e9 })],
      {
        serialization: "advanced",
        execArgv: []
      }
    )
    const answer = new Promise<unknown>((done) => child.once("message", done))
    child.send(png(80, 60))
    expect(Buffer.from((await answer) as Uint8Array).toString("latin1", 8, 12)).toBe("WEBP")
    const ended = new Promise((done) => child.once("exit", done))
    child.disconnect()
    await ended
  })

  it("carries the licence of every package it contains parts of", () => {
    const notice = readFileSync(join(dist, "NOTICE"), "utf8")
    for (const name of ["country-region-data", "effect", "jose", "nodemailer", "undici", "ws"])
      expect(notice).toMatch(new RegExp(`^${name} \\d+\\.`, "m"))
    expect(notice).not.toContain("@node-rs/argon2")
  })
})
