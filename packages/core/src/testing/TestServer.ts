/**
 * The one PostgreSQL of a test run: the embedded one, in a temporary folder, without crash safety. The schema is
 * migrated once, into a template database named by the schema's hash, from which every test file gets its own copy: in
 * some 20 ms where temporary files are kept in memory, in 600 ms on a disk.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, Redacted, Scope } from "effect"
import { type ConnectionOptions, plainSession } from "../database/ConnectionOptions.ts"
import * as EmbeddedPostgres from "../embedded/EmbeddedPostgres.ts"
import { isProcess } from "../embedded/internal/launchLock.ts"
import { migrationsDirectory, readMigrationFiles, schemaHash } from "../migration/internal/migrationFiles.ts"
import { isServing, readPostmaster } from "../embedded/internal/postmaster.ts"
import * as Migrations from "../migration/Migrations.ts"

/** What workers need to know; plain JSON, because it travels in an environment variable. */
export interface TestServer {
  readonly connection: {
    readonly path?: string
    readonly host?: string
    readonly port?: number
    readonly username: string
    readonly password: string
  }
  readonly template: string
}

export const testServerVariable = "COMMERCE_TEST_SERVER"

/** A connection to `database` of the run's server, as its superuser. */
export const connectionOf = ({ connection }: TestServer, database: string): ConnectionOptions => ({
  ...connection,
  password: Redacted.make(connection.password),
  database
})

/** The server that the run's globalSetup started. */
export const currentTestServer = (): TestServer => {
  const text = process.env[testServerVariable]
  if (text === undefined)
    throw new Error("no test server: name @effect-commerce/core/testing/globalSetup in vitest's globalSetup")
  return JSON.parse(text) as TestServer
}

/** Runs one statement on a session of its own. */
export const runStatement = (options: ConnectionOptions, statement: string) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make(plainSession(options)), (connection) => connection.query(statement, [], false))
  )

/** Starts the server and migrates the template; `stop` ends both and removes the folder. */
export const startTestServer = async (): Promise<{
  readonly server: TestServer
  readonly stop: () => Promise<void>
}> => {
  sweepDeadRuns()
  const folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  chmodSync(folder, 0o755)
  const scope = await Effect.runPromise(Scope.make())
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const started = EmbeddedPostgres.start({
      dataDir: join(folder, "data"),
      durable: false,
      exclusive: true,
      database: "postgres"
    })
    const { connection } = await Effect.runPromise(Scope.provide(started, scope))
    const server: TestServer = {
      connection: {
        ...(connection.path === undefined
          ? { host: connection.host ?? "127.0.0.1", port: connection.port ?? 5432 }
          : { path: connection.path }),
        username: connection.username ?? "postgres",
        password: connection.password === undefined ? "" : Redacted.value(connection.password)
      },
      template: `template_${schemaHash(readMigrationFiles(migrationsDirectory())).slice(0, 12)}`
    }
    await Effect.runPromise(runStatement(connectionOf(server, "postgres"), `CREATE DATABASE ${server.template}`))
    await Effect.runPromise(Migrations.up(connectionOf(server, server.template)))
    return { server, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

const folderPrefix = "commerce-test-"

/** Removes the folders that killed runs have left: a folder's name has the process id. */
const sweepDeadRuns = (): void => {
  for (const entry of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${folderPrefix}(\\d+)-`).exec(entry)?.[1]
    if (pid === undefined || isProcess(Number(pid))) continue
    const cluster = join(tmpdir(), entry, "data", "postgres")
    const server = readPostmaster(cluster)
    if (server !== undefined && isServing(cluster, server)) process.kill(server.pid, "SIGQUIT")
    rmSync(join(tmpdir(), entry), { recursive: true, force: true })
  }
}
