/** A PostgreSQL as an operator has it, with `pg_dump` and `pg_restore`: the embedded one comes without them. */
import { execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@effect-commerce/core/testing/freePort"
import pg from "pg"

const installed = "/usr/lib/postgresql"

/** The programs of the newest PostgreSQL of this machine that this project supports, or undefined. */
export const programs: string | undefined = (existsSync(installed) ? readdirSync(installed) : [])
  .filter((version) => Number(version) >= 15)
  .toSorted((a, b) => Number(b) - Number(a))
  .map((version) => join(installed, version, "bin"))
  .find((bin) => ["initdb", "postgres", "pg_dump", "pg_restore"].every((name) => existsSync(join(bin, name))))
if (programs === undefined)
  process.stderr.write("NOT TESTED: no PostgreSQL with pg_dump is installed, so no backup was made and restored\n")

/** PostgreSQL does not run as root. */
const nobody = 65_534
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

export interface OwnPostgres {
  /** The URL of a database, as `user`. */
  readonly url: (user: string, database: string) => string
  /** Runs a statement as the superuser. */
  readonly run: (statement: string, database?: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly stop: () => Promise<void>
}

export const startOwnPostgres = async (bin: string): Promise<OwnPostgres> => {
  const folder = mkdtempSync(join(tmpdir(), "commerce-postgres-"))
  if (process.getuid?.() === 0) chownSync(folder, nobody, nobody)
  const data = join(folder, "data")
  const made = ["-D", data, "-U", "admin", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"]
  execFileSync(join(bin, "initdb"), made, { ...asNobody, stdio: "pipe", cwd: folder })
  const port = await freePort()
  const settings = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "", fsync: "off" }
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(join(bin, "postgres"), ["-D", data, ...flags], { ...asNobody, stdio: "ignore", cwd: folder })
  const ended = new Promise((done) => server.on("close", done))
  const url = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`
  const run: OwnPostgres["run"] = async (statement, database = "postgres") => {
    const client = new pg.Client({ connectionString: url("admin", database) })
    await client.connect()
    const { rows } = await client.query(statement).finally(() => client.end())
    return rows
  }
  for (let answers = false; !answers; ) {
    if (server.exitCode !== null) throw new Error("the server did not start")
    answers = await run("SELECT 1").then(
      () => true,
      () => false
    )
  }
  return {
    url,
    run,
    stop: async () => {
      server.kill("SIGQUIT")
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
