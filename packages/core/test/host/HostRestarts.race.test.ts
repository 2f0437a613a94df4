import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const program = fileURLToPath(new URL("./processes/hostPool.ts", import.meta.url))

let test: Awaited<ReturnType<typeof TestDatabase.open>>
let client: InstanceType<typeof pg.Client>

beforeAll(async () => {
  test = await TestDatabase.open()
  client = new pg.Client(test.nodePostgres)
  await client.connect()
  await client.query("INSERT INTO account (id, name, created_at) VALUES ('acct_1', 'A', now())")
})
afterAll(async () => {
  await client.end()
  await test.close()
})

const endAll = async () =>
  (
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
  ).rows.length

describe("a host's process", () => {
  it("survives the loss of its pool's connections at any moment, and goes on when the database is there", {
    timeout: 60_000
  }, async () => {
    const host = spawn(process.execPath, ["--conditions=source", program, JSON.stringify(test.nodePostgres)], {
      stdio: ["pipe", "pipe", "pipe"]
    })
    let said = ""
    let complained = ""
    const ready = new Promise<void>((resolve) =>
      host.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes("ready")) resolve()
      })
    )
    host.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()))
    const ended = new Promise<number | null>((resolve) => host.once("exit", (code) => resolve(code)))
    await Promise.race([ready, ended])
    let lost = 0
    for (let time = 0; (time < 150 || lost <= 100) && host.exitCode === null; time++) {
      lost += await endAll()
      // So that they are lost at moments of every kind.
      await new Promise((resolve) => setTimeout(resolve, time % 12))
    }
    host.stdin.end()
    expect([await ended, complained]).toEqual([0, ""])
    const told = JSON.parse(said.split("\n")[1] ?? "{}") as { readonly succeeded: number; readonly failed: number }
    expect(lost).toBeGreaterThan(100)
    expect(told.succeeded).toBeGreaterThan(0)
    expect(told.failed).toBeGreaterThan(0)
  })
})
