import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause, Effect, Exit, Redacted } from "effect"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { migrationsDirectory, readMigrationFiles } from "../../src/migration/internal/migrationFiles.ts"
import * as Migrations from "../../src/migration/Migrations.ts"
import { open, type TestDatabaseMethods } from "../../src/testing/TestDatabase.ts"
import { fakePooler } from "../database/fakePooler.ts"

let database: TestDatabaseMethods & { readonly close: () => Promise<void> }
let directory: string

beforeEach(async () => {
  database = await open({ template: false })
  directory = mkdtempSync(join(tmpdir(), "commerce-migrations-"))
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true, force: true })
})

const write = (name: string, sql: string) => writeFileSync(join(directory, name), sql)
const up = () => Effect.runPromiseExit(Migrations.up({ ...database.connection, directory }))
const names = (exit: Exit.Exit<ReadonlyArray<Migrations.MigrationState>, unknown>) =>
  Exit.isSuccess(exit) ? exit.value.map(({ name, appliedAt }) => [name, appliedAt !== null]) : refusal(exit)
const refusal = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? String((Cause.squash(exit.cause) as Error).message) : "succeeded"

const query = async (sql: string) => {
  const client = new pg.Client(database.nodePostgres)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const locks = () =>
  query(
    "SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
  )

describe("through a transaction pooler, which keeps connections when their users have gone", () => {
  it("nothing is migrated: the lock would stay with a connection of the pooler, and whoever migrates next would wait for it", async () => {
    const pooler = await fakePooler(String(database.connection.path))
    const through = { ...database.connection, path: undefined, host: "127.0.0.1", port: pooler.port }
    const refused = await Effect.runPromiseExit(Migrations.up({ ...through, directory }))
    expect(Exit.isFailure(refused) && Cause.squash(refused.cause)).toMatchObject({
      reason: { cause: { message: "unsupported startup parameter: lock_timeout" } }
    })
    expect(await query("SELECT to_regclass('commerce_migration') AS made")).toEqual([{ made: null }])
    expect((await Effect.runPromise(Migrations.status(through))).every(({ appliedAt }) => appliedAt === null)).toBe(
      true
    )
    await pooler.close()
  })

  it("a session of a host's gives the lock back when its migrations are done or refused, and not at its end alone", async () => {
    const client = new pg.Client(database.nodePostgres)
    await client.connect()
    const ask = (text: string, params: ReadonlyArray<unknown> = []) =>
      Effect.promise(() => client.query(text, [...params]))
    const upOn = () =>
      Effect.runPromiseExit(Migrations.upOn({ query: ask } as unknown as Migrations.Session, { directory }))
    write("0001_thing.sql", "CREATE TABLE thing (id int PRIMARY KEY)")
    expect(names(await upOn())).toEqual([["0001_thing", true]])
    expect(await locks()).toEqual([{ held: 0 }])
    write("0001_thing.sql", "CREATE TABLE thing (id bigint PRIMARY KEY)")
    expect(refusal(await upOn())).toContain("was changed after it was applied")
    expect(await locks()).toEqual([{ held: 0 }])
    await client.end()
  })
})

describe("the package's own migrations", () => {
  it("bring an empty database to the head, and leave one at the head as it is", async () => {
    const files = readMigrationFiles(migrationsDirectory())
    const pending = await Effect.runPromise(Migrations.status(database.connection))
    expect(pending.map(({ name, appliedAt }) => [name, appliedAt])).toEqual(files.map(({ name }) => [name, null]))
    const first = await Effect.runPromise(Migrations.up(database.connection))
    expect(first.map(({ name }) => name)).toEqual(files.map(({ name }) => name))
    expect(Migrations.isCurrent(first)).toBe(true)
    expect(await Effect.runPromise(Migrations.up(database.connection))).toEqual(first)
    expect(await Effect.runPromise(Migrations.status(database.connection))).toEqual(first)
  })

  it("give the application's role the rows of our tables: no truncate, no record of migrations, no table of a neighbour", async () => {
    await query("CREATE TABLE neighbour (id int)")
    await Effect.runPromise(Migrations.up(database.connection))
    expect(
      await query(`SELECT t, has_table_privilege('commerce_app', t, 'SELECT') AS r, has_table_privilege('commerce_app', t, 'INSERT') AS w,
        has_table_privilege('commerce_app', t, 'TRUNCATE') AS e FROM unnest(ARRAY['product', 'account', 'commerce_migration', 'neighbour']) AS t`)
    ).toEqual([
      { t: "product", r: true, w: true, e: false },
      { t: "account", r: true, w: true, e: false },
      { t: "commerce_migration", r: true, w: false, e: false },
      { t: "neighbour", r: false, w: false, e: false }
    ])
    expect(
      await query("SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = 'commerce_app'")
    ).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false }])
  })
})

describe("a migration that comes next", () => {
  it("finds the rows that are there and changes them, also where the owner of the tables is no superuser", async () => {
    const user = `owner_${globalThis.crypto.randomUUID().slice(0, 8)}`
    await query(`CREATE ROLE ${user} LOGIN PASSWORD 'secret' NOSUPERUSER NOBYPASSRLS; GRANT commerce_app TO ${user};
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I OWNER TO ${user}', current_database());
        EXECUTE format('ALTER SCHEMA %I OWNER TO ${user}', current_schema());
      END $$`)
    const connection = { ...database.connection, username: user, password: Redacted.make("secret"), directory }
    const files = readMigrationFiles(migrationsDirectory())
    for (const file of files) write(`${file.name}.sql`, file.sql)
    expect(refusal(await Effect.runPromiseExit(Migrations.up(connection)))).toBe("succeeded")
    await query(`INSERT INTO account (id, name, created_at) VALUES ('acct', 'a', '2026-01-01');
      INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at)
      SELECT s, 'acct', s, 'USD', 'US', '2026-01-01', '2026-01-01' FROM unnest(ARRAY['one', 'two']) AS s;
      INSERT INTO product (store_id, id, name, slug, created_at, updated_at)
      SELECT s, 'prod_' || s, 'Lamp', 'lamp', now(), now() FROM unnest(ARRAY['one', 'two']) AS s`)
    const next = `${String(Number(files.at(-1)?.name.slice(0, 4)) + 1).padStart(4, "0")}_next`
    // Rows of all stores: the policies hold for the owner of a table only while they are forced.
    write(
      `${next}.sql`,
      `ALTER TABLE product ADD COLUMN shine text NOT NULL DEFAULT '';
      ALTER TABLE product NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE product_stale NO FORCE ROW LEVEL SECURITY;
      UPDATE product SET shine = 'bright' WHERE name = 'Lamp';
      ALTER TABLE product_stale FORCE ROW LEVEL SECURITY;
      ALTER TABLE product FORCE ROW LEVEL SECURITY;
      CREATE TABLE polish (store_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
        CONSTRAINT polish_pkey PRIMARY KEY (store_id, id));
      SELECT tenant_table('polish')`
    )
    const applied = await Effect.runPromise(Migrations.up(connection))
    expect([applied.length, applied.at(-1)?.name]).toEqual([files.length + 1, next])
    expect(await query("SELECT store_id, shine FROM product ORDER BY store_id")).toEqual([
      { store_id: "one", shine: "bright" },
      { store_id: "two", shine: "bright" }
    ])
    expect(await query("SELECT has_table_privilege('commerce_app', 'polish', 'INSERT') AS granted")).toEqual([
      { granted: true }
    ])
    // This package, which does not have that file, leaves the database alone.
    expect(refusal(await Effect.runPromiseExit(Migrations.up(database.connection)))).toBe(
      `the database was migrated by a newer version (${next} is unknown here): update @effect-commerce/core`
    )
    await query(`REASSIGN OWNED BY ${user} TO CURRENT_USER; DROP OWNED BY ${user}; DROP ROLE ${user}`)
  })
})

describe("up", () => {
  it("applies what is pending, in order, each once", async () => {
    write("0001_first.sql", "CREATE TABLE witness (n int); INSERT INTO witness VALUES (1);")
    expect(names(await up())).toEqual([["0001_first", true]])
    write("0002_second.sql", "-- two\nINSERT INTO witness VALUES (2);")
    expect(names(await up())).toEqual([
      ["0001_first", true],
      ["0002_second", true]
    ])
    expect(names(await up())).toEqual([
      ["0001_first", true],
      ["0002_second", true]
    ])
    expect(await query("SELECT n FROM witness ORDER BY n")).toEqual([{ n: 1 }, { n: 2 }])
  })

  it("lets exactly one of five starters migrate; the others find the work done", async () => {
    write("0001_first.sql", "CREATE TABLE witness (pid int); INSERT INTO witness SELECT pg_backend_pid();")
    write("0002_second.sql", "SELECT pg_sleep(0.2); INSERT INTO witness SELECT pg_backend_pid();")
    const all = await Promise.all([up(), up(), up(), up(), up()])
    for (const exit of all)
      expect(names(exit)).toEqual([
        ["0001_first", true],
        ["0002_second", true]
      ])
    expect(await query("SELECT count(*)::int AS rows, count(DISTINCT pid)::int AS pids FROM witness")).toEqual([
      { rows: 2, pids: 1 }
    ])
  })

  it("refuses a file that was changed after it was applied, and applies nothing then", async () => {
    write("0001_first.sql", "CREATE TABLE a (n int);")
    await up()
    write("0001_first.sql", "CREATE TABLE a (n bigint);")
    write("0002_second.sql", "CREATE TABLE b (n int);")
    expect(refusal(await up())).toBe(
      "migration 0001_first was changed after it was applied: restore the file and write a new migration"
    )
    expect(await query("SELECT to_regclass('b') AS b")).toEqual([{ b: null }])
  })

  it("says what to do with a database that was made when the migrations had other names", async () => {
    write("0001_platform.sql", "CREATE TABLE a (n int);")
    await up()
    rmSync(join(directory, "0001_platform.sql"))
    write("0001_database.sql", "CREATE TABLE a (n bigint);")
    expect(refusal(await up())).toBe(
      "migration 0001_platform of the database is 0001_database here: before the first release the migrations were " +
        "written anew, so make a new database; a file of your own gets its name back"
    )
  })

  it("does not mind line ends that a checkout has changed", async () => {
    write("0001_first.sql", "CREATE TABLE a\n(n int);\n")
    await up()
    write("0001_first.sql", "CREATE TABLE a\r\n(n int);\r\n")
    expect(names(await up())).toEqual([["0001_first", true]])
  })

  it("refuses a database that a newer version has migrated", async () => {
    write("0001_first.sql", "SELECT 1;")
    write("0002_second.sql", "SELECT 2;")
    await up()
    rmSync(join(directory, "0002_second.sql"))
    const line =
      "the database was migrated by a newer version (0002_second is unknown here): update @effect-commerce/core"
    expect(refusal(await up())).toBe(line)
    expect(refusal(await Effect.runPromiseExit(Migrations.status({ ...database.connection, directory })))).toBe(line)
  })

  it("refuses a migration that was put before one applied already", async () => {
    write("0002_second.sql", "SELECT 2;")
    await up()
    write("0001_first.sql", "SELECT 1;")
    expect(refusal(await up())).toBe(
      "migration 0001_first lies before 0002_second, which is applied already: give it a higher number"
    )
  })

  it("undoes a migration that fails, keeps those before it, and names it", async () => {
    write("0001_first.sql", "CREATE TABLE a (n int);")
    write("0002_second.sql", "CREATE TABLE b (n int); CREATE TABLE b (n int);")
    expect(refusal(await up())).toBe('migration 0002_second failed and was undone: relation "b" already exists')
    expect(await query("SELECT to_regclass('a')::text AS a, to_regclass('b') AS b")).toEqual([{ a: "a", b: null }])
    write("0002_second.sql", "CREATE TABLE b (n int);")
    expect(names(await up())).toEqual([
      ["0001_first", true],
      ["0002_second", true]
    ])
  })

  it("is finished by the next starter when a process dies in the middle of it", async () => {
    write("0001_first.sql", "CREATE TABLE a (n int); SELECT pg_sleep(60);")
    const dying = up()
    const sleeping =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(60)%'"
    let found = await query(sleeping)
    while (found.length === 0) found = await query(sleeping)
    write("0001_first.sql", "CREATE TABLE a (n int);")
    const next = up()
    await query(`SELECT pg_terminate_backend(${String(found[0]?.["pid"])})`)
    expect(Exit.isFailure(await dying)).toBe(true)
    expect(names(await next)).toEqual([["0001_first", true]])
  })

  it("says how to make the role where this user may not", async () => {
    const user = `owner_${globalThis.crypto.randomUUID().slice(0, 8)}`
    await query(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`)
    await query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${user}', current_database()); END $$`)
    const connection = { ...database.connection, username: user, password: Redacted.make("secret"), directory }
    const exit = await Effect.runPromiseExit(Migrations.up(connection))
    expect(refusal(exit)).toBe(
      `this user may not act as the role commerce_app; as an administrator run: GRANT commerce_app TO ${user};`
    )
    await query(`GRANT commerce_app TO ${user};`)
    write("0001_first.sql", "CREATE TABLE a (n int);")
    expect(names(await Effect.runPromiseExit(Migrations.up(connection)))).toEqual([["0001_first", true]])
    await query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO CURRENT_USER', current_database()); END $$`)
    await query(`REASSIGN OWNED BY ${user} TO CURRENT_USER; DROP OWNED BY ${user}; DROP ROLE ${user}`)
  })

  it("refuses a database whose encoding cannot hold every script, before anything is made in it", async () => {
    const name = `latin_${globalThis.crypto.randomUUID().slice(0, 8)}`
    await query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    write("0001_first.sql", "CREATE TABLE a (n int);")
    const there = { ...database.connection, database: name, directory }
    expect(refusal(await Effect.runPromiseExit(Migrations.up(there)))).toBe(
      "the database's encoding is LATIN1, and texts need UTF8: make a database with ENCODING 'UTF8' TEMPLATE template0 and use that"
    )
    expect(names(await Effect.runPromiseExit(Migrations.status(there)))).toEqual([["0001_first", false]])
    await query(`DROP DATABASE ${name}`)
  })
})
