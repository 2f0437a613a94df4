import { Effect, Redacted } from "effect"
import pg, { type Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeRootSecret, sealMark } from "../../src/crypto/RootSecret.ts"
import { type Examined, examine, sameDatabase, sealedUnder } from "../../src/migration/Diagnosis.ts"
import { up } from "../../src/migration/Migrations.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { fakePooler } from "../database/fakePooler.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let client: Client
beforeAll(async () => {
  database = await TestDatabase.open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
})

const findings = async (options = database.connection): Promise<ReadonlyArray<Examined>> =>
  (await Effect.runPromise(examine(options))).filter(({ remedy }) => remedy !== null)

/** What is said while this is so. */
const broken = async (
  breaking: string,
  mending: string
): Promise<ReadonlyArray<readonly [check: string, says: string]>> => {
  await client.query(breaking)
  const found = await findings()
  await client.query(mending)
  return found.map(({ check, says }) => [check, says])
}

describe("the doctor", () => {
  it("finds nothing to mend in a migrated database, and says what it looked at", async () => {
    const examined = await Effect.runPromise(examine(database.connection))
    expect(examined.map(({ check }) => check)).toEqual([
      "database.version",
      "database.encoding",
      "database.schema",
      "database.tables",
      "tenancy.role",
      "tenancy.grants",
      "tenancy.policies",
      "database.indexes",
      "clocks",
      "database.session"
    ])
    expect(await findings()).toEqual([])
  })

  it("notices what keeps tenants apart no longer, whichever part of it is gone", async () => {
    const apart = [["tenancy.policies", "tenants are not kept apart in stock"]]
    expect(
      await broken("ALTER TABLE stock NO FORCE ROW LEVEL SECURITY", "ALTER TABLE stock FORCE ROW LEVEL SECURITY")
    ).toEqual(apart)
    expect(
      await broken("ALTER TABLE stock DISABLE ROW LEVEL SECURITY", "ALTER TABLE stock ENABLE ROW LEVEL SECURITY")
    ).toEqual(apart)
    const policy = "CREATE POLICY tenant_update ON stock FOR UPDATE USING"
    expect(await broken("DROP POLICY tenant_update ON stock", `${policy} (true)`)).toEqual(apart)
    expect(
      await broken(
        "SELECT 1",
        `DROP POLICY tenant_update ON stock; ${policy} (store_id = current_setting('app.store_id', true))`
      )
    ).toEqual(apart)
    const key = "ALTER TABLE email_pace DROP CONSTRAINT email_pace_pkey, ADD CONSTRAINT email_pace_pkey PRIMARY KEY"
    expect(await broken(`${key} (full_at, store_id)`, `${key} (store_id)`)).toEqual([
      ["tenancy.policies", "tenants are not kept apart in email_pace"]
    ])
    expect(await findings()).toEqual([])
  })

  it("notices grants that are missing, and an index that was not finished", async () => {
    expect(await broken("REVOKE INSERT ON orders FROM commerce_app", "GRANT INSERT ON orders TO commerce_app")).toEqual(
      [["tenancy.grants", "commerce_app may not read and write orders"]]
    )
    const index = "UPDATE pg_index SET indisvalid = "
    const where = " WHERE indexrelid = 'orders_store_id_status_idx'::regclass"
    expect(await broken(`${index}false${where}`, `${index}true${where}`)).toEqual([
      ["database.indexes", "not valid, so not used: orders_store_id_status_idx"]
    ])
  })

  it("notices a table that is gone, and says nothing of tables that are still to be made", async () => {
    expect(
      await broken(
        "ALTER TABLE email_pace RENAME TO email_pace_gone",
        "ALTER TABLE email_pace_gone RENAME TO email_pace"
      )
    ).toEqual([["database.tables", "gone, though their migrations were applied: email_pace"]])
    const empty = await TestDatabase.open({ template: false })
    const examined = await Effect.runPromise(examine(empty.connection))
    await empty.close()
    expect(examined.map(({ check, remedy }) => [check, remedy === null])).toEqual([
      ["database.version", true],
      ["database.encoding", true],
      ["database.schema", false],
      ["tenancy.role", true],
      ["clocks", true]
    ])
  })

  it("notices signing secrets that this root secret does not open", async () => {
    const [ours, other] = [Redacted.make("ours".repeat(10)), Redacted.make("other".repeat(10))]
    const says = async () => (await Effect.runPromise(sealedUnder(database.connection, sealMark(ours)))).says
    expect(await says()).toBe("what is kept sealed opens with this root secret")
    await client.query("INSERT INTO account (id, name, created_at) VALUES ('acct_1', 'A', now())")
    await client.query(
      "INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES ('store_1', 'acct_1', 'S', 'EUR', 'DE', now(), now())"
    )
    const subscription = `INSERT INTO webhook_subscription (store_id, id, url, events, is_active, secret, secret_prefix, created_at, updated_at)
      VALUES ('store_1', $1, 'https://a.example', '{*}', true, $2, 'whsec_', now(), now())`
    await client.query("SELECT set_config('app.store_id', 'store_1', false)")
    for (const [id, secret] of [
      ["one", ours],
      ["two", other]
    ] as const) {
      await client.query(subscription, [id, makeRootSecret(secret).seal("p", "c", "whsec_1")])
    }
    expect(await says()).toBe(
      "1 webhook secret was sealed under another root secret: what they should sign is not sent"
    )
    await client.query("DELETE FROM webhook_subscription; DELETE FROM store; DELETE FROM account")
  })

  it("leaves a host's own tables alone", async () => {
    await client.query("CREATE TABLE seat (store_id text REFERENCES store (id), student text)")
    expect(await findings()).toEqual([])
    await client.query("DROP TABLE seat")
  })

  it("tells pending migrations, a version that is newer, and a user who may not act as our role", async () => {
    const { rowCount } = await client.query("SELECT FROM commerce_migration")
    const { rows } = await client.query(
      "DELETE FROM commerce_migration WHERE id = (SELECT max(id) FROM commerce_migration) RETURNING *"
    )
    const newest = rows[0] as { readonly id: number; readonly name: string; readonly checksum: string }
    const pending = await findings()
    expect(pending).toEqual([
      {
        check: "database.schema",
        says: `1 of ${rowCount} migrations are pending, from ${newest.name}`,
        remedy: "run `commerce migrate`"
      }
    ])
    const record = "INSERT INTO commerce_migration (id, name, checksum, applied_at) VALUES ($1, $2, $3, now())"
    await client.query(record, [newest.id, newest.name, newest.checksum])
    await client.query(record, [9999, "9999_of_tomorrow", "x"])
    expect((await findings())[0]?.says).toContain("9999_of_tomorrow is unknown here")
    await client.query("DELETE FROM commerce_migration WHERE id = 9999")

    const name = `stranger_${process.pid}`
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x'`)
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`)
    expect(await findings({ ...database.connection, username: name, password: Redacted.make("x") })).toMatchObject([
      {
        check: "tenancy.role",
        says: "this user may not act as the role commerce_app",
        remedy: `as an administrator run: GRANT commerce_app TO ${name};`
      },
      { check: "database.session", says: 'permission denied to set role "commerce_app"' }
    ])
    // What the remedy says is done, word for word.
    await client.query(`GRANT commerce_app TO ${name};`)
    expect(await findings({ ...database.connection, username: name, password: Redacted.make("x") })).toEqual([])
    await client.query(`DROP OWNED BY ${name}`)
    await client.query(`DROP ROLE ${name}`)
  })

  it("opens a session as the service does, and says what helps where a pooler refuses it", async () => {
    const pooler = await fakePooler(String(database.connection.path))
    const through = { ...database.connection, path: undefined, host: "127.0.0.1", port: pooler.port }
    expect(
      await Effect.runPromise(Effect.map(examine(through), (all) => all.filter(({ remedy }) => remedy !== null)))
    ).toEqual([
      {
        check: "database.session",
        says: "unsupported startup parameter: role",
        remedy:
          "DATABASE_URL leads through a connection pooler: set COMMERCE_DIRECT_DATABASE_URL to the PostgreSQL behind it"
      }
    ])
    const direct = { connection: through, direct: database.connection }
    expect(
      await Effect.runPromise(
        Effect.map(examine(database.connection, direct), (all) => all.filter(({ remedy }) => remedy !== null))
      )
    ).toEqual([])
    await pooler.close()
  })

  it("gives back what a role has lost: its rights by migrate, as it says", async () => {
    await client.query("REVOKE ALL ON product, tax_rate FROM commerce_app")
    expect(await findings()).toEqual([
      {
        check: "tenancy.grants",
        says: "commerce_app may not read and write product, tax_rate",
        remedy: "run `commerce migrate`, which grants it"
      }
    ])
    await Effect.runPromise(up(database.connection))
    expect(await findings()).toEqual([])
  })

  it("says why a database does not answer, and whether two ways lead to one", async () => {
    const nowhere = { ...database.connection, database: "nowhere" }
    expect(await findings(nowhere)).toMatchObject([
      { check: "database.reached", says: 'database "nowhere" does not exist' }
    ])
    const direct = async (other: typeof nowhere) =>
      (await Effect.runPromise(sameDatabase(database.connection, other))).says
    expect(await direct({ ...nowhere, database: String(database.connection.database) })).toBe(
      "COMMERCE_DIRECT_DATABASE_URL leads to the same database"
    )
    expect(await direct({ ...nowhere, database: "postgres" })).toBe(
      "COMMERCE_DIRECT_DATABASE_URL leads to another database than DATABASE_URL"
    )
    expect(await direct(nowhere)).toBe('COMMERCE_DIRECT_DATABASE_URL: database "nowhere" does not exist')
  })
})
