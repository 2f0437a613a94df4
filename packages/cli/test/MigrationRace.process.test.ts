/** Many that start at once on one data directory, empty or of an earlier release, and what a kill leaves behind. */
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import * as Migrations from "@effect-commerce/core/migration/Migrations"
import { type ConnectionOptions, nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterEach, describe, expect, it } from "vitest"
import { migrationsDirectory, readMigrationFiles } from "../../core/src/migration/internal/migrationFiles.ts"
import { commerce, folder, type Serving, serving, startServe } from "./runCli.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const files = readMigrationFiles(migrationsDirectory())
const starters = 5

/** A client of the database of the data directory, which it keeps running. */
const connected = async (dataDir: string) => {
  const scope = Effect.runSync(Scope.make())
  const { connection } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start({ dataDir }), scope))
  const client = new pg.Client(nodePostgresConfig(connection))
  await client.connect()
  cleanups.push(async () => {
    await client.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const query = async (sql: string) => (await client.query(sql)).rows
  return { connection, query }
}

/** Brings the database to where an earlier release left it. */
const migrateTo = async (connection: ConnectionOptions, count: number) => {
  const directory = mkdtempSync(join(tmpdir(), "commerce-earlier-"))
  for (const { name, sql } of files.slice(0, count)) writeFileSync(join(directory, `${name}.sql`), sql)
  await Effect.runPromise(Migrations.up({ ...connection, directory }))
  rmSync(directory, { recursive: true, force: true })
}

/** Notes which session records a migration. */
const witness = `CREATE TABLE public.witness (pid int, id int);
  CREATE FUNCTION note_migration() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO public.witness VALUES (pg_backend_pid(), NEW.id); RETURN NEW; END $$;
  CREATE TRIGGER note_migration AFTER INSERT ON commerce_migration FOR EACH ROW EXECUTE FUNCTION note_migration()`

const serveMany = async (dataDir: string): Promise<ReadonlyArray<Serving>> => {
  const servers = await Promise.all(Array.from({ length: starters }, () => serving(["--data-dir", dataDir])))
  cleanups.push(() => Promise.all(servers.map((server) => server.end("SIGTERM"))))
  return servers
}
const ready = async (servers: ReadonlyArray<Serving>) => {
  for (const { url } of servers)
    await expect.poll(async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.status).toBe(200)
}
const dataDirectory = () => {
  const data = folder()
  cleanups.push(data.remove)
  return data.path
}

describe("five servers that start at once", () => {
  it("on an empty data directory migrate and set up once, and all of them serve", async () => {
    const dataDir = dataDirectory()
    await ready(await serveMany(dataDir))
    const { query } = await connected(dataDir)
    expect(await query("SELECT count(*)::int AS applied, max(id) AS head FROM commerce_migration")).toEqual([
      { applied: files.length, head: files.length }
    ])
    expect(await query("SELECT count(*)::int AS stores FROM store")).toEqual([{ stores: 1 }])
  })

  it("on a database of an earlier release: one of them migrates what is missing, and all of them serve", async () => {
    const dataDir = dataDirectory()
    const { connection, query } = await connected(dataDir)
    const earlier = files.length - 20
    await migrateTo(connection, earlier)
    await query(witness)
    await ready(await serveMany(dataDir))
    expect(await query("SELECT count(*)::int AS applied, count(DISTINCT pid)::int AS sessions FROM witness")).toEqual([
      { applied: 20, sessions: 1 }
    ])
    expect(await query("SELECT count(*)::int AS stores FROM store")).toEqual([{ stores: 1 }])
  })
})

describe("a server that is killed in the middle of a migration", () => {
  it("leaves the schema as it was before that migration, and the next one that starts finishes", async () => {
    const dataDir = dataDirectory()
    const { connection, query } = await connected(dataDir)
    // The last migration that changes a table of an earlier one: its lock is held, so that it stands still.
    const at = files.findLastIndex(({ sql }) => /^ALTER TABLE orders\b/m.test(sql))
    await migrateTo(connection, at)
    await query("BEGIN; LOCK TABLE orders IN ACCESS SHARE MODE")
    const dying = startServe(["--data-dir", dataDir, "--port", "0"])
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ALTER TABLE orders%'"
    const other = await connected(dataDir)
    await expect.poll(async () => (await other.query(waiting)).length, { interval: 20 }).toBe(1)
    dying.child.kill("SIGKILL")
    await dying.closed
    expect(await other.query("SELECT count(*)::int AS applied FROM commerce_migration")).toEqual([{ applied: at }])
    await query("COMMIT")
    const next = await serving(["--data-dir", dataDir])
    cleanups.push(() => next.end("SIGTERM"))
    await ready([next])
    expect(await query("SELECT count(*)::int AS applied FROM commerce_migration")).toEqual([{ applied: files.length }])
    const { out } = await commerce(["migrate", "status", "--data-dir", dataDir, "--json"])
    expect(
      (JSON.parse(out) as ReadonlyArray<{ appliedAt: string | null }>).every((one) => one.appliedAt !== null)
    ).toBe(true)
  })
})
