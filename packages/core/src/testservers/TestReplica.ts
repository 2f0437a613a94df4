/**
 * A streaming replica of a test's server, of the same programs: a base backup, taken while the primary runs, that
 * follows it. It can be paused, stopped, started again and promoted.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type ConnectionOptions, plainSession } from "../database/ConnectionOptions.ts"
import { nativeBinaries } from "../embedded/internal/nativeBinaries.ts"
import { startServer, stopServer } from "../embedded/internal/postmaster.ts"
import { serverOwner } from "../embedded/internal/processOwner.ts"
import { freePort } from "../testing/freePort.ts"
import { connectionOf, runStatement, type TestServer } from "../testing/TestServer.ts"

export interface TestReplica {
  /** A database of it, as a superuser. */
  readonly connectionTo: (database: string) => ConnectionOptions
  readonly urlOf: (database: string) => string
  /** Runs a statement there, as a superuser. */
  readonly run: (statement: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  /** Resolves once it has everything that the primary has written by now. */
  readonly caughtUp: () => Promise<void>
  /** Statements that the server has been asked since it was started, as its log has them. */
  readonly statements: () => ReadonlyArray<string>
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

const rowsOf = async (connection: ConnectionOptions, statement: string) =>
  (await Effect.runPromise(runStatement(connection, statement))).rows as ReadonlyArray<
    Readonly<Record<string, unknown>>
  >

/** The statements in a server's log, where it logs all. */
export const loggedStatements = (log: string): ReadonlyArray<string> =>
  [...readFileSync(log, "utf8").matchAll(/LOG: {2}(?:statement|execute [^:]*): (.*(?:\n\t.*)*)/g)].map(
    ([, text = ""]) => text
  )

/** Copies the files of a running server. The label says from where its log has to be replayed. */
const backUp = (primary: ConnectionOptions, folder: string): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const session = yield* PgConnection.make(plainSession(primary))
        const { rows } = yield* session.query("SELECT current_setting('data_directory') AS place", [], false)
        yield* session.query("SELECT pg_backup_start('replica', true)", [], false)
        execFileSync("cp", ["-a", `${String(rows[0]?.["place"])}/.`, folder])
        const ended = yield* session.query("SELECT labelfile FROM pg_backup_stop()", [], false)
        for (const file of ["postmaster.pid", "postmaster.opts"]) rmSync(join(folder, file), { force: true })
        writeFileSync(join(folder, "backup_label"), String(ended.rows[0]?.["labelfile"]))
      })
    )
  )

/** What libpq reads, each value in quotes. */
const conninfo = ({ connection }: TestServer): string => {
  const { path, host = path === undefined ? "127.0.0.1" : dirname(path), username, password } = connection
  const port = path === undefined ? (connection.port ?? 5432) : Number(/\d+$/.exec(path)?.[0])
  return `host=${host} port=${port} user=${username} password=${password} application_name=replica`
}

export const startTestReplica = async (primary: TestServer): Promise<TestReplica> => {
  const admin = connectionOf(primary, "postgres")
  // The tests' servers answer before a commit is written; what is compared here are positions that are.
  await rowsOf(admin, "ALTER ROLE ALL SET synchronous_commit = on")
  const folder = mkdtempSync(join(tmpdir(), "commerce-replica-"))
  const [cluster, log, port] = [join(folder, "data"), join(folder, "log"), await freePort()]
  const place = String((await rowsOf(admin, "SELECT current_setting('data_directory') AS place"))[0]?.["place"])
  const owner = serverOwner(place)
  execFileSync("mkdir", ["-m", "700", cluster])
  await backUp(admin, cluster)
  writeFileSync(join(cluster, "standby.signal"), "")
  appendFileSync(join(cluster, "postgresql.auto.conf"), `primary_conninfo = '${conninfo(primary)}'\n`)
  if (owner !== undefined)
    for (const path of [folder, cluster, ...["standby.signal", "backup_label"].map((name) => join(cluster, name))])
      chownSync(path, owner.uid, owner.gid)
  const binaries = nativeBinaries(owner)
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "max_connections=300", "log_statement=all"]
  const start = async () => {
    await startServer({ cluster, binaries, owner, socketDirectory: folder, log, settings })
  }
  const stop = () => stopServer(cluster, () => binaries)
  const { username, password } = primary.connection
  const connectionTo = (database: string): ConnectionOptions => ({
    host: "127.0.0.1",
    port,
    username,
    password: Redacted.make(password),
    database
  })
  await start()
  return {
    connectionTo,
    urlOf: (database) => `postgres://${username}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    run: (statement) => rowsOf(connectionTo("postgres"), statement),
    caughtUp: async () => {
      const [written] = await rowsOf(admin, "SELECT pg_current_wal_flush_lsn()::text AS position")
      const reached = `SELECT pg_last_wal_replay_lsn() >= '${String(written?.["position"])}' AS yes`
      for (let i = 0; i < 400; i++) {
        if ((await rowsOf(connectionTo("postgres"), reached))[0]?.["yes"] === true) return
        await sleep(20)
      }
      throw new Error("the replica does not come as far as the primary was")
    },
    statements: () => loggedStatements(log),
    stop,
    start,
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
