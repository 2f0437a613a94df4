/**
 * PgBouncer in transaction mode before a test's server: the machine's `pgbouncer`, on a free port of loopback, with
 * nothing allowed that it does not allow by itself.
 */
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { ConnectionOptions } from "../database/ConnectionOptions.ts"
import { serverOwner } from "../embedded/internal/processOwner.ts"
import { freePort } from "../testing/freePort.ts"
import { currentTestServer, runStatement } from "../testing/TestServer.ts"

const places = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"]

/** Where it is installed, or undefined. */
export const pgBouncerProgram = places.find((path) => existsSync(path))

/** Says on standard error what is not tested where there is none. */
export const sayWithoutPgBouncer = (what: string): void => {
  if (pgBouncerProgram === undefined) process.stderr.write(`NOT TESTED: no pgbouncer is installed, so ${what}\n`)
}

export interface TestPgBouncer {
  /** A database through it, as the superuser of the server. */
  readonly connectionTo: (database: string) => ConnectionOptions
  readonly close: () => Promise<void>
}

/** `connections`: those that it keeps to each database, which all clients share. */
export const startTestPgBouncer = async (connections: number): Promise<TestPgBouncer> => {
  if (pgBouncerProgram === undefined) throw new Error("no pgbouncer is installed")
  const { connection } = currentTestServer()
  const { path, host = "127.0.0.1", port: serverPort = 5432, username, password } = connection
  const place = path === undefined ? `host=${host} port=${serverPort}` : placeOf(path)
  const [folder, port] = [mkdtempSync(join(tmpdir(), "commerce-bouncer-")), await freePort()]
  const file = join(folder, "pgbouncer.ini")
  const settings = [
    "[databases]",
    `* = ${place} user=${username} password=${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${connections}`,
    "max_client_conn = 500"
  ]
  writeFileSync(file, `${settings.join("\n")}\n`, { mode: 0o600 })
  const owner = serverOwner(folder)
  if (owner !== undefined) for (const one of [folder, file]) chownSync(one, owner.uid, owner.gid)
  const child = spawn(pgBouncerProgram, ["-q", file], { ...owner, cwd: "/", stdio: "ignore" })
  const connectionTo = (database: string): ConnectionOptions => ({
    host: "127.0.0.1",
    port,
    username,
    password: Redacted.make(password),
    database
  })
  for (let i = 0; ; i++) {
    const asked = await Effect.runPromise(
      Effect.result(runStatement({ ...connectionTo("postgres"), applicationName: "ready" }, "SELECT 1"))
    )
    // It refuses a session with settings of its own, and has answered by that.
    if (asked._tag === "Success" || /startup parameter/.test(asked.failure.reason.message)) break
    if (i === 200 || child.exitCode !== null)
      throw new Error(`pgbouncer does not answer: ${asked.failure.reason.message}`)
    await sleep(50)
  }
  return {
    connectionTo,
    close: async () => {
      const ended = once(child, "exit")
      if (child.exitCode === null) {
        child.kill("SIGTERM")
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const placeOf = (path: string): string => `host=${dirname(path)} port=${/\d+$/.exec(path)?.[0] ?? "5432"}`
