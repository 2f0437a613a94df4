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

/** The tables of the release before, up to the migration of this name. */
const upBefore = async (name: string) => {
  const files = readMigrationFiles(migrationsDirectory())
  const end = files.findIndex((file) => file.name.endsWith(`_${name}`))
  expect(end).toBeGreaterThan(0)
  for (const file of files.slice(0, end)) write(`${file.name}.sql`, file.sql)
  await up()
  await query(`INSERT INTO account (id, name, created_at) VALUES ('acct', 'a', '2026-01-01');
    INSERT INTO store (id, account_id, name, currency, country, order_counter, created_at, updated_at)
    VALUES ('old', 'acct', 'Old', 'USD', 'US', 1007, '2026-01-01', '2026-01-01'), ('new', 'acct', 'New', 'USD', 'US', 1000, '2026-01-01', '2026-01-01')`)
}
/** What a process of the release before does, beside one of this. */
const counting = (id: string) =>
  `UPDATE store SET order_counter = order_counter + 1 WHERE id = '${id}' RETURNING order_counter AS n`

describe("order numbers", () => {
  it("go on where the store's own counter was, and a store without orders begins at 1001", async () => {
    await upBefore("order_counters")
    await Effect.runPromise(Migrations.up(database.connection))
    expect(await query("SELECT store_id, last_number FROM order_counter")).toEqual([
      { store_id: "old", last_number: "1007" }
    ])
    const counted = (id: string) => query(counting(id))
    expect([await counted("old"), await counted("old"), await counted("new")]).toEqual([
      [{ n: "1008" }],
      [{ n: "1009" }],
      [{ n: "1001" }]
    ])
  })

  it.each(["checkout_line", "order_item"])(
    "are taken by a sale that has read %s while the tables are brought up to date",
    async (table) => {
      await upBefore("order_counters")
      const sale = new pg.Client(database.nodePostgres)
      await sale.connect()
      try {
        await sale.query("BEGIN")
        await sale.query(`SELECT count(*) FROM ${table}`)
        const migrating = Effect.runPromiseExit(Migrations.up(database.connection))
        await waiting()
        expect((await sale.query(counting("old"))).rows).toEqual([{ n: "1008" }])
        await sale.query("COMMIT")
        expect(refusal(await migrating)).toBe("succeeded")
      } finally {
        await sale.end()
      }
    }
  )
})

describe("orders of before adjustments were stored", () => {
  it("get one adjustment for each discounted line, of the only discount of their time", async () => {
    await upBefore("order_adjustments")
    await query(`INSERT INTO orders (store_id, id, order_number, status, financial_status, fulfillment_status, currency,
        subtotal, discount_amount, rule_discount_amount, shipping_amount, surcharge_amount, tax_amount, total_amount,
        tax_breakdown, customer, status_history, is_test_order, created_at, updated_at)
      VALUES ('old', 'ord_1', 1001, 'PENDING', 'pending', 'unfulfilled', 'USD', 3000, 700, 0, 0, 0, 0, 2300, '{}', '{}',
        '[]', false, now(), now());
      INSERT INTO order_item (store_id, order_id, id, position, name, quantity, unit_price, subtotal, discount, tax, total)
      VALUES ('old', 'ord_1', 'item_a', 0, 'Lamp', 1, 1000, 1000, 300, 0, 700),
        ('old', 'ord_1', 'item_b', 1, 'Gift', 1, 0, 0, 0, 0, 0), ('old', 'ord_1', 'item_c', 2, 'Bulb', 2, 1000, 2000, 400, 0, 1600)`)
    expect(refusal(await Effect.runPromiseExit(Migrations.up(database.connection)))).toBe("succeeded")
    const of = "order_id, position, item_id, target, part, kind, source_id, amount, reason"
    const stated = { order_id: "ord_1", target: "line", part: "discount", kind: "manual_discount", reason: null }
    expect(await query(`SELECT ${of} FROM order_adjustment WHERE store_id = 'old' ORDER BY position`)).toEqual([
      { ...stated, position: 0, item_id: "item_a", source_id: "discountAmount", amount: "300" },
      { ...stated, position: 2, item_id: "item_c", source_id: "discountAmount", amount: "400" }
    ])
  })
})

describe("products that are there when what storefronts read is made", () => {
  it("are noted to be composed, by an owner of the tables who is no superuser as well", async () => {
    await upBefore("product_listing")
    await query(`INSERT INTO product (store_id, id, name, slug, search, created_at, updated_at)
      SELECT s, 'prod_' || s, 'Lamp', 'lamp', 'lamp', now(), now() FROM unnest(ARRAY['old', 'new']) AS s;
      INSERT INTO category (store_id, id, name, slug, created_at, updated_at)
      VALUES ('old', 'cat_1', 'Lamps', 'lamps', now(), now())`)
    const user = `owner_${globalThis.crypto.randomUUID().slice(0, 8)}`
    await query(`CREATE ROLE ${user} LOGIN PASSWORD 'secret' NOSUPERUSER NOBYPASSRLS; GRANT commerce_app TO ${user};
      DO $$ DECLARE t record; BEGIN
        EXECUTE format('ALTER DATABASE %I OWNER TO ${user}', current_database());
        EXECUTE format('ALTER SCHEMA %I OWNER TO ${user}', current_schema());
        FOR t IN SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' LOOP
          EXECUTE format('ALTER TABLE %I OWNER TO ${user}', t.relname);
        END LOOP;
        FOR t IN SELECT oid::regprocedure AS signature FROM pg_proc WHERE pronamespace = current_schema()::regnamespace LOOP
          EXECUTE format('ALTER ROUTINE %s OWNER TO ${user}', t.signature);
        END LOOP;
      END $$`)
    const connection = { ...database.connection, username: user, password: Redacted.make("secret") }
    expect(refusal(await Effect.runPromiseExit(Migrations.up(connection)))).toBe("succeeded")
    expect(await query("SELECT DISTINCT store_id, product_id FROM product_stale ORDER BY store_id")).toEqual([
      { store_id: "new", product_id: "prod_new" },
      { store_id: "old", product_id: "prod_old" }
    ])
    expect(await query("SELECT word FROM search_name")).toEqual([{ word: "lamps" }])
    await query(`REASSIGN OWNED BY ${user} TO CURRENT_USER; DROP OWNED BY ${user}; DROP ROLE ${user}`)
  })
})

describe("an order that a process of the release before places while an installation is upgraded", () => {
  const place = (id: string, number: number, more: string) => `WITH placed AS (
      INSERT INTO orders (store_id, id, order_number, status, financial_status, fulfillment_status, currency, subtotal,
        discount_amount, rule_discount_amount, shipping_amount, surcharge_amount, tax_amount, total_amount,
        tax_breakdown, customer, status_history, is_test_order, created_at, updated_at)
      VALUES ('old', '${id}', ${number}, 'PENDING', 'pending', 'unfulfilled', 'USD', 3000, 700, 0, 0, 0, 0, 2300, '{}',
        '{}', '[]', false, now(), now())
    ), items AS (
      INSERT INTO order_item (store_id, order_id, id, position, name, quantity, unit_price, subtotal, discount, tax, total)
      VALUES ('old', '${id}', '${id}_a', 0, 'Lamp', 1, 1000, 1000, 300, 0, 700),
        ('old', '${id}', '${id}_b', 1, 'Gift', 1, 0, 0, 0, 0, 0), ('old', '${id}', '${id}_c', 2, 'Bulb', 2, 1000, 2000, 400, 0, 1600)
    )${more} SELECT 1`
  const asShop = (sql: string) =>
    query(`BEGIN; SET LOCAL ROLE commerce_app; SELECT set_config('app.store_id', 'old', true); ${sql}; COMMIT`)

  it("says where its discount came from, and one of this release says it itself", async () => {
    await upBefore("order_adjustments")
    expect(refusal(await Effect.runPromiseExit(Migrations.up(database.connection)))).toBe("succeeded")
    await asShop(place("ord_1", 1_001, ""))
    const own = `, adjusted AS (INSERT INTO order_adjustment (store_id, order_id, position, item_id, target, part, kind,
        source_id, amount) VALUES ('old', 'ord_2', 0, 'ord_2_c', 'line', 'rule_discount', 'summer', 'rule', 400),
      ('old', 'ord_2', 1, 'ord_2_a', 'line', 'rule_discount', 'summer', 'rule', 300))`
    await asShop(place("ord_2", 1_002, own))
    expect(
      await query(`SELECT order_id, position, item_id, kind, source_id, part, target, amount::int FROM order_adjustment
        ORDER BY order_id, position`)
    ).toEqual([
      ...[
        { position: 0, item_id: "ord_1_a", amount: 300 },
        { position: 2, item_id: "ord_1_c", amount: 400 }
      ].map((row) => ({
        ...row,
        order_id: "ord_1",
        kind: "manual_discount",
        source_id: "discountAmount",
        part: "discount",
        target: "line"
      })),
      ...[
        { position: 0, item_id: "ord_2_c", amount: 400 },
        { position: 1, item_id: "ord_2_a", amount: 300 }
      ].map((row) => ({
        ...row,
        order_id: "ord_2",
        kind: "summer",
        source_id: "rule",
        part: "rule_discount",
        target: "line"
      }))
    ])
  })
})

describe("attempts to pay", () => {
  /** As the release before leaves them. */
  const attempts = [
    ["calling", 0, 0, "'2026-01-02'"],
    ["ordered", 2_500, 0, "NULL"],
    ["declined", 0, 0, "NULL"],
    ["failed", 0, 0, "NULL"],
    ["absent", 0, 0, "NULL"],
    ["refund_due", 2_600, 100, "'2026-01-02'"],
    ["refunded", 2_500, 2_500, "NULL"]
  ] as const
  const before = async () => {
    await upBefore("provider_operations")
    await query(`INSERT INTO cart (store_id, id, session_token, currency, expires_at, created_at, updated_at)
        VALUES ('old', 'cart', 'token', 'USD', '2026-01-02', '2026-01-01', '2026-01-01');
      INSERT INTO checkout (store_id, id, cart_id, currency, expires_at, created_at, updated_at)
        VALUES ('old', 'chk', 'cart', 'USD', '2026-01-02', '2026-01-01', '2026-01-01')`)
    for (const [i, [status, captured, refunded, checkAt]] of attempts.entries())
      await query(`INSERT INTO payment_attempt (store_id, id, checkout_id, attempt, charge_key, provider, status, amount,
          captured, refunded, refunding, currency, draft, check_at, created_at, updated_at)
        VALUES ('old', 'patt_${i}', 'chk', ${i}, 'complete:chk:${i}', 'test', '${status}', 2500, ${captured}, ${refunded},
          ${refunded}, 'USD', '{"version": 2}', ${checkAt}, '2026-01-01', '2026-01-01')`)
  }

  it("become operations of the payment room, each in its state and with its key, its lease and its order", async () => {
    await before()
    await Effect.runPromise(Migrations.up(database.connection))
    expect(
      await query(`SELECT id, kind, subject_type, subject_id, charge_key, charge_id, state, captured::int, refunded::int,
          check_at IS NOT NULL AS open, details FROM provider_operation ORDER BY id`)
    ).toEqual(
      attempts.map(([status, captured, refunded, checkAt], i) => ({
        id: `patt_${i}`,
        kind: "authorize",
        subject_type: "checkout",
        subject_id: "chk",
        charge_key: `complete:chk:${i}`,
        charge_id: null,
        state: status === "ordered" ? "succeeded" : status,
        captured,
        refunded,
        open: checkAt !== "NULL",
        details: { version: 2 }
      }))
    )
  })

  it("of both releases are the same rows: each reads what the other has written", async () => {
    await before()
    await Effect.runPromise(Migrations.up(database.connection))
    const asShop = (sql: string) =>
      query(`BEGIN; SET LOCAL ROLE commerce_app; SELECT set_config('app.store_id', 'old', true); ${sql}; COMMIT`)
    const both = () =>
      query(`SELECT o.id, o.state, a.status, a.attempt FROM provider_operation o JOIN payment_attempt a USING (store_id, id)
        WHERE o.charge_key IN ('complete:chk:4', 'complete:chk:8', 'complete:chk:9') ORDER BY o.charge_key`)
    // The release before begins one anew whose request never arrived, begins another, and makes an order of it.
    const begin = (id: string, attempt: number) =>
      asShop(`INSERT INTO payment_attempt (store_id, id, checkout_id, attempt, charge_key, provider, status, amount, currency,
          draft, check_at, created_at, updated_at)
        VALUES ('old', '${id}', 'chk', ${attempt}, 'complete:chk:${attempt}', 'test', 'calling', 2500, 'USD', '{}', now(), now(),
          now())
        ON CONFLICT (store_id, charge_key) DO UPDATE SET id = EXCLUDED.id, status = 'calling', draft = EXCLUDED.draft
        WHERE payment_attempt.status = 'absent' AND payment_attempt.amount = EXCLUDED.amount`)
    await begin("patt_again", 4)
    await begin("patt_new", 8)
    await asShop(
      "UPDATE payment_attempt SET status = 'ordered', captured = 2500, check_at = NULL WHERE id = 'patt_new'"
    )
    // This release begins one, and makes an order of it.
    await asShop(`INSERT INTO provider_operation (store_id, id, kind, subject_type, subject_id, charge_key, provider, state,
        amount, currency, check_at, created_at, updated_at)
      VALUES ('old', 'pop_1', 'authorize', 'checkout', 'chk', 'complete:chk:9', 'test', 'calling', 2500, 'USD', now(), now(),
        now())`)
    expect(await both()).toEqual([
      { id: "patt_again", state: "calling", status: "calling", attempt: 4 },
      { id: "patt_new", state: "succeeded", status: "ordered", attempt: 8 },
      { id: "pop_1", state: "calling", status: "calling", attempt: 9 }
    ])
    await asShop("UPDATE provider_operation SET state = 'succeeded', check_at = NULL WHERE id = 'pop_1'")
    expect((await both()).at(-1)).toEqual({ id: "pop_1", state: "succeeded", status: "ordered", attempt: 9 })
    // An operation on a charge is none of the attempts that the release before looks for.
    await asShop(`INSERT INTO provider_operation (store_id, id, kind, subject_type, subject_id, charge_id, provider, state, amount,
        currency, check_at, created_at, updated_at)
      VALUES ('old', 'pop_2', 'refund', 'order', 'ord', 'pop_1', 'test', 'calling', 100, 'USD', now(), now(), now())`)
    expect(await query("SELECT id FROM payment_attempt WHERE id = 'pop_2'")).toEqual([])
  })

  it("are waited for and locked by the release before through the same rows", async () => {
    await before()
    await Effect.runPromise(Migrations.up(database.connection))
    const old = new pg.Client(database.nodePostgres)
    await old.connect()
    try {
      await old.query("BEGIN; SET LOCAL ROLE commerce_app; SELECT set_config('app.store_id', 'old', true)")
      const locked = await old.query(`SELECT a.id, k.cart_id FROM payment_attempt a
        JOIN checkout k ON k.store_id = a.store_id AND k.id = a.checkout_id
        JOIN cart c ON c.store_id = k.store_id AND c.id = k.cart_id
        WHERE a.store_id = 'old' AND a.id = 'patt_0' FOR UPDATE OF c, k, a`)
      expect(locked.rows).toEqual([{ id: "patt_0", cart_id: "cart" }])
      expect(await query("SELECT id FROM provider_operation WHERE id = 'patt_0' FOR UPDATE SKIP LOCKED")).toEqual([])
      const due =
        await old.query(`WITH due AS (SELECT id FROM payment_attempt WHERE store_id = 'old' AND check_at <= now()
          ORDER BY check_at LIMIT 8 FOR UPDATE SKIP LOCKED)
        UPDATE payment_attempt a SET check_at = now() FROM due WHERE a.store_id = 'old' AND a.id = due.id RETURNING a.id`)
      expect(due.rows.map(({ id }) => id).toSorted()).toEqual(["patt_0", "patt_5"])
      await old.query("ROLLBACK")
    } finally {
      await old.end()
    }
  })
})

/** Until somebody waits for a lock. */
const waiting = async () => {
  for (let i = 0; i < 2_000; i++) {
    const [row] = await query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    if (Number(row?.n) > 0) return
    await new Promise((done) => setTimeout(done, 10))
  }
  throw new Error("nobody waits for a lock")
}

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
