/**
 * The schema can be distributed by store: what Citus asks of a distributed table holds for every table, so that all
 * rows of a store are on one server, and no key, trigger or function needs those of another store.
 */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tablesWithoutStore } from "../../src/testservers/StoreStatements.ts"
import { open, type TestDatabaseMethods } from "../../src/testing/TestDatabase.ts"
import { distributedBesideTenants, localTables, referenceTables } from "./distribution.ts"

let database: TestDatabaseMethods & { readonly close: () => Promise<void> }
let client: InstanceType<typeof pg.Client>
let distributed: ReadonlySet<string>

const rows = async (sql: string, params: ReadonlyArray<unknown> = []) =>
  (await client.query(sql, [...params])).rows as ReadonlyArray<Readonly<Record<string, unknown>>>
const texts = async (sql: string, params: ReadonlyArray<unknown> = []) =>
  (await rows(sql, params)).map((row) => Object.values(row).join(" "))

beforeAll(async () => {
  database = await open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
  const all = await texts(`SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
  distributed = new Set(all.filter((table) => !referenceTables.includes(table) && !localTables.includes(table)))
})
afterAll(async () => {
  await client.end()
  await database.close()
})

/**
 * Functions of a search, each for one store. They compare `store_id || ''`, so that the index of words is used and none
 * by store: a distributed schema has them run where the store is (`create_distributed_function` by `store`).
 */
const searches = ["catalog_search", "search_describes", "search_near", "search_uses"]

const own = () => [[...distributed]]

describe("a schema that is distributed by store", () => {
  it("has each table in one of three layouts, and every table that is named exists", async () => {
    expect(distributedBesideTenants).toEqual(["idempotency"])
    expect([...distributed].length).toBeGreaterThan(100)
    const named = [...referenceTables, ...localTables]
    expect(new Set(named).size).toBe(named.length)
    expect(await texts("SELECT t FROM unnest($1::text[]) t WHERE to_regclass(t) IS NULL", [named])).toEqual([])
  })

  it("has a store_id that is never null and of one type in each distributed table", async () => {
    expect(
      await texts(
        `SELECT t FROM unnest($1::text[]) t WHERE NOT EXISTS (SELECT FROM pg_attribute a
          WHERE a.attrelid = t::regclass AND a.attname = 'store_id' AND a.attnotnull AND a.atttypid = 'text'::regtype)`,
        own()
      )
    ).toEqual([])
  })

  it("has the store_id in each primary key, unique key and exclusion of a distributed table", async () => {
    expect(
      await texts(
        `SELECT i.indexrelid::regclass FROM unnest($1::text[]) t JOIN pg_index i ON i.indrelid = t::regclass
          WHERE (i.indisunique OR i.indisexclusion) AND NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = i.indrelid AND a.attname = 'store_id' AND a.attnum = ANY(i.indkey))`,
        own()
      )
    ).toEqual([])
  })

  it("compares the store_id by equality in each exclusion", async () => {
    expect(
      await texts(
        `SELECT k.conname FROM unnest($1::text[]) t JOIN pg_constraint k ON k.conrelid = t::regclass AND k.contype = 'x'
          WHERE NOT EXISTS (SELECT FROM unnest(k.conkey, k.conexclop) AS x (attnum, op)
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = x.attnum
            JOIN pg_operator o ON o.oid = x.op WHERE a.attname = 'store_id' AND o.oprname = '=')`,
        own()
      )
    ).toEqual([])
  })

  it("points from a distributed table to rows of the same store, or to a table that is on every server", async () => {
    expect(
      await texts(
        `SELECT k.conrelid::regclass, k.conname FROM unnest($1::text[]) t
          JOIN pg_constraint k ON k.conrelid = t::regclass AND k.contype = 'f'
          WHERE NOT k.confrelid::regclass::text = ANY($2::text[]) AND (NOT k.confrelid::regclass::text = ANY($1::text[])
            OR NOT EXISTS (SELECT FROM unnest(k.conkey, k.confkey) AS x (mine, theirs)
              JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = x.mine AND a.attname = 'store_id'
              JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = x.theirs AND b.attname = 'store_id'))`,
        [[...distributed], referenceTables]
      )
    ).toEqual([])
  })

  it("points from no other table to a distributed one, and to a local one from none", async () => {
    expect(
      await texts(
        `SELECT k.conrelid::regclass, k.conname FROM pg_constraint k WHERE k.contype = 'f' AND (
          (k.confrelid::regclass::text = ANY($1::text[]) AND NOT k.conrelid::regclass::text = ANY($1::text[]))
          OR k.confrelid::regclass::text = ANY($2::text[]))`,
        [[...distributed], localTables]
      )
    ).toEqual([])
  })

  it("changes no store_id, nowhere: no key cascades an update", async () => {
    expect(
      await texts("SELECT k.conname FROM pg_constraint k WHERE k.contype = 'f' AND k.confupdtype NOT IN ('a', 'r')")
    ).toEqual([])
  })

  it("numbers rows only where the numbers are of eight bytes, so that each server may have a range of its own", async () => {
    expect(
      await texts(
        `SELECT t, a.attname, a.atttypid::regtype FROM unnest($1::text[]) t JOIN pg_attribute a ON a.attrelid = t::regclass AND a.attnum > 0
          LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE NOT a.attisdropped AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%') ORDER BY 1, 2`,
        own()
      )
    ).toEqual([
      // Read in order within a store, whose rows are all written on one server.
      "email_message seq bigint",
      "event seq bigint",
      "loyalty_transaction seq bigint",
      // Only told apart.
      "product_stale id bigint",
      "search_word id bigint"
    ])
  })

  it("names the store of every table that a trigger, or a function it may call, reads or writes", async () => {
    const functions = await rows(`SELECT p.proname AS name, p.prosrc AS body FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.prolang IN (
        SELECT oid FROM pg_language WHERE lanname IN ('sql', 'plpgsql'))`)
    expect(functions.length).toBeGreaterThan(20)
    const crossing = functions.flatMap(({ name, body }) => {
      const bare = searches.includes(String(name)) ? [] : tablesWithoutStore(String(body), distributed)
      return bare.length === 0 ? [] : [`${String(name)}: ${bare.join(", ")}`]
    })
    expect(crossing).toEqual([])
  })

  it("notices a table that could not be distributed", async () => {
    await client.query("BEGIN")
    await client.query("CREATE TABLE badly_kept (id text PRIMARY KEY, store_id text NOT NULL, store text UNIQUE)")
    expect(
      await texts(
        `SELECT i.indexrelid::regclass FROM pg_index i WHERE i.indrelid = 'badly_kept'::regclass AND i.indisunique
          AND NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = i.indrelid AND a.attname = 'store_id' AND a.attnum = ANY(i.indkey)) ORDER BY 1`
      )
    ).toEqual(["badly_kept_pkey", "badly_kept_store_key"])
    await client.query("ROLLBACK")
  })
})

describe("the reading of statements", () => {
  const of = (sql: string) => tablesWithoutStore(sql, new Set(["product", "cart", "stock"]))

  it("finds the tables whose store is not compared", () => {
    expect(of("SELECT p.id FROM product p WHERE p.store_id = $1 AND p.id = $2")).toEqual([])
    expect(of("SELECT p.id, p.store_id FROM product p WHERE p.id = $2")).toEqual(["product"])
    expect(of("SELECT 1 FROM product p JOIN stock s ON s.key = p.id WHERE p.store_id = $1")).toEqual(["stock"])
    expect(of("SELECT 1 FROM product p JOIN stock s ON s.store_id = p.store_id WHERE p.store_id = $1")).toEqual([])
    expect(of("SELECT 1 FROM product p JOIN stock s USING (store_id, key) WHERE p.store_id = $1")).toEqual([])
    expect(of("SELECT 1 FROM product p, stock s WHERE p.store_id = $1 AND s.key = p.id")).toEqual(["stock"])
    expect(of("INSERT INTO cart (store_id, id) VALUES ($1, $2)")).toEqual([])
    expect(of("INSERT INTO cart (id) VALUES ($2)")).toEqual(["cart"])
    expect(of("UPDATE cart SET status = 'store_id = 1' WHERE id = $1 -- store_id = 1")).toEqual(["cart"])
    expect(of("DELETE FROM cart WHERE (store_id, id) IN (SELECT $1, $2)")).toEqual([])
    expect(of("SELECT stock, product FROM told")).toEqual([])
  })
})
