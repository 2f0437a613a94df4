import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { platformTables } from "../../src/database/PlatformTables.ts"
import { open, type TestDatabaseMethods } from "../../src/testing/TestDatabase.ts"
import { schemaDump } from "./schemaDump.ts"

let database: TestDatabaseMethods & { readonly close: () => Promise<void> }
let client: InstanceType<typeof pg.Client>

beforeAll(async () => {
  database = await open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
})

/** Each rule answers with its breaches, so a failure names them. */
const breaches = async (sql: string) =>
  (await client.query(sql, [platformTables])).rows.map((row) => Object.values(row).join(" "))

/** Tables that belong to one store each. */
const tenant = `WITH tenant AS (
  SELECT c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1::text[])
)`
const firstColumn = (table: string, keys: string) =>
  `(SELECT attname FROM pg_attribute a WHERE a.attrelid = ${table} AND a.attnum = ${keys})`

describe("tenant tables", () => {
  it("exist, and every table of the platform's list exists too", async () => {
    expect(
      Number((await client.query(`${tenant} SELECT count(*) AS n FROM tenant`, [platformTables])).rows[0]?.["n"])
    ).toBeGreaterThan(15)
    expect(await breaches("SELECT t FROM unnest($1::text[]) AS t WHERE to_regclass(t) IS NULL")).toEqual([])
  })

  it("have a store_id that is never null and compares byte by byte", async () => {
    expect(
      await breaches(`${tenant} SELECT relname FROM tenant t WHERE NOT EXISTS (
        SELECT FROM pg_attribute a JOIN pg_collation l ON l.oid = a.attcollation
        WHERE a.attrelid = t.oid AND a.attname = 'store_id' AND a.attnotnull AND a.atttypid = 'text'::regtype AND l.collname = 'C')`)
    ).toEqual([])
  })

  it("have a primary key", async () => {
    expect(
      await breaches(
        `${tenant} SELECT relname FROM tenant t WHERE NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = t.oid AND i.indisprimary)`
      )
    ).toEqual([])
  })

  it("begin each primary key, unique key and index with store_id", async () => {
    expect(
      (
        await breaches(`${tenant} SELECT t.relname, i.indexrelid::regclass FROM tenant t JOIN pg_index i ON i.indrelid = t.oid
        WHERE ${firstColumn("t.oid", "i.indkey[0]")} IS DISTINCT FROM 'store_id'`)
      ).toSorted()
      // An inverted index has no first column. Its entries are ids, which are unique over all stores, or name the store.
      // The books of the test provider are looked up by its own ids, as a company's notices name them.
    ).toEqual([
      "cart_item cart_item_customizations_idx",
      "checkout_line checkout_line_customizations_idx",
      "order_item order_item_customizations_idx",
      "product_listing product_listing_filter_keys_idx",
      "product_listing product_listing_search_idx",
      "product_variant product_variant_option_ids_idx",
      "search_word search_word_keys_idx",
      "test_charge test_charge_id_idx"
    ])
  })

  it("begin each foreign key with store_id, on both ends: a row cannot point at another store's", async () => {
    expect(
      await breaches(`${tenant} SELECT t.relname, k.conname FROM tenant t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
        WHERE ${firstColumn("t.oid", "k.conkey[1]")} <> 'store_id'
          OR (k.confrelid <> 'store'::regclass AND ${firstColumn("k.confrelid", "k.confkey[1]")} <> 'store_id')`)
    ).toEqual([])
  })

  it("are no one's from a platform table: no foreign key points from there into a store", async () => {
    expect(
      await breaches(`${tenant} SELECT k.conrelid::regclass, k.conname FROM pg_constraint k JOIN tenant t ON t.oid = k.confrelid
        WHERE k.contype = 'f' AND k.conrelid NOT IN (SELECT oid FROM tenant)`)
    ).toEqual([])
  })

  it("have row-level security enabled and forced", async () => {
    expect(
      await breaches(`${tenant} SELECT relname FROM tenant WHERE NOT relrowsecurity OR NOT relforcerowsecurity`)
    ).toEqual([])
  })

  it("have the four policies and no other: reads open, writes for the transaction's store alone", async () => {
    const policies = `${tenant} SELECT relname, ARRAY(
        SELECT concat_ws(' ', polcmd, 'using', pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid), polroles)
        FROM pg_policy WHERE polrelid = t.oid ORDER BY polcmd) AS policies FROM tenant t`
    const own = "(store_id = current_setting('app.store_id'::text, true))"
    const expected = [
      `a using check ${own} {0}`,
      `d using ${own} check {0}`,
      "r using true check {0}",
      `w using ${own} check {0}`
    ]
    const rows = (await client.query(policies, [platformTables])).rows
    expect(rows.filter((row) => JSON.stringify(row["policies"]) !== JSON.stringify(expected))).toEqual([])
  })
})

describe("columns", () => {
  it("hold money and numbers exactly: no floating point, and every instant with its zone", async () => {
    expect(
      await breaches(`SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND c.relname <> ALL ('{}'::text[]) AND $1::text[] IS NOT NULL
          AND a.atttypid IN ('float4'::regtype, 'float8'::regtype, 'money'::regtype, 'timestamp'::regtype, 'json'::regtype)`)
    ).toEqual([])
  })

  it("compare ids byte by byte", async () => {
    expect(
      await breaches(`SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_collation l ON l.oid = a.attcollation
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.atttypid = 'text'::regtype AND (a.attname = 'id' OR a.attname ~ '_id$')
          AND a.attname NOT LIKE 'analytics%' AND l.collname <> 'C' AND $1::text[] IS NOT NULL`)
    ).toEqual([])
  })

  it("its triggers look for tables where they are, whatever the search_path of who writes", async () => {
    expect(
      await breaches(`SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype = 'trigger'::regtype
        AND p.proconfig IS DISTINCT FROM ARRAY['search_path=public, pg_temp'] AND $1::text[] IS NOT NULL`)
    ).toEqual([])
  })

  it("every constraint is named for its table, so that code can name it", async () => {
    expect(
      await breaches(`SELECT c.relname, k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
        WHERE c.relnamespace = 'public'::regnamespace AND k.contype NOT IN ('n', 't') AND k.conname !~ ('^' || c.relname || '_.*(pkey|key|fkey|check|excl)$') AND $1::text[] IS NOT NULL`)
    ).toEqual([])
  })
})

describe("the schema", () => {
  it("is the one that was reviewed (after a wanted change: vitest run -u)", async () => {
    await expect(await schemaDump(client)).toMatchFileSnapshot("./schema.golden.sql")
  })
})
